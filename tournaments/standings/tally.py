"""What every player has after all tables: sums, meetings, and what tie-breaks need."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tournaments.standings.event import Event, TableResult
from tournaments.standings.points import (
    Place,
    Scale,
    places_of,
    scale_of,
    shared_points,
)


@dataclass(slots=True)
class PlayerTally:
    """One player's tables."""

    points: list[int] = field(default_factory=list)
    """Scaled, one for each table."""
    margins: list[int] = field(default_factory=list)
    """Scaled differences to the mean of the table."""
    raw: int = 0
    """The scaled sum of scores."""
    places: list[Place] = field(default_factory=list)
    tables: list[TableResult] = field(default_factory=list)
    met: dict[str, int] = field(default_factory=dict)
    """Tables shared with each opponent."""
    halves: dict[str, int] = field(default_factory=dict)
    """Two for each of them ahead of the opponent, one for each level."""
    conceded: dict[str, int] = field(default_factory=dict)
    """Scaled points that the opponent made there."""
    byes: int = 0
    penalty: Fraction = Fraction()


@dataclass(frozen=True, slots=True)
class Tally:
    """All players of an event."""

    scale: Scale
    players: Mapping[str, PlayerTally]
    last_round: int
    largest: int
    """Players at the largest table."""

    def mean(self) -> Fraction:
        """Return the mean points of a seat, scaled: what is neutral."""
        made = [point for one in self.players.values() for point in one.points]
        return Fraction(sum(made), len(made)) if made else Fraction()


def tally(event: Event) -> Tally:
    """Return what each player made, table by table."""
    scale = scale_of(event)
    players: dict[str, PlayerTally] = {name: PlayerTally() for name in event.players}
    worth: dict[int, dict[Place, int]] = {}
    for table in event.tables:
        size = len(table.scores)
        by_place = event.counting.points not in ("raw", "margin")
        if by_place and size not in worth:
            worth[size] = shared_points(event.counting, size, scale.points)
        _count(table, event.counting.points, worth.get(size, {}), scale.scores, players)
    for bye in event.byes:
        players.setdefault(bye.player, PlayerTally()).byes += 1
    for penalty in event.penalties:
        one = players.setdefault(penalty.player, PlayerTally())
        one.penalty += penalty.points
    rounds = [table.round for table in event.tables]
    sizes = [len(table.scores) for table in event.tables]
    return Tally(scale, players, max(rounds, default=0), max(sizes, default=1))


def _count(
    table: TableResult,
    scheme: str,
    worth: Mapping[Place, int],
    scale: int,
    players: dict[str, PlayerTally],
) -> None:
    names = list(table.scores)
    scores = [int(score * scale) for score in table.scores.values()]
    mean = sum(scores) // len(scores)
    places = places_of(scores)
    if scheme == "raw":
        points = scores
    elif scheme == "margin":
        points = [score - mean for score in scores]
    else:
        points = [worth[place] for place in places]
    for seat, name in enumerate(names):
        one = players.get(name)
        if one is None:
            one = players[name] = PlayerTally()
        one.points.append(points[seat])
        one.margins.append(scores[seat] - mean)
        one.raw += scores[seat]
        one.places.append(places[seat])
        one.tables.append(table)
        _meet(one, seat, names, scores, points)


def _meet(
    one: PlayerTally,
    seat: int,
    names: Sequence[str],
    scores: Sequence[int],
    points: Sequence[int],
) -> None:
    own, met, halves, conceded = scores[seat], one.met, one.halves, one.conceded
    for other, name in enumerate(names):
        if other == seat:
            continue
        ahead = 2 if own > scores[other] else 1 if own == scores[other] else 0
        if name in met:
            met[name] += 1
            halves[name] += ahead
            conceded[name] += points[other]
        else:
            met[name] = 1
            halves[name] = ahead
            conceded[name] = points[other]
