"""Rights of the site's own PostgreSQL account, if another account owns the tables.

It reads and writes rows only: it can neither create or alter tables nor remove the triggers of the log. In the log
it may only insert rows and change names, which the triggers check. It can neither change security events nor delete
them before their time. The owner grants these rights after each `migrate`, so they are defined here alone.
"""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from scoring.models.log_triggers import LOG, NAMES
from tournaments.models.security import ANONYMOUS_RETENTION, RETENTION

EVENTS = "tournaments_securityevent"
ROWS = "SELECT, INSERT, UPDATE, DELETE"
LESS: Mapping[str, str] = {
    LOG: f"SELECT, INSERT, UPDATE ({', '.join(NAMES)})",
    EVENTS: "SELECT, INSERT, DELETE",
    "django_migrations": "SELECT",
    "django_content_type": "SELECT",
    "auth_permission": "SELECT",
}
"""Rights by table, for tables with fewer than `ROWS`."""
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
GUARD = f"""
CREATE OR REPLACE FUNCTION tournaments_events_have_their_time() RETURNS trigger
LANGUAGE plpgsql AS $$ BEGIN
  IF OLD.at > now() - (CASE WHEN OLD.user_id IS NULL
      THEN interval '{ANONYMOUS_RETENTION.days} days' ELSE interval '{RETENTION.days} days' END)
    AND NOT pg_has_role(current_user, (
      SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER')
  THEN RAISE EXCEPTION 'what happened to accounts is kept for its time'; END IF;
  RETURN OLD;
END $$;
DROP TRIGGER IF EXISTS events_have_their_time ON {EVENTS};
CREATE TRIGGER events_have_their_time BEFORE DELETE ON {EVENTS}
FOR EACH ROW EXECUTE FUNCTION tournaments_events_have_their_time();
"""  # noqa: S608 - our own


def replace_database_rights(connection: BaseDatabaseWrapper, account: str) -> None:
    """Grant a PostgreSQL account the rights above, and revoke all others on the schema's tables."""
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        cursor.execute(TABLES)
        tables = sorted(name for (name,) in cursor.fetchall())
        cursor.execute("SELECT current_schema(), current_database()")
        quoted = connection.ops.quote_name
        schema, database = (quoted(name) for name in cursor.fetchone())
        quoted_account = quoted(account)
        cursor.execute(
            f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {quoted_account}"
        )
        cursor.execute(f"GRANT USAGE ON SCHEMA {schema} TO {quoted_account}")
        # Bulk updates of the history need a temporary table.
        cursor.execute(
            f"GRANT CONNECT, TEMPORARY ON DATABASE {database} TO {quoted_account}"
        )
        cursor.execute(
            f"REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM PUBLIC, {quoted_account}"
        )
        for table in tables:
            rights = LESS.get(table, ROWS)
            cursor.execute(f"GRANT {rights} ON {quoted(table)} TO {quoted_account}")
        cursor.execute(
            f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {quoted_account}"
        )
        if EVENTS in tables:
            cursor.execute(GUARD)


def grant_database_rights_after_migrate(
    *, using: str = DEFAULT_DB_ALIAS, **_kwargs: Any
) -> None:
    """Grant the rights after `migrate`, if the settings name a separate account for the site."""
    connection = connections[using]
    if settings.DATABASE_ACCOUNT and connection.vendor == "postgresql":
        replace_database_rights(connection, settings.DATABASE_ACCOUNT)
