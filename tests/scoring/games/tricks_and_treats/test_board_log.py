"""The board in the log: play, undo, repeat, count deals and rebuild."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest

from scoring.games.tricks_and_treats.board.log import (
    read_board_log,
    replay_board,
)
from scoring.matchlog.append import read_match, replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match, get_or_import_match
from scoring.models import LogEntry, Match
from scoring.rules import Refusal
from scoring.rules.tricks_and_treats.board import Board
from scoring.rules.tricks_and_treats.treats import usable_treats
from scoring.rules.tricks_and_treats.turning import new_board
from tests.factories import author, new_match
from tests.factories.commands import Kind, enter_hand, stored, void_hand
from tests.factories.phones import deliver
from tests.factories.phones import entry as phone_entry
from tests.scoring.rules.tricks_and_treats.boards import play_board

pytestmark = pytest.mark.django_db

GAME = "tricks_and_treats"
SUMS: dict[str, Any] = {"tokens": [1, 2, 3], "treats": [{}, {}, {}], "grid_left": 60}


def play(match: Match, kind: str, key: UUID | None = None, **fields: Any) -> LogEntry:
    """Store an action on the board of a match."""
    body = {"kind": kind, **fields}
    entry = stored(Kind.BOARD, match_id=match.pk, key=key, body=body).entry
    assert entry is not None
    return entry


def laid_match(seed: int = 1, seats: int = 3, **options: Any) -> Match:
    """Return a match with a board from this seed."""
    match = new_match(GAME, seats, **options)
    play(match, "begin", UUID(int=seed))
    return match


def board(match: Match) -> Board:
    match.refresh_from_db()
    logged = read_match(match)
    board_log = read_board_log(logged.log)
    assert board_log is not None
    return replay_board(logged.replayed, board_log)


def mark(match: Match) -> str:
    board_log = read_board_log(list(match.log.in_order()))
    assert board_log is not None
    return board_log.latest_counted_id


def play_at_random(match: Match, rng: Random) -> Iterator[tuple[dict[str, Any], Board]]:
    """Play the board of a match at random; yield each action and the board after it."""
    for action, after in play_board(board(match), rng):
        play(match, **{**action, "after": mark(match)})
        yield action, after


def play_deal(match: Match, seed: int = 5) -> None:
    """Play until a deal is over."""
    for action, _after in play_at_random(match, Random(seed)):
        if action["kind"] == "end_deal":
            break


def play_until_usable(match: Match, kind: str, seed: int = 3) -> tuple[int, Board]:
    """Play at random until a seat holds the treat before a trick; return the seat and the board."""
    for action, after in play_board(board(match), Random(seed)):
        holder = next((s for s in range(3) if kind in usable_treats(after, s)), None)
        play(match, **action)
        if holder is not None and after.can_begin_trick:
            return holder, after
    raise AssertionError(f"nobody ever held a {kind}")


def entry(body: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return phone_entry("board", number=None, body=body, **fields)


def test_first_entrys_key_determines_the_board() -> None:
    one, other = laid_match(7), laid_match(7)
    assert board(one) == board(other)
    assert board(one) == new_board(3, board(one).options, 7)
    assert board(laid_match(8)).grid != board(one).grid
    assert one.log.get().hand_number is None


def test_undone_action_stays_in_the_log() -> None:
    match = laid_match()
    before = board(match)
    plays = list(before.deck[:3])
    play(match, "trick", leader=0, plays=plays)
    after_trick = board(match)
    play(match, "turn")
    after_turn = board(match)
    play(match, "undo", after=mark(match))
    assert board(match) == after_trick
    play(match, "turn")
    assert board(match) == after_turn, "nobody gets another token by trying again"
    play(match, "undo")
    play(match, "undo")
    assert board(match) == before
    assert [logged.body["kind"] for logged in match.log.in_order() if logged.body] == [
        *("begin", "trick", "turn", "undo", "turn", "undo", "undo")
    ]
    with pytest.raises(Refusal, match="Nothing to undo in this deal"):
        play(match, "undo")


def test_another_phone_can_redo_an_undone_action() -> None:
    match = laid_match()
    play(match, "trick", leader=0, plays=list(board(match).deck[:3]))
    after = mark(match)
    assert play(match, "turn", after=after).kind == "board"
    after_turn = board(match)
    play(match, "undo", after=mark(match))
    assert play(match, "turn", after=after).kind == "board"
    assert board(match) == after_turn


def test_the_end_of_a_deal_enters_a_hand_that_can_be_corrected() -> None:
    match = laid_match()
    play_deal(match)
    deal = board(match).deals[0]
    hand = replay_match(match).hands[0]
    assert (hand.number, hand.state, hand.raw) == (1, "played", deal.raw_deal)
    match.refresh_from_db()
    assert match.hands_played == 1
    void_hand(match_id=match.pk, number=1)
    play_deal(match)
    assert [hand.state for hand in replay_match(match).hands] == ["void", "played"]
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_the_end_of_a_deal_that_arrives_twice_enters_one_hand() -> None:
    match = laid_match()
    for action, _after in play_at_random(match, Random(5)):
        if board(match).required_action_kinds == ("end_deal",):
            break
        assert action
    end_entry = entry({"kind": "end_deal", "after": mark(match)})
    responses = [deliver(match.address, end_entry) for _again in range(3)]
    assert responses[0] == responses[1] == responses[2]
    assert responses[0][0] == 200
    assert [hand.number for hand in replay_match(match).hands] == [1]


def test_board_cannot_start_after_deals_entered_as_sums() -> None:
    match = new_match(GAME)
    enter_hand(match_id=match.pk, number=1, raw=SUMS)
    with pytest.raises(Refusal, match="start a new match"):
        play(match, "begin")
    void_hand(match_id=match.pk, number=1)
    play(match, "begin")
    play_deal(match)
    assert [hand.state for hand in replay_match(match).hands] == ["void", "played"]


def test_two_phones_share_a_board() -> None:
    match = laid_match()
    after = mark(match)
    plays = list(board(match).deck[:3])
    trick = {"kind": "trick", "after": after, "leader": 0, "plays": plays}
    assert deliver(match.address, entry(trick))[0] == 200
    # The same trick from another phone changes nothing; a different one is refused.
    assert deliver(match.address, entry(trick))[0] == 200
    status, answer = deliver(match.address, entry({**trick, "leader": 1}))
    assert (status, answer["faults"][0]["field"]) == (422, "after")
    assert "another phone" in answer["faults"][0]["message"]
    undo = {"kind": "undo", "after": mark(match)}
    assert [deliver(match.address, entry(undo))[0] for _phone in "AB"] == [200, 200]
    assert board(match).action_count == 0
    assert [logged.kind for logged in match.log.in_order()] == [
        *("board", "board", "superseded", "board", "superseded")
    ]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"kind": "again"},
        {"kind": ["trick"]},
        {"kind": "trick", "plays": 7},
        {"kind": "trick", "plays": [10**30, {}, []], "leader": 0},
        {"kind": "undo", "seat": 1},
        {"kind": "begin", "seed": 1},
        {"kind": "spy", "seat": 0, "cell": ["0", {}]},
        {"kind": "turn", "after": ["x"]},
        {"kind": "end_deal"},
    ],
)
def test_invalid_actions_are_refused_and_not_stored(body: dict[str, Any]) -> None:
    match = laid_match()
    assert deliver(match.address, entry(body))[0] == 422
    assert match.log.count() == 1


def test_exported_record_keeps_the_board() -> None:
    match = laid_match()
    play_deal(match)
    plays = [
        card for card in board(match).deck if card not in board(match).played_cards
    ][:3]
    play(match, "trick", plays=plays)
    play(match, "undo")
    before_export = board(match)
    text = export_match(match).replace(str(match.key), str(uuid4()))
    imported = get_or_import_match(text, now=author().now)
    assert imported.pk != match.pk
    assert board(imported) == before_export
    assert export_match(imported) == text
    assert rebuild_match(match_id=imported.pk, check_only=True) == []


def test_log_of_an_impossible_board_is_refused() -> None:
    match = laid_match()
    record = json.loads(export_match(match))
    for body in ({"kind": "undo"}, {"kind": "turn"}, None, {"kind": 3}):
        record["meta"]["tricky"]["key"] = str(uuid4())
        log = record["meta"]["tricky"]["log"][:1]
        log.append({**log[0], "version": 2, "key": str(uuid4()), "body": body})
        record["meta"]["tricky"]["log"] = log
        with pytest.raises(Refusal):
            get_or_import_match(json.dumps(record), now=author().now)


@pytest.mark.parametrize("after", [{}, {"after": "0" * 12}])
def test_existing_board_is_not_laid_again(after: dict[str, str]) -> None:
    match = laid_match(3)
    existing_board = board(match)
    assert deliver(match.address, entry({"kind": "begin", **after}))[0] == 200
    assert [logged.kind for logged in match.log.in_order()] == ["board", "superseded"]
    assert board(match) == existing_board


def test_actions_without_a_board_or_in_other_games_are_refused() -> None:
    assert deliver(new_match(GAME).address, entry({"kind": "turn"}))[0] == 422
    assert deliver(new_match("tricky").address, entry({"kind": "begin"}))[0] == 422
