"""What a change of a hand would do to its match, before it is made."""

from typing import Any

from django.utils.translation import gettext

from scoring.models import Match
from scoring.operations import Preview
from scoring.sheet import Sheet
from scoring.signals import change_previewed


def changes_of(
    sheet: Sheet, number: int, seen: Preview | None
) -> dict[str, Any] | None:
    """Return before and after of a change, side by side; None where there is none."""
    if seen is None or seen.after is None:
        return None
    before, after = seen.before, seen.after
    old, new = before.hand(number), after.hand(number)
    rows = []
    for seat, name in enumerate(sheet.names):
        rows.append(
            {
                "name": name,
                "hand_before": old.scored.scores[seat] if old and old.scored else None,
                "hand_after": new.scored.scores[seat] if new and new.scored else None,
                "total_before": before.state.totals[seat],
                "total_after": after.state.totals[seat],
            }
        )
    told = change_previewed.send(
        Match,
        match=sheet.match,
        state=after.state,
    )
    elsewhere = [sentence for _hears, sentences in told for sentence in sentences or ()]
    sentences = [*_consequences(sheet, number, seen), *elsewhere]
    return {"rows": rows, "sentences": sentences}


def _dropped(seen: Preview, number: int) -> list[str]:
    """Return what was recorded of the hand and does not lead to it any more."""
    old = seen.before.hand(number)
    new = seen.after.hand(number) if seen.after else None
    if old is None or new is None:
        return []
    words = {
        "bids": gettext(
            "The bids that were recorded lead to another contract; they go."
        ),
        "tricks": gettext(
            "The tricks that were recorded do not come to this; they go."
        ),
    }
    return [
        word for key, word in words.items() if key in old.raw and key not in new.raw
    ]


def _consequences(sheet: Sheet, number: int, seen: Preview) -> list[str]:
    assert seen.after is not None
    before, after = seen.before.state, seen.after.state
    sentences = []
    if before.winners != after.winners:
        winners = ", ".join(sheet.names[seat] for seat in after.winners)
        sentences.append(
            gettext("The winner becomes %(winners)s.") % {"winners": winners}
            if winners
            else gettext("The match is no longer over.")
        )
    elif after.winners:
        winners = ", ".join(sheet.names[seat] for seat in after.winners)
        sentences.append(
            gettext("The winner stays %(winners)s.") % {"winners": winners}
        )
    elif before.totals == after.totals:
        sentences.append(gettext("No total changes."))
    sentences += _dropped(seen, number)
    uncounted = [hand.number for hand in seen.after.hands if hand.state == "after_end"]
    if uncounted:
        sentences.append(
            gettext(
                "The match ends earlier; these hands stay and do not count: %(hands)s."
            )
            % {"hands": ", ".join(map(str, uncounted))}
        )
    return sentences
