"""Charts of results as SVG, each with its numbers in a table."""

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.pages.charts import Chart, lead_start_index, sole_leader_index
from scoring.pages.plots import Series, draw_lines, draw_place_bars
from scoring.rules.game import rank_values
from tournaments.event.table_results import read_results_by_stage
from tournaments.history.leaderboard import BoardLine, BoardQuery, Measure
from tournaments.history.rank_history import MOST_DAYS, rank_history
from tournaments.models import Result, Tournament
from tournaments.models.round_names import round_name
from tournaments.ratings import shown_rating, shown_spread
from tournaments.standings import list_rounds_and_point_courses

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


MOST_LINES = 8
"""Lines in a chart; more would be unreadable."""


def rank_chart(
    query: BoardQuery, lines: Sequence[BoardLine], marked_player: str
) -> Chart | None:
    """Return the ranks of a season from day to day; None if there is nothing to compare.

    Shows the first `MOST_LINES` players and `marked_player`, whom the accent marks (without
    one, the leader). Only for season points without further filters.
    """
    plain = not (query.format or query.starts_on or query.ends_on)
    if query.season is None or query.measure != Measure.POINTS or not plain:
        return None
    course = rank_history(query)
    as_of = min(query.as_of or date.min, query.season.ends_on)
    if as_of == query.as_of and course and course[-1][0] < as_of:
        ranks = {line.player: line.rank for line in lines if line.rank is not None}
        course.append((as_of, ranks))
    ranked = [line for line in lines if line.rank is not None]
    chart_lines = ranked[:MOST_LINES]
    chart_lines += [
        line
        for line in lines
        if str(line.player) == marked_player and line not in chart_lines
    ]
    if len(course) < 2 or len(chart_lines) < 2:
        return None
    leader = chart_lines[0]
    main = next(
        (line for line in chart_lines if str(line.player) == marked_player), leader
    )
    left_out = ""
    if len(ranked) > len(chart_lines) == MOST_LINES:
        left_out = _("The chart shows the top %(n)s.") % {"n": MOST_LINES}
    elif len(ranked) > len(chart_lines):
        text = _("The chart shows the top %(n)s and %(name)s.")
        left_out = text % {"n": MOST_LINES, "name": chart_lines[-1].name}
    days = [date_format(day, "MONTH_DAY_FORMAT") for day, _ranks in course]
    ranks_by_day = [ranks for _day, ranks in course]
    series = [
        Series(
            name=line.name,
            values=[ranks.get(line.player) for ranks in ranks_by_day],
            main=line == main,
            won=line.rank == 1,
        )
        for line in chart_lines
    ]
    return Chart(
        id="ranks",
        title=_("Rank over time"),
        caption=" ".join(
            filter(None, [rank_chart_caption(main, days, ranks_by_day), left_out])
        ),
        across=_("Date"),
        labels=days,
        series=series,
        plot=draw_lines(days, series, ranks=True),
    )


def rank_chart_caption(
    line: BoardLine, days: Sequence[str], ranks_by_day: Sequence[Mapping[int, int]]
) -> str:
    name = line.name
    leaders = []
    for ranks in ranks_by_day:
        place = sole_leader_index(list(ranks.values()))
        leaders.append(None if place is None else list(ranks)[place])
    since = lead_start_index(leaders, line.player)
    if since == 0:
        return _("%(name)s has led from the start.") % {"name": name}
    if since is not None:
        text = _("%(name)s has led since %(day)s.")
        return text % {"name": name, "day": days[since]}
    own_ranks = [ranks[line.player] for ranks in ranks_by_day if line.player in ranks]
    if len(own_ranks) < 2 or own_ranks[0] == own_ranks[-1]:
        text = _("%(name)s’s rank, day by day.")
        return text % {"name": name}
    text = _("%(name)s went from rank %(before)s to rank %(after)s.")
    return text % {"name": name, "before": own_ranks[0], "after": own_ranks[-1]}


class RaceChartTexts(NamedTuple):
    """Texts of the race chart, for rounds or for the matches of a league."""

    title: "StrOrPromise"
    across: "StrOrPromise"
    from_first: "StrOrPromise"
    in_last: "StrOrPromise"
    since: "StrOrPromise"


ROUNDS = RaceChartTexts(
    title=gettext_lazy("Points after each round"),
    across=gettext_lazy("Round"),
    from_first=gettext_lazy("%(name)s led on points from the first round to the last."),
    in_last=gettext_lazy("%(name)s took the lead on points in the last round."),
    since=gettext_lazy("%(name)s was ahead on points from round %(round)s onwards."),
)
MATCHES = RaceChartTexts(
    title=gettext_lazy("Points after each match"),
    across=gettext_lazy("Match"),
    from_first=gettext_lazy("%(name)s led on points from the first match to the last."),
    in_last=gettext_lazy("%(name)s took the lead on points in the last match."),
    since=gettext_lazy("%(name)s was ahead on points from match %(round)s onwards."),
)


