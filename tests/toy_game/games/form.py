"""Entering a hand of Fifty."""

from typing import Any

from scoring.games.entry_form import EntryForm, number_field
from scoring.games.record_paths import path_attrs
from tests.toy_game.rules.game import POINTS_A_HAND


class FiftyForm(EntryForm):
    """The points of each seat."""

    def add_hand_fields(self) -> None:
        """Add the points of each seat."""
        for seat, name in self.seat_choices:
            self.fields[f"points_{seat}"] = number_field(
                name, most=POINTS_A_HAND, place=path_attrs(f"points[{seat}]")
            )

    @property
    def empty_body(self) -> dict[str, Any]:
        """Return points that nobody said."""
        return {"points": [None] * self.state.seats}

    @property
    def required_field_names(self) -> list[str]:
        """Return everybody's points."""
        return [f"points_{seat}" for seat in range(self.state.seats)]
