"""Makes a club with a long history in PostgreSQL, in bulk.

python -m tests.benchmarks.history_maker [--scale 1] writes it into the database of
DATABASE_URL; `history_rows` says what it is made of.
"""

import sys

from tests.benchmarks.history_rows import END, Maker


def make_history(scale: float = 1.0) -> int:
    """Write the history into the database, and return the number of its hands."""
    from django.db import connection, transaction

    from tournaments.models import Club

    maker = Maker(scale)
    club = Club.objects.create(name="A long history", slug="long", created_at=END)
    with transaction.atomic(), connection.cursor() as cursor:
        for table, columns, rows in maker.tables(club.pk):
            names = ", ".join(f'"{name}"' for name in columns)
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, 'id'),"  # noqa: S608
                f" (SELECT coalesce(max(id), 1) FROM {table}))",
                [table],
            )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return sum(1 for _hand in maker._hands())


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tricky_site.settings")
    django.setup()
    share = (
        float(sys.argv[sys.argv.index("--scale") + 1]) if "--scale" in sys.argv else 1
    )
    print(f"{make_history(share):,} hands")
