"""The tie-breaks, each declared once, as a `TieBreak`.

Most are a column with an exact value for every player, or None if undefined. Head-to-head
depends on the group of level players, so the ranking computes it group by group.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from heapq import nlargest
from itertools import chain, islice
from math import lcm
from typing import cast

from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import ngettext_noop, pgettext_noop
from tournaments.standings.event import ByeKind, Exact
from tournaments.standings.points import Ranks
from tournaments.standings.tally import Tally


@dataclass(frozen=True, slots=True)
class TieBreakColumn:
    """One number for each player, all over the same scale."""

    numbers: Sequence[Exact | None]
    """Compared without the scale: most are ints, which makes ranking fast."""
    scale: int = 1

    def unscaled_values(self) -> list[Fraction | None]:
        kinds = set(map(type, self.numbers))
        if self.scale == 1 and int not in kinds:
            return cast(list[Fraction | None], list(self.numbers))
        # Many are equal: make one Fraction for all of them.
        exact = {
            number: None if number is None else Fraction(number, self.scale)
            for number in set(self.numbers)
        }
        return [exact[number] for number in self.numbers]


def total_points(tally: Tally) -> TieBreakColumn:
    """Return the points of each player: tables and byes, minus penalties.

    If only the best tables count, a bye is a table like any other.
    """
    scale, best = tally.point_scale, tally.event.counting.best
    numbers: list[Exact] = list(tally.totals)
    if best:
        by_player = points_by_player_and_table_or_bye(tally)
        numbers = [sum(nlargest(best, points)) for points in by_player]
    for player, byes in enumerate(tally.byes):
        if byes and not best:
            numbers[player] += sum(
                bye_points_times_point_scale(tally, player, kind) for kind in byes
            )
        if tally.penalties[player]:
            numbers[player] -= tally.penalties[player] * scale
    return TieBreakColumn(numbers, scale)


def bye_points_times_point_scale(tally: Tally, player: int, kind: ByeKind) -> Fraction:
    """Return the scaled points of a bye: a fixed number, or a share of the mean of the player's tables.

    For a player without a table it is the mean of all seats.
    """
    points = tally.event.counting.points_of_bye(kind)
    if isinstance(points, Fraction):
        return points * tally.point_scale
    tables = len(tally.tables_by_player[player])
    mean = (
        Fraction(tally.totals[player], tables)
        if tables
        else tally.mean_seat_points_times_point_scale()
    )
    return mean / 2 if points == "half" else mean


def counts_of_rank(rank: int, tally: Tally) -> TieBreakColumn:
    """Return how often each player had a rank; a shared one counts as a fraction."""
    holders = {
        ranks: [seat for seat, own_rank in enumerate(ranks) if own_rank == rank]
        for ranks in set(tally.ranks)
    }
    whole = lcm(*{len(seats) for seats in holders.values() if seats})
    sums = [0] * len(tally.names)
    for seats, ranks in zip(tally.seats, tally.ranks, strict=True):
        own_rank = holders[ranks]
        for seat in own_rank:
            sums[seats[seat]] += whole // len(own_rank)
    return TieBreakColumn(sums, whole)


def opponent_averages_elsewhere(tally: Tally) -> TieBreakColumn:
    """Return the mean of the opponents' average points at tables without the player.

    Meetings with an opponent without such a table are left out; without any meeting it is the
    mean of all seats.
    """
    other_counts = [len(tables) - 1 for tables in tally.tables_by_player]
    repeat_meetings = _repeat_opponent_points_by_player(tally)
    separate_counts = {
        len(tally.tables_by_player[opponent]) - len(opponent_points)
        for repeats in repeat_meetings.values()
        for opponent, opponent_points in repeats.items()
    }
    parts, whole = _compute_denominator_factors(separate_counts.union(other_counts))
    # If two players met once, all tables of the opponent but that one count.
    weights = [parts[count] for count in other_counts]
    weighed = [
        total * weight for total, weight in zip(tally.totals, weights, strict=True)
    ]
    at_seats = iter(
        [
            weighed[player] - weights[player] * points
            for player, points in zip(
                tally.seated, chain.from_iterable(tally.points), strict=True
            )
        ]
    )
    at_tables = [sum(islice(at_seats, len(seats))) for seats in tally.seats]
    lone_players = {player for player, count in enumerate(other_counts) if not count}
    neutral = tally.mean_seat_points_times_point_scale() * whole
    means = []
    for player, tables in enumerate(tally.tables_by_player):
        # The sum of each table includes the player's own average.
        total = sum([at_tables[table] for table in tables])
        total -= weighed[player] * other_counts[player]
        meeting_count = len(tally.met_players[player]) - len(tables)
        for opponent, opponent_points in repeat_meetings.get(player, {}).items():
            # The sums treat each common table as if it were the only one.
            times, points = len(opponent_points), sum(opponent_points)
            remaining = len(tally.tables_by_player[opponent]) - times
            total -= times * weighed[opponent] - weights[opponent] * points
            total += times * (tally.totals[opponent] - points) * parts[remaining]
            meeting_count -= 0 if remaining else times
        if lone_players:
            meeting_count -= sum(
                opponent in lone_players
                for opponent in tally.met_players[player]
                if opponent != player
            )
        means.append(
            (total, meeting_count) if meeting_count else neutral.as_integer_ratio()
        )
    return _build_column_from_fractions(means, whole * tally.point_scale)


def _repeat_opponent_points_by_player(tally: Tally) -> dict[int, dict[int, list[int]]]:
    """Return by player the opponents met more than once, with their points at each meeting."""
    repeat_meetings = {}
    for player, met_players in enumerate(tally.met_players):
        tables = tally.tables_by_player[player]
        if len(set(met_players)) > len(met_players) - len(tables):
            continue
        first: dict[int, int] = {}
        repeats: dict[int, list[int]] = {}
        opponent_points = chain.from_iterable([tally.points[table] for table in tables])
        for opponent, points in zip(met_players, opponent_points, strict=True):
            if opponent not in first:
                first[opponent] = points
            elif opponent != player:
                repeats.setdefault(opponent, [first[opponent]]).append(points)
        repeat_meetings[player] = repeats
    return repeat_meetings


def _build_column_from_fractions(
    pairs: Sequence[tuple[int, int]], scale: int
) -> TieBreakColumn:
    """Return (numerator, denominator) pairs as a column, all divided by the scale."""
    whole = lcm(*{denominator for _numerator, denominator in pairs})
    return TieBreakColumn(
        [numerator * (whole // denominator) for numerator, denominator in pairs],
        whole * scale,
    )


def _compute_denominator_factors(counts: Iterable[int]) -> tuple[dict[int, int], int]:
    """Return the factors that divide by each count, and their common denominator.

    The factor of 0 and -1 is 0.
    """
    distinct = {count for count in counts if count > 0}
    whole = lcm(*distinct)
    return {0: 0, -1: 0} | {count: whole // count for count in distinct}, whole


def opponent_averages(tally: Tally) -> TieBreakColumn:
    """Return the mean of the opponents' average points, common tables included."""
    averages, whole = _compute_scaled_averages(tally)
    neutral = tally.mean_seat_points_times_point_scale().as_integer_ratio()
    means = []
    for player, met_players in enumerate(tally.met_players):
        tables = len(tally.tables_by_player[player])
        total = (
            sum([averages[opponent] for opponent in met_players])
            - averages[player] * tables
        )
        meeting_count = len(met_players) - tables
        means.append((total, whole * meeting_count) if meeting_count else neutral)
    return _build_column_from_fractions(means, tally.point_scale)


