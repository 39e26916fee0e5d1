"""Slips: the state of unfinished matches on paper, with room for the remaining hands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch

from scoring.games.registry import table_game
from scoring.matchlog.confirmations import checksum_words_line
from scoring.matchlog.replay import replay
from scoring.matchlog.seat_occupants import describe_handovers
from scoring.models import LogEntry
from tournaments.models import Place, Round, Table

MOST_ROWS = 16
LEAST_ROWS = 3
HALF_A_SHEET = 5
"""Most columns of points on a slip that is half a sheet wide."""
NARROW = 4
"""Most columns of such a slip that are wide enough for names."""
LONGEST_WORD, LONGEST_HEAD = 8, 18
"""Longest word and longest name, in letters, that fit above a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSlip:
    table: Table
    names: Sequence[str]
    handovers: Sequence[str]
    """A sentence for each seat that was handed over."""
    rows: Sequence[tuple[int, Sequence[int | None]]]
    """The number of each hand that is in, and its points by seat (None if it does not count)."""
    totals: Sequence[int]
    checksum: str
    """The summary of the result that the table's phones show in this state."""
    blank_numbers: range
    """Numbers of the hands to be filled in by pen."""

    @property
    def has_full_width(self) -> bool:
        return len(self.names) > HALF_A_SHEET

    @property
    def has_name_headings(self) -> bool:
        """Return whether the columns are headed by names; marks are used if these are too long."""
        room = self.has_full_width or len(self.names) <= NARROW
        name_parts = [part for name in self.names for part in name.split()]
        short = max(map(len, name_parts), default=0) <= LONGEST_WORD
        return room and short and max(map(len, self.names)) <= LONGEST_HEAD


def slips_for_unfinished_tables(round_: Round) -> Iterator[ScoreSlip]:
    """Yield a slip for each table of a round whose match is not finished."""
    log = Prefetch("match__log", LogEntry.objects.in_order())
    tables = round_.tables.with_places_and_entries().prefetch_related(log)
    for table in tables.filter(void=False, match__finished=False).order_by("number"):
        match = table.match
        assert match is not None
        places: list[Place] = list(table.places.all())
        replayed = replay(
            match.game, len(match.seats.all()), match.options, match.log.all()
        )
        # A hand that does not count has no points.
        empty_points: Sequence[int | None] = [None] * len(places)
        rows = [
            (hand.number, hand.scored.scores if hand.scored else empty_points)
            for hand in replayed.hands
        ]
        usual = table_game(match.game).usual_hand_count(len(places))
        # A long match goes on for longer.
        least = LEAST_ROWS + len(rows) // 3
        last = min(max(usual, len(rows) + least), len(rows) + MOST_ROWS)
        yield ScoreSlip(
            table=table,
            names=[place.name for place in places],
            handovers=describe_handovers(match.log.all()),
            rows=rows,
            totals=[replayed.state.totals[place.index] for place in places],
            checksum=checksum_words_line(replayed),
            blank_numbers=range(len(rows) + 1, last + 1),
        )
