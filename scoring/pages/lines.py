"""What a hand gave each player and why, a line each."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.locales.sentences import translate
from scoring.rules import ScoredHand


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLine:
    """Why somebody has what a hand gave; or what was decided for the whole table."""

    seat: int | None
    """None for what concerns everybody."""
    name: str
    """Empty for what concerns everybody."""
    points: int | None
    """What the hand gave, on the first line of each seat."""
    text: str
    clause: str
    total: tuple[int, int] | None
    """Before the hand and after it, on the first line of each seat."""
    is_made: bool = False
    """Whether it tells what a bid has brought that was made."""


def result_lines(names: Sequence[str], scored: ScoredHand) -> list[ResultLine]:
    """Return the lines of a hand as the rules explain it, in their order."""
    lines: list[ResultLine] = []
    # What a player has is said once, however many lines explain it.
    unsaid = set(range(len(names)))
    for line in scored.explanation:
        seat, points, total = line.seat, None, None
        if seat in unsaid:
            unsaid.remove(seat)
            points = scored.scores[seat]
            total = scored.totals[seat] - points, scored.totals[seat]
        lines.append(
            ResultLine(
                seat=seat,
                name="" if seat is None else names[seat],
                points=points,
                text=translate(line.text, names),
                clause=line.clause,
                total=total,
                is_made=seat is not None
                and seat == scored.hand.bidder
                and (points or 0) > 0,
            )
        )
    return lines