def race_chart(
    tournament: Tournament, names_by_entry: Mapping[str, str]
) -> Chart | None:
    """Return the points of the leading players after each round; None before two rounds.

    A league is counted by its matches. `names_by_entry` are the names of players by the key of
    their entry, in the order of the standings.
    """
    stages = read_results_by_stage(tournament)
    rounds, points_by_entry = list_rounds_and_point_courses(stages)
    if len(rounds) < 2:
        return None
    texts = MATCHES if tournament.is_league else ROUNDS
    ranked_entries = [entry for entry in names_by_entry if entry in points_by_entry]
    chart_entries = ranked_entries[:MOST_LINES]
    before_first = 0
    if tournament.is_league:
        # The rounds of a final are numbered after the matches.
        before_first = max((table.round for table in stages[0].tables), default=0) - 1
    finals = {
        before_first + round_.number: round_name(round_, round_.table_count)
        for round_ in tournament.rounds.with_table_count()
        if round_.is_playoff
    }
    labels = [finals.get(number, str(number)) for number in rounds]
    series = [
        Series(
            name=names_by_entry[entry],
            values=[float(round(points, 2)) for points in points_by_entry[entry]],
            main=entry == chart_entries[0],
            won=entry == chart_entries[0],
        )
        for entry in chart_entries
    ]
    caption = describe_lead_start(
        names_by_entry[chart_entries[0]],
        chart_entries[0],
        labels,
        points_by_entry,
        texts,
    )
    if len(ranked_entries) > len(chart_entries):
        left_out = _("The chart shows the top %(n)s.") % {"n": MOST_LINES}
        # The caption may be the title, which has no full stop.
        caption = f"{caption.rstrip('.')}. {left_out}"
    return Chart(
        id="race",
        title=str(texts.title),
        caption=caption,
        across=str(texts.across),
        labels=labels,
        series=series,
        plot=draw_lines(labels, series, ranks=False),
    )


def describe_lead_start(
    name: str,
    entry: str,
    rounds: Sequence[str],
    points_by_entry: Mapping[str, Sequence[Fraction]],
    texts: RaceChartTexts = ROUNDS,
) -> str:
    """Return a sentence on when the winner took the sole lead; the chart's title if never."""
    entries = list(points_by_entry)
    leaders = [
        sole_leader_index(rank_values(points))
        for points in zip(*points_by_entry.values(), strict=True)
    ]
    since = lead_start_index(leaders, entries.index(entry))
    if since is None:
        return str(texts.title)
    if since == 0:
        return texts.from_first % {"name": name}
    is_last, is_numbered = since == len(rounds) - 1, rounds[since].isdecimal()
    if is_last and rounds[since] == _("Final"):
        return _("%(name)s took the lead on points in the final.") % {"name": name}
    if is_last and is_numbered:
        return texts.in_last % {"name": name}
    if is_numbered:
        return texts.since % {"name": name, "round": rounds[since]}
    sentence = _("%(round)s: %(name)s took the lead on points and kept it to the end.")
    return sentence % {"name": name, "round": rounds[since]}


def rating_chart(
    name: str, results: Sequence[Result], *, is_leader: bool = False
) -> Chart | None:
    """Return a player's rating with its band after each tournament; None before two.

    Of more results than a picture can show, every n-th is shown, counted from the last.
    """
    if len(results) < 2:
        return None
    results = results[::-1][:: max(1, -(-len(results) // MOST_DAYS))][::-1]
    ratings = [shown_rating(result.mu) for result in results]
    deviations = [shown_spread(result.sigma) for result in results]
    band = list(zip(ratings, deviations, strict=True))
    series = [
        Series(
            name=name,
            values=ratings,
            low=[value - deviation for value, deviation in band],
            high=[value + deviation for value, deviation in band],
            main=True,
            won=is_leader,
        )
    ]
    labels = [date_format(result.held_on, "DATE_FORMAT") for result in results]
    gain = ratings[-1] - ratings[0]
    if gain > 0:
        caption = _("%(name)s’s rating has risen by %(by)s since %(day)s.")
    elif gain < 0:
        caption = _("%(name)s’s rating has fallen by %(by)s since %(day)s.")
    else:
        caption = _("%(name)s’s rating is the same as on %(day)s.")
    return Chart(
        id="rating",
        title=_("Rating over time"),
        caption=caption % {"name": name, "by": abs(gain), "day": labels[0]},
        across=_("Date"),
        labels=labels,
        series=series,
        plot=draw_lines(labels, series, ranks=False),
    )


def table_ranks_chart(counts_by_rank: Mapping[int, int]) -> Chart | None:
    if not counts_by_rank:
        return None
    places = range(1, max(counts_by_rank) + 1)
    labels = [str(place) for place in places]
    numbers = [counts_by_rank.get(place, 0) for place in places]
    caption = ngettext(
        "First at %(won)s of %(n)s table.",
        "First at %(won)s of %(n)s tables.",
        sum(numbers),
    )
    return Chart(
        id="places",
        title=_("Rank at each table"),
        caption=caption % {"won": numbers[0], "n": sum(numbers)},
        across=_("Rank"),
        labels=labels,
        series=[Series(name=_("tables"), values=numbers, main=True)],
        plot=draw_place_bars(labels, numbers),
    )


STEPS = (25, 50, 75)
"""Percentages at which a cell gets the next stronger colour."""


HeatMapRow = tuple[str, Sequence[tuple[int | None, str]]]


def heat_map_rows(
    names: Sequence[str], shares: Sequence[Sequence[int | None]]
) -> list[HeatMapRow]:
    """Return the rows of a heat map; empty below two players.

    A row is a player's name and, for each opponent, the percentage of meetings in which the
    player was ahead, with the CSS class of the cell. The percentage is None on the diagonal
    and for pairs that met too rarely.
    """
    if len(names) < 2:
        return []
    return [
        (name, [(share, heat_map_cell_class(share)) for share in row])
        for name, row in zip(names, shares, strict=True)
    ]


def heat_map_cell_class(share: int | None) -> str:
    """Return the CSS class of a cell with this percentage.

    >>> [heat_map_cell_class(share) for share in (0, 25, 50, 100, None)]
    ['h1', 'h2', 'h3', 'h4', 'few']
    """
    if share is None:
        return "few"
    return f"h{1 + sum(share >= step for step in STEPS)}"
