"""What phones kept arrives once, in whatever way it comes."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match, import_record
from scoring.matchlog.tokens import seat_token
from scoring.models import LogEntry, Match
from scoring.models.matches import new_address
from scoring.pages.sheet import sheet_of
from scoring.sync.protocol import LARGEST
from scoring.web.views.sync import CONTENT_TYPE
from tests.factories import author, entered_match, new_match
from tests.factories.commands import correct_hand
from tests.factories.matches import NOW
from tests.scoring.matchlog.test_append import HAND, OTHER, totals

pytestmark = pytest.mark.django_db


def deliver(
    address: str, entry: dict[str, Any], token: str | None = None
) -> tuple[int, dict[str, Any]]:
    """Return the status and the body of the answer to an entry."""
    response = Client(enforce_csrf_checks=True).post(
        f"/m/{address}/entries/",
        json.dumps(entry),
        content_type="application/json",
        headers={
            "X-Seat-Token": seat_token(Match(address=address))
            if token is None
            else token
        },
    )
    assert response["Content-Type"] == CONTENT_TYPE
    return response.status_code, response.json()


def entry(kind: str = "enter", **told: Any) -> dict[str, Any]:
    return {
        "format": "trick-entry",
        "version": 1,
        "key": str(uuid4()),
        "kind": kind,
        "number": 1,
        "base": 0,
        **told,
    }


def start(game: str = "tricky", *names: str, **told: Any) -> dict[str, Any]:
    """Return the entry by which a phone begins a match."""
    head = {"format": "trick-record", "version": 1, "game": game, "options": {}}
    people = {"players": list(names or ("Ann", "Bo")), "hands": []}
    return entry("start", number=None, body={**head, **people, **told})


def test_a_hand_arrives_as_a_record_writes_it() -> None:
    match = new_match()
    clock = "2026-03-12T20:00:00+01:00"
    sent = entry(body=HAND, made_by="Bo", entered_at=clock)
    status, said = deliver(match.address, sent)
    assert (status, said["key"], said["version"]) == (200, sent["key"], 1)
    stored = match.log.get()
    assert (stored.made_by, stored.body) == ("Bo", HAND)
    assert stored.entered_at is not None
    assert stored.entered_at.isoformat() == "2026-03-12T19:00:00+00:00"


def test_who_sits_nowhere_here_is_not_written_by_a_name() -> None:
    match = new_match()
    deliver(match.address, entry(body=HAND, made_by="Mallory"))
    assert match.log.get().made_by == "someone at the table"


def test_an_entry_that_comes_many_times_is_stored_once_and_answered_the_same() -> None:
    match = new_match()
    sent = entry(body=HAND)
    answers = [deliver(match.address, sent)]
    deliver(match.address, entry(number=2, base=1, body=HAND))
    answers += [deliver(match.address, sent) for _again in range(5)]
    assert all(answer == answers[0] for answer in answers)
    assert match.log.count() == 2


def test_a_key_that_comes_with_something_else_is_refused_and_named() -> None:
    match = new_match()
    sent = entry(body=HAND)
    deliver(match.address, sent)
    for told in ({"body": OTHER}, {"number": 2}, {"kind": "replace"}):
        status, said = deliver(match.address, {**sent, **told})
        assert (status, said["key"]) == (422, sent["key"])
        assert [fault["field"] for fault in said["faults"]] == ["key"]
    assert match.log.count() == 1


def test_a_phone_without_the_token_is_told_and_nothing_is_stored() -> None:
    match = new_match()
    for token in ("", "0" * 32, seat_token(new_match())):
        status, said = deliver(match.address, entry(body=HAND), token)
        assert (status, "scan" in said["faults"][0]["message"]) == (401, True)
    assert not match.log.exists()


def test_a_token_outlives_the_secret_that_made_it(settings: Any) -> None:
    match = new_match()
    token = seat_token(match)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another since"
    assert seat_token(match) != token
    assert deliver(match.address, entry(body=HAND), token)[0] == 200


def test_a_hand_that_two_phones_entered_stands_side_by_side() -> None:
    match = new_match()
    deliver(match.address, entry(body=HAND))
    sent = entry(body=OTHER)
    status, said = deliver(match.address, sent)
    assert (status, said["number"]) == (409, 1)
    assert deliver(match.address, sent) == (status, said)
    hand = replay_match(match).hands[0]
    assert (hand.raw, [one.body for one in hand.proposals]) == (HAND, [OTHER])
    assert rebuild_match(match_id=match.pk, check=True) == []


def test_two_phones_that_entered_the_same_leave_nothing_to_choose() -> None:
    match = new_match()
    deliver(match.address, entry(body=HAND))
    deliver(match.address, entry(body=HAND))
    assert match.log.count() == 2
    assert replay_match(match).hands[0].proposals == ()


def test_whoever_keeps_or_corrects_a_hand_has_chosen() -> None:
    for kind, told in (("keep", {"base": 2}), ("replace", {"body": OTHER, "base": 2})):
        match = new_match()
        deliver(match.address, entry(body=HAND))
        deliver(match.address, entry(body=OTHER))
        status, _said = deliver(match.address, entry(kind, **told))
        assert status == 200
        assert replay_match(match).hands[0].proposals == ()


def test_a_correction_of_what_changed_meanwhile_waits_for_a_choice() -> None:
    match = entered_match([HAND])
    correct_hand(match_id=match.pk, key=uuid4(), number=1, raw=OTHER, author=author())
    late = {**HAND, "points": [121, 120, 120]}
    status, _said = deliver(match.address, entry("replace", base=1, body=late))
    assert status == 409
    hand = replay_match(match).hands[0]
    assert (hand.raw, hand.proposals[0].body) == (OTHER, late)


def test_a_new_hand_made_on_an_older_state_is_simply_the_next() -> None:
    match = entered_match([HAND])
    correct_hand(match_id=match.pk, key=uuid4(), number=1, raw=OTHER, author=author())
    assert deliver(match.address, entry(number=2, base=1, body=HAND))[0] == 200
    assert replay_match(match).state.number == 2


@pytest.mark.parametrize(
    ("told", "place"),
    [
        ({"points": [140, -1, 101]}, "points[1]"),
        ({"points": "?"}, "points"),
        ({"contract": {"bidder": 1, "bid": "many", "trump": 7}}, "contract.bid"),
        ({"points": [1999, 120, 101]}, "points"),
    ],
)
def test_what_the_rules_refuse_is_answered_at_its_place_and_stored_nowhere(
    told: dict[str, Any], place: str
) -> None:
    match = new_match()
    status, said = deliver(match.address, entry(body={**HAND, **told}))
    assert (status, said["faults"][0]["field"]) == (422, place)
    assert said["faults"][0]["message"]
    assert not match.log.exists()
    match.refresh_from_db()
    assert match.version == 0


def test_a_hand_whose_predecessor_is_missing_waits() -> None:
    match = new_match()
    status, said = deliver(match.address, entry(number=2, body=HAND))
    assert (status, said["faults"][0]["message"]) == (422, "Hand 1 comes first.")


def test_a_match_that_a_phone_began_alone_arrives_with_its_address() -> None:
    address = new_address()
    began = start()
    for _twice in range(2):
        assert deliver(address, began, token="")[0] == 200
    match = Match.objects.get()
    assert (match.address, match.seats.count()) == (address, 2)
    deliver(new_address(), start(rematch_of=address), token="")
    rematch = Match.objects.latest("pk")
    assert rematch.rematch_of == match
    assert {seat.player for seat in rematch.seats.all()} == {
        seat.player for seat in match.seats.all()
    }


def test_an_address_that_another_match_has_is_gone() -> None:
    match = new_match()
    assert deliver(match.address, start(), token="")[0] == 410
    assert deliver(new_address(), entry(body=HAND))[0] == 410
    assert deliver("demo-tricky", start(), token="")[0] == 410


@pytest.mark.parametrize(
    ("told", "place"),
    [
        ({"players": ["Ann", "Ann"]}, "players[1]"),
        ({"players": ["Ann"]}, "players"),
        ({"players": [["Ann"], 2]}, "players[0]"),
        ({"players": 5}, "players"),
        ({"players": None}, "players"),
        ({"game": "chess"}, "game"),
        ({"game": ["tricky"]}, "game"),
        ({"options": {"target": "high"}}, "options.target"),
        ({"format": "trick-entry"}, "format"),
        ({"rematch": 1}, "rematch"),
        ({"rematch_of": {"address": 1}, "game": 7}, "game"),
    ],
)
def test_a_beginning_that_cannot_be_is_refused_at_its_place(
    told: dict[str, Any], place: str
) -> None:
    status, said = deliver(new_address(), start(**told), token="")
    assert (status, said["faults"][0]["field"]) == (422, place)
    assert not Match.objects.exists()


def test_somebody_else_sits_down_voids_and_restores() -> None:
    match = entered_match([HAND])
    seats = entry("seats", number=None, body={"seat": 1, "name": "Zoe"})
    assert deliver(match.address, seats)[0] == 200
    assert deliver(match.address, seats)[0] == 200
    assert match.seats.get(index=1).name == "Zoe"
    assert deliver(match.address, entry("void", base=2))[0] == 200
    assert totals(match) == [0, 0, 0]
    assert deliver(match.address, entry("restore", base=3))[0] == 200
    other = entry("seats", number=None, body={"seat": 1, "name": "Ann"})
    assert deliver(match.address, other)[0] == 422
    for seat in (9, [1], True, 10**6):
        assert deliver(match.address, {**other, "body": {"seat": seat}})[0] == 422


def test_whoever_writes_has_the_pen_until_another_takes_it() -> None:
    match = new_match()
    assert sheet_of(match).pen is None
    deliver(match.address, entry(body=HAND, phone="a1", made_by="Bo"))
    match.refresh_from_db()
    pen = sheet_of(match).pen
    assert pen is not None
    assert (pen.phone, pen.made_by) == ("a1", "Bo")
    took = entry("pen", number=None, phone="b2")
    for _twice in range(2):
        assert deliver(match.address, took)[0] == 200
    match.refresh_from_db()
    pen = sheet_of(match).pen
    assert pen is not None
    assert (pen.phone, match.version, match.hands_played) == ("b2", 2, 1)
    assert import_record(export_match(match), now=NOW) == match
    assert rebuild_match(match_id=match.pk, check=True) == []


def test_the_last_word_of_a_phone_says_how_much_it_still_holds() -> None:
    match = new_match()
    deliver(match.address, entry(body=HAND, waiting=3))
    match.refresh_from_db()
    assert match.waiting == 3
    deliver(match.address, entry(number=2, body=HAND, waiting=0))
    match.refresh_from_db()
    assert match.waiting == 0


@pytest.mark.parametrize(
    ("told", "says"),
    [
        ({"key": "1"}, "key"),
        ({"kind": "destroy"}, "kind"),
        ({"number": "1"}, "number"),
        ({"number": True}, "number"),
        ({"base": -1}, "base"),
        ({"body": []}, "body"),
        ({"format": "trick-record"}, "format"),
        ({"version": 2}, "version"),
        ({"version": None}, "version"),
        ({"made_by": 1}, "made_by"),
        ({"reason": None}, "reason"),
        ({"phone": "A's"}, "phone"),
        ({"reason": "\0"}, "There is a character"),
        ({"waiting": "many"}, "waiting"),
        ({"waiting": {}}, "waiting"),
        ({"base": []}, "base"),
    ],
)
def test_what_no_phone_of_ours_sends_is_refused_by_name(
    told: dict[str, Any], says: str
) -> None:
    status, said = deliver(new_match().address, {**entry(body=HAND), **told})
    assert (status, said["message"].startswith(says)) == (400, True)


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("tricky", {"contract": 7, "bids": []}),
        ("tricky_dice", {"contract": [1]}),
        ("tricky_bid", {"tally": 1, "points": [1, 2, 3]}),
        ("db2t", {"inciter": 0, "tier": "high", "actors": [8, {"dice": [32]}]}),
        ("db2t", {"inciter": 0, "tier": [], "actors": [{"dice": [[4], 5, 1]}] * 3}),
    ],
)
@pytest.mark.parametrize("kind", ["enter", "contract", "replace"])
def test_what_is_no_hand_at_all_is_refused_and_stored_nowhere(
    game: str, told: dict[str, Any], kind: str
) -> None:
    """Whatever a game adds to what a form says, it finds nothing to add it to."""
    match = new_match(game, 4 if game == "tricky_dice" else 3)
    status, said = deliver(match.address, entry(kind, body=told))
    assert (status, bool(said["faults"][0]["message"])) == (422, True)
    assert not match.log.exists()


def test_a_body_that_is_no_entry_is_refused() -> None:
    address = new_match().address
    for body in (
        b"",
        b"[]",
        b"\xff",
        b"1",
        b"{" * 1000,
        b'{"key":' * 5000,
        b" " * (LARGEST + 1),
    ):
        response = Client().post(
            f"/m/{address}/entries/", body, content_type="application/json"
        )
        assert response.status_code == 400


def test_a_phone_is_told_what_it_needs_to_go_on_alone() -> None:
    match = entered_match([HAND])
    told = Client().get(f"/m/{match.address}/held.json").json()
    assert (told["version"], told["token"]) == (1, seat_token(match))
    assert told["record"]["hands"] == [HAND]
    assert LogEntry.objects.count() == 1


def test_what_is_void_already_stays_void_and_nobody_is_refused() -> None:
    match = new_match()
    deliver(match.address, entry(body=HAND))
    for _phone in range(2):
        assert deliver(match.address, entry("void", base=1))[0] == 200
    kinds = [one.kind for one in match.log.in_order()]
    assert kinds == ["enter", "void", "superseded"]
    assert replay_match(match).hands[0].state == "void"


def test_a_contract_that_comes_after_its_hand_is_in_the_log_and_changes_nothing() -> (
    None
):
    match = new_match()
    deliver(match.address, entry(body=HAND))
    contract = {"contract": HAND["contract"]}
    assert deliver(match.address, entry("contract", body=contract))[0] == 200
    hand = replay_match(match).hands[0]
    assert (hand.raw, hand.proposals, len(hand.history)) == (HAND, (), 2)


def test_a_correction_of_what_became_void_meanwhile_can_be_chosen() -> None:
    match = new_match()
    deliver(match.address, entry(body=HAND))
    deliver(match.address, entry("void", base=1))
    assert deliver(match.address, entry("replace", base=1, body=OTHER))[0] == 409
    assert replay_match(match).hands[0].state == "void"
    assert deliver(match.address, entry("replace", base=3, body=OTHER))[0] == 200
    hand = replay_match(match).hands[0]
    assert (hand.state, hand.raw) == ("played", OTHER)
    assert rebuild_match(match_id=match.pk, check=True) == []


def finished_match() -> Match:
    """Return a match of Tricky Bid that three players have finished."""
    match = new_match("tricky_bid")
    for number in (1, 2, 3):
        hand = {"points": [9, 5, 1]}
        deliver(match.address, entry(number=number, base=number - 1, body=hand))
    match.refresh_from_db()
    return match


def confirmed_names(match: Match) -> list[str]:
    confirmed = match.seats.exclude(confirmed_at=None).order_by("index")
    return list(confirmed.values_list("name", flat=True))


def confirmation(seat: int, words: str) -> dict[str, Any]:
    return entry("confirm", number=None, body={"seat": seat, "words": words})


def test_who_finds_the_same_words_has_confirmed_until_a_hand_is_corrected() -> None:
    match = finished_match()
    words = sheet_of(match).words
    sent = confirmation(1, words)
    for _again in range(2):
        assert deliver(match.address, sent)[0] == 200
    assert confirmed_names(match) == ["Bo"]
    corrected = {"points": [9, 5, 2]}
    deliver(match.address, entry("replace", base=4, body=corrected))
    assert confirmed_names(match) == []
    deliver(match.address, entry("replace", base=6, body={"points": [9, 5, 1]}))
    assert (sheet_of(match).words, confirmed_names(match)) == (words, [])
    assert deliver(match.address, confirmation(1, words))[0] == 200
    assert confirmed_names(match) == ["Bo"]


def test_nobody_confirms_other_words_before_the_end_or_for_nobody() -> None:
    finished, going_on = finished_match(), new_match()
    words = sheet_of(finished).words
    for match, seat, seen, says in (
        (finished, 1, "acorn · acorn · acorn", words),
        (going_on, 1, sheet_of(going_on).words, "goes on"),
        (finished, 7, words, "no such seat"),
    ):
        status, said = deliver(match.address, confirmation(seat, seen))
        assert (status, says in said["faults"][0]["message"]) == (422, True)
    assert confirmed_names(finished) == []


def test_the_same_match_again_has_options_that_no_form_offers() -> None:
    rare = {"shrinking_deck": True}
    played = new_match("tricks_and_treats", 4, **rare)
    told = json.loads(sheet_of(played).rematch)
    again = {key: told.pop(key) for key in ("game", "players", "rematch_of")}
    sent = start(
        again["game"],
        *again["players"],
        options=told["options"],
        rematch_of=again["rematch_of"],
    )
    assert deliver(new_address(), sent)[0] == 200
    assert Match.objects.latest("pk").options == rare
