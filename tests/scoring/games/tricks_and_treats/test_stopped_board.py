"""A deal on the board whose sums were entered: what pages show, and what counts."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.settling import set_closed
from scoring.models import Match
from tests.factories.commands import (
    correct_hand,
    enter_hand,
    void_hand,
)
from tests.factories.phones import deliver
from tests.scoring.games.tricks_and_treats.test_board_log import (
    SUMS,
    board,
    entry,
    laid_match,
    mark,
    play,
    play_deal,
)
from tests.scoring.games.tricks_and_treats.test_board_pages import (
    board_page,
    page_state,
    post,
)

pytestmark = pytest.mark.django_db
SUMS_ENTERED = "Ann entered totals for deal 1."
CONTINUE = "· Continue"


def enter_sums(match: Match, number: int = 1, **sums: Any) -> None:
    """Enter a hand as sums although it is being played on the board."""
    raw = {**SUMS, **sums}
    enter_hand(match_id=match.pk, number=number, raw=raw)


def void(match: Match, number: int = 1) -> None:
    void_hand(match_id=match.pk, number=number)


def correct(match: Match, number: int, raw: dict[str, Any]) -> None:
    correct_hand(match_id=match.pk, number=number, raw=raw)


def poll(match: Match, state: str) -> Any:
    return Client().get(f"/m/{match.address}/board/live/", {"v": state})


def sheet(match: Match) -> str:
    return Client().get(match.get_absolute_url()).content.decode()


def play_trick(match: Match, **fields: Any) -> tuple[int, Any]:
    """Send a trick from a phone; return the status and the answer."""
    plays = list(board(match).deck[:3])
    body = {"kind": "trick", "after": mark(match), "leader": 0, "plays": plays}
    return deliver(match.address, entry(body, **fields))


def test_board_says_that_its_deal_was_entered_as_sums_and_takes_no_trick() -> None:
    match = laid_match()
    state = page_state(board_page(match))
    assert poll(match, state).status_code == 204
    enter_sums(match)
    html = poll(match, state).content.decode()
    assert SUMS_ENTERED in html
    assert "Play this trick" not in html
    assert f"/m/{match.address}/hands/new/" in html
    assert f"/m/{match.address}/hands/1/" in html
    assert board_page(match).count(SUMS_ENTERED) == 1
    assert poll(match, page_state(html)).status_code == 204
    assert "Deal 1, trick" not in board_page(match)


def test_board_goes_on_once_sums_are_voided_and_its_deal_counts() -> None:
    match = laid_match()
    state = page_state(board_page(match))
    enter_sums(match)
    stopped_state = page_state(board_page(match))
    void(match)
    assert poll(match, stopped_state).status_code == 200
    html = board_page(match)
    assert page_state(html) not in (state, stopped_state)
    assert "Play this trick" in html
    assert f"Deal 1, trick 1 of 20 {CONTINUE}" in sheet(match)
    play_deal(match)
    (hand,) = replay_match(match).hands
    assert (hand.state, hand.raw) == ("played", board(match).deals[0].raw_deal)
    assert not hand.proposals
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def play_to_end_of_deal(match: Match) -> None:
    """Play until the deal can be ended."""
    while (current := board(match)).required_action_kinds != ("end_deal",):
        kind = current.required_action_kinds[0]
        cards_left = [card for card in current.deck if card not in current.played_cards]
        fields: dict[str, Any] = (
            {"plays": cards_left[: current.seats]} if kind == "trick" else {}
        )
        if kind == "trick" and current.leader is None:
            fields["leader"] = 0
        play(match, kind, **fields)


def test_trick_played_before_the_sums_is_stored_but_does_not_count() -> None:
    match = laid_match()
    seen_version = match.log.count()
    enter_sums(match)
    answer = play_trick(match, base=seen_version)
    assert answer[0] == 200
    plays = list(board(match).deck[:3])
    stale = post(
        match,
        kind="turn",
        after=mark(match),
        base=str(seen_version),
        plays=" ".join(plays),
    )
    assert stale.status_code == 302
    assert SUMS_ENTERED in board_page(match)
    assert replay_match(match).state.totals == (1, 2, 3)
    void(match)
    assert "Deal 1, trick 2 of 20" in board_page(match)


def test_deal_played_without_seeing_the_sums_needs_a_choice() -> None:
    match = laid_match()
    seen_version = match.log.count()
    enter_sums(match)
    play_to_end_of_deal(match)
    assert SUMS_ENTERED in board_page(match)
    end = entry({"kind": "end_deal", "after": mark(match)}, base=seen_version)
    assert [deliver(match.address, end)[0] for _again in range(2)] == [200, 200]
    (hand,) = replay_match(match).hands
    assert hand.raw == SUMS
    assert [proposal.body for proposal in hand.proposals] == [
        board(match).deals[0].raw_deal
    ]
    assert "Hand 1 was entered twice. Choose which version counts." in board_page(match)
    assert f"Deal 2, trick 1 of 20 {CONTINUE}" in sheet(match)


def test_rejects_trick_from_a_phone_that_has_seen_the_sums() -> None:
    match = laid_match()
    enter_sums(match)
    before = match.log.count()
    status, answer = play_trick(match, base=before)
    assert status == 422
    assert "entered totals for deal 1" in answer["faults"][0]["message"]
    assert match.log.count() == before


def test_deal_that_no_longer_fits_the_sheet_names_what_to_correct() -> None:
    match = laid_match()
    play_deal(match)
    deal = board(match).deals[0].raw_deal
    correct(match, 1, {**deal, "tokens": [20, 0, 0], "grid_left": 30})
    play_to_end_of_deal(match)
    end = {"kind": "end_deal", "after": mark(match)}
    status, answer = deliver(match.address, entry(end))
    assert status == 422
    assert "fit the earlier ones on the sheet" in answer["faults"][0]["message"]
    assert len(answer["faults"]) > 1
    correct(match, 1, deal)
    assert deliver(match.address, entry(end))[0] == 200
    assert [hand.state for hand in replay_match(match).hands] == ["played", "played"]


def test_board_of_a_match_that_ended_on_the_sheet_links_to_it() -> None:
    match = laid_match()
    play_deal(match)
    state = page_state(board_page(match))
    correct(match, 1, {"tokens": [20, 0, 0], "treats": [{}, {}, {}], "grid_left": 9})
    match.refresh_from_db()
    assert match.finished
    html = poll(match, state).content.decode()
    assert "The match is over." in html
    assert "Play this trick" not in html
    assert "Back to the sheet" in html
    assert CONTINUE not in sheet(match)


def test_board_of_a_closed_match_refuses_tricks() -> None:
    match = laid_match()
    state = page_state(board_page(match))
    set_closed(Match.objects.filter(pk=match.pk), closed=True)
    html = poll(match, state).content.decode()
    assert "This match is closed" in html
    assert "Play this trick" not in html
    assert play_trick(match)[0] == 410


ON_BOARD = "playing this deal on the board"


def post_sums(match: Match, **extra: str) -> Any:
    """Post the sums of a deal as a new hand; return the response."""
    tokens = {f"tokens_{seat}": str(taken) for seat, taken in enumerate(SUMS["tokens"])}
    fields = {
        "key": str(uuid4()),
        "grid_left": str(SUMS["grid_left"]),
        **tokens,
        **extra,
    }
    return Client().post(f"/m/{match.address}/hands/new/", fields)


def test_posted_sums_of_deal_on_board_are_refused_until_confirmed() -> None:
    match = laid_match(3)
    version = match.log.count()
    response = post_sums(match)
    assert response.status_code == 200
    assert ON_BOARD in response.content.decode()
    assert f'value="{SUMS["grid_left"]}"' in response.content.decode()
    assert match.log.count() == version
    assert post_sums(match, instead_of_board="on").status_code == 302
    assert match.log.count() == version + 1
