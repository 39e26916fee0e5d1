"""Many rows in one go: by COPY where the database is PostgreSQL."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.db import connection
from django.db.models import Model

T = TypeVar("T")
BATCH = 5_000
"""Rows in one statement."""
FEW = 200
"""So few are not worth a COPY."""


def batches(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Return the rows in parts that fit into a statement."""
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def insert_rows(model: type[Model], rows: Sequence[Sequence[object]]) -> None:
    """Store new rows, given the values of every column but the key, in their order.

    Values are what the driver takes: none of them is of a field that converts them.
    """
    names = insert_columns(model)
    if connection.vendor == "postgresql" and len(rows) > FEW:
        _copy(model._meta.db_table, names, rows)
        return
    made = [model(**dict(zip(names, row, strict=True))) for row in rows]
    model._default_manager.bulk_create(made, batch_size=BATCH)


def insert_columns(model: type[Model]) -> list[str]:
    """Return the columns of a model but its key, as they follow one another."""
    fields = model._meta.concrete_fields
    return [field.attname for field in fields if not field.primary_key]


def _copy(table: str, names: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    listed = ", ".join(f'"{name}"' for name in names)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({listed}) FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)


def update_floats(
    model: type[Model],
    names: Sequence[str],
    rows: Sequence[tuple[int, Sequence[float]]],
) -> None:
    """Write numbers into columns of rows that are there, by their keys."""
    table = model._meta.db_table
    if connection.vendor == "postgresql" and len(rows) > FEW:
        typed = ", ".join(f"{name} float8" for name in names)
        changed = ", ".join(f"{name} = new.{name}" for name in names)
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE TEMP TABLE new_values (id bigint, {typed})")
            columns = ["id", *names]
            _copy("new_values", columns, [(key, *values) for key, values in rows])
            cursor.execute("ANALYZE new_values")
            cursor.execute(
                f"UPDATE {table} SET {changed} FROM new_values AS new"  # noqa: S608
                f" WHERE {table}.id = new.id"
            )
            cursor.execute("DROP TABLE new_values")
        return
    changed = ", ".join(f"{name} = %s" for name in names)
    with connection.cursor() as cursor:
        # Not in one call of many rows: on SQLite the toolbar of developers fails at it.
        for key, values in rows:
            cursor.execute(
                f"UPDATE {table} SET {changed} WHERE id = %s",  # noqa: S608 - our names
                (*values, key),
            )
