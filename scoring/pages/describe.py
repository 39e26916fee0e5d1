"""What was entered for a hand, in words: for its history, and for the sheet."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, ngettext

from scoring.games.registry import table_game
from scoring.matchlog.replay import COUNTS, DIRECTOR, FINDINGS
from scoring.rules import PLAYED

Raw = Mapping[str, Any]
UNREADABLE = (AssertionError, AttributeError, LookupError, TypeError, ValueError)


def describe_hand(game: str, raw: Raw, names: Sequence[str]) -> list[str]:
    """Return sentences that say everything of a hand but its single tricks.

    The log also holds what no rule has checked; one of them says where it makes no sense.
    """
    try:
        entered = table_game(game).describe(raw, names)
        sentences = [*_counts(raw), *entered, *_findings(raw), *_played(raw)]
    except UNREADABLE:
        sentences = []
    return sentences or ([gettext("What was entered makes no hand.")] if raw else [])


def _counts(raw: Raw) -> list[str]:
    if COUNTS not in raw:
        return []
    return [
        gettext("This hand counts again.")
        if raw[COUNTS]
        else gettext("This hand is void: it does not count.")
    ]


def _findings(raw: Raw) -> list[str]:
    if FINDINGS not in raw:
        return []
    return [
        gettext("The director decides on what the tricks show.")
        if raw[FINDINGS] == DIRECTOR
        else gettext("What the tricks show is let stand.")
    ]


def _played(raw: Raw) -> list[str]:
    if PLAYED not in raw:
        return []
    count = len(raw[PLAYED])
    words = ngettext(
        "%(count)s piece was played so far.",
        "%(count)s pieces were played so far.",
        count,
    )
    return [words % {"count": count}]
