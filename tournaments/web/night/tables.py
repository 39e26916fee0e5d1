"""The page of a table: seats, result, confirmations."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.competition import Onward
from scoring.games.words import names_in_a_row
from scoring.matchlog.confirmations import (
    confirmed_seats,
    seats_on_phones,
    withdrawn_dispute,
)
from scoring.pages.agreeing import confirmers_in_words, withdrawal_of
from scoring.pages.sheet import Sheet, sheet_of
from tournaments.event.competition import late_in_words
from tournaments.event.onward import onward_from, own_page
from tournaments.event.rights import OwnPlaces
from tournaments.event.rounds import is_table_confirmed
from tournaments.event.table_results import quorum_of
from tournaments.models import Place, Round, Table, Tournament
from tournaments.models.round_names import round_subject


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSeat:
    """Somebody at a table."""

    place: Place
    rank: int | None
    """None before the match is over."""
    total: int | None
    """None before its first hand."""

    is_own: bool
    """Whether it is whoever looks, or of a family at this table who agrees first."""
    is_of_family: bool
    """Whether it is another of those whose phone it is."""
    is_elsewhere: bool
    """Whether they agree on another phone, which is their own."""
    take_back: str
    """What is sent to take the agreement of whoever looks back, as JSON; empty for none of theirs."""

    @property
    def comes_late(self) -> bool:
        """Tell whether the table waits for them."""
        match = self.place.table.match
        return self.place.late and not (match is not None and match.version)

    @property
    def agrees(self) -> bool:
        """Tell whether they have agreed to the result."""
        return self.place.confirmed_at is not None

    @property
    def way(self) -> str:
        """Return by which way they agreed; empty where nobody had asked for it."""
        return self.place.agreed_by


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """A table as everybody sees it."""

    table: Table
    sentence: str
    hint: str
    seats: Sequence[TableSeat]
    """The best first once the match is over, else as they sit."""
    result: Sheet | None
    """Of a match that is over."""
    asks: bool
    """Whether who sits there is to say whether the result is right."""
    has_clock: bool
    onward: Onward | None
    confirmers: str
    """How many have to confirm the result, in words."""
    own_page: str
    """The page of who looks, while they play here; empty for who only looks."""

    @property
    def own(self) -> TableSeat | None:
        """Return whoever looks, where they sit here and have not agreed yet."""
        return next((seat for seat in self.silent if seat.is_own), None)

    @property
    def others(self) -> Sequence[TableSeat]:
        """Return to whom this phone can be given, those first whose phone it is as well."""
        return [seat for seat in self.silent if not (seat.is_own or seat.is_elsewhere)]

    @property
    def elsewhere(self) -> Sequence[str]:
        """Return who has not agreed yet and does so on their own phone alone, by name."""
        return [seat.place.name for seat in self.silent if seat.is_elsewhere]

    @property
    def silent(self) -> Sequence[TableSeat]:
        """Return who has not agreed yet, those first whose phone it is."""
        silent = [seat for seat in self.seats if not seat.agrees]
        return sorted(silent, key=lambda seat: not (seat.is_own or seat.is_of_family))


def table_page(
    table: Table,
    tournament: Tournament,
    own: OwnPlaces,
    taken: int | None = None,
) -> TablePage:
    """Return what the page of a table shows to whoever sits at `own`, or only looks.

    `table` came with people and its round. `taken` is the seat that the phone took there.
    """
    is_over = table.match is not None and table.match.is_settled
    result = sheet_of(table.match) if is_over and table.match is not None else None
    is_agreed = is_table_confirmed(table, tournament.quorum)
    asks = (
        result is not None
        and not is_agreed
        and not table.disputed
        and not table.void
        and tournament.phase != Tournament.Phase.FINISHED
    )
    onward = onward_from(table, own)
    runs = table.round.state == Round.State.RUNNING
    return TablePage(
        table=table,
        sentence=_sentence(table, result, asks=asks),
        hint=_hint(table, result, asks=asks),
        seats=_seats(table, result, own, taken),
        result=result,
        asks=asks,
        has_clock=runs
        and result is None
        and table.ends_at is not None
        and not tournament.is_league,
        onward=onward,
        confirmers=confirmers_in_words(
            quorum_of(len(table.places.all()), tournament.quorum),
            len(table.places.all()),
        ),
        own_page=own_page(tournament, own) if own.here and not onward else "",
    )


def _seats(
    table: Table, result: Sheet | None, own: OwnPlaces, taken: int | None
) -> list[TableSeat]:
    if result is None:
        begun = table.match is not None and table.match.version > 0
        return [
            TableSeat(
                place=place,
                rank=None,
                total=total if begun else None,
                is_own=place in own.here[:1],
                is_of_family=place in own.here[1:],
                is_elsewhere=False,
                take_back="",
            )
            for place, total in table.totals()
        ]
    here: set[int | None] = {place.index for place in own.here} or {taken}
    on_phones = seats_on_phones(result.match, result.logged.seats)
    confirmed = confirmed_seats(result.logged.log, result.words)
    seats = [
        TableSeat(
            place=place,
            rank=result.seats[place.index].rank,
            total=result.seats[place.index].total,
            is_own=place in own.here[:1] or (not own.here and place.index == taken),
            is_of_family=place in own.here[1:],
            is_elsewhere=place.index in on_phones - here,
            take_back=withdrawal_of(place.index, confirmed[place.index])
            if place.index in here and place.index in confirmed
            else "",
        )
        for place in table.places.all()
    ]
    return sorted(seats, key=lambda seat: seat.rank or 0)


def _sentence(table: Table, result: Sheet | None, *, asks: bool) -> str:
    number = {"number": table.number}
    if asks:
        return _("Table %(number)s: is this right?") % number
    if table.void:
        return _("Table %(number)s does not count") % number
    if table.disputed:
        return _("Table %(number)s: the result is disputed") % number
    if result is None:
        return _("Table %(number)s") % number
    winners = result.winners
    if not winners:
        return _("Table %(number)s is over") % number
    words = ngettext(
        "Table %(number)s: %(names)s won",
        "Table %(number)s: %(names)s won",
        len(winners),
    )
    return words % {**number, "names": names_in_a_row(winners)}


def _hint(table: Table, result: Sheet | None, *, asks: bool) -> str:
    if table.void and table.voided_by:
        return _("This table does not count: %(name)s made it void.") % {
            "name": table.voided_by.public_name
        }
    if table.void:
        return _("This table does not count.")
    if table.disputed:
        return table.dispute_advice
    if asks and result is not None and withdrawn_dispute(result.logged.log):
        return _("The dispute was withdrawn. Compare and confirm the result again.")
    if asks:
        return _("Compare points and words with the phone that kept the score.")
    if result is None and table.round.state == Round.State.CLOSED:
        return _("%(round)s is over.") % {"round": round_subject(table.round)}
    begins = table.round.state == Round.State.PUBLISHED
    late = [place.name for place in table.places.all() if place.late]
    if late and not (table.match and table.match.version):
        return late_in_words(late)
    if result is None and begins and table.match:
        return _("The round begins with the first hand.")
    if result is None and begins:
        return _("The round has not begun.")
    return ""
