"""What a change of a hand would do to its match, before it is made."""

from typing import Any

from django.utils.translation import gettext

from scoring.competition import competition
from scoring.games.words import names_in_a_row
from scoring.matchlog.append import Preview
from scoring.matchlog.commands import Status
from scoring.pages.sheet import Sheet


def changes_of(
    sheet: Sheet, number: int, change: Preview | None
) -> dict[str, Any] | None:
    """Return before and after of a change, side by side; None where there is none."""
    if change is None or change.after is None:
        return None
    before, after = change.before, change.after
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
    elsewhere = competition().consequences(sheet.match, after.state)
    sentences = [*_consequences(sheet, number, change), *elsewhere]
    return {"rows": rows, "sentences": sentences}


def _dropped(change: Preview, number: int) -> list[str]:
    """Return what was recorded of the hand and does not lead to it any more."""
    old = change.before.hand(number)
    new = change.after.hand(number) if change.after else None
    if old is None or new is None:
        return []
    sentences = []
    if old.hand.bids and not new.hand.bids:
        sentences.append(
            gettext("The bids that were recorded lead to another contract; they go.")
        )
    if old.hand.tricks and not new.hand.tricks:
        sentences.append(
            gettext("The tricks that were recorded do not come to this; they go.")
        )
    return sentences


def _consequences(sheet: Sheet, number: int, change: Preview) -> list[str]:
    assert change.after is not None
    before, after = change.before.state, change.after.state
    sentences = []
    if change.status is Status.CONFLICT:
        # What is confirmed now changes nothing yet: a person at the table chooses.
        return [
            gettext(
                "Somebody else changed this hand meanwhile: yours will stand beside "
                "it, until the table chooses."
            )
        ]
    if before.winners != after.winners:
        winners = names_in_a_row(sheet.names[seat] for seat in after.winners)
        sentences.append(
            gettext("The winner becomes %(winners)s.") % {"winners": winners}
            if winners
            else gettext("The match is no longer over.")
        )
    elif after.winners:
        winners = names_in_a_row(sheet.names[seat] for seat in after.winners)
        sentences.append(
            gettext("The winner stays %(winners)s.") % {"winners": winners}
        )
    elif before.totals == after.totals:
        sentences.append(gettext("No total changes."))
    sentences += _dropped(change, number)
    uncounted = [
        hand.number for hand in change.after.hands if hand.state == "after_end"
    ]
    if uncounted:
        sentences.append(
            gettext(
                "The match ends earlier; these hands stay and do not count: %(hands)s."
            )
            % {"hands": ", ".join(map(str, uncounted))}
        )
    return sentences
