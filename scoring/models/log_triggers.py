"""Database triggers that make the hand log append-only, for SQLite and PostgreSQL.

SQLite loses the triggers of a table when it rebuilds the table, as for a changed column, so
they are reinstalled after every `migrate`. They are never dropped to change entries: to erase
a person, a row of `scoring_erasure`, invisible to other transactions, makes them accept changes
of that person's name, also in reasons, and of nothing else. They are dropped only in the
transaction that removes the demo.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

LOG = "scoring_logentry"
ERASURE = "scoring_erasure"
NAMES = ("made_by", "body", "reason")
"""The columns with names of people; in a body only the name in a change of seats."""

SQLITE_UPDATE = """
CREATE TRIGGER log_never_changed BEFORE UPDATE ON scoring_logentry
WHEN NOT EXISTS (
  SELECT 1 FROM scoring_erasure erasure
  WHERE {columns_unchanged}
    AND NEW.made_by IN (OLD.made_by, erasure.name)
    AND (NEW.reason = OLD.reason OR instr(NEW.reason, erasure.name) > 0)
    AND (NEW.body IS OLD.body OR (
      OLD.kind = 'seats'
      AND json_remove(NEW.body, '$.name') = json_remove(OLD.body, '$.name')
      AND json_extract(NEW.body, '$.name') = erasure.name))
)
BEGIN SELECT RAISE(ABORT, 'the hand log is append-only'); END
"""
SQLITE_DELETE = """
CREATE TRIGGER log_never_deleted BEFORE DELETE ON scoring_logentry
BEGIN SELECT RAISE(ABORT, 'the hand log is append-only'); END
"""

POSTGRESQL_FUNCTION = """
CREATE OR REPLACE FUNCTION scoring_log_is_append_only() RETURNS trigger
LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'UPDATE' THEN
    PERFORM 1 FROM scoring_erasure erasure
    WHERE to_jsonb(NEW) - '{made_by,body,reason}'::text[]
        = to_jsonb(OLD) - '{made_by,body,reason}'::text[]
      AND NEW.made_by IN (OLD.made_by, erasure.name)
      AND (NEW.reason = OLD.reason OR position(erasure.name IN NEW.reason) > 0)
      AND CASE
        WHEN NEW.body IS NOT DISTINCT FROM OLD.body THEN true
        WHEN OLD.kind <> 'seats' OR jsonb_typeof(NEW.body) <> 'object' THEN false
        ELSE NEW.body - 'name' = OLD.body - 'name'
          AND NEW.body ->> 'name' = erasure.name
      END;
    IF FOUND THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION 'the hand log is append-only';
END $$
"""
POSTGRESQL_UPDATE = """
CREATE TRIGGER log_never_changed BEFORE UPDATE ON scoring_logentry
FOR EACH ROW EXECUTE FUNCTION scoring_log_is_append_only()
"""
POSTGRESQL_DELETE = """
CREATE TRIGGER log_never_deleted BEFORE DELETE ON scoring_logentry
FOR EACH ROW EXECUTE FUNCTION scoring_log_is_append_only()
"""
POSTGRESQL_TRIGGERS = """
SELECT tgname FROM pg_trigger
WHERE tgrelid = 'scoring_logentry'::regclass AND NOT tgisinternal
"""
SQLITE_TRIGGERS = """
SELECT name FROM sqlite_master
WHERE type = 'trigger' AND tbl_name = 'scoring_logentry'
"""


def trigger_names(connection: BaseDatabaseWrapper) -> set[str]:
    """Return the names of the triggers of the log table."""
    is_postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute(POSTGRESQL_TRIGGERS if is_postgresql else SQLITE_TRIGGERS)
        return {name for (name,) in cursor.fetchall()}


def put_triggers(connection: BaseDatabaseWrapper) -> None:
    """Replace all triggers of the log table with those of this module."""
    with transaction.atomic(using=connection.alias):
        drop_triggers(connection)
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                statements = [POSTGRESQL_FUNCTION, POSTGRESQL_UPDATE, POSTGRESQL_DELETE]
            else:
                columns = connection.introspection.get_table_description(cursor, LOG)
                other_columns = [
                    column.name for column in columns if column.name not in NAMES
                ]
                quoted = map(connection.ops.quote_name, other_columns)
                columns_unchanged = " AND ".join(
                    f"NEW.{name} IS OLD.{name}" for name in quoted
                )
                statements = [
                    SQLITE_UPDATE.format(columns_unchanged=columns_unchanged),
                    SQLITE_DELETE,
                ]
            for statement in statements:
                cursor.execute(statement)


def drop_triggers(connection: BaseDatabaseWrapper) -> None:
    """Drop all triggers of the log table; callers must reinstall them."""
    on_table = f" ON {LOG}" if connection.vendor == "postgresql" else ""
    names = trigger_names(connection)
    with connection.cursor() as cursor:
        for name in sorted(names):
            cursor.execute(f"DROP TRIGGER {connection.ops.quote_name(name)}{on_table}")


@contextmanager
def deletable_log(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """Allow log entries to be deleted in a block, which is one transaction."""
    with transaction.atomic(using=connection.alias):
        drop_triggers(connection)
        yield
        put_triggers(connection)


def reinstall_triggers(*, using: str = DEFAULT_DB_ALIAS, **_signal: Any) -> None:
    """Reinstall the triggers after tables were created or rebuilt, if the tables exist."""
    connection = connections[using]
    if {LOG, ERASURE} <= set(connection.introspection.table_names()):
        put_triggers(connection)
