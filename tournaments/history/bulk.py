"""Insert and update many rows at once, with COPY on PostgreSQL."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from django.db import connection
from django.db.models import Model

T = TypeVar("T")
BATCH = 5_000
"""Rows in one statement."""
FEW = 200
"""COPY is not worth it for so few rows."""


def statement_batches(rows: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the rows in batches that fit into one statement."""
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def insert_rows(model: type[Model], rows: Sequence[Sequence[object]]) -> None:
    """Insert rows, given as the values of all columns except the key, in the model's order.

    The values go to the driver as they are, so fields that convert values are not supported.
    """
    names = column_names_without_key(model)
    if connection.vendor == "postgresql" and len(rows) > FEW:
        _insert_rows_with_copy(model._meta.db_table, names, rows)
        return
    instances = [model(**dict(zip(names, row, strict=True))) for row in rows]
    model._default_manager.bulk_create(instances, batch_size=BATCH)


def column_names_without_key(model: type[Model]) -> list[str]:
    """Return the columns of a model except its key, in order."""
    fields = model._meta.concrete_fields
    return [field.attname for field in fields if not field.primary_key]


def _insert_rows_with_copy(
    table: str, names: Sequence[str], rows: Sequence[Sequence[object]]
) -> None:
    listed = ", ".join(f'"{name}"' for name in names)
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY {table} ({listed}) FROM STDIN") as copy,
    ):
        for row in rows:
            copy.write_row(row)


def update_float_columns(
    model: type[Model],
    names: Sequence[str],
    rows: Sequence[tuple[int, Sequence[float]]],
) -> None:
    """Update float columns of existing rows; each row is a key and its new values."""
    table = model._meta.db_table
    if connection.vendor == "postgresql" and len(rows) > FEW:
        typed = ", ".join(f"{name} float8" for name in names)
        changed = ", ".join(f"{name} = new.{name}" for name in names)
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE TEMP TABLE new_values (id bigint, {typed})")
            columns = ["id", *names]
            _insert_rows_with_copy(
                "new_values", columns, [(key, *values) for key, values in rows]
            )
            cursor.execute("ANALYZE new_values")
            cursor.execute(
                f"UPDATE {table} SET {changed} FROM new_values AS new"  # noqa: S608
                f" WHERE {table}.id = new.id"
            )
            cursor.execute("DROP TABLE new_values")
        return
    changed = ", ".join(f"{name} = %s" for name in names)
    with connection.cursor() as cursor:
        # Not with executemany: the debug toolbar fails on it with SQLite.
        for key, values in rows:
            cursor.execute(
                f"UPDATE {table} SET {changed} WHERE id = %s",  # noqa: S608 - our names
                (*values, key),
            )