def _compute_scaled_averages(tally: Tally) -> tuple[list[int], int]:
    """Return each player's mean points of a table as ints, and their common denominator."""
    counts = [len(tables) for tables in tally.tables_by_player]
    parts, whole = _compute_denominator_factors(counts)
    return [
        total * parts[count] for total, count in zip(tally.totals, counts, strict=True)
    ], whole


def result_in_halves(rank: int, other_rank: int) -> int:
    """Return the result of one rank against another in halves: 2 if ahead, 1 if level, else 0."""
    return 2 if rank < other_rank else 1 if rank == other_rank else 0


def sonneborn_berger(tally: Tally) -> TieBreakColumn:
    """Return the results against each opponent times the opponent's average points."""
    averages, whole = _compute_scaled_averages(tally)

    def results_times_averages(seats: Sequence[int], ranks: Ranks) -> list[int]:
        own_averages = [averages[player] for player in seats]
        return [
            sum(
                result_in_halves(rank, other_rank) * average
                for other_rank, average in zip(ranks, own_averages, strict=True)
            )
            # Without the player's own seat, which counts as level with itself.
            - own
            for rank, own in zip(ranks, own_averages, strict=True)
        ]

    sums = tally.sum_by_player(
        chain.from_iterable(map(results_times_averages, tally.seats, tally.ranks))
    )
    return TieBreakColumn(sums, 2 * whole * tally.point_scale)


