FROM python:3.11-slim AS built
RUN pip install --no-cache-dir uv
WORKDIR /app
COPY pyproject.toml uv.lock ./
RUN uv sync --frozen --no-dev --no-cache
COPY . .
ARG BUILDING="SECRET_KEY=only-while-building TRICKY_VAR=/tmp/var"
# The rules work out every example of the how-to-play pages, or nothing is built.
RUN .venv/bin/python -m scoring.locales.catalogs \
    && env $BUILDING .venv/bin/python manage.py check \
    && env $BUILDING .venv/bin/python manage.py collectstatic --noinput --verbosity 0

FROM python:3.11-slim
# By its client PostgreSQL is backed up and restored.
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home tricky && install -d -o tricky -m 700 /var/lib/tricky /var/backups/tricky
COPY --from=built /app /app
WORKDIR /app
USER tricky
ENV PATH=/app/.venv/bin:$PATH TRICKY_VAR=/var/lib/tricky PYTHONUNBUFFERED=1
VOLUME /var/lib/tricky /var/backups/tricky
EXPOSE 8000
# One process serves SQLite best; hosts with PostgreSQL set GRANIAN_WORKERS.
ENV GRANIAN_WORKERS=1 GRANIAN_BLOCKING_THREADS=128
CMD ["sh", "-c", "python manage.py migrate --verbosity 0 && exec granian --interface wsgi --host 0.0.0.0 --port 8000 --no-ws tricky_site.wsgi:application"]
