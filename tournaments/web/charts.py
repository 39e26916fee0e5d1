"""Charts of results as SVG, each with its numbers in a table."""

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.pages.charts import Chart
from scoring.pages.moments import lead_start, sole_leader
from scoring.pages.plots import Series, draw_bars, draw_lines
from scoring.rules.game import rank_values
from tournaments.event.table_results import read_stages
from tournaments.history.leaderboard import BoardLine, BoardQuery, Measure
from tournaments.history.rank_history import MOST_DAYS, rank_history
from tournaments.models import Result, Tournament
from tournaments.models.round_names import round_name
from tournaments.ratings import shown_rating, shown_spread
from tournaments.standings import race

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


MOST_LINES = 8
"""Lines in a chart; more would be unreadable."""


def rank_chart(asked: BoardQuery, lines: Sequence[BoardLine], who: str) -> Chart | None:
    """Return the ranks of a season from day to day; None if there is nothing to compare.

    Shows the first `MOST_LINES` players and the player `who`; the accent marks `who`, or else
    the leader. Only for season points without further filters.
    """
    plain = not (asked.format or asked.starts_on or asked.ends_on)
    if asked.season is None or asked.measure != Measure.POINTS or not plain:
        return None
    course = rank_history(asked)
    as_of = min(asked.as_of or date.min, asked.season.ends_on)
    if as_of == asked.as_of and course and course[-1][0] < as_of:
        ranks = {line.player: line.rank for line in lines if line.rank is not None}
        course.append((as_of, ranks))
    ranked = [line for line in lines if line.rank is not None]
    shown = ranked[:MOST_LINES]
    shown += [line for line in lines if str(line.player) == who and line not in shown]
    if len(course) < 2 or len(shown) < 2:
        return None
    leader = shown[0]
    main = next((line for line in shown if str(line.player) == who), leader)
    left_out = ""
    if len(ranked) > len(shown) == MOST_LINES:
        left_out = _("The chart shows the top %(n)s.") % {"n": MOST_LINES}
    elif len(ranked) > len(shown):
        words = _("The chart shows the top %(n)s and %(name)s.")
        left_out = words % {"n": MOST_LINES, "name": shown[-1].name}
    days = [date_format(day, "MONTH_DAY_FORMAT") for day, _ranks in course]
    ranks_by_day = [ranks for _day, ranks in course]
    series = [
        Series(
            name=line.name,
            values=[ranks.get(line.player) for ranks in ranks_by_day],
            main=line == main,
            won=line.rank == 1,
        )
        for line in shown
    ]
    return Chart(
        id="ranks",
        title=_("Rank over time"),
        caption=" ".join(
            filter(None, [describe_course(main, days, ranks_by_day), left_out])
        ),
        across=_("Day"),
        labels=days,
        series=series,
        plot=draw_lines(days, series, ranks=True),
    )


def describe_course(
    line: BoardLine, days: Sequence[str], ranks_by_day: Sequence[Mapping[int, int]]
) -> str:
    name = line.name
    leaders = []
    for ranks in ranks_by_day:
        place = sole_leader(list(ranks.values()))
        leaders.append(None if place is None else list(ranks)[place])
    since = lead_start(leaders, line.player)
    if since == 0:
        return _("%(name)s has led from the start.") % {"name": name}
    if since is not None:
        words = _("%(name)s has led since %(day)s.")
        return words % {"name": name, "day": days[since]}
    known = [ranks[line.player] for ranks in ranks_by_day if line.player in ranks]
    if len(known) < 2 or known[0] == known[-1]:
        words = _("The ranks of %(name)s, day by day.")
        return words % {"name": name}
    words = _("%(name)s went from rank %(before)s to rank %(after)s.")
    return words % {"name": name, "before": known[0], "after": known[-1]}


class RaceWords(NamedTuple):
    """Texts of the race chart, for rounds or for the matches of a league."""

    title: "StrOrPromise"
    across: "StrOrPromise"
    from_first: "StrOrPromise"
    in_last: "StrOrPromise"
    since: "StrOrPromise"


ROUNDS = RaceWords(
    title=gettext_lazy("Points after each round"),
    across=gettext_lazy("Round"),
    from_first=gettext_lazy("%(name)s led on points from the first round to the last."),
    in_last=gettext_lazy("%(name)s took the lead on points in the last round."),
    since=gettext_lazy("%(name)s led on points from round %(round)s on."),
)
MATCHES = RaceWords(
    title=gettext_lazy("Points after each match"),
    across=gettext_lazy("Match"),
    from_first=gettext_lazy("%(name)s led on points from the first match to the last."),
    in_last=gettext_lazy("%(name)s took the lead on points in the last match."),
    since=gettext_lazy("%(name)s led on points from match %(round)s on."),
)


