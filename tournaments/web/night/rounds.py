"""Rounds and tables as everybody sees them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.competition import NextTable, ResultState
from scoring.games.words import result_headline
from scoring.matchlog.confirmations import (
    confirmed_seats,
    seats_on_phones,
    withdrawn_dispute,
)
from scoring.models import Way
from scoring.pages.confirmation import (
    confirmers_in_words,
    director_agreement_in_words,
    way_in_words,
    withdrawal_body,
)
from scoring.pages.handovers import handovers, handovers_by_match
from scoring.pages.sheet import Sheet, load_sheet
from tournaments.event.competition import late_in_words
from tournaments.event.next_seat import describe_next_seat, last_hand_notice, own_page
from tournaments.event.rights import OwnPlaces
from tournaments.event.rounds import is_table_confirmed
from tournaments.models import SHOWN, Bye, Place, Round, Table, Tournament
from tournaments.models.round_names import round_name, round_subject
from tournaments.models.rounds import required_confirmations
from tournaments.names import reading_key
from tournaments.web.night.pages import Segment, round_segments

SHAPES = 8
"""Of which a player keeps the same from table to table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """Somebody at one table of the bracket."""

    place: Place
    shape: int
    total: int | None
    is_me: bool
    state: str
    """`won` for who went on, `out` for who did not, `at` while nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """A table of the bracket."""

    table: Table
    contenders: Sequence[Contender]
    handovers: Sequence[str]
    """Who had which seat until when."""
    is_final: bool
    """Whether nobody goes on from it."""

    @property
    def entries(self) -> set[int]:
        """Return who sits there."""
        return {contender.place.entry_id for contender in self.contenders}


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """Tables from which some go on to one and the same; `into` is None while it is not drawn."""

    words: str
    duels: Sequence[Duel]
    into: Duel | None


def bracket(
    tournament: Tournament,
    tables: Sequence[Table],
    following: Sequence[Table],
    mine: Sequence[int],
) -> list[Branch]:
    """Return a round of which some go on, as far as it leads by now.

    Where all who go on from a table meet again at one, it stands under theirs. Where
    they part, or nothing further is drawn, the tables stand for themselves.
    """
    went_on = {place.entry_id for table in following for place in table.places.all()}
    duels = _duels(tournament, tables, went_on, mine)
    nexts = _duels(tournament, following, set(), mine)
    if not nexts:
        return [Branch(words="", duels=duels, into=None)]
    leads_to = [
        [number for number, duel in enumerate(nexts) if duel.entries & one.entries]
        for one in duels
    ]
    if any(len(numbers) > 1 for numbers in leads_to):
        words = _words(len(nexts), None)
        return [
            Branch(words="", duels=duels, into=None),
            Branch(words=words, duels=nexts, into=None),
        ]
    return [
        Branch(
            words=_words(len(nexts), number),
            duels=[
                duel
                for duel, numbers in zip(duels, leads_to, strict=True)
                if numbers == [number]
            ],
            into=into,
        )
        for number, into in enumerate(nexts)
    ]


def _words(tables: int, number: int | None) -> str:
    """Return where a branch leads, by how many tables there are then."""
    if tables == 1:
        return _("To the final")
    if tables == 2 and number is not None:
        return (
            _("To the first semi-final")
            if number == 0
            else _("To the second semi-final")
        )
    if number is None and tables == 2:
        return _("Then the semi-finals")
    if number is None:
        return ngettext("Then, at %(n)s table", "Then, at %(n)s tables", tables) % {
            "n": tables
        }
    return _("To table %(number)s") % {"number": number + 1}


def _duels(
    tournament: Tournament,
    tables: Sequence[Table],
    went_on: set[int],
    mine: Sequence[int],
) -> list[Duel]:
    """Return the tables of a round, of which so many are known to have gone on."""
    goes_on = 1 if len(tables) == 1 else max(1, tournament.advance)
    handed_over = handovers_by_match(table.match_id for table in tables)
    return [
        Duel(
            table=table,
            contenders=[
                Contender(
                    place=place,
                    shape=(place.entry.number - 1) % SHAPES,
                    total=total,
                    is_me=place.entry_id in mine,
                    state=_state(table, place, total, went_on, goes_on),
                )
                for place, total in table.totals()
            ],
            handovers=handed_over.get(table.match_id or 0, ()),
            is_final=len(tables) == 1,
        )
        for table in tables
    ]


def _state(
    table: Table, place: Place, total: int | None, went_on: set[int], goes_on: int
) -> str:
    """Return who went on; while that is not drawn, who will by the points of the table."""
    if went_on:
        return "won" if place.entry_id in went_on else "out"
    if table.void or total is None or not (table.match and table.match.finished):
        return "at"
    if table.result_state != ResultState.FINAL:
        return "at"
    ranks = {seat.index: seat.rank for seat in table.match.seats.all()}
    return "won" if ranks[place.index] <= goes_on else "out"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedTable:
    """A table of a round as it lies in its list."""

    table: Table
    places: Sequence[tuple[Place, int | None]]
    """In the order of the seats, each with its points."""
    is_mine: bool
    handovers: Sequence[str]
    """Who had which seat until when."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPage:
    """A round as everybody sees it."""

    name: str
    rounds: Sequence[Segment]
    """All rounds that are shown; none where there is only this."""
    places: Sequence[Place]
    """Everybody by name, where one asks for the seats."""
    tables: Sequence[SeatedTable]
    branches: Sequence[Branch]
    """In place of the tables, where only some go on."""
    byes: Sequence[Bye]
    mine: Sequence[int]
    """Whose entries it is that look: of a family several."""


