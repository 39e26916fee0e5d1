"""The table game of any game."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.games.any_game.examples import EXAMPLES
from scoring.games.any_game.form import AnyGameForm
from scoring.games.any_game.random_play import generate_hand
from scoring.games.table_game import Names, TableGame
from scoring.games.text_fields import NameField
from scoring.games.words import describe_seat_values
from scoring.locales.numbers import format_number
from scoring.rules import MatchState
from scoring.rules.any_game import GAME
from scoring.rules.any_game.game import LONGEST_TITLE, AnyGameHand, is_open_ended
from scoring.rules.game import Options, Raw


class AnyGameTableGame(TableGame):
    """Points by seat, with a title and an end that the players choose."""

    rules = GAME
    entry_form = AnyGameForm
    option_fields = {
        "title": NameField(
            label=_("Any game: name of the game"),
            required=False,
            max_length=LONGEST_TITLE,
            widget=forms.TextInput(
                attrs={"autocomplete": "off", "data-format": "text"}
            ),
        ),
        "lowest_wins": forms.BooleanField(
            label=_("Any game: lowest total wins"), required=False
        ),
        "target": forms.IntegerField(label=_("Target"), required=False),
        "hands": forms.IntegerField(
            label=_("Any game: hands per match"), required=False
        ),
        "bids": forms.BooleanField(
            label=_("Any game: show a column for bids"), required=False
        ),
    }
    needs_options = True
    examples = EXAMPLES
    minutes_a_hand = 5
    demo_table_sizes = (4, 5)
    demo_options = {"title": "Hearts", "target": 100, "lowest_wins": True}
    random_hand = staticmethod(generate_hand)
    swappable_keys = ("points",)

    def describe_hand(self, hand: AnyGameHand, names: Names) -> list[str]:
        bids = ["–" if bid is None else format_number(bid) for bid in hand.seat_bids]
        points = [format_number(number) for number in hand.points]
        return [
            *describe_seat_values(gettext("Bids"), bids or None, names),
            *describe_seat_values(gettext("Points"), points or None, names),
        ]

    def describe_next_starter(self, turn: Mapping[str, int], names: Names) -> str:
        return gettext("%(name)s deals.") % {"name": names[turn["dealer"]]}

    def describe_options(self, options: Options) -> str:
        target, hands = options.get("target"), options.get("hands")
        parts = [options.get("title") or gettext(self.rules.name)]
        if target:
            parts.append(gettext("to %(target)s") % {"target": format_number(target)})
        if hands:
            template = ngettext("%(n)s hand", "%(n)s hands", hands)
            parts.append(template % {"n": format_number(hands)})
        if options.get("lowest_wins"):
            parts.append(gettext("lowest wins"))
        if options.get("bids"):
            parts.append(gettext("with bids"))
        return ", ".join(parts)

    def describe_remaining_play(self, state: MatchState) -> str:
        hands, target = state.options["hands"], state.options["target"]
        sentences = []
        if hands:
            hands_left = hands - state.number
            sentences.append(self.hands_left_template(hands_left) % {"n": hands_left})
        if target and state.game.fewest_points_win:
            template = gettext("The match ends at %(target)s.")
            sentences.append(template % {"target": format_number(target)})
        if state.game.fewest_points_win:
            sentences.append(gettext("The lowest total wins."))
        return " ".join(sentences)

    def mark_last_hand_as_end(
        self, state: MatchState, last: Raw
    ) -> dict[str, Any] | None:
        """Return the last hand marked as the end in a match of open length (any_game.end.agreed)."""
        return {**last, "ended": True} if is_open_ended(state.options) else None

    def fixed_hand_count(self, seats: int, options: Options) -> int | None:
        """Return the number of hands; None if the match may end at a target before."""
        hands: int | None = options["hands"]
        return hands if options["target"] is None else None
