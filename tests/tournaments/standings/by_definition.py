"""The standings once more: slow, formula by formula, sharing nothing with the package.

Every value is found from the results alone, in fractions, the way the definitions
read; so a shortcut that the package takes has something to be held against.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

from tournaments.standings import Event, TableResult

Value = Fraction | None
LOWER_FIRST = {"final_table", "final_place", "lot"}


def counted(event: Event) -> list[TableResult]:
    """Return the tables that count."""
    void = event.counting.unfinished == "void"
    return [table for table in event.tables if table.finished or not void]


def own(event: Event, player: str) -> list[TableResult]:
    return [table for table in counted(event) if player in table.scores]


def rank(table: TableResult, player: str) -> int:
    """Return the place of a player, counted from 1."""
    if table.ranks:
        return table.ranks[player]
    made = table.scores[player]
    return 1 + sum(score > made for score in table.scores.values())


def level(table: TableResult, player: str) -> int:
    """Return how many have the rank of the player, who is one of them."""
    return sum(rank(table, other) == rank(table, player) for other in table.scores)


def difference(table: TableResult, player: str) -> Fraction:
    """Return the score less the mean of the table."""
    together = sum(map(Fraction, table.scores.values()), Fraction())
    return table.scores[player] - together / len(table.scores)


def table_points(event: Event, table: TableResult, player: str) -> Fraction:
    """Return the points of one table."""
    size, scheme = len(table.scores), event.counting.points
    made = Fraction(table.scores[player])
    if scheme == "raw":
        return made
    if scheme == "margin":
        return difference(table, player)
    at, holders = rank(table, player), level(table, player)
    below = size - (at - 1) - holders
    if scheme == "pairwise":
        return Fraction(below - (at - 1))
    if scheme == "wins":
        return Fraction(at == 1) / holders
    spanned = range(at, at + holders)
    if scheme == "places":
        return sum(
            (event.counting.places[size][r - 1] for r in spanned), Fraction()
        ) / (holders)
    return sum(
        (1 + Fraction(3 * (size - r), size - 1) for r in spanned), Fraction()
    ) / (holders)


def mean(numbers: Sequence[Fraction]) -> Value:
    """Return the mean; None of nothing."""
    return sum(numbers, Fraction()) / len(numbers) if numbers else None


def neutral(event: Event) -> Fraction:
    """Return the mean of all seats; 0 without any."""
    made = [table_points(event, t, p) for t in counted(event) for p in t.scores]
    return mean(made) or Fraction()


def all_points(event: Event, player: str) -> list[Fraction]:
    """Return the points of each table and bye."""
    made = [table_points(event, table, player) for table in own(event, player)]
    average = mean(made)
    worth = event.counting.bye
    if worth is None:
        worth = neutral(event) if average is None else average
    return made + [worth for bye in event.byes if bye.player == player]


def points(event: Event, player: str) -> Fraction:
    """Return what a player ranks by."""
    lost = sum(
        (one.points for one in event.penalties if one.player == player), Fraction()
    )
    if event.counting.unfinished == "deduct":
        stopped = [table for table in own(event, player) if not table.finished]
        lost += len(stopped) * event.counting.deduction
    return sum(all_points(event, player), Fraction()) - lost


def encounters(event: Event, player: str) -> list[tuple[TableResult, str]]:
    """Return every table with every opponent there."""
    return [(t, q) for t in own(event, player) for q in t.scores if q != player]


def result(table: TableResult, player: str, other: str) -> Fraction:
    """Return 1, ½ or 0."""
    own_rank, other_rank = rank(table, player), rank(table, other)
    return Fraction(own_rank < other_rank) + Fraction(own_rank == other_rank) / 2


def average(event: Event, player: str, *, without: str = "") -> Value:
    """Return the mean points of a player's tables, some opponent's left out."""
    tables = [t for t in own(event, player) if without not in t.scores]
    return mean([table_points(event, table, player) for table in tables])


def opponents(event: Event, player: str) -> Value:
    """Return OPPX."""
    made = [average(event, q, without=player) for _t, q in encounters(event, player)]
    found = mean([one for one in made if one is not None])
    return neutral(event) if found is None else found


def opponents_all(event: Event, player: str) -> Value:
    """Return OPP."""
    found = mean(
        [average(event, q) or Fraction() for _t, q in encounters(event, player)]
    )
    return neutral(event) if found is None else found


def sonneborn_berger(event: Event, player: str) -> Value:
    """Return SB."""
    return sum(
        (
            result(t, player, q) * (average(event, q) or 0)
            for t, q in encounters(event, player)
        ),
        Fraction(),
    )


def places(event: Event, player: str, *, wanted: int) -> Fraction:
    """Return how often the player had a place, shared ones in part."""
    tables = [table for table in own(event, player) if rank(table, player) == wanted]
    return sum((Fraction(1, level(table, player)) for table in tables), Fraction())


def percentage(event: Event, player: str) -> Value:
    """Return PCT."""
    total = Fraction()
    for table in own(event, player):
        best = max(table.scores.values())
        made = table.scores[player]
        total += Fraction(made) / best if best > 0 else int(made == best)
    return total


def share(event: Event, player: str) -> Value:
    """Return SHR."""
    total = Fraction()
    for table in own(event, player):
        together = sum(map(Fraction, table.scores.values()))
        if min(table.scores.values()) < 0 or together == 0:
            return None
        total += table.scores[player] / together
    return total


def last_table(event: Event, player: str) -> TableResult | None:
    """Return the player's table in the last round, if that says anything."""
    if not event.has_final_tables:
        return None
    last = max((table.round for table in counted(event)), default=0)
    return next((t for t in own(event, player) if t.round == last), None)


