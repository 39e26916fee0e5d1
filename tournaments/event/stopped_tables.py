"""Tables that closing their round has cut off."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from scoring.games.registry import table_game
from scoring.rules import GAMES
from tournaments.models import Table

MOST_NAMED = 3
"""More are counted."""


def stop_sentences(tables: Sequence[Table]) -> list[str]:
    """Return after which hand each of these tables stopped, or how many they are."""
    if len(tables) > MOST_NAMED:
        return [_("%(n)s tables stopped early") % {"n": len(tables)}]
    return [_stop_sentence(table) for table in tables]


def _stop_sentence(table: Table) -> str:
    match = table.match
    assert match is not None
    seats = len(match.seats.all())
    options = {**GAMES[match.game].option_defaults(seats), **match.options}
    hands = table_game(match.game).fixed_hands(seats, options)
    words = _("table %(table)s stopped after hand %(hand)s")
    if not match.hands_played:
        words = _("table %(table)s stopped before its first hand")
    elif hands is not None:
        words = _("table %(table)s stopped after hand %(hand)s of %(hands)s")
    return words % {"table": table.number, "hand": match.hands_played, "hands": hands}
