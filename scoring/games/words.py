"""Sentences about hands and results, shared by several games."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, ngettext

from scoring.competition import ResultState
from scoring.locales.sentences import join_names
from scoring.rules import Call, ParsedHand

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
SUIT_NAMES = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
"""Names of the signs of the suits."""
DIE_SIGN = "⚄"


def describe_calls(
    calls: Iterable[Call], names: Sequence[str]
) -> list[tuple[str, str]]:
    labels: dict[Any, str] = {"pass": gettext("passes"), "solo": gettext("solo")}
    return [(names[seat], labels.get(bid, str(bid))) for seat, bid in calls]


def describe_bids(hand: ParsedHand, names: Sequence[str]) -> list[str]:
    if not hand.bids:
        return []
    calls = (" ".join(call) for call in describe_calls(hand.bids, names))
    return [gettext("Bids: %(bids)s") % {"bids": ", ".join(calls)}]


def describe_recorded_trick_count(hand: ParsedHand) -> list[str]:
    if not hand.tricks:
        return []
    count = len(hand.tricks)
    template = ngettext(
        "%(count)s trick was recorded.", "%(count)s tricks were recorded.", count
    )
    return [template % {"count": count}]


def describe_seat_values(
    label: str, values: Sequence[Any] | None, names: Sequence[str]
) -> list[str]:
    """Return a sentence with a value for each seat; empty if there are no values."""
    if values is None:
        return []
    joined_values = ", ".join(map("{} {}".format, names, values))
    return [
        gettext("%(label)s: %(values)s") % {"label": label, "values": joined_values}
    ]


def describe_dealer_and_starter(turn: Mapping[str, int], names: Sequence[str]) -> str:
    return gettext("%(dealer)s deals and %(starter)s starts.") % {
        "dealer": names[turn["dealer"]],
        "starter": names[turn["starter"]],
    }


def result_headline(names: Sequence[str], state: ResultState) -> str:
    """Return a headline with the first-placed players, by the state of the result."""
    if state == ResultState.DISPUTED:
        return gettext("Disputed. The director will decide.")
    if state == ResultState.FINAL:
        return describe_winners(names)
    template = ngettext(
        "%(names)s leads (not confirmed yet)",
        "%(names)s lead (not confirmed yet)",
        len(names),
    )
    return template % {"names": join_names(names)}


def describe_winners(names: Sequence[str]) -> str:
    template = ngettext("%(names)s won", "%(names)s won", len(names))
    return template % {"names": join_names(names)}
