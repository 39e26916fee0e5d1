"""The standings computed slowly, formula by formula, without any code of the package.

Every value follows from the results alone, in fractions, exactly as the definitions
say, so that shortcuts of the package can be checked.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from tournaments.standings import StandingsInput, TableResult

Value = Fraction | None
LOWER_FIRST = {"final_table", "final_place", "lot"}


def counted_tables(event: StandingsInput) -> list[TableResult]:
    """Return the tables that count."""
    void = event.counting.unfinished == "void"
    return [table for table in event.tables if table.finished or not void]


def tables_of_player(event: StandingsInput, player: str) -> list[TableResult]:
    return [table for table in counted_tables(event) if player in table.scores]


def rank(table: TableResult, player: str) -> int:
    """Return the rank of a player, counted from 1."""
    if table.ranks:
        return table.ranks[player]
    own_score = table.scores[player]
    return 1 + sum(score > own_score for score in table.scores.values())


def count_level(table: TableResult, player: str) -> int:
    """Return how many players share the player's rank, the player included."""
    return sum(rank(table, other) == rank(table, player) for other in table.scores)


def difference(table: TableResult, player: str) -> Fraction:
    """Return the score less the mean of the table."""
    total = sum(map(Fraction, table.scores.values()), Fraction())
    return table.scores[player] - total / len(table.scores)


def table_points(event: StandingsInput, table: TableResult, player: str) -> Fraction:
    """Return the points of one table."""
    size, scheme = len(table.scores), event.counting.points
    score = Fraction(table.scores[player])
    if scheme == "raw":
        return score
    if scheme == "margin":
        return difference(table, player)
    place, holders = rank(table, player), count_level(table, player)
    below = size - (place - 1) - holders
    if scheme == "pairwise":
        return Fraction(below - (place - 1))
    if scheme == "wins":
        return Fraction(place == 1) / holders
    shared_ranks = range(place, place + holders)
    if scheme == "places":
        return sum(
            (event.counting.places[size][r - 1] for r in shared_ranks), Fraction()
        ) / (holders)
    return sum(
        (1 + Fraction(3 * (size - r), size - 1) for r in shared_ranks), Fraction()
    ) / (holders)


def mean(numbers: Sequence[Fraction]) -> Value:
    """Return the mean; None of nothing."""
    return sum(numbers, Fraction()) / len(numbers) if numbers else None


def neutral(event: StandingsInput) -> Fraction:
    """Return the mean of all seats; 0 without any."""
    seat_points = [
        table_points(event, t, p) for t in counted_tables(event) for p in t.scores
    ]
    return mean(seat_points) or Fraction()


def all_points(event: StandingsInput, player: str) -> list[Fraction]:
    """Return the points of each table and bye."""
    earned = [
        table_points(event, table, player) for table in tables_of_player(event, player)
    ]
    mean_points = mean(earned)
    average = neutral(event) if mean_points is None else mean_points
    worth = {
        "drawn": event.counting.bye,
        "requested": event.counting.requested_bye,
        "late": event.counting.late_bye,
    }
    by_share = {"average": average, "half": average / 2}
    return earned + [
        points if isinstance(points, Fraction) else by_share[points]
        for bye in event.byes
        if bye.player == player
        for points in [worth[bye.kind]]
        if bye.kind == "drawn" or points != 0
    ]


def points(event: StandingsInput, player: str) -> Fraction:
    """Return the points that a player is ranked by."""
    deductions = sum(
        (one.points for one in event.penalties if one.player == player), Fraction()
    )
    if event.counting.unfinished == "deduct":
        unfinished = [
            table for table in tables_of_player(event, player) if not table.finished
        ]
        deductions += len(unfinished) * event.counting.deduction
    return sum(all_points(event, player), Fraction()) - deductions


def encounters(event: StandingsInput, player: str) -> list[tuple[TableResult, str]]:
    """Return every table with every opponent there."""
    return [
        (t, q) for t in tables_of_player(event, player) for q in t.scores if q != player
    ]


def result(table: TableResult, player: str, other: str) -> Fraction:
    """Return 1, ½ or 0."""
    own_rank, other_rank = rank(table, player), rank(table, other)
    return Fraction(own_rank < other_rank) + Fraction(own_rank == other_rank) / 2


def average(event: StandingsInput, player: str, *, without: str = "") -> Value:
    """Return the mean points of a player's tables, without those of one opponent."""
    tables = [t for t in tables_of_player(event, player) if without not in t.scores]
    return mean([table_points(event, table, player) for table in tables])


def opponents(event: StandingsInput, player: str) -> Value:
    """Return OPPX."""
    averages = [
        average(event, q, without=player) for _t, q in encounters(event, player)
    ]
    mean_average = mean([one for one in averages if one is not None])
    return neutral(event) if mean_average is None else mean_average


def opponents_all(event: StandingsInput, player: str) -> Value:
    """Return OPP."""
    mean_average = mean(
        [average(event, q) or Fraction() for _t, q in encounters(event, player)]
    )
    return neutral(event) if mean_average is None else mean_average


def sonneborn_berger(event: StandingsInput, player: str) -> Value:
    """Return SB."""
    return sum(
        (
            result(t, player, q) * (average(event, q) or 0)
            for t, q in encounters(event, player)
        ),
        Fraction(),
    )


def places(event: StandingsInput, player: str, *, place: int) -> Fraction:
    """Return how often the player had a place, shared ones in part."""
    tables = [
        table
        for table in tables_of_player(event, player)
        if rank(table, player) == place
    ]
    return sum(
        (Fraction(1, count_level(table, player)) for table in tables), Fraction()
    )


