"""Who has agreed to the result of a match by which way, and who is still asked."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.competition import Agreement
from scoring.games.words import join_names
from scoring.matchlog.confirmations import (
    BY,
    CONFIRMATION,
    Confirmed,
    confirmed_seats,
    seats_on_phones,
)
from scoring.models import LogEntry, Way
from scoring.pages.sheet import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmedSeat:
    """Somebody who has agreed."""

    seat: int
    name: str
    way: str
    """In words; empty for the director, and if nobody had asked for it."""
    shared_phone: str
    """Which phone confirmed for them, by its name in the log; empty for their own, and for no name."""
    is_from_here: bool
    """Whether that phone is known to be the one that looks."""
    is_own: bool
    """Whether it is whose phone this is."""
    body: str
    """What is sent to take it back, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationRequest:
    """Somebody who can still agree on this phone."""

    seat: int
    name: str
    body: str
    """What their tap says, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationState:
    """How far the players of a table have agreed, as one phone sees it."""

    confirmed: Sequence[ConfirmedSeat]
    by_director: str
    """For whom the director agreed, in a sentence; empty for nobody."""
    is_enough: bool
    is_disputed: bool
    confirmers: str
    """How many have to confirm, in words."""
    own: ConfirmationRequest | None
    """Whose phone this is, while they are asked."""
    others: Sequence[ConfirmationRequest]
    """To whom this phone can be given, once for each; those first whose phone it is as well."""
    elsewhere: Sequence[str]
    """Who has not agreed yet and does so on their own phone alone, by name."""
    without_phone: Sequence[str]
    """Who confirmed on a phone that holds their seat no longer, by name; at a friendly match."""
    is_friendly: bool
    """Whether nothing depends on it."""

    @property
    def is_asked(self) -> bool:
        """Tell whether anybody can agree on this phone now."""
        return self.own is not None or bool(self.others)

    @property
    def next(self) -> ConfirmationRequest | None:
        """Return to whom this phone is given next; None while its own player is asked."""
        return None if self.own else next(iter(self.others), None)

    def find_request(self, seat: int) -> ConfirmationRequest | None:
        """Return who sits at a seat and can agree here once the phone is theirs."""
        return next((asked for asked in self.others if asked.seat == seat), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Viewer:
    """The phone that looks at a sheet."""

    own: int | None = None
    """Whose phone it is."""
    family: Sequence[int] = ()
    """Whose it is as well; it is handed to them before all others."""
    is_at_table: bool = True
    """Whether others may agree on it."""
    phone: str = ""
    """Its name in the log, where the server knows it."""


def confirmation_state(
    sheet: Sheet, agreement: Agreement | None, viewer: Viewer
) -> ConfirmationState:
    """Return how far a result is agreed to, and who is asked on a phone.

    Without an `agreement` the match is a friendly one. Nobody is asked any more once enough have
    agreed, nor on this phone who holds their seat on another.
    """
    match, names = sheet.match, sheet.names
    counted = sorted(confirmed_seats(sheet.logged.log, sheet.words).items())
    is_disputed = agreement is not None and agreement.is_disputed
    is_enough = (
        agreement is not None and len(counted) >= agreement.wanted and not is_disputed
    )
    is_open = match.is_settled and not (match.closed or is_enough or is_disputed)
    on_phones = seats_on_phones(match, sheet.logged.seats)
    elsewhere = on_phones - {viewer.own, *viewer.family}
    silent = [
        seat for seat in range(len(names)) if is_open and seat not in dict(counted)
    ]
    confirmed = []
    for seat, counts in counted:
        is_shared = counts.by not in (Way.OWN, Way.DIRECTOR)
        phone = counts.entry.phone if is_shared else ""
        confirmed.append(
            ConfirmedSeat(
                seat=seat,
                name=names[seat],
                way=way_in_words(counts.by),
                shared_phone=phone,
                is_from_here=bool(phone) and phone == viewer.phone,
                is_own=seat in (viewer.own, *viewer.family),
                body=withdrawal_body(seat, counts),
            )
        )
    directed = [names[seat] for seat, counts in counted if counts.by == Way.DIRECTOR]
    return ConfirmationState(
        confirmed=confirmed,
        by_director=director_agreement_in_words(directed, len(names)),
        is_enough=is_enough,
        is_disputed=is_disputed,
        confirmers=confirmers_in_words(agreement.wanted, len(names))
        if agreement
        else "",
        own=_request(sheet, viewer.own, Way.OWN) if viewer.own in silent else None,
        others=[
            _request(sheet, seat, Way.OWN if seat in viewer.family else Way.TABLE)
            for seat in sorted(silent, key=lambda seat: seat not in viewer.family)
            if viewer.is_at_table and seat not in {viewer.own, *elsewhere}
        ],
        elsewhere=[names[seat] for seat in silent if seat in elsewhere],
        without_phone=[
            names[seat]
            for seat, counts in counted
            if agreement is None and counts.by == Way.OWN and seat not in on_phones
        ],
        is_friendly=agreement is None,
    )


def has_lapsed(sheet: Sheet, agreement: Agreement | None, version: int) -> bool:
    """Tell whether a result was confirmed before a version, and wants it again since."""
    if agreement is None or not sheet.match.is_settled:
        return False
    was_confirmed = any(
        entry.kind == LogEntry.Kind.CONFIRM and entry.version < version
        for entry in sheet.logged.log
    )
    confirmed = confirmed_seats(sheet.logged.log, sheet.words)
    return was_confirmed and len(confirmed) < agreement.wanted


def withdrawal_body(seat: int, counts: Confirmed) -> str:
    """Return what is sent to take the confirmation of a seat back, as JSON."""
    return json.dumps({"seat": seat, CONFIRMATION: str(counts.entry.key)})


def confirmers_in_words(wanted: int, seats: int) -> str:
    """Return how many of so many players have to confirm a result, in a sentence."""
    if not wanted:
        return _("No confirmation is needed.")
    if wanted < seats:
        return _("One player confirms the result for the table.")
    return _("Every player confirms the result.")


def director_agreement_in_words(names: Sequence[str], seats: int) -> str:
    """Return for whom of so many players the director agreed, in a sentence; empty for nobody."""
    if len(names) == seats:
        return _("Agreed by the director.")
    words = _("Agreed by the director: %(names)s.")
    return words % {"names": join_names(names)} if names else ""


def way_in_words(by: str) -> str:
    """Return by which way somebody agreed; empty for the director, and if that was not asked.

    What the director agreed to is said once for all, by `director_agreement_in_words`.
    """
    return str(Way(by).label) if by in Way and by != Way.DIRECTOR else ""


def _request(sheet: Sheet, seat: int | None, way: Way) -> ConfirmationRequest:
    assert seat is not None
    body = {"seat": seat, "words": sheet.words, BY: way.value}
    return ConfirmationRequest(seat=seat, name=sheet.names[seat], body=json.dumps(body))