def race_chart(tournament: Tournament, names: Mapping[str, str]) -> Chart | None:
    """Return the points of the leading players after each round; None before two rounds.

    A league is counted by its matches. `names` are the names of players by the number of
    their entry, in the order of the standings.
    """
    stages = read_stages(tournament)
    rounds, made = race(stages)
    if len(rounds) < 2:
        return None
    words = MATCHES if tournament.is_league else ROUNDS
    counted = [entry for entry in names if entry in made]
    shown = counted[:MOST_LINES]
    before_first = 0
    if tournament.is_league:
        # The rounds of a final are numbered after the matches.
        before_first = max((table.round for table in stages[0].tables), default=0) - 1
    finals = {
        before_first + round_.number: round_name(round_, round_.seated)
        for round_ in tournament.rounds.annotate(seated=Count("tables"))
        if round_.plays_off
    }
    labels = [finals.get(number, str(number)) for number in rounds]
    series = [
        Series(
            name=names[entry],
            values=[float(round(points, 2)) for points in made[entry]],
            main=entry == shown[0],
            won=entry == shown[0],
        )
        for entry in shown
    ]
    caption = describe_lead(names[shown[0]], shown[0], labels, made, words)
    if len(counted) > len(shown):
        left_out = _("The chart shows the top %(n)s.") % {"n": MOST_LINES}
        # The caption may be the title, which has no full stop.
        caption = f"{caption.rstrip('.')}. {left_out}"
    return Chart(
        id="race",
        title=str(words.title),
        caption=caption,
        across=str(words.across),
        labels=labels,
        series=series,
        plot=draw_lines(labels, series, ranks=False),
    )


def describe_lead(
    name: str,
    entry: str,
    rounds: Sequence[str],
    made: Mapping[str, Sequence[Fraction]],
    words: RaceWords = ROUNDS,
) -> str:
    """Return a sentence on when the winner took the sole lead; the chart's title if never."""
    entries = list(made)
    leaders = [
        sole_leader(rank_values(points)) for points in zip(*made.values(), strict=True)
    ]
    since = lead_start(leaders, entries.index(entry))
    if since is None:
        return str(words.title)
    if since == 0:
        return words.from_first % {"name": name}
    is_last, is_numbered = since == len(rounds) - 1, rounds[since].isdecimal()
    if is_last and rounds[since] == _("Final"):
        return _("%(name)s took the lead on points in the final.") % {"name": name}
    if is_last and is_numbered:
        return words.in_last % {"name": name}
    if is_numbered:
        return words.since % {"name": name, "round": rounds[since]}
    sentence = _("%(name)s led on points to the end. Took the lead: %(round)s.")
    return sentence % {"name": name, "round": rounds[since]}


def rating_chart(
    name: str, results: Sequence[Result], *, leads: bool = False
) -> Chart | None:
    """Return a player's rating with its band after each tournament; None before two.

    Of more results than a picture can show, every n-th is shown, counted from the last.
    """
    if len(results) < 2:
        return None
    results = results[::-1][:: max(1, -(-len(results) // MOST_DAYS))][::-1]
    middle = [shown_rating(one.mu) for one in results]
    spread = [shown_spread(one.sigma) for one in results]
    band = list(zip(middle, spread, strict=True))
    series = [
        Series(
            name=name,
            values=middle,
            low=[value - around for value, around in band],
            high=[value + around for value, around in band],
            main=True,
            won=leads,
        )
    ]
    labels = [date_format(one.held_on, "DATE_FORMAT") for one in results]
    gain = middle[-1] - middle[0]
    if gain > 0:
        words = _("%(name)s’s rating has risen by %(by)s since %(day)s.")
    elif gain < 0:
        words = _("%(name)s’s rating has fallen by %(by)s since %(day)s.")
    else:
        words = _("%(name)s’s rating is the same as on %(day)s.")
    return Chart(
        id="rating",
        title=_("Rating over time"),
        caption=words % {"name": name, "by": abs(gain), "day": labels[0]},
        across=_("Day"),
        labels=labels,
        series=series,
        plot=draw_lines(labels, series, ranks=False),
    )


def places_chart(counts: Mapping[int, int]) -> Chart | None:
    if not counts:
        return None
    places = range(1, max(counts) + 1)
    labels = [str(place) for place in places]
    numbers = [counts.get(place, 0) for place in places]
    words = ngettext(
        "First at %(won)s of %(n)s table.",
        "First at %(won)s of %(n)s tables.",
        sum(numbers),
    )
    return Chart(
        id="places",
        title=_("Ranks at tables"),
        caption=words % {"won": numbers[0], "n": sum(numbers)},
        across=_("Rank"),
        labels=labels,
        series=[Series(name=_("tables"), values=numbers, main=True)],
        plot=draw_bars(labels, numbers),
    )


STEPS = (25, 50, 75)
"""Percentages at which a cell gets the next stronger colour."""


HeatRow = tuple[str, Sequence[tuple[int | None, str]]]


def heat(names: Sequence[str], shares: Sequence[Sequence[int | None]]) -> list[HeatRow]:
    """Return the rows of a heat map; empty below two players.

    A row is a player's name and, for each opponent, the percentage of meetings in which the
    player was ahead, with the CSS class of the cell. The percentage is None on the diagonal
    and for pairs that met too rarely.
    """
    if len(names) < 2:
        return []
    return [
        (name, [(share, fullness(share)) for share in row])
        for name, row in zip(names, shares, strict=True)
    ]


def fullness(share: int | None) -> str:
    """Return the CSS class of a cell with this percentage.

    >>> [fullness(share) for share in (0, 25, 50, 100, None)]
    ['h1', 'h2', 'h3', 'h4', 'few']
    """
    if share is None:
        return "few"
    return f"h{1 + sum(share >= step for step in STEPS)}"
