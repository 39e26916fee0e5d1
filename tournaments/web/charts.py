"""Pictures of a history: lines and bars, with the same numbers as a table beside them.

The browser draws them; what is here says what is drawn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournaments.event.table_results import stages_of
from tournaments.history.leaderboard import Asked, BoardLine, Measure
from tournaments.history.rank_course import MOST_DAYS, Ranks, rank_course
from tournaments.models import Result, Tournament
from tournaments.ratings import shown_rating, shown_spread
from tournaments.standings import race

MOST_LINES = 12
Values = Sequence[float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One line, or the bars of one player."""

    name: str
    values: Values
    """One for each label; None where there is nothing."""
    low: Values = ()
    high: Values = ()
    """A band around the line."""
    main: bool = False
    """Drawn in the accent; the others stay behind it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """What is drawn, and what it is called."""

    id: str
    title: str
    across: str
    """What the labels are."""
    labels: Sequence[str]
    series: Sequence[Series]
    kind: str = "line"
    ranks: bool = False
    """The least is on top."""

    @property
    def drawn(self) -> dict[str, Any]:
        """Return what the browser is told."""
        return asdict(self)

    @property
    def rows(self) -> list[tuple[str, list[float | None]]]:
        """Return the same numbers label by label, as a table has them."""
        return [
            (
                label,
                [
                    column[index]
                    for one in self.series
                    for column in (one.values, one.low, one.high)
                    if column
                ],
            )
            for index, label in enumerate(self.labels)
        ]


def rank_chart(asked: Asked, lines: Sequence[BoardLine], who: str) -> Chart | None:
    """Return the ranks of a season from day to day; None where there are none to show.

    Those who lead now, and the player `who` in the accent; only for season points
    without further filters.
    """
    plain = not (asked.format or asked.starts_on or asked.ends_on)
    if asked.season is None or asked.measure != Measure.POINTS or not plain:
        return None
    course = rank_course(asked)
    if asked.as_of is not None and course and course[-1][0] < asked.as_of:
        ranks = {line.player: line.rank for line in lines if line.rank is not None}
        course.append((asked.as_of, ranks))
    shown = [line for line in lines if line.rank is not None][:MOST_LINES]
    shown += [line for line in lines if str(line.player) == who and line not in shown]
    if len(course) < 2 or len(shown) < 2:
        return None
    main = next((one.player for one in shown if str(one.player) == who), None)
    return Chart(
        id="ranks",
        title=_("Rank over time"),
        across=_("Day"),
        labels=[date_format(day, "j M") for day, _ranks in course],
        series=_rank_series(
            [ranks for _day, ranks in course], shown, main or shown[0].player
        ),
        ranks=True,
    )


def _rank_series(
    days: Sequence[Ranks], shown: Sequence[BoardLine], main: int
) -> list[Series]:
    return [
        Series(
            name=line.name,
            values=[ranks.get(line.player) for ranks in days],
            main=line.player == main,
        )
        for line in shown
    ]


def race_chart(tournament: Tournament, names: Mapping[str, str]) -> Chart | None:
    """Return what the best of a tournament had after each round; None before two.

    `names` are the players by the number of their entry, in the order of the standings.
    """
    rounds, made = race(stages_of(tournament))
    if len(rounds) < 2:
        return None
    shown = [entry for entry in names if entry in made][:MOST_LINES]
    return Chart(
        id="race",
        title=_("Points after each round"),
        across=_("Round"),
        labels=[str(number) for number in rounds],
        series=[
            Series(
                name=names[entry],
                values=[float(round(points, 2)) for points in made[entry]],
                main=entry == shown[0],
            )
            for entry in shown
        ],
    )


def rating_chart(name: str, results: Sequence[Result]) -> Chart | None:
    """Return a player's rating after tournaments with its band; None before two.

    As many as a picture can show, evenly spread, the last with them.
    """
    if len(results) < 2:
        return None
    results = results[::-1][:: max(1, -(-len(results) // MOST_DAYS))][::-1]
    middle = [shown_rating(one.mu) for one in results]
    spread = [shown_spread(one.sigma) for one in results]
    band = list(zip(middle, spread, strict=True))
    return Chart(
        id="rating",
        title=_("Rating over time"),
        across=_("Day"),
        labels=[date_format(one.held_on, "j M Y") for one in results],
        series=[
            Series(
                name=name,
                values=middle,
                low=[value - around for value, around in band],
                high=[value + around for value, around in band],
                main=True,
            )
        ],
    )


def places_chart(counts: Mapping[int, int]) -> Chart | None:
    """Return how often a player came first, second and so on; None without a table."""
    if not counts:
        return None
    places = range(1, max(counts) + 1)
    return Chart(
        id="places",
        title=_("Places at tables"),
        across=_("Place"),
        labels=[str(place) for place in places],
        series=[
            Series(
                name=_("tables"),
                values=[counts.get(place, 0) for place in places],
                main=True,
            )
        ],
        kind="bar",
    )


def matrix_chart(
    names: Sequence[str], shares: Sequence[Sequence[int | None]]
) -> Chart | None:
    """Return how often each was ahead of each, as a matrix; None below two players."""
    if len(names) < 2:
        return None
    return Chart(
        id="matrix",
        title=_("How often the one on the left was ahead, in percent"),
        across=_("Player"),
        labels=list(names),
        series=[
            Series(
                name=name,
                values=[row[column] for row in shares],
            )
            for column, name in enumerate(names)
        ],
        kind="matrix",
    )