def opponents_beaten(tally: Tally) -> TieBreakColumn:
    """Return the number of opponents beaten; a level one counts as a half."""
    halves = {
        ranks: [
            sum(result_in_halves(rank, other_rank) for other_rank in ranks) - 1
            for rank in ranks
        ]
        for ranks in set(tally.ranks)
    }
    return TieBreakColumn(
        tally.sum_by_player(chain.from_iterable(map(halves.__getitem__, tally.ranks))),
        2,
    )


def sums_of_margins_over_table_mean(tally: Tally) -> TieBreakColumn:
    """Return the sum of the differences from the mean scores of the tables."""
    return TieBreakColumn(tally.sum_by_player(tally.margins), tally.margin_scale)


def best_margin_over_table_mean(tally: Tally) -> TieBreakColumn:
    """Return the best difference from the mean score of a table; None without a table."""
    best: list[int | None] = [None] * len(tally.names)
    for player, difference in zip(tally.seated, tally.margins, strict=True):
        best_so_far = best[player]
        if best_so_far is None or difference > best_so_far:
            best[player] = difference
    return TieBreakColumn(best, tally.margin_scale)


def points_without_worst_table(tally: Tally) -> TieBreakColumn:
    """Return the points without the worst table; None without a table."""
    by_player = points_by_player_and_table_or_bye(tally)
    return TieBreakColumn(
        [
            sum(table_points) - min(table_points) if table_points else None
            for table_points in by_player
        ],
        tally.point_scale,
    )


def points_without_best_and_worst_table(tally: Tally) -> TieBreakColumn:
    """Return the points without the best and the worst table; None with fewer than three."""
    return TieBreakColumn(
        [
            sum(table_points) - min(table_points) - max(table_points)
            if len(table_points) > 2
            else None
            for table_points in points_by_player_and_table_or_bye(tally)
        ],
        tally.point_scale,
    )


def points_by_player_and_table_or_bye(tally: Tally) -> list[list[Exact]]:
    """Return the points of each table by player, byes last."""
    by_player: list[list[Exact]] = [[] for _name in tally.names]
    for player, points in zip(
        tally.seated, chain.from_iterable(tally.points), strict=True
    ):
        by_player[player].append(points)
    for player, byes in enumerate(tally.byes):
        by_player[player] += [
            bye_points_times_point_scale(tally, player, kind) for kind in byes
        ]
    return by_player


def sums_of_scores(tally: Tally) -> TieBreakColumn:
    """Return the sum of scores."""
    return TieBreakColumn(
        tally.sum_by_player(chain.from_iterable(tally.scores)), tally.score_scale
    )


def sums_of_best_score_shares(tally: Tally) -> TieBreakColumn:
    """Return the sum of the scores, each divided by the best score of its table.

    If the best score is 0 or less, it counts as 1 and all others as 0.
    """

    def part(scores: Sequence[int], score: int) -> tuple[int, int]:
        best = max(scores)
        return (score, best) if best > 0 else (int(score == best), 1)

    return _sum_fractions_of_tables(tally, part)


def sums_of_table_total_shares(tally: Tally) -> TieBreakColumn:
    """Return the sum of the scores, each divided by the total of its table.

    Undefined for players of a table with a negative score, or with a total of 0.
    """

    def part(scores: Sequence[int], score: int) -> tuple[int, int] | None:
        total = sum(scores)
        return None if min(scores) < 0 or not total else (score, total)

    return _sum_fractions_of_tables(tally, part)


