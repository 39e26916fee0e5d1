"""Previews of a hand: whether it ends the match, who wins, and what is unusual."""

import re
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.games.random_match import generate_hand
from scoring.games.registry import table_game
from scoring.matchlog.append import replay_match
from scoring.models import Match
from scoring.rules import GAMES, PLAYED_KEY
from tests.accessible_text import accessible_text
from tests.factories import HAND, author, entered_match, new_match
from tests.factories.commands import enter_hand

pytestmark = pytest.mark.django_db

SHORT_MATCHES: dict[str, tuple[int, dict[str, Any]]] = {
    "tricky": (2, {"target": 250}),
    "tricky_dice": (4, {"target": 20}),
    "tricky_bid": (2, {}),
    "tricks_and_treats": (3, {}),
    "db2t": (3, {"contests": 3}),
}
"""By game: the seats and the options of a short match."""
CLAUSE = re.compile(rf"\b(?:{'|'.join(GAMES)}|treats|record)\.[a-z_]+(?:\.[a-z_]+)*")
"""A clause by its id, as the rules name it."""
ENDS_MATCH = "This ends the match. "


def form_fields(game: str, raw: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that a browser posts for a hand."""
    initial = table_game(game).entry_form.initial_values(raw)
    fields = {k: v for k, v in initial.items() if v is not None and v is not False}
    if "tricks" in raw:
        fields[PLAYED_KEY] = " ".join(GAMES[game].list_pieces(raw))
    return {**fields, "key": str(uuid4())}


def preview_change(
    match: Match, number: int, action: str, fields: dict[str, Any]
) -> list[str]:
    """Return the sentences in the preview of a change."""
    url = f"{match.get_absolute_url()}hands/{number}/{action}/"
    changes = Client().post(url, {**fields, "base": match.version}).context["changes"]
    return list(changes.sentences)


@pytest.mark.parametrize("by_tricks", [False, True], ids=["sums", "tricks"])
@pytest.mark.parametrize("game", SHORT_MATCHES)
def test_only_the_last_hands_preview_names_the_winner(
    game: str, *, by_tricks: bool
) -> None:
    seats, options = SHORT_MATCHES[game]
    match, rng = new_match(game, seats, **options), Random(5)
    assert not replay_match(match).state.finished
    while not (before := replay_match(match)).state.finished:
        raw = generate_hand(before.state, rng, tricks=by_tricks)
        number = before.next_number
        fields = {**form_fields(game, raw), "number": number}
        preview = Client().post(f"{match.get_absolute_url()}preview/", fields)
        enter_hand(
            match_id=match.pk, key=uuid4(), number=number, raw=raw, author=author()
        )
        after = replay_match(match).state
        page = preview.content.decode()
        assert (ENDS_MATCH in page) == after.finished
        if after.finished:
            # What each player gets may be more than the preview shows at once.
            assert page.index(ENDS_MATCH) < page.index('<ul class="lines">')
        match.refresh_from_db()


def test_preview_of_a_match_ending_correction_names_the_winner() -> None:
    missed_bid = {**HAND, "points": [140, 20, 101]}
    match = entered_match([missed_bid], target=600)
    assert not replay_match(match).state.finished
    sentences = preview_change(match, 1, "correct", form_fields("tricky", HAND))
    assert sentences[0] == f"{ENDS_MATCH}Bo wins."


@pytest.mark.parametrize("game", SHORT_MATCHES)
def test_clauses_appear_only_in_why_sections(game: str) -> None:
    seats, options = SHORT_MATCHES[game]
    match, rng = new_match(game, seats, **options), Random(5)
    raw = generate_hand(replay_match(match).state, rng, tricks=False)
    enter_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author())
    match.refresh_from_db()
    hand_url, fields = f"{match.get_absolute_url()}hands/1/", form_fields(game, raw)
    pages = [
        Client().post(f"{hand_url}correct/", {**fields, "base": match.version}),
        Client().post(f"{match.get_absolute_url()}preview/", {**fields, "number": 2}),
        Client().get(hand_url),
        Client().get(match.get_absolute_url()),
        Client().get(reverse("scoring:how_to_play_game", args=[game])),
    ]
    assert any("why?</a>" in page.content.decode() for page in pages)
    for page in pages:
        assert page.status_code == 200
        assert CLAUSE.findall(accessible_text(page.content.decode())) == []


def test_last_hand_names_no_winner_while_a_choice_is_open() -> None:
    match = entered_match([{"points": [9, 2]}], "tricky_bid", 2)
    other_version = {
        "points_0": "8",
        "points_1": "2",
        "number": "1",
        "key": str(uuid4()),
    }
    Client().post(
        f"{match.get_absolute_url()}hands/new/", {**other_version, "base": "0"}
    )
    assert replay_match(match).conflicting_hands
    last_hand = {"points_0": "1", "points_1": "2", "number": "2", "key": str(uuid4())}
    page = (
        Client().post(f"{match.get_absolute_url()}preview/", last_hand).content.decode()
    )
    assert ENDS_MATCH not in page
    assert "This is the last hand, but hand 1 was entered twice" in page


BID = {"bidder": 0, "bid": 4, "partner": 2}
TRICKS = {f"tricks_won_{seat}": won for seat, won in enumerate((4, 3, 2, 1))}
BY_TRICKS = {**BID, **TRICKS}
POINTS = {"points_0": 0, "points_1": 9, "points_2": 0, "points_3": 0}
TOKENS = {"tokens_0": 0, "tokens_1": 0, "tokens_2": 0}


def save(match: Match, fields: dict[str, Any], page: str = "hands/new") -> str:
    """Post a hand as a browser without scripts; return the redirect, or the page."""
    data = {"key": str(uuid4()), "number": "1", **fields}
    response = Client().post(f"/m/{match.address}/{page}/", data)
    return response.headers.get("Location", "") or response.content.decode()


@pytest.mark.parametrize(
    ("game", "hand", "question"),
    [
        ("tricky_dice", BY_TRICKS, "Did no one take a trick with a die?"),
        ("tricky_bid", POINTS, "Did Bo take everything and everyone else nothing?"),
        (
            "tricks_and_treats",
            {**TOKENS, "tokens_3": 5, "grid_left": 47},
            "Did Di take everything",
        ),
    ],
)
def test_asks_once_about_odd_hands(
    game: str, hand: dict[str, Any], question: str
) -> None:
    match = new_match(game, 4)
    assert question in save(match, hand)
    assert "data-question" in save(match, hand, "preview")
    assert not match.log.exists()
    assert save(match, {**hand, "sure": "on"}) == match.get_absolute_url()
    assert match.log.count() == 1


@pytest.mark.parametrize(
    ("game", "hand"),
    [
        ("tricky_dice", {**BY_TRICKS, "die_tricks_1": "0"}),
        ("tricky_bid", {**POINTS, "points_0": 1}),
        ("tricks_and_treats", {**TOKENS, "tokens_3": 2, "grid_left": 50}),
    ],
)
def test_a_usual_hand_is_not_asked_about(game: str, hand: dict[str, Any]) -> None:
    match = new_match(game, 4)
    assert save(match, hand) == match.get_absolute_url()
