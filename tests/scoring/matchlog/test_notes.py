"""Notes on hands are entries of the log: nothing is overwritten, and no score changes."""

from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.append import read_match
from scoring.matchlog.commands import CommandOutcome, CommandStatus
from scoring.matchlog.records import export_match, get_or_import_match
from scoring.matchlog.renaming import replace_names_in_reasons
from scoring.models import LogEntry, Match
from scoring.pages.sheet import load_sheet
from tests.factories import HAND, OTHER, entered_match, new_match
from tests.factories.commands import NOW, Authorship, Kind, give
from tests.factories.phones import deliver, entry

pytestmark = pytest.mark.django_db


def write_note(match: Match, note: str, **authorship: object) -> CommandOutcome:
    by = Authorship(note=note, **authorship)  # type: ignore[arg-type]
    return give(Kind.NOTE, match_id=match.pk, number=1, by=by)


def notes_of(match: Match) -> tuple[str, ...]:
    match.refresh_from_db()
    return read_match(match).replayed.hands[0].notes


def test_note_replaces_the_one_its_author_had_seen_and_both_stay_in_the_log() -> None:
    match = entered_match([HAND])
    write_note(match, "  Tom  misdealt ", base_version=1)
    assert notes_of(match) == ("Tom misdealt",)
    write_note(match, "Tom misdealt twice", base_version=2)
    assert notes_of(match) == ("Tom misdealt twice",)
    written = match.log.filter(kind=Kind.NOTE).values_list("reason", flat=True)
    assert list(written) == ["Tom misdealt", "Tom misdealt twice"]
    write_note(match, "", base_version=3)
    assert notes_of(match) == ()


def test_notes_of_two_phones_that_had_not_seen_each_other_both_stay() -> None:
    match = entered_match([HAND])
    write_note(match, "Tom misdealt", base_version=1, phone="a1")
    write_note(match, "The cat took a die", base_version=1, phone="b2")
    assert notes_of(match) == ("Tom misdealt", "The cat took a die")
    write_note(match, "The cat took two dice", base_version=1, phone="b2")
    assert notes_of(match)[1:] == ("The cat took two dice",)


def test_note_needs_a_hand_and_has_two_hundred_characters_at_most() -> None:
    match = new_match()
    assert write_note(match, "Tom misdealt").status == CommandStatus.REFUSED
    match = entered_match([HAND])
    assert write_note(match, "x" * 200).status == CommandStatus.STORED
    [fault] = write_note(match, "x" * 201).faults
    assert fault.field == "note"


def test_note_leaves_confirmations_conflicts_and_later_corrections_alone() -> None:
    match = entered_match([HAND])
    give(Kind.ENTER, match_id=match.pk, number=1, body=OTHER)
    write_note(match, "Tom misdealt", base_version=1)
    assert len(read_match(match).replayed.hands[0].proposals) == 1
    by = Authorship(base_version=2)
    corrected = give(Kind.REPLACE, match_id=match.pk, number=1, body=OTHER, by=by)
    assert corrected.status == CommandStatus.STORED
    assert notes_of(match) == ("Tom misdealt",)


def test_phone_sends_a_hand_with_its_note_and_repeats_change_nothing() -> None:
    match = new_match()
    sent_entry = entry(body=HAND, note="Tom misdealt")
    answers = [deliver(match.address, sent_entry) for _time in range(3)]
    assert {status for status, _answer in answers} == {200}
    assert [entry.kind for entry in match.log.in_order()] == ["enter", "note"]
    assert notes_of(match) == ("Tom misdealt",)
    other = {**sent_entry, "note": "Ann misdealt"}
    assert deliver(match.address, other)[0] == 422


def test_note_travels_with_the_record_and_loses_an_erased_name() -> None:
    match = entered_match([HAND])
    write_note(match, "Tom misdealt", base_version=1)
    record = export_match(match)
    matches = Match.objects.filter(pk=match.pk)
    replace_names_in_reasons(matches=matches, names=["Tom"], replacement="a player")
    assert notes_of(match) == ("a player misdealt",)
    document = record.replace(str(match.key), str(uuid4()))
    imported = get_or_import_match(document, now=NOW)
    assert notes_of(imported) == ("Tom misdealt",)
    assert load_sheet(imported).rows[0].notes == ("Tom misdealt",)


def test_refused_note_shows_what_was_typed() -> None:
    match = entered_match([HAND])
    url = f"{match.get_absolute_url()}hands/1/note/"
    response = Client().post(url, {"note": "x" * 201, "key": str(uuid4())})
    assert response.status_code == 200
    assert "x" * 201 in response.content.decode()
    assert not LogEntry.objects.filter(kind=Kind.NOTE).exists()