def _sum_fractions_of_tables(
    tally: Tally, part: Callable[[Sequence[int], int], tuple[int, int] | None]
) -> TieBreakColumn:
    """Return by player the sum of one fraction per table; None if any is undefined."""
    pairs: list[list[tuple[int, int] | None]] = [[] for _name in tally.names]
    for seats, scores in zip(tally.seats, tally.scores, strict=True):
        for player, score in zip(seats, scores, strict=True):
            pairs[player].append(part(scores, score))
    sums: list[Fraction | None] = []
    for own_pairs in pairs:
        defined = [pair for pair in own_pairs if pair is not None]
        if len(defined) < len(own_pairs):
            sums.append(None)
            continue
        # One denominator per player: a common one would grow with every table.
        whole = lcm(*[denominator for _numerator, denominator in defined])
        total = sum(
            [numerator * (whole // denominator) for numerator, denominator in defined]
        )
        sums.append(Fraction(total, whole))
    return TieBreakColumn(sums)


def final_table_number(tally: Tally) -> TieBreakColumn:
    """Return the number of the table in the last round; lower is better.

    Undefined for everyone unless that round was seated by ranking: other numbers are chance.
    """
    return _build_final_tables_column(
        tally, lambda table: [tally.numbers[table]] * len(tally.seats[table])
    )


def final_table_place(tally: Tally) -> TieBreakColumn:
    """Return the place at the table of the last round; lower is better.

    Undefined if the number of that table is.
    """
    return _build_final_tables_column(tally, lambda table: tally.ranks[table])


def _build_final_tables_column(
    tally: Tally, get_numbers: Callable[[int], Sequence[int | None]]
) -> TieBreakColumn:
    last = max(tally.rounds, default=0) if tally.event.has_final_tables else None
    numbers: list[int | None] = [None] * len(tally.names)
    last_tables = [table for table, number in enumerate(tally.rounds) if number == last]
    for table in last_tables:
        if tally.numbers[table] is not None:
            for player, number in zip(
                tally.seats[table], get_numbers(table), strict=True
            ):
                numbers[player] = number
    return TieBreakColumn(numbers)


def drawn_lots(tally: Tally) -> TieBreakColumn:
    """Return the lots drawn; None for players without one."""
    return TieBreakColumn([tally.event.lots.get(name) for name in tally.names])


def head_to_head(tally: Tally, level: Sequence[int]) -> dict[int, Fraction] | None:
    """Return the results of the level players against each other, by player.

    Each opponent counts from 0 to 1, the mean over all meetings. None unless every two of the
    players have met.
    """
    among = set(level)
    if not all(among.issubset(tally.met_players[player]) for player in level):
        return None
    results = {}
    for player in level:
        # Results are counted in halves, and later divided by the number of meetings.
        meetings: dict[int, int] = {}
        halves: dict[int, int] = {}
        for table in tally.tables_by_player[player]:
            seats, ranks = tally.seats[table], tally.ranks[table]
            own = ranks[seats.index(player)]
            for opponent, rank in zip(seats, ranks, strict=True):
                if opponent in among and opponent != player:
                    meetings[opponent] = meetings.get(opponent, 0) + 1
                    halves[opponent] = halves.get(opponent, 0) + result_in_halves(
                        own, rank
                    )
        denominator = lcm(*meetings.values())
        total = sum(
            halves_won * (denominator // meetings[opponent])
            for opponent, halves_won in halves.items()
        )
        results[player] = Fraction(total, 2 * denominator)
    return results


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreak:
    """A tie-break, with everything that rankings, sentences, forms and files need."""

    code: str
    """Its name in settings, documents and the keys of files."""
    compute: Callable[[Tally], TieBreakColumn] | None = None
    """Its column; None if `compare` takes its place."""
    compare: Callable[[Tally, Sequence[int]], dict[int, Fraction] | None] | None = None
    """Its values if it compares only level players with each other; None unless it applies to them."""
    then: "TieBreak | None" = None
    """Separates players that it leaves level; has no column and cannot be chosen alone."""
    label: tuple[str, str] = ("", "")
    """Context and message of the heading of its column."""
    explanation: str = ""
    """Its description in forms."""
    reason: str
    """Why one of two players level on points is above the other."""
    counted: tuple[str, str] | None = None
    """Singular and plural of what its value counts; None if it is not a count."""
    lower_is_better: bool = False
    open_note: str = ""
    """The note on pages while open tables leave it unknown; empty if ranks alone determine it."""


_DECLARED = (
    TieBreak(
        code="wins",
        compute=partial(counts_of_rank, 1),
        label=pgettext_noop("tie-break", "wins"),
        explanation=_("tables won"),
        reason=_("tied on %(points)s, %(value)s to %(other)s"),
        counted=ngettext_noop("win", "wins"),
    ),
    TieBreak(
        code="seconds",
        compute=partial(counts_of_rank, 2),
        label=pgettext_noop("tie-break", "second places"),
        explanation=_("second places"),
        reason=_("tied on %(points)s, %(value)s to %(other)s"),
        counted=ngettext_noop("second place", "second places"),
    ),
    TieBreak(
        code="opponents",
        compute=opponent_averages_elsewhere,
        label=pgettext_noop("tie-break", "opponents"),
        explanation=_("strength of opponents at other tables"),
        reason=_("tied on %(points)s, tougher opponents"),
    ),
    TieBreak(
        code="opponents_all",
        compute=opponent_averages,
        label=pgettext_noop("tie-break", "opponents (all tables)"),
        explanation=_("strength of opponents at all tables"),
        reason=_("tied on %(points)s, tougher opponents"),
    ),
    TieBreak(
        code="sonneborn_berger",
        compute=sonneborn_berger,
        label=pgettext_noop("tie-break", "Sonneborn-Berger"),
        explanation=_("results against strong opponents (Sonneborn-Berger)"),
        reason=_("tied on %(points)s, better Sonneborn-Berger"),
    ),
    TieBreak(
        code="beaten",
        compute=opponents_beaten,
        label=pgettext_noop("tie-break", "opponents beaten"),
        explanation=_("opponents beaten"),
        reason=_("tied on %(points)s, more opponents beaten"),
    ),
    TieBreak(
        code="margin",
        compute=sums_of_margins_over_table_mean,
        label=pgettext_noop("tie-break", "margin"),
        explanation=_("points above the table average"),
        reason=_("tied on %(points)s, better margin"),
        open_note=_("When players are tied on points, their margin may decide."),
    ),
    TieBreak(
        code="best_table",
        compute=best_margin_over_table_mean,
        label=pgettext_noop("tie-break", "best table"),
        explanation=_("best table"),
        reason=_("tied on %(points)s, best table %(value)s to %(other)s"),
        open_note=_("When players are tied on points, their best table may decide."),
    ),
    TieBreak(
        code="cut_one",
        compute=points_without_worst_table,
        label=pgettext_noop("tie-break", "without worst table"),
        explanation=_("points without the worst table"),
        reason=_("tied on %(points)s, more without the worst table"),
    ),
    TieBreak(
        code="median",
        compute=points_without_best_and_worst_table,
        label=pgettext_noop("tie-break", "without best and worst table"),
        explanation=_("points without the best and worst table"),
        reason=_("tied on %(points)s, more without best and worst"),
    ),
    TieBreak(
        code="raw",
        compute=sums_of_scores,
        label=pgettext_noop("tie-break", "match points"),
        explanation=_("points scored in the matches"),
        reason=_("tied on %(points)s, %(value)s to %(other)s"),
        counted=ngettext_noop("match point", "match points"),
        open_note=_("When players are tied on points, match points may decide."),
    ),
    TieBreak(
        code="percentage",
        compute=sums_of_best_score_shares,
        label=pgettext_noop("tie-break", "share of best score"),
        explanation=_("share of the best score at each table"),
        reason=_("tied on %(points)s, better share of best scores"),
        open_note=_(
            "When players are tied on points, their share of the best scores may "
            "decide."
        ),
    ),
    TieBreak(
        code="share",
        compute=sums_of_table_total_shares,
        label=pgettext_noop("tie-break", "share of all points"),
        explanation=_("share of all points at each table"),
        reason=_("tied on %(points)s, better share of all points"),
        open_note=_(
            "When players are tied on points, their share of all points may decide."
        ),
    ),
    TieBreak(
        code="final_table",
        compute=final_table_number,
        label=pgettext_noop("tie-break", "last table"),
        explanation=_("table and rank in the last round, if seated by the standings"),
        reason=_("tied on %(points)s, better last table"),
        lower_is_better=True,
        open_note=_(
            "When players are tied on points, their table in the last round may decide."
        ),
        then=TieBreak(
            code="final_place",
            compute=final_table_place,
            reason=_("tied on %(points)s, better rank at the last table"),
            lower_is_better=True,
        ),
    ),
    TieBreak(
        code="lot",
        compute=drawn_lots,
        label=pgettext_noop("tie-break", "tie-break draw"),
        explanation=_("tie-break draw"),
        reason=_("tied on %(points)s, by tie-break draw"),
        lower_is_better=True,
    ),
    TieBreak(
        code="head_to_head",
        compare=head_to_head,
        label=pgettext_noop("tie-break", "head to head"),
        explanation=_("head-to-head results"),
        reason=_("tied on %(points)s, better head to head"),
    ),
)
TIE_BREAKS: Mapping[str, TieBreak] = {
    tie_break.code: tie_break for tie_break in _DECLARED
}
"""By code; a tournament chooses from them."""