def percentage(event: StandingsInput, player: str) -> Value:
    """Return PCT."""
    total = Fraction()
    for table in tables_of_player(event, player):
        best = max(table.scores.values())
        score = table.scores[player]
        total += Fraction(score) / best if best > 0 else int(score == best)
    return total


def share(event: StandingsInput, player: str) -> Value:
    """Return SHR."""
    total = Fraction()
    for table in tables_of_player(event, player):
        table_total = sum(map(Fraction, table.scores.values()))
        if min(table.scores.values()) < 0 or table_total == 0:
            return None
        total += table.scores[player] / table_total
    return total


def last_table(event: StandingsInput, player: str) -> TableResult | None:
    """Return the player's table in the last round, if final tables matter."""
    if not event.has_final_tables:
        return None
    last_round = max((table.round for table in counted_tables(event)), default=0)
    return next(
        (t for t in tables_of_player(event, player) if t.round == last_round), None
    )


def final_table(event: StandingsInput, player: str) -> Value:
    """Return LASTT."""
    table = last_table(event, player)
    return None if table is None or table.table is None else Fraction(table.table)


def final_place(event: StandingsInput, player: str) -> Value:
    """Return the place at that table."""
    table = last_table(event, player)
    if table is None or table.table is None:
        return None
    return Fraction(rank(table, player))


def sum_without(
    values: list[Fraction], *cut: Callable[[list[Fraction]], Fraction]
) -> Fraction:
    """Return the sum of the values, less those that are cut."""
    return sum(values, Fraction()) - sum((one(values) for one in cut), Fraction())


def cut_one(event: StandingsInput, player: str) -> Value:
    """Return CUT1."""
    values = all_points(event, player)
    return sum_without(values, min) if values else None


def median(event: StandingsInput, player: str) -> Value:
    """Return MED."""
    values = all_points(event, player)
    return sum_without(values, min, max) if len(values) >= 3 else None


def differences(event: StandingsInput, player: str) -> list[Fraction]:
    """Return DIF table by table."""
    return [difference(table, player) for table in tables_of_player(event, player)]


VALUES: dict[str, Callable[[StandingsInput, str], Value]] = {
    "wins": lambda event, player: places(event, player, place=1),
    "seconds": lambda event, player: places(event, player, place=2),
    "opponents": opponents,
    "opponents_all": opponents_all,
    "sonneborn_berger": sonneborn_berger,
    "beaten": lambda event, player: sum(
        (result(t, player, q) for t, q in encounters(event, player)), Fraction()
    ),
    "margin": lambda event, player: sum(differences(event, player), Fraction()),
    "best_table": lambda event, player: max(differences(event, player), default=None),
    "cut_one": cut_one,
    "median": median,
    "raw": lambda event, player: sum(
        (Fraction(table.scores[player]) for table in tables_of_player(event, player)),
        Fraction(),
    ),
    "percentage": percentage,
    "share": share,
    "final_table": final_table,
    "final_place": final_place,
    "lot": lambda event, player: (
        Fraction(event.lots[player]) if player in event.lots else None
    ),
}


def head_to_head(event: StandingsInput, group: Sequence[str]) -> dict[str, Value]:
    """Return the results among a group; None for all unless every pair met."""
    totals = {}
    for player in group:
        total = Fraction()
        for other in group:
            if other == player:
                continue
            meetings = [t for t, q in encounters(event, player) if q == other]
            if not meetings:
                return dict.fromkeys(group)
            total += mean([result(t, player, other) for t in meetings]) or 0
        totals[player] = total
    return dict(totals)


def split_by_value(
    group: Sequence[str], name: str, values: dict[str, Value]
) -> list[list[str]]:
    """Return the group in parts of one value each, the best first."""
    defined = {values[player] for player in group} - {None}
    best_first = sorted(
        (one for one in defined if one is not None), reverse=name not in LOWER_FIRST
    )
    return [
        part
        for one in [*best_first, None]
        if (part := [player for player in group if values[player] == one])
    ]


def apply_tie_break(
    event: StandingsInput, group: list[str], name: str
) -> list[list[str]]:
    """Return how one tie-break splits a group."""
    if name != "head_to_head":
        values = {player: VALUES[name](event, player) for player in group}
        return split_by_value(group, name, values)
    parts = split_by_value(group, name, head_to_head(event, group))
    if len(parts) == 1:
        return parts
    return [
        subpart
        for part in parts
        for subpart in split_by_value(part, name, head_to_head(event, part))
    ]


def ranking(event: StandingsInput) -> list[list[str]]:
    """Return the groups of tied players, the best first."""
    names = {player for table in counted_tables(event) for player in table.scores}
    names |= {bye.player for bye in event.byes} | set(event.players)
    names |= {penalty.player for penalty in event.penalties}
    points_by_player: dict[str, Value] = {
        player: points(event, player) for player in names
    }
    groups = split_by_value(sorted(names), "points", points_by_player)
    for name in event.counting.tie_breaks:
        for tie_break in [name, "final_place"] if name == "final_table" else [name]:
            groups = [
                part
                for group in groups
                for part in apply_tie_break(event, group, tie_break)
            ]
    return groups


def staged_ranking(stages: Sequence[StandingsInput]) -> list[list[str]]:
    """Return the groups of tied players; those who advanced come first, split by earlier stages."""
    order = ranking(stages[0])
    for event in stages[1:]:
        latest = ranking(event)
        advanced = {player for group in latest for player in group}
        parts = [
            [player for player in earlier_group if player in group]
            for group in latest
            for earlier_group in order
        ]
        parts += [
            [player for player in earlier_group if player not in advanced]
            for earlier_group in order
        ]
        order = [part for part in parts if part]
    return order
