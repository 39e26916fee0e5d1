"""Export and import matches as records with their log."""

import json
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from scoring.matchlog.records import export_match, get_or_import_match, meta_without_log
from scoring.models import LogEntry, Match, Player, Seat
from scoring.rules import Refusal, score_record
from tests.factories import HAND, OTHER, author, entered_match, new_match
from tests.factories.commands import correct_hand, enter_hand, void_hand
from tests.factories.matches import NOW
from tests.worked_records import RECORDS

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("record", "answer"), RECORDS)
def test_a_record_survives_a_round_trip(
    record: dict[str, Any], answer: dict[str, Any]
) -> None:
    match = get_or_import_match(json.dumps(record), now=NOW)
    exported = json.loads(export_match(match))
    assert {key: exported[key] for key in record} == record
    assert score_record(exported)["ranks"] == answer["ranks"]


def test_a_second_export_equals_the_first_byte_for_byte(tmp_path: Path) -> None:
    match = entered_match([HAND, OTHER, HAND])
    correct_hand(match_id=match.pk, number=1, raw=OTHER, author=author(reason="x"))
    void_hand(match_id=match.pk, number=2, author=author("Bo"))
    first = export_match(match)
    other_server = first.replace(str(match.key), str(uuid4()))
    imported = get_or_import_match(other_server, now=NOW)
    assert imported.pk != match.pk
    assert export_match(imported) == other_server
    assert imported.log.count() == 5


def test_importing_twice_stores_once() -> None:
    first = export_match(entered_match([HAND]))
    assert get_or_import_match(first, now=NOW).log.count() == 1
    assert Match.objects.count() == 1
    record = json.loads(first)
    del record["meta"]
    get_or_import_match(json.dumps(record), now=NOW)
    get_or_import_match(json.dumps(record), now=NOW)
    assert Match.objects.count() == 2
    assert (Seat.objects.count(), Player.objects.count()) == (6, 6)
    assert LogEntry.objects.count() == 2


def test_import_leaves_an_existing_match_with_its_key_unchanged() -> None:
    empty_match, played_match = new_match(), entered_match([HAND])
    forged = json.loads(export_match(empty_match))
    played_record = json.loads(export_match(played_match))
    forged["hands"] = played_record["hands"]
    forged["meta"]["tricky"]["log"] = played_record["meta"]["tricky"]["log"]
    assert get_or_import_match(json.dumps(forged), now=NOW) == empty_match
    assert not empty_match.log.exists()
    forged["meta"]["tricky"]["started_at"] = "2020-01-01T20:00:00+00:00"
    with pytest.raises(
        Refusal, match="Another match already uses the key in this file"
    ):
        get_or_import_match(json.dumps(forged), now=NOW)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "void"),
        ("kind", "nonsense"),
        ("hand", 2),
        ("hand", None),
        ("version", 2),
        ("made_by", "A" * 81),
        ("made_at", "yesterday"),
        ("made_at", None),
        ("body", OTHER),
        ("body", None),
        ("base_version", -1),
        ("key", 7),
    ],
)
def test_impossible_log_is_refused(field: str, value: object) -> None:
    record = json.loads(export_match(entered_match([HAND])))
    metadata = record["meta"]["tricky"]
    metadata["key"] = str(uuid4())
    metadata["log"][0][field] = value
    with pytest.raises(Refusal):
        get_or_import_match(json.dumps(record), now=NOW)
    assert Match.objects.count() == 1


def test_unknown_metadata_of_a_record_is_kept() -> None:
    match = entered_match([HAND])
    record = json.loads(export_match(match))
    record["meta"] = {"place": "Kitchen", "cups": [{"b": 1, "a": None}]}
    stored = get_or_import_match(json.dumps(record), now=NOW)
    exported = json.loads(export_match(stored))
    assert exported["meta"].pop("tricky")["log"]
    assert exported["meta"] == record["meta"]


@pytest.mark.parametrize("hidden", ["\x00", "\ud800", "\u202e", "\ufffe", "\x07"])
@pytest.mark.parametrize("kept_keys", [{"tricky"}, set()], ids=["log", "hands"])
def test_removes_hidden_characters_of_old_records(
    hidden: str, kept_keys: set[str]
) -> None:
    record = json.loads(export_match(entered_match([HAND])))
    record["meta"]["tricky"]["key"] = str(uuid4())
    name = record["players"][0]
    record["players"][0] = f"{name}{hidden}"
    record["meta"]["place"] = [f"A{hidden}"]
    for key in {"tricky"} - kept_keys:
        del record["meta"][key]
    removed: list[str] = []
    stored = get_or_import_match(json.dumps(record), now=NOW, stripped_texts=removed)
    assert removed == [f"{name}{hidden}", f"A{hidden}"]
    assert stored.seats.get(index=0).name == name
    assert meta_without_log(stored) == {"place": ["A"]}
    # The same file again is the same match.
    assert get_or_import_match(json.dumps(record), now=NOW) == stored


def test_the_commands_export_and_import(tmp_path: Path) -> None:
    match = entered_match([HAND])
    exported = StringIO()
    call_command(
        "export_record", match.address, stdout=exported, stderr=(errors := StringIO())
    )
    assert "Continue it on one server only" in errors.getvalue()
    file = tmp_path / "match.json"
    file.write_text(exported.getvalue())
    call_command("import_record", str(file), stdout=(output := StringIO()))
    assert output.getvalue().strip() == match.address


def test_commands_explain_their_errors(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No match at"):
        call_command("export_record", "nowhere")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_record", str(tmp_path / "none.json"))
    file = tmp_path / "bad.json"
    broken = {**json.loads(export_match(entered_match([HAND]))), "hands": [{}]}
    for text, message in (
        ("{}", f"{file}: format: "),
        ("{", f"{file}: This isn’t valid JSON. (record.format)"),
        (json.dumps(broken), f"{file}: hand 1, "),
    ):
        file.write_text(text)
        with pytest.raises(CommandError) as error:
            call_command("import_record", str(file))
        assert str(error.value).startswith(message)


def test_rebuild_reports_differences() -> None:
    match = entered_match([HAND])
    call_command("rebuild", "--check", stdout=(check_output := StringIO()))
    assert check_output.getvalue().startswith("0 differences in 1 matches\n")
    match.seats.filter(index=0).update(total=1)
    with pytest.raises(SystemExit):
        call_command("rebuild", "--check", stdout=StringIO())
    call_command("rebuild", stdout=(rebuild_output := StringIO()))
    assert "1 differences" in rebuild_output.getvalue()


def test_export_during_entries_is_consistent_with_its_log() -> None:
    match = entered_match([HAND])

    def enter_between_reads(execute: Any, sql: str, *args: Any) -> Any:
        if sql.startswith("SELECT") and 'FROM "scoring_logentry"' in sql:
            reads.append(sql)
            if len(reads) == 2:
                enter_hand(match_id=match.pk, number=2, raw=OTHER)
        return execute(sql, *args)

    reads: list[str] = []
    with connection.execute_wrapper(enter_between_reads):
        record = json.loads(export_match(match))
    assert reads
    assert [entry["hand"] for entry in record["meta"]["tricky"]["log"]] == [1]
    assert len(record["hands"]) == 1
