"""Slips: the state of unfinished matches on paper, with room for the rest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from scoring.matchlog.confirmations import words_of
from scoring.matchlog.replay import ReplayedHand, replay
from scoring.models import LogEntry
from tournaments.event.estimates import usual_hands
from tournaments.models import Place, Round, Table

MOST_ROWS = 16
LEAST_ROWS = 3
HALF_A_SHEET = 5
"""So many columns of points are wide enough beside another slip."""
NARROW = 4
"""So many of those columns take a name."""
LONGEST_WORD, LONGEST_HEAD = 8, 18
"""Letters of a name at the head of such a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """One table's slip."""

    table: Table
    names: Sequence[str]
    rows: Sequence[tuple[int, Sequence[int | None]]]
    """The number of each hand that is in, and its points by seat."""
    totals: Sequence[int]
    words: str
    """What the phones of the table show at this state."""
    blank: range
    """The numbers of hands to be written by pen."""

    @property
    def is_wide(self) -> bool:
        """Tell whether it takes the whole width of a sheet."""
        return len(self.names) > HALF_A_SHEET

    @property
    def has_names(self) -> bool:
        """Tell whether names stand above the columns; marks do where those are long."""
        room = self.is_wide or len(self.names) <= NARROW
        words = [word for name in self.names for word in name.split()]
        short = max(map(len, words), default=0) <= LONGEST_WORD
        return room and short and max(map(len, self.names)) <= LONGEST_HEAD


def unfinished_slips(round_: Round) -> Iterator[Slip]:
    """Yield a slip for each table of a round whose match is not finished."""
    log = Prefetch("match__log", LogEntry.objects.in_order())
    tables = round_.tables.with_people().prefetch_related(log)
    for table in tables.filter(void=False, match__finished=False).order_by("number"):
        yield _slip(table)


def _slip(table: Table) -> Slip:
    match = table.match
    assert match is not None
    places: list[Place] = list(table.places.all())
    replayed = replay(
        match.game, len(match.seats.all()), match.options, match.log.all()
    )
    rows = [(hand.number, _points(hand, len(places))) for hand in replayed.hands]
    usual = usual_hands(match.game, len(places))
    first = len(rows) + 1
    last = min(max(usual, len(rows) + LEAST_ROWS), len(rows) + MOST_ROWS)
    return Slip(
        table=table,
        names=[place.entry.name for place in places],
        rows=rows,
        totals=[replayed.state.totals[place.index] for place in places],
        words=words_of(replayed),
        blank=range(first, last + 1),
    )


def _points(hand: ReplayedHand, seats: int) -> Sequence[int | None]:
    """Return a hand's points by seat; None where one that does not count has none."""
    return hand.scored.scores if hand.scored else [None] * seats
