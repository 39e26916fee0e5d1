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
    sentences: list[str] = []
    try:
        if COUNTS in raw:
            counts = gettext("This hand counts again.")
            void = gettext("This hand is void: it does not count.")
            sentences.append(counts if raw[COUNTS] else void)
        sentences += table_game(game).describe(raw, names)
        if FINDINGS in raw:
            called = gettext("The director decides on what the tricks show.")
            stand = gettext("What the tricks show is let stand.")
            sentences.append(called if raw[FINDINGS] == DIRECTOR else stand)
        if PLAYED in raw:
            count = len(raw[PLAYED])
            words = ngettext(
                "%(count)s piece was played so far.",
                "%(count)s pieces were played so far.",
                count,
            )
            sentences.append(words % {"count": count})
    except UNREADABLE:
        sentences = []
    return sentences or ([gettext("What was entered makes no hand.")] if raw else [])
