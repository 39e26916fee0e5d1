"""The table game of DB2T."""

from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.games.db2t.examples import EXAMPLES
from scoring.games.db2t.form import DB2TForm
from scoring.games.db2t.pieces import (
    DICE,
    TIER_NAMES,
    DB2TLoneContestForm,
    describe_first_declaration,
    describe_roll_count,
)
from scoring.games.db2t.random_play import generate_hand
from scoring.games.drawing import DrawnPiece, ExamplePlay
from scoring.games.examples import ExampleTrick
from scoring.games.hand_texts import CONTEST
from scoring.games.table_game import Names, TableGame
from scoring.rules import MatchState
from scoring.rules.db2t import GAME
from scoring.rules.db2t.game import EnteredContest
from scoring.rules.db2t.tiers import TIERS
from scoring.rules.game import Options, Raw


class DB2TTableGame(TableGame):
    """Contests: the inciter, the tier, and the dice of every actor."""

    rules = GAME
    hand_texts = CONTEST
    entry_form = DB2TForm
    option_fields = {
        "contests": forms.IntegerField(label=_("DB2T: contests"), required=False),
        "dice": forms.ChoiceField(
            label=_("DB2T: dice"),
            choices=[("", "3d6"), ("polyhedral", "d4 d6 d8")],
            required=False,
        ),
        "trump": forms.ChoiceField(
            label=_("DB2T: trump tier"),
            choices=[("", _("none")), *((tier, TIER_NAMES[tier]) for tier in TIERS)],
            required=False,
        ),
        "difficulty": forms.BooleanField(
            label=_("DB2T: difficult (re-roll all three dice)"), required=False
        ),
    }
    points_a_hole = 1
    minutes_a_hand = 3
    examples = EXAMPLES
    trick_form = DB2TLoneContestForm
    typical_hands = 10
    random_hand = staticmethod(generate_hand)
    demo_table_sizes = (4, 5, 6)
    demo_options = {"contests": 12}

    def hands_left_template(self, count: int) -> str:
        return ngettext("%(n)s contest to go.", "%(n)s contests to go.", count)

    def describe_hand(self, hand: EnteredContest, names: Names) -> list[str]:
        if not hand.has_started:
            return []
        sentences = describe_first_declaration(hand, names)
        if hand.trump:
            sentences.append(
                gettext("Trump: %(trump)s.") % {"trump": TIER_NAMES[hand.trump]}
            )
        dice = [
            f"{name} {' '.join(str(value or '–') for value in actor.dice)}"
            for name, actor in zip(names, hand.actors, strict=False)
            if actor
        ]
        if dice:
            sentences.append(gettext("Dice: %(dice)s") % {"dice": ", ".join(dice)})
        return sentences

    def describe_unfinished_hand(
        self, state: MatchState, raw: Raw, names: Names
    ) -> str:
        contest = GAME.parse_loosely(state, raw)
        if not contest.has_started:
            return ""
        complete_actors = [
            actor
            for actor in contest.actors
            if actor and len(actor.dice) == DICE and all(actor.dice)
        ]
        offer = describe_first_declaration(contest, names)
        return " ".join([*offer, describe_roll_count(len(complete_actors), len(names))])

    def has_more_than_contract(self, hand: EnteredContest) -> bool:
        return hand.has_started

    def mark_last_hand_as_end(
        self, state: MatchState, last: Raw
    ) -> dict[str, Any] | None:
        """Return the last contest marked as the end, if no number was agreed (db2t.end)."""
        return {**last, "ended": True} if state.options["contests"] is None else None

    def trick_document(self, example: ExampleTrick) -> dict[str, Any]:
        seats = {"game": self.id, "players": example.seats}
        return {**seats, "inciter": 0, **example.trick}

    def draw_trick(self, trick: Raw) -> list[ExamplePlay]:
        examples = []
        for actor in trick["actors"]:
            tier = actor["declared"]
            name = str(TIER_NAMES[tier]) if tier else gettext("discarded")
            is_trump = bool(tier) and tier == trick.get("trump")
            dice = [
                DrawnPiece(face=str(value), name=f"{value} ", kind="d6")
                for value in actor["dice"]
            ]
            declaration = DrawnPiece(face=name, name=name, is_trump=is_trump)
            examples.append(ExamplePlay(dice, declared=declaration))
        return examples

    def fixed_hand_count(self, seats: int, options: Options) -> int | None:
        contests: int | None = options["contests"]
        return contests