def final_table(event: Event, player: str) -> Value:
    """Return LASTT."""
    table = last_table(event, player)
    return None if table is None or table.table is None else Fraction(table.table)


def final_place(event: Event, player: str) -> Value:
    """Return the place at that table."""
    table = last_table(event, player)
    if table is None or table.table is None:
        return None
    return Fraction(rank(table, player))


def without(
    made: list[Fraction], *cut: Callable[[list[Fraction]], Fraction]
) -> Fraction:
    """Return the sum without what is cut."""
    return sum(made, Fraction()) - sum((one(made) for one in cut), Fraction())


def cut_one(event: Event, player: str) -> Value:
    """Return CUT1."""
    made = all_points(event, player)
    return without(made, min) if made else None


def median(event: Event, player: str) -> Value:
    """Return MED."""
    made = all_points(event, player)
    return without(made, min, max) if len(made) >= 3 else None


def differences(event: Event, player: str) -> list[Fraction]:
    """Return DIF table by table."""
    return [difference(table, player) for table in own(event, player)]


VALUES: dict[str, Callable[[Event, str], Value]] = {
    "wins": lambda event, player: places(event, player, wanted=1),
    "seconds": lambda event, player: places(event, player, wanted=2),
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
        (Fraction(table.scores[player]) for table in own(event, player)), Fraction()
    ),
    "percentage": percentage,
    "share": share,
    "final_table": final_table,
    "final_place": final_place,
    "lot": lambda event, player: (
        Fraction(event.lots[player]) if player in event.lots else None
    ),
}


def head_to_head(event: Event, group: Sequence[str]) -> dict[str, Value]:
    """Return the results among a group; None for all unless every two met."""
    made = {}
    for player in group:
        total = Fraction()
        for other in group:
            if other == player:
                continue
            meetings = [t for t, q in encounters(event, player) if q == other]
            if not meetings:
                return dict.fromkeys(group)
            total += mean([result(t, player, other) for t in meetings]) or 0
        made[player] = total
    return dict(made)


def split(group: Sequence[str], name: str, made: dict[str, Value]) -> list[list[str]]:
    """Return the group in parts of one value each, the best first."""
    defined = {made[player] for player in group} - {None}
    best_first = sorted(
        (one for one in defined if one is not None), reverse=name not in LOWER_FIRST
    )
    return [
        part
        for one in [*best_first, None]
        if (part := [player for player in group if made[player] == one])
    ]


def step(event: Event, group: list[str], name: str) -> list[list[str]]:
    """Return how one tie-break splits a group."""
    if name != "head_to_head":
        made = {player: VALUES[name](event, player) for player in group}
        return split(group, name, made)
    parts = split(group, name, head_to_head(event, group))
    if len(parts) == 1:
        return parts
    return [
        again
        for part in parts
        for again in split(part, name, head_to_head(event, part))
    ]


def ranking(event: Event) -> list[list[str]]:
    """Return who is level with whom, the best first."""
    names = {player for table in counted(event) for player in table.scores}
    names |= {bye.player for bye in event.byes} | set(event.players)
    names |= {penalty.player for penalty in event.penalties}
    made: dict[str, Value] = {player: points(event, player) for player in names}
    groups = split(sorted(names), "points", made)
    for name in event.counting.tie_breaks:
        for one in [name, "final_place"] if name == "final_table" else [name]:
            groups = [part for group in groups for part in step(event, group, one)]
    return groups


def staged_ranking(stages: Sequence[Event]) -> list[list[str]]:
    """Return who is level with whom; who went on comes first, and is split by the stages before."""
    order = ranking(stages[0])
    for event in stages[1:]:
        latest = ranking(event)
        went_on = {player for group in latest for player in group}
        parts = [
            [player for player in before if player in group]
            for group in latest
            for before in order
        ]
        parts += [
            [player for player in before if player not in went_on] for before in order
        ]
        order = [part for part in parts if part]
    return order
