"""The confirmations of a match's result, and the players that are still asked."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring.competition import ConfirmationRules
from scoring.locales.sentences import join_names
from scoring.matchlog.confirmations import (
    CONFIRMATION_KEY,
    WAY_KEY,
    Confirmation,
    confirmations_by_seat,
    seat_indexes_with_phone,
)
from scoring.models import ConfirmationWay, LogEntry
from scoring.pages.sheet import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmedSeat:
    """A player with a confirmation."""

    seat: int
    name: str
    way: str
    """In words; empty for the director, and if the entry has none."""
    shared_phone: str
    """The name in the log of the shared phone that confirmed for them; empty for their own or an
    unknown phone."""
    is_from_here: bool
    """Whether that phone is the viewer's."""
    is_own: bool
    """Whether the seat belongs to the viewer's phone."""
    body: str
    """The body of a withdrawal, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedSeat:
    """A player that can still confirm on this phone."""

    seat: int
    name: str
    body: str
    """The body of their confirmation, as JSON."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmationState:
    """The confirmations at a table, as one phone shows them."""

    confirmed: Sequence[ConfirmedSeat]
    by_director: str
    """A sentence on the players for whom the director confirmed; empty if none."""
    is_enough: bool
    is_disputed: bool
    confirmers: str
    """The number of confirmations that are needed, in words."""
    own: AskedSeat | None
    """The phone's own player, while they are asked."""
    other_asked_seats: Sequence[AskedSeat]
    """The players that can confirm on this phone once it is handed to them; its own family first."""
    elsewhere: Sequence[str]
    """Names of the players that have not confirmed yet and can only do so on their own phones."""
    without_phone: Sequence[str]
    """Names of players at a friendly match with a confirmation from a phone that no longer has
    their seat."""
    is_friendly: bool
    """Whether the match is a friendly one, so that nothing depends on it."""

    @property
    def can_confirm_here(self) -> bool:
        """Return whether any player can confirm on this phone now."""
        return self.own is not None or bool(self.other_asked_seats)

    @property
    def next_asked_seat(self) -> AskedSeat | None:
        """Return the player that gets this phone next; None while its own player is asked."""
        return None if self.own else next(iter(self.other_asked_seats), None)

    def find_among_other_asked_seats(self, seat: int) -> AskedSeat | None:
        """Return a seat that can confirm here once the phone is handed over, else None."""
        return next(
            (asked for asked in self.other_asked_seats if asked.seat == seat), None
        )


def confirmation_state(
    sheet: Sheet,
    agreement: ConfirmationRules | None,
    *,
    own: int | None,
    family: Sequence[int],
    is_at_table: bool,
    phone: str,
) -> ConfirmationState:
    """Return the confirmations of a result, and the players that a phone asks.

    Without an `agreement` the match is a friendly one. No player is asked once there are enough
    confirmations, and a player with a phone of their own is asked only there.

    `own` is the seat of the phone's owner, `family` are other seats that share it, to which it is
    handed first, `is_at_table` whether others may confirm on it, and `phone` its name in the log.
    """
    match, names = sheet.match, sheet.names
    confirmations = sorted(
        confirmations_by_seat(sheet.logged.log, sheet.checksum_words_line).items()
    )
    is_disputed = agreement is not None and agreement.is_disputed
    is_enough = (
        agreement is not None
        and len(confirmations) >= agreement.required
        and not is_disputed
    )
    is_open = match.has_counting_result and not (
        match.closed or is_enough or is_disputed
    )
    on_phones = seat_indexes_with_phone(match, sheet.logged.seats)
    elsewhere = on_phones - {own, *family}
    unconfirmed = [
        seat
        for seat in range(len(names))
        if is_open and seat not in dict(confirmations)
    ]
    confirmed = []
    for seat, confirmation in confirmations:
        is_shared = confirmation.way not in (
            ConfirmationWay.OWN,
            ConfirmationWay.DIRECTOR,
        )
        shared_phone = confirmation.entry.phone if is_shared else ""
        confirmed.append(
            ConfirmedSeat(
                seat=seat,
                name=names[seat],
                way=describe_confirmation_way(confirmation.way),
                shared_phone=shared_phone,
                is_from_here=bool(shared_phone) and shared_phone == phone,
                is_own=seat in (own, *family),
                body=withdrawal_body(seat, confirmation),
            )
        )
    director_names = [
        names[seat]
        for seat, confirmation in confirmations
        if confirmation.way == ConfirmationWay.DIRECTOR
    ]
    return ConfirmationState(
        confirmed=confirmed,
        by_director=describe_director_confirmations(director_names, len(names)),
        is_enough=is_enough,
        is_disputed=is_disputed,
        confirmers=describe_required_confirmations(agreement.required, len(names))
        if agreement
        else "",
        own=_build_asked_seat(sheet, own, ConfirmationWay.OWN)
        if own is not None and own in unconfirmed
        else None,
        other_asked_seats=[
            _build_asked_seat(
                sheet,
                seat,
                ConfirmationWay.OWN if seat in family else ConfirmationWay.TABLE,
            )
            for seat in sorted(unconfirmed, key=lambda seat: seat not in family)
            if is_at_table and seat not in {own, *elsewhere}
        ],
        elsewhere=[names[seat] for seat in unconfirmed if seat in elsewhere],
        without_phone=[
            names[seat]
            for seat, confirmation in confirmations
            if agreement is None
            and confirmation.way == ConfirmationWay.OWN
            and seat not in on_phones
        ],
        is_friendly=agreement is None,
    )


def has_confirmation_lapsed(
    sheet: Sheet, agreement: ConfirmationRules | None, version: int
) -> bool:
    """Return whether a confirmation from before a version no longer counts and is needed again."""
    if agreement is None or not sheet.match.has_counting_result:
        return False
    was_confirmed = any(
        entry.kind == LogEntry.Kind.CONFIRM and entry.version < version
        for entry in sheet.logged.log
    )
    confirmed = confirmations_by_seat(sheet.logged.log, sheet.checksum_words_line)
    return was_confirmed and len(confirmed) < agreement.required


def withdrawal_body(seat: int, confirmation: Confirmation) -> str:
    """Return the body of a withdrawal of a seat's confirmation, as JSON."""
    return json.dumps({"seat": seat, CONFIRMATION_KEY: str(confirmation.entry.key)})


def describe_required_confirmations(required: int, seat_count: int) -> str:
    """Return a sentence on the number of players that have to confirm a result."""
    if not required:
        return _("No confirmation is needed.")
    if required < seat_count:
        return _("One player confirms the result for the table.")
    return _("Every player confirms the result.")


def describe_director_confirmations(names: Sequence[str], seat_count: int) -> str:
    """Return a sentence on the players for whom the director confirmed; empty if none."""
    if len(names) == seat_count:
        return _("The director confirmed the result.")
    template = _("The director confirmed for %(names)s.")
    return template % {"names": join_names(names)} if names else ""


def describe_confirmation_way(way: str) -> str:
    """Return the way of a confirmation in words; empty for the director and for unknown ways.

    The director's confirmations have a sentence of their own, `describe_director_confirmations`.
    """
    return (
        str(ConfirmationWay(way).label)
        if way in ConfirmationWay and way != ConfirmationWay.DIRECTOR
        else ""
    )


def _build_asked_seat(sheet: Sheet, seat: int, way: ConfirmationWay) -> AskedSeat:
    body = {"seat": seat, "words": sheet.checksum_words_line, WAY_KEY: way.value}
    return AskedSeat(seat=seat, name=sheet.names[seat], body=json.dumps(body))
