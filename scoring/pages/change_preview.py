"""Preview of the effects that a change of a hand has on its match."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from scoring.competition import competition
from scoring.locales.numbers import format_number
from scoring.locales.sentences import join_names
from scoring.matchlog.append import CommandPreview
from scoring.matchlog.commands import CommandStatus
from scoring.matchlog.confirmations import confirmations_by_seat
from scoring.matchlog.replay import ReplayedMatch
from scoring.models import Match
from scoring.pages.sheet import Sheet

MAX_DESCRIBED = 2
"""The number of changed scores that are described; more are only counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatScoreChange:
    """The scores of one seat before and after a change."""

    seat: int
    name: str
    hand_before: int | None
    """None if the hand does not count."""
    hand_after: int | None
    total_before: int
    total_after: int

    @property
    def changes_hand(self) -> bool:
        return self.hand_before != self.hand_after

    @property
    def changes_total(self) -> bool:
        return self.total_before != self.total_after


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePreview:
    """A change before it is made: the hand, the totals, and the consequences."""

    number: int
    """The number of the hand."""
    rows: Sequence[SeatScoreChange]
    sentences: Sequence[str]
    """Consequences for the winner, other hands and a tournament."""
    unchanged: str
    """A sentence on totals and ranks that do not change; empty if all or none change."""

    @property
    def summary(self) -> str:
        """Return the changed scores in a sentence or two."""
        changed = [row for row in self.rows if row.changes_hand]
        if all(row.hand_after is None for row in self.rows):
            return gettext("Hand %(number)s no longer counts.") % {
                "number": self.number
            }
        if all(row.hand_before is None for row in self.rows):
            return gettext("Hand %(number)s counts.") % {"number": self.number}
        if not changed:
            return gettext("The scores stay the same.")
        if len(changed) > MAX_DESCRIBED:
            return ngettext(
                "%(n)s score changes.", "%(n)s scores change.", len(changed)
            ) % {"n": len(changed)}
        template = gettext("%(name)s gets %(after)s, not %(before)s.")
        return " ".join(
            template
            % {
                "name": row.name,
                "after": format_number(row.hand_after or 0),
                "before": format_number(row.hand_before or 0),
            }
            for row in changed
        )

    @property
    def changed_totals(self) -> Sequence[SeatScoreChange]:
        return [row for row in self.rows if row.changes_total]


def build_change_preview(
    sheet: Sheet, number: int, change: CommandPreview | None
) -> ChangePreview | None:
    """Return the scores before and after a change; None without a change, or if it is refused."""
    if change is None or change.after is None:
        return None
    before, after = change.before, change.after
    old, new = before.hand(number), after.hand(number)
    rows = [
        SeatScoreChange(
            seat=seat,
            name=name,
            hand_before=old.scored.scores[seat] if old and old.scored else None,
            hand_after=new.scored.scores[seat] if new and new.scored else None,
            total_before=before.state.totals[seat],
            total_after=after.state.totals[seat],
        )
        for seat, name in enumerate(sheet.names)
    ]
    sentences = _describe_consequences(sheet, number, change)
    is_result = sheet.match.as_it_stands or after.is_over
    if (
        change.status is not CommandStatus.CONFLICT
        and is_result
        and confirmations_by_seat(sheet.logged.log, sheet.checksum_words_line)
        and competition().confirmation_rules(sheet.match) is not None
    ):
        sentences.append(gettext("The result has to be confirmed again."))
    sentences += competition().describe_consequences(sheet.match, after.state)
    same = [row.name for row in rows if not row.changes_total]
    unchanged = []
    if same and len(same) < len(rows):
        template = ngettext(
            "No change for %(names)s.",
            "No change for %(names)s.",
            len(same),
        )
        unchanged.append(template % {"names": join_names(same)})
    if len(same) < len(rows) and before.state.ranks == after.state.ranks:
        unchanged.append(gettext("The ranking stays the same."))
    return ChangePreview(
        number=number,
        rows=rows,
        sentences=sentences,
        unchanged=" ".join(unchanged),
    )


