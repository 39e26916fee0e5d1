# Where no registry is reached, script/image makes a base of Debian's packages instead.
ARG BASE=python:3.11-slim
FROM ${BASE} AS built
# A base of Debian's packages has no pip. The client of PostgreSQL makes and restores backups.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client \
    && (command -v pip >/dev/null || apt-get install --yes --no-install-recommends python3-pip) \
    && install -D --target-directory=/postgresql \
        /usr/lib/postgresql/*/bin/pg_dump /usr/lib/postgresql/*/bin/pg_restore /usr/lib/postgresql/*/bin/psql
RUN pip install --no-cache-dir --break-system-packages uv
WORKDIR /app
COPY pyproject.toml uv.lock ./
# Nothing is compiled at a start: the root of a container may be read-only.
RUN UV_PROJECT_ENVIRONMENT=/venv uv sync --frozen --no-dev --no-cache --compile-bytecode \
    && find /venv -path "*/locale/*" -prune -type d -regextype posix-extended \
        ! -regex ".*/(en|de|es|fr)" -exec rm -r {} +
COPY . .
ARG BUILDING="SECRET_KEY=only-while-building TRICKY_VAR=/tmp/var"
# The rules work out every example of the how-to-play pages, or nothing is built.
RUN /venv/bin/python -m scoring.locales.catalogs \
    && env $BUILDING /venv/bin/python manage.py check \
    && env $BUILDING /venv/bin/python manage.py collectstatic --noinput --verbosity 0 \
    && /venv/bin/python -m compileall -q .

FROM ${BASE}
RUN apt-get update && apt-get install --yes --no-install-recommends libpq5 libreadline8 \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
# The user is a number, because checks that an image does not run as root read no names.
RUN useradd --uid 1000 --create-home tricky \
    && install -d -o tricky -g tricky -m 700 /var/lib/tricky /var/backups/tricky
# What changes least comes first, so that an upgrade fetches only the rest.
COPY --from=built /postgresql /usr/local/bin/
COPY --from=built /venv /venv
COPY --from=built /app /app
WORKDIR /app
USER 1000:1000
ENV PATH=/venv/bin:$PATH TRICKY_VAR=/var/lib/tricky PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
# Nothing else is written, but for /tmp.
VOLUME /var/lib/tricky /var/backups/tricky
EXPOSE 8000
# One process serves SQLite best; hosts with PostgreSQL set GRANIAN_WORKERS.
ENV GRANIAN_WORKERS=1
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["python", "deploy/is_healthy.py"]
CMD ["deploy/start-web"]
