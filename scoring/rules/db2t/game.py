"""DB2T: reading, scoring and ending."""

from typing import Any

from scoring.rules.db2t.begun import check_begun
from scoring.rules.db2t.contest import (
    discarded_wrongly,
    judge_contest,
    read_contest,
    read_lone_contest,
)
from scoring.rules.db2t.tiers import DICE_SETS, TIERS
from scoring.rules.game import End, Game, Judged, MatchState, Raw, best_seats, ranks_of
from scoring.rules.reading import Faults, check_keys, is_whole, read_choice, read_flag
from scoring.rules.results import FORMAT, Explanation, JudgedTrick
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

KEYS = ("inciter", "tier", "trump", "difficulty", "actors", "ended")


class DB2T(Game):
    """DB2T, for two to eight actors."""

    id = "db2t"
    name = "DB2T"
    seats = range(2, 9)

    def option_defaults(self, seats: int) -> dict[str, Any]:
        """Return an open end, no trump, free re-rolls and 3d6."""
        return {"contests": None, "trump": None, "difficulty": False, "dice": "3d6"}

    def check_option(
        self, name: str, value: object, seats: int, faults: Faults
    ) -> None:
        """Note what is not a number of contests, a tier, a flag or a set of dice."""
        field = f"options.{name}"
        if name == "contests":
            if value is not None and (not is_whole(value) or value < 1):
                faults.add(field, FORMAT, _("A number from 1 up, or null: open end."))
        elif name == "trump":
            if value is not None:
                read_choice(value, tuple(TIERS), field, faults)
        elif name == "difficulty":
            read_flag(value, field, faults)
        else:
            read_choice(value, tuple(DICE_SETS), field, faults)

    def judge(self, state: MatchState, raw: Raw, faults: Faults) -> Judged | None:
        """Return what the contest is worth: 1 to its winner (db2t.score)."""
        options = state.options
        contest = read_contest(
            raw, state.seats, options["trump"], options["dice"], faults
        )
        ended = _read_ended(state, raw, faults)
        check_keys(raw, KEYS, faults)
        if faults.found or contest is None:
            return None
        won = judge_contest(contest)
        return Judged(
            scores=tuple(int(seat == won.winner) for seat in range(state.seats)),
            explanation=_explain(won, state.seats),
            turn=0,
            findings=discarded_wrongly(contest),
            carry=ended,
        )

    def check_contract(self, state: MatchState, raw: Raw, faults: Faults) -> None:
        """Note what is wrong with a contest of which only a part is known."""
        options = state.options
        check_begun(raw, state.seats, options["trump"], options["dice"], faults)
        _read_ended(state, raw, faults)
        check_keys(raw, (*KEYS, "rerolls"), faults)

    def end(
        self, state: MatchState, judged: Judged, totals: tuple[int, ...]
    ) -> tuple[End, None]:
        """Return whether the last contest is played (db2t.end)."""
        if not judged.carry and state.number + 1 != state.options["contests"]:
            return End(ranks_of(totals)), None
        winners = best_seats(totals)
        text = say(
            _("most contests won: %(total)s of %(contests)s")
            if len(winners) == 1
            else _("most contests won, shared: %(total)s of %(contests)s"),
            total=max(totals),
            contests=state.number + 1,
        )
        seat = winners[0] if len(winners) == 1 else None
        decided = Explanation(seat, "db2t.end", text)
        return End(ranks_of(totals), True, winners, decided), None

    def judge_trick(self, raw: Raw, faults: Faults) -> JudgedTrick | None:
        """Return who won one contest."""
        contest = read_lone_contest(raw, faults)
        if faults.found or contest is None:
            return None
        return judge_contest(contest)


def _read_ended(state: MatchState, raw: Raw, faults: Faults) -> bool:
    """Return whether this contest ends a match of open length (db2t.end)."""
    contests = state.options["contests"]
    ended = "ended" in raw and read_flag(raw["ended"], "ended", faults)
    if ended and contests not in (None, state.number + 1):
        faults.add(
            "ended",
            "db2t.end",
            _("The match ends after %(contests)s contests; leave “ended” out."),
            contests=contests,
        )
    return ended


def _explain(won: JudgedTrick, seats: int) -> tuple[Explanation, ...]:
    lost = say(_("0 in this contest"))
    lines = [Explanation(seat, "db2t.score", lost) for seat in range(seats)]
    narrates = say(_("won the contest and narrates: 1"))
    lines[won.winner] = Explanation(won.winner, "db2t.score", narrates)
    return (Explanation(None, won.clause, won.message), *lines)