def describe_if_match_ends(
    match: Match, before: ReplayedMatch, after: ReplayedMatch, names: Sequence[str]
) -> str:
    """Return a sentence if a change ends the match, with the winners; else empty.

    They are called leaders if the result still has to be confirmed.
    """
    if before.state.finished or not after.state.finished:
        return ""
    for hand in after.conflicting_hands[:1]:
        return gettext(
            "This is the last hand, but hand %(number)s was entered twice. Choose "
            "which version counts to see who wins."
        ) % {"number": hand.number}
    winners = after.state.winners
    if _needs_confirmation(match):
        template = ngettext(
            "This ends the match. %(names)s leads.",
            "This ends the match. %(names)s lead.",
            len(winners),
        )
        return template % {"names": join_names(names[seat] for seat in winners)}
    template = ngettext(
        "This ends the match. %(names)s wins.",
        "This ends the match. %(names)s share the win.",
        len(winners),
    )
    return template % {"names": join_names(names[seat] for seat in winners)}


def _needs_confirmation(match: Match) -> bool:
    """Return whether the result of a match has to be confirmed or settled before it is final."""
    agreement = competition().confirmation_rules(match)
    return agreement is not None and (agreement.required > 0 or agreement.is_disputed)


def _describe_winners(
    sheet: Sheet, winners_before: Sequence[int], winners_after: Sequence[int]
) -> str:
    """Return a sentence on the first in a match that was and is over; winners if the result is final."""
    if _needs_confirmation(sheet.match):
        template = (
            ngettext(
                "%(winners)s stays first in this match.",
                "%(winners)s stay first in this match.",
                len(winners_after),
            )
            if winners_before == winners_after
            else ngettext(
                "%(winners)s is now first in this match.",
                "%(winners)s are now first in this match.",
                len(winners_after),
            )
        )
    elif winners_before == winners_after:
        template = ngettext(
            "The winner is still %(winners)s.",
            "The winners are still %(winners)s.",
            len(winners_after),
        )
    else:
        template = ngettext(
            "The winner is now %(winners)s.",
            "The winners are now %(winners)s.",
            len(winners_after),
        )
    return template % {
        "winners": join_names(sheet.names[seat] for seat in winners_after)
    }


def _describe_consequences(
    sheet: Sheet, number: int, change: CommandPreview
) -> list[str]:
    assert change.after is not None
    before, after = change.before.state, change.after.state
    sentences = []
    if change.status is CommandStatus.CONFLICT:
        # Saving it changes nothing yet: someone at the table chooses.
        return [
            gettext(
                "Someone else changed this hand too. Both versions stay until the "
                "table chooses one."
            )
        ]
    if end_sentence := describe_if_match_ends(
        sheet.match, change.before, change.after, sheet.names
    ):
        sentences.append(end_sentence)
    elif after.winners:
        sentences.append(_describe_winners(sheet, before.winners, after.winners))
    elif before.winners:
        sentences.append(gettext("The match continues."))
    elif before.totals == after.totals:
        sentences.append(gettext("The totals stay the same."))
    old, new = change.before.hand(number), change.after.hand(number)
    if old is not None and new is not None:
        if old.hand.bids and not new.hand.bids:
            sentence = gettext(
                "The recorded bids give a different contract, so they will be removed."
            )
            sentences.append(sentence)
        if old.hand.tricks and not new.hand.tricks:
            sentence = gettext(
                "The recorded tricks don’t add up to this, so they will be removed."
            )
            sentences.append(sentence)
    uncounted = [
        hand.number for hand in change.after.hands if hand.state == "after_end"
    ]
    if uncounted:
        sentences.append(
            gettext(
                "The match ends earlier. These hands stay but no longer count: "
                "%(hands)s."
            )
            % {"hands": ", ".join(map(str, uncounted))}
        )
    return sentences
