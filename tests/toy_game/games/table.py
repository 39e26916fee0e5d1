"""Fifty as tables play it."""

from random import Random
from typing import Any

from scoring.games.examples import ExampleHands
from scoring.games.table_game import TableGame
from scoring.rules import MatchState
from scoring.rules.wording import gettext_noop as _
from tests.toy_game.games.form import FiftyForm
from tests.toy_game.rules import GAME
from tests.toy_game.rules.game import POINTS_A_HAND


class FiftyTable(TableGame):
    """Points by seat; everything else is as in any game."""

    rules = GAME
    entry_form = FiftyForm
    examples = {
        "hand": ExampleHands(
            _("A hand"), ({"points": [7, 3, 0]},), explained_seats=(0, 1)
        )
    }
    clauses = {
        "fifty.score": _("Ten points are shared in each hand."),
        "fifty.end": _("With 50 points of anybody it ends: the fewest win."),
    }
    demo_table_sizes = (3,)

    def random_hand(
        self, state: MatchState, rng: Random, *, tricks: bool
    ) -> dict[str, Any]:
        """Return a hand of which one player takes all that another leaves."""
        points = [0] * state.seats
        first_points = rng.randint(0, POINTS_A_HAND)
        first, second = rng.sample(range(state.seats), 2)
        points[first], points[second] = first_points, POINTS_A_HAND - first_points
        return {"points": points}
