"""Fifty: reading, scoring and ending."""

from dataclasses import dataclass

from scoring.rules.game import Game, HandResult, MatchState, MatchStatus, Raw
from scoring.rules.hand import ParsedHand
from scoring.rules.reading import Faults, check_keys, read_integers_by_seat
from scoring.rules.results import Explanation, LazyExplanation
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

TARGET = 50
POINTS_A_HAND = 10


@dataclass(slots=True, kw_only=True)
class FiftyHand(ParsedHand):
    """A hand of Fifty, as it was entered."""

    points: tuple[int, ...] = ()
    """By seat."""


class Fifty(Game):
    """Fifty, for three."""

    id = "fifty"
    name = "Fifty"
    seats = range(3, 4)
    fewest_points_win = True

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> FiftyHand:
        """Return the hand that a document describes."""
        points = read_integers_by_seat(raw.get("points"), state.seats, "points", faults)
        check_keys(raw, ("points",), faults)
        if points and (sum(points) != POINTS_A_HAND or min(points) < 0):
            faults.add(
                "points",
                "fifty.score",
                _("A hand has 10 points; %(sum)s were entered."),
                sum=sum(points),
            )
        return FiftyHand(points=tuple(points or ()))

    def score(self, state: MatchState, hand: FiftyHand) -> HandResult:
        """Return what everybody took (fifty.score)."""
        return HandResult(
            scores=hand.points, explain=LazyExplanation(_lines, (hand.points,)), turn=0
        )

    def find_status_and_carry(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[MatchStatus, None]:
        """Return whether a seat has fifty; the fewest points win (fifty.end)."""
        ranks = self.rank_points(totals)
        best = tuple([seat for seat, rank in enumerate(ranks) if rank == 1])
        if max(totals) < TARGET:
            return MatchStatus(ranks), None
        text = say(_("the fewest points: %(total)s"), total=min(totals))
        end_reason = Explanation(best[0], "fifty.end", text)
        return MatchStatus(
            ranks, finished=True, winners=best, end_reason=end_reason
        ), None


def _lines(points: tuple[int, ...]) -> list[Explanation]:
    return [
        Explanation(seat, "fifty.score", say(_("took %(points)s"), points=seat_points))
        for seat, seat_points in enumerate(points)
    ]
