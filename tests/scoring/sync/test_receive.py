"""Entries from phones are stored once, however they arrive."""

from typing import Any

import pytest
from django.test import Client

from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match, get_or_import_match
from scoring.matchlog.tokens import match_write_token
from scoring.models import LogEntry, Match
from scoring.models.matches import demo_address, new_address
from scoring.pages.sheet import load_sheet
from scoring.rules import GAMES
from tests.factories import HAND, entered_match, new_match
from tests.factories.matches import NOW
from tests.factories.phones import deliver, entry, start

pytestmark = pytest.mark.django_db


def test_hand_is_stored_in_record_format() -> None:
    match = new_match()
    clock = "2026-03-12T20:00:00+01:00"
    sent_entry = entry(body=HAND, made_by="Bo", entered_at=clock)
    status, answer = deliver(match.address, sent_entry)
    assert (status, answer["key"], answer["version"]) == (200, sent_entry["key"], 1)
    stored = match.log.get()
    assert (stored.made_by, stored.body) == ("Bo", HAND)
    assert stored.entered_at is not None
    assert stored.entered_at.isoformat() == "2026-03-12T19:00:00+00:00"


def test_phone_without_the_token_is_refused_and_nothing_is_stored() -> None:
    match = new_match()
    for token in ("", "0" * 32, match_write_token(new_match())):
        status, answer = deliver(match.address, entry(body=HAND), token)
        assert (status, "Scan" in answer["faults"][0]["message"]) == (401, True)
    assert not match.log.exists()


def test_token_survives_a_change_of_the_secret_key(settings: Any) -> None:
    match = new_match()
    token = match_write_token(match)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another since"
    assert match_write_token(match) != token
    assert deliver(match.address, entry(body=HAND), token)[0] == 200


def test_refused_hand_names_the_field_and_is_not_stored() -> None:
    match = new_match()
    sent_entry = entry(body={**HAND, "points": [140, -1, 101]})
    status, answer = deliver(match.address, sent_entry)
    assert (status, answer["faults"][0]["field"]) == (422, "points[1]")
    assert answer["faults"][0]["message"]
    assert not match.log.exists()
    match.refresh_from_db()
    assert match.version == 0


def test_match_started_offline_keeps_its_address() -> None:
    address = new_address()
    start_entry = start()
    for _twice in range(2):
        assert deliver(address, start_entry, token="")[0] == 200
    match = Match.objects.get()
    assert (match.address, match.seats.count()) == (address, 2)
    deliver(new_address(), start(rematch_of=address), token="")
    rematch = Match.objects.latest("pk")
    assert rematch.rematch_of == match
    assert {seat.player for seat in rematch.seats.all()} == {
        seat.player for seat in match.seats.all()
    }


def test_address_of_another_match_is_unavailable() -> None:
    match = new_match()
    assert deliver(match.address, start(), token="")[0] == 410
    assert deliver(new_address(), entry(body=HAND))[0] == 410


@pytest.mark.parametrize(
    "address",
    [*map(demo_address, GAMES), "a" * 22, "A" * 21, "A" * 23],
)
def test_phone_cannot_choose_a_match_address(address: str) -> None:
    assert deliver(address, start("tricky", "Eve", "Mallory"), token="")[0] == 410
    assert not Match.objects.exists()
    assert "Mallory" not in Client().get("/").content.decode()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"players": ["Ann", "Ann"]}, "players[1]"),
        ({"players": None}, "players"),
        ({"game": ["tricky"]}, "game"),
        ({"options": {"target": "high"}}, "options.target"),
        ({"format": "trick-entry"}, "format"),
        ({"rematch": 1}, "rematch"),
    ],
)
def test_refuses_an_impossible_start(changes: dict[str, Any], field: str) -> None:
    status, answer = deliver(new_address(), start(**changes), token="")
    assert (status, answer["faults"][0]["field"]) == (422, field)
    assert not Match.objects.exists()


def test_writing_phone_is_the_scorer_until_another_takes_over() -> None:
    match = new_match()
    assert load_sheet(match).last_entry_by_scorer is None
    deliver(match.address, entry(body=HAND, phone="a1", made_by="Bo"))
    match.refresh_from_db()
    scorer_entry = load_sheet(match).last_entry_by_scorer
    assert scorer_entry is not None
    assert (scorer_entry.phone, scorer_entry.made_by) == ("a1", "Bo")
    takeover = entry("pen", number=None, phone="b2")
    for _twice in range(2):
        assert deliver(match.address, takeover)[0] == 200
    match.refresh_from_db()
    scorer_entry = load_sheet(match).last_entry_by_scorer
    assert scorer_entry is not None
    assert (scorer_entry.phone, match.version, match.hands_played) == ("b2", 2, 1)
    assert get_or_import_match(export_match(match), now=NOW) == match
    assert rebuild_match(match_id=match.pk, check_only=True) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"key": "1"}, "key"),
        ({"kind": "destroy"}, "kind"),
        ({"number": True}, "number"),
        ({"base": -1}, "base"),
        ({"body": []}, "body"),
        ({"format": "trick-record"}, "format"),
        ({"version": 2}, "version"),
        ({"made_by": 1}, "made_by"),
        ({"instead_of_board": "on"}, "instead_of_board"),
        ({"phone": "A's"}, "phone"),
        ({"reason": "\0"}, "This entry contains a character"),
        ({"waiting": "many"}, "waiting"),
    ],
)
def test_malformed_entry_is_refused_with_a_message(
    changes: dict[str, Any], expected: str
) -> None:
    status, answer = deliver(new_match().address, {**entry(body=HAND), **changes})
    assert (status, answer["message"].startswith(expected)) == (400, True)


def test_phone_receives_everything_to_continue_offline() -> None:
    match = entered_match([HAND])
    snapshot = Client().get(f"/m/{match.address}/held.json").json()
    assert (snapshot["version"], snapshot["token"]) == (1, match_write_token(match))
    assert snapshot["record"]["hands"] == [HAND]
    assert LogEntry.objects.count() == 1


@pytest.mark.parametrize(
    ("game", "body"),
    [
        ("tricky", {"contract": 7, "bids": []}),
        ("tricky_dice", {"contract": [1]}),
        ("tricky_bid", {"tally": 1, "points": [1, 2, 3]}),
        ("db2t", {"inciter": 0, "tier": "high", "actors": [8, {"dice": [32]}]}),
        ("db2t", {"inciter": 0, "tier": [], "actors": [{"dice": [[4], 5, 1]}] * 3}),
    ],
)
@pytest.mark.parametrize("kind", ["enter", "contract", "replace"])
def test_invalid_hand_is_not_stored(game: str, body: dict[str, Any], kind: str) -> None:
    """Games complete what a form sends, but not a hand of the wrong shape."""
    match = new_match(game, 4 if game == "tricky_dice" else 3)
    status, answer = deliver(match.address, entry(kind, body=body))
    assert (status, bool(answer["faults"][0]["message"])) == (422, True)
    assert not match.log.exists()