def round_page(
    tournament: Tournament, round_: Round, *, by_name: bool, mine: Sequence[int]
) -> RoundPage:
    """Return a round, by the names of who plays or by its tables."""
    tables: Sequence[Table] = ()
    places: Sequence[Place] = ()
    branches: Sequence[Branch] = ()
    seated = _tables(tournament, round_)
    if by_name:
        sat = (place for table in seated for place in table.places.all())
        places = sorted(sat, key=lambda place: reading_key(place.name))
    else:
        tables = seated
    is_bracket = bool(tables) and round_.plays_off
    if is_bracket:
        further = tournament.rounds.filter(number=round_.number + 1, state__in=SHOWN)
        following = further.first()
        drawn = _tables(tournament, following) if following else ()
        branches = bracket(tournament, tables, drawn, mine)
    listed = () if is_bracket else tables
    handed_over = handovers_by_match(table.match_id for table in listed)
    return RoundPage(
        name=round_name(round_, len(tables) or round_.tables.count()),
        rounds=round_segments(tournament, round_, by_name=by_name),
        places=places,
        tables=[
            SeatedTable(
                table=table,
                places=table.totals(),
                is_mine=any(place.entry_id in mine for place in table.places.all()),
                handovers=handed_over.get(table.match_id or 0, ()),
            )
            for table in listed
        ],
        branches=branches,
        byes=sorted(
            round_.byes.select_related("entry"),
            key=lambda bye: reading_key(bye.entry.name),
        ),
        mine=mine,
    )


def _tables(tournament: Tournament, round_: Round) -> list[Table]:
    latest_first = "-number" if tournament.is_league else "number"
    return list(round_.tables.with_people().order_by(latest_first))


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
        """Return by which way they agreed, as `way_in_words` does."""
        return way_in_words(self.place.confirmed_by)


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
    last_hand: str
    """What the table does now that the last hand is called; empty if it is not."""
    onward: NextTable | None
    confirmers: str
    """How many have to confirm the result, in words."""
    own_page: str
    """The page of who looks, while they play here; empty for who only looks."""
    handovers: Sequence[str]
    """Who had which seat until when, a sentence each."""

    @property
    def by_director(self) -> str:
        """Return for whom the director agreed, in a sentence; empty for nobody."""
        names = [
            seat.place.name
            for seat in self.seats
            if seat.place.confirmed_by == Way.DIRECTOR
        ]
        return director_agreement_in_words(names, len(self.seats))

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
    result = load_sheet(table.match) if is_over and table.match is not None else None
    is_agreed = is_table_confirmed(table, tournament.quorum)
    asks = (
        result is not None
        and not is_agreed
        and not table.disputed
        and not table.void
        and tournament.phase != Tournament.Phase.FINISHED
    )
    onward = describe_next_seat(table, own)
    runs = table.round.state == Round.State.RUNNING
    return TablePage(
        table=table,
        sentence=_sentence(table, result, asks=asks),
        hint=_hint(table, result, asks=asks),
        seats=_seats(table, result, own, taken),
        result=result,
        asks=asks,
        last_hand=last_hand_notice(table),
        has_clock=runs
        and result is None
        and table.ends_at is not None
        and not tournament.is_league,
        onward=onward,
        confirmers=confirmers_in_words(
            required_confirmations(len(table.places.all()), tournament.quorum),
            len(table.places.all()),
        ),
        own_page=own_page(tournament, own) if own.here and not onward else "",
        handovers=handovers(table.match.log.seat_changes()) if table.match else (),
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
            take_back=withdrawal_body(place.index, confirmed[place.index])
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
    headline = result_headline(winners, table.result_state)
    return _("Table %(number)s: %(headline)s") % {**number, "headline": headline}


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
        words = _("%(round)s begins with the first hand.")
        return words % {"round": round_subject(table.round)}
    if result is None and begins:
        words = _("%(round)s has not begun.")
        return words % {"round": round_subject(table.round)}
    return ""
