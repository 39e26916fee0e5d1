"""Triggers keep the log append-only, on both databases and when its table is created again."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction

from scoring.matchlog.renaming import rename_players_and_count_matches
from scoring.models import Erasure, LogEntry, Player
from scoring.models.log_triggers import drop_triggers, trigger_names
from tests.factories import HAND, settled_match
from tests.factories.commands import reseat

pytestmark = pytest.mark.django_db
TRIGGERS = {"log_never_changed": "UPDATE", "log_never_deleted": "DELETE"}
OTHER_VALUES = {
    "id": "id + 1",
    "match_id": "match_id + 1",
    "version": "version + 1",
    "key": "'00000000-0000-0000-0000-000000000001'",
    "kind": "'seats'",
    "hand_number": "hand_number + 1",
    "body": '\'{"name": "Former player 1"}\'',
    "supersedes_id": "id",
    "made_by": "'Former player 2'",
    "account": "7",
    "phone": "'another'",
    "fingerprint": "'another'",
    "reason": "'another'",
    "base_version": "7",
    "made_at": "'2020-01-01 00:00:00+00'",
    "entered_at": "made_at",
}
"""By column, an SQL expression for another value."""
TRIGGER_QUERIES = {
    "postgresql": "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger"
    " WHERE tgrelid = 'scoring_logentry'::regclass AND NOT tgisinternal"
    " AND tgenabled = 'O'",
    "sqlite": "SELECT name, sql FROM sqlite_master"
    " WHERE type = 'trigger' AND tbl_name = 'scoring_logentry'",
}


def trigger_events() -> dict[str, str]:
    """Return the event on which each trigger of the log fires."""
    with connection.cursor() as cursor:
        cursor.execute(TRIGGER_QUERIES[connection.vendor])
        return {
            name: sql.split(" BEFORE ")[1].split()[0] for name, sql in cursor.fetchall()
        }


def is_refused(statement: str, *values: Any) -> bool:
    """Return whether the database refuses a statement because of the log."""
    with connection.cursor() as cursor:
        try:
            with transaction.atomic():
                cursor.execute(statement, values)
        except DatabaseError as error:
            return "the hand log is append-only" in str(error)
    return False


def test_every_column_of_the_log_is_covered() -> None:
    assert set(OTHER_VALUES) == {field.column for field in LogEntry._meta.fields}


@pytest.mark.parametrize(("column", "value"), OTHER_VALUES.items())
def test_columns_of_an_entry_cannot_change(column: str, value: str) -> None:
    settled_match([HAND])
    change = f'UPDATE scoring_logentry SET "{column}" = {value}'  # noqa: S608
    assert is_refused(change)
    Erasure.objects.create(name="Former player 1")
    assert is_refused(change)


def test_entries_cannot_be_deleted_even_during_an_erasure() -> None:
    settled_match([HAND])
    assert is_refused("DELETE FROM scoring_logentry")
    Erasure.objects.create(name="Former player 1")
    assert is_refused("DELETE FROM scoring_logentry")


def test_erasure_can_only_write_the_replacement_name() -> None:
    settled_match([HAND])
    Erasure.objects.create(name="Former player 1")
    change = "UPDATE scoring_logentry SET made_by = %s"
    assert is_refused(change, "Bo")
    assert is_refused(f"{change}, reason = 'x'", "Former player 1")
    assert not is_refused(change, "Former player 1")
    assert not is_refused(
        "UPDATE scoring_logentry SET reason = %s", "Former player 1 left"
    )


def test_erasure_leaves_the_triggers_active() -> None:
    settled_match([HAND])
    ann = Player.objects.get(name="Ann")
    entry_count = LogEntry.objects.filter(made_by="Ann").count()
    assert entry_count
    assert rename_players_and_count_matches(players=[ann], name="Former player 1") == 1
    assert LogEntry.objects.filter(made_by="Former player 1").count() == entry_count
    assert not Erasure.objects.exists()
    assert trigger_events() == TRIGGERS
    assert is_refused("UPDATE scoring_logentry SET made_by = 'Former player 1'")


def test_erasure_renames_a_seat_change_to_a_non_ascii_name() -> None:
    match = settled_match([HAND])
    outcome = reseat(match_id=match.pk, index=2, name="Zoë")
    zoe = match.seats.get(index=2).player
    rename_players_and_count_matches(players=[zoe], name="Früher 1")
    assert outcome.entry is not None
    body = LogEntry.objects.get(pk=outcome.entry.pk).body
    expected = {"seat": 2, "player": zoe.pk, "name": "Früher 1", "from_hand": 1}
    assert body == expected


@pytest.mark.django_db(transaction=True)
def test_recreated_table_gets_its_triggers_back() -> None:
    longer_field = models.CharField(max_length=81, blank=True)
    longer_field.set_attributes_from_name("made_by")
    original_field = LogEntry._meta.get_field("made_by")
    for old, new in ((original_field, longer_field), (longer_field, original_field)):
        with connection.schema_editor() as editor:
            editor.alter_field(LogEntry, old, new)
        call_command("migrate", verbosity=0)
        assert trigger_events() == TRIGGERS


@pytest.mark.django_db(transaction=True)
def test_missing_triggers_are_reinstalled_by_migrate() -> None:
    drop_triggers(connection)
    assert trigger_names(connection) == set()
    call_command("migrate", verbosity=0)
    assert trigger_events() == TRIGGERS
