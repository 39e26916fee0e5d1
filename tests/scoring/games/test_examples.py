"""Worked examples have the results that they are meant to show."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from scoring.games.examples import NAMES, ExampleHands, WorkedTrick
from scoring.games.registry import table_game, table_games
from tests.scoring.web.views.test_recording import hand_with_revoke

EXAMPLES = [(game.id, name) for game in table_games() for name in game.examples]

EXPECTED: dict[tuple[str, str], tuple[Any, ...]] = {
    # Tricks: the winner, the clause, and words of the reason.
    ("tricky", "plain"): ("Bo", "tricky.trick.plain", "highest total, 18"),
    ("tricky", "alone"): ("Bo", "tricky.trick.trump", "Only Bo played a trump"),
    ("tricky", "second"): ("Bo", "tricky.trick.trump", "shows 9, which beats 8"),
    ("tricky", "faces"): ("Ann", "tricky.trick.trump", "d8 beats d4"),
    ("tricky_dice", "rank"): ("Cy", "tricky_dice.trick.win", "suit led with 8S"),
    ("tricky_dice", "trumped"): ("Bo", "tricky_dice.trick.win", "highest trump, 2H"),
    ("tricky_dice", "card_and_die"): ("Cy", "tricky_dice.trick.win", "led with QD."),
    ("tricky_bid", "trumped"): ("Cy", "tricky_bid.trick.win", "highest trump, G3"),
    ("tricky_bid", "plain"): ("Bo", "tricky_bid.trick.win", "colour led, B11"),
    ("tricks_and_treats", "suit"): ("Bo", "treats.trick.win", "Bo’s G11"),
    ("tricks_and_treats", "trump"): ("Cy", "treats.trick.win", "Cy’s W2"),
    ("tricks_and_treats", "evil_eye"): ("Bo", "treats.trick.win", "Bo’s P9"),
    ("tricks_and_treats", "master_trump"): (
        "Ann",
        "treats.trick.master_trump",
        "played a master trump",
    ),
    ("db2t", "followed"): ("Bo", "db2t.win", "has the highest sum: 13"),
    ("db2t", "trumped"): ("Cy", "db2t.win", "declared trump"),
    ("db2t", "tied"): (
        "Ann",
        "db2t.win",
        "was the first with the highest sum: 9",
    ),
    # Hands: the score of each seat.
    ("tricky", "made"): (140, 96 * 7, 101),
    ("tricky", "set"): (225, 0, 181),
    ("tricky", "no_trump"): (120 * 3, 88, 97),
    ("tricky", "passed_out"): (-20, -20, -20),
    ("tricky_dice", "made"): (3, 15, 3, 15),
    ("tricky_dice", "set"): (3, -5, 3, -5),
    ("tricky_dice", "solo"): (17, 1, 4, 0),
    ("tricky_bid", "round"): (31, 17, 0, 22),
    ("tricks_and_treats", "deal"): (8, 3, 5),
    ("tricks_and_treats", "spent"): (-1, 8, 4),
    ("db2t", "contest"): (0, 1, 0),
    # Ends: the winners, and words of the reason.
    ("tricky", "bidder_wins"): ([1], "several reached 3,000: the bidder wins"),
    ("tricky_dice", "sudden_death"): ([], "tied at 60, so it’s sudden death"),
    ("tricky_bid", "shared"): ([0, 1], "tie for the highest total after 3 rounds: 70"),
    ("tricks_and_treats", "level"): ([0], "most treats: 2"),
    ("db2t", "shared"): ([0, 1], "tied for most contests won: 1 of 2"),
}


def test_every_example_is_listed_once() -> None:
    assert all(game.examples for game in table_games())
    games = {game for game, _name in EXPECTED}
    assert sorted(example for example in EXAMPLES if example[0] in games) == sorted(
        EXPECTED
    )


@pytest.mark.parametrize(("game", "name"), EXPECTED)
def test_example_has_the_expected_result(game: str, name: str) -> None:
    worked, expected = table_game(game).worked_examples[name], EXPECTED[game, name]
    if isinstance(worked, WorkedTrick):
        *result, reason = expected
        assert result == [NAMES[worked.result.winner], worked.result.clause]
        assert reason in worked.result.message.in_words(NAMES)
    elif worked.example.explained_seats:
        assert worked.scored.scores == expected
    else:
        assert worked.state.end_reason is not None
        assert list(worked.state.winners) == expected[0]
        assert expected[1] in worked.state.end_reason.text.in_words(NAMES)


IMPOSSIBLE = ExampleHands("Points that no table takes", ({"points": [9, 9, 9]},))
A_REVOKE = ExampleHands("Somebody revokes", (hand_with_revoke(),), seats=4)


@pytest.fixture
def wrong_example(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Add an invalid example to a game."""
    game_id, example = request.param
    game = table_game(game_id)
    wrong = {**game.examples, "wrong": example}
    monkeypatch.setattr(game, "examples", wrong, raising=False)
    game.__dict__.pop("worked_examples", None)
    yield
    game.__dict__.pop("worked_examples", None)


@pytest.mark.usefixtures("wrong_example")
@pytest.mark.parametrize(
    "wrong_example",
    [("tricky", IMPOSSIBLE), ("tricky_dice", A_REVOKE)],
    indirect=True,
)
def test_check_command_refuses_an_invalid_example() -> None:
    with pytest.raises(SystemCheckError, match=r"(?s)Examples of .*examples\.py"):
        call_command("check")
