"""Slips: the state of unfinished matches on paper, with room for the rest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from scoring.games.registry import table_game
from scoring.matchlog.confirmations import result_words
from scoring.matchlog.replay import replay
from scoring.matchlog.sittings import handovers
from scoring.models import LogEntry
from tournaments.models import Place, Round, Table

MOST_ROWS = 16
LEAST_ROWS = 3
HALF_A_SHEET = 5
"""So many columns of points are wide enough next to another slip."""
NARROW = 4
"""So many of those columns take a name."""
LONGEST_WORD, LONGEST_HEAD = 8, 18
"""Letters of a name at the head of such a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    table: Table
    names: Sequence[str]
    handovers: Sequence[str]
    """Who had which seat until when."""
    rows: Sequence[tuple[int, Sequence[int | None]]]
    """The number of each hand that is in, and its points by seat."""
    totals: Sequence[int]
    words: str
    """What the phones of the table show at this state."""
    blank: range
    """The numbers of hands to be written by pen."""

    @property
    def is_wide(self) -> bool:
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
        match = table.match
        assert match is not None
        places: list[Place] = list(table.places.all())
        replayed = replay(
            match.game, len(match.seats.all()), match.options, match.log.all()
        )
        # A hand that does not count has no points.
        without: Sequence[int | None] = [None] * len(places)
        rows = [
            (hand.number, hand.scored.scores if hand.scored else without)
            for hand in replayed.hands
        ]
        usual = table_game(match.game).usual_hands(len(places))
        last = min(max(usual, len(rows) + LEAST_ROWS), len(rows) + MOST_ROWS)
        yield Slip(
            table=table,
            names=[place.name for place in places],
            handovers=handovers(match.log.all()),
            rows=rows,
            totals=[replayed.state.totals[place.index] for place in places],
            words=result_words(replayed),
            blank=range(len(rows) + 1, last + 1),
        )
