"""Who has agreed to the result of a match by which way, and who is still asked."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.competition import Agreement
from scoring.matchlog.confirmations import BY, confirmed_seats
from scoring.models import Way
from scoring.pages.sheet import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """Somebody who has agreed."""

    seat: int
    name: str
    way: str
    """In words; empty where nobody had asked for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Somebody who can still agree on this phone."""

    seat: int
    name: str
    body: str
    """What their tap says, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreeing:
    """How far the players of a table have agreed, as one phone sees it."""

    said: Sequence[Said]
    is_enough: bool
    is_disputed: bool
    confirmers: str
    """How many have to confirm, in words."""
    own: Asked | None
    """Whose phone this is, while they are asked."""
    others: Sequence[Asked]
    """To whom this phone can be given, once for each; those first whose phone it is as well."""

    @property
    def asks_here(self) -> bool:
        """Tell whether anybody can agree on this phone now."""
        return self.own is not None or bool(self.others)

    @property
    def next(self) -> Asked | None:
        """Return to whom this phone is given next; None while its own player is asked."""
        return None if self.own else next(iter(self.others), None)

    def asked_at(self, seat: int) -> Asked | None:
        """Return who sits at a seat and can agree here once the phone is theirs."""
        return next((asked for asked in self.others if asked.seat == seat), None)


def agreeing_on(
    sheet: Sheet,
    agreement: Agreement,
    *,
    own: int | None,
    is_at_table: bool,
    family: Sequence[int] = (),
) -> Agreeing:
    """Return how far a result is agreed to, and who is asked on a phone.

    `own` is whose phone it is, and `is_at_table` whether it can be handed on: to the seats of
    `family` before all others. Nobody is asked any more once enough have agreed.
    """
    confirmed = confirmed_seats(sheet.logged.log, sheet.words)
    is_enough = len(confirmed) >= agreement.wanted and not agreement.is_disputed
    is_open = (
        sheet.match.is_settled
        and not sheet.match.closed
        and not (is_enough or agreement.is_disputed)
    )
    silent = [
        (seat, name)
        for seat, name in enumerate(sheet.names)
        if is_open and seat not in confirmed
    ]
    return Agreeing(
        said=[
            Said(seat=seat, name=sheet.names[seat], way=way_in_words(said.by))
            for seat, said in sorted(confirmed.items())
        ],
        is_enough=is_enough,
        is_disputed=agreement.is_disputed,
        confirmers=confirmers_in_words(agreement.wanted, len(sheet.names)),
        own=next(
            (_asked(sheet, *one, Way.OWN) for one in silent if one[0] == own), None
        ),
        others=[
            _asked(sheet, *one, Way.OWN if one[0] in family else Way.TABLE)
            for one in sorted(silent, key=lambda one: one[0] not in family)
            if is_at_table and one[0] != own
        ],
    )


def confirmers_in_words(wanted: int, seats: int) -> str:
    """Return how many of so many players have to confirm a result, in a sentence."""
    if not wanted:
        return _("No confirmation is needed.")
    if wanted < seats:
        return _("One player confirms the result for the table.")
    return _("Every player confirms the result.")


def way_in_words(by: str) -> str:
    """Return by which way somebody agreed; empty where that was not asked."""
    return str(Way(by).label) if by in Way else ""


def _asked(sheet: Sheet, seat: int, name: str, way: Way) -> Asked:
    said = {"seat": seat, "words": sheet.words, BY: way.value}
    return Asked(seat=seat, name=name, body=json.dumps(said))
