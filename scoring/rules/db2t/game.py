"""DB2T: reading, scoring and ending."""

from dataclasses import dataclass
from typing import Any

from scoring.rules.db2t.contest import (
    Actor,
    Contest,
    contest_result,
    find_wrong_discards,
    read_contest,
    read_trick_document,
    read_unfinished_contest,
)
from scoring.rules.db2t.tiers import DICE_SETS, TIERS, possible_responses
from scoring.rules.game import (
    Game,
    HandResult,
    MatchState,
    MatchStatus,
    Raw,
    best_seats,
    rank_values,
)
from scoring.rules.hand import ParsedHand
from scoring.rules.options import choice_option, flag_option, number_option
from scoring.rules.reading import Faults, check_keys, read_flag
from scoring.rules.results import Explanation, LazyExplanation, TrickResult
from scoring.rules.schema import (
    FLAG,
    NONE,
    Schema,
    enum_schema,
    integer_schema,
    list_schema,
    object_schema,
    per_seat_schema,
    seat_schema,
    union_schema,
)
from scoring.rules.wording import CountedNoun, ngettext_noop, say
from scoring.rules.wording import gettext_noop as _

KEYS = ("inciter", "tier", "trump", "difficulty", "actors", "ended")


@dataclass(slots=True, kw_only=True)
class EnteredContest(ParsedHand):
    """A contest of DB2T as it was entered; an unfinished one has missing parts."""

    inciter: int | None = None
    tier: str | None = None
    trump: str | None = None
    actors: tuple[Actor | None, ...] = ()
    """By seat; None for one that took no part. Empty if nothing is known about them."""
    has_started: bool = False
    """Whether the inciting actor or the dice of any actor are known."""
    contest: Contest | None = None
    """The whole contest, once it is complete."""
    ends_match: bool = False


class DB2T(Game):
    """DB2T, for two to eight actors."""

    id = "db2t"
    name = "DB2T"
    seats = range(2, 9)
    options = {
        "contests": number_option(
            _("Enter 1 or more, or leave the field empty for no limit.")
        ),
        "trump": choice_option(TIERS, None),
        "difficulty": flag_option(),
        "dice": choice_option(DICE_SETS, "3d6"),
    }

    def hand_schema(self) -> Schema:
        tier = enum_schema(TIERS)
        most = max(faces for dice in DICE_SETS.values() for faces in dice)
        actor = object_schema(
            {
                "dice": list_schema(integer_schema(1, most), 3, 3),
                "declared": union_schema(tier, NONE),
            },
            ("dice",),
        )
        contest = {
            "inciter": seat_schema(self.seats),
            "tier": tier,
            "trump": union_schema(tier, NONE),
            "difficulty": FLAG,
            "actors": per_seat_schema(union_schema(actor, NONE), self.seats),
            "ended": FLAG,
        }
        assert tuple(contest) == KEYS
        return object_schema(contest, ("inciter", "tier", "actors"))

    def parse(self, state: MatchState, raw: Raw, faults: Faults) -> EnteredContest:
        options = state.options
        contest = read_contest(
            raw, state.seats, options["trump"], options["dice"], faults
        )
        ends_match = _read_ends_match(state, raw, faults)
        check_keys(raw, KEYS, faults)
        if contest is None:
            return EnteredContest(has_started=_has_started(raw))
        return EnteredContest(
            inciter=contest.inciter,
            tier=contest.tier,
            trump=contest.trump if "trump" in raw else None,
            actors=contest.actors,
            has_started=True,
            contest=contest,
            ends_match=ends_match,
        )

    def score(self, state: MatchState, hand: EnteredContest) -> HandResult:
        """Return the scores of the contest: 1 for its winner (db2t.score)."""
        assert hand.contest is not None
        result = contest_result(hand.contest)
        return HandResult(
            scores=tuple(int(seat == result.winner) for seat in range(state.seats)),
            explain=LazyExplanation(_explain_scores, (result, state.seats)),
            turn=0,
            findings=find_wrong_discards(hand.contest),
            carry=hand.ends_match,
        )

    def parse_contract_or_parts(
        self, state: MatchState, raw: Raw, faults: Faults
    ) -> EnteredContest:
        options = state.options
        parts = read_unfinished_contest(
            raw, state.seats, options["trump"], options["dice"], faults
        )
        _read_ends_match(state, raw, faults)
        check_keys(raw, (*KEYS, "rerolls"), faults)
        return EnteredContest(
            inciter=parts.inciter,
            tier=parts.tier,
            trump=parts.trump if "trump" in raw else None,
            actors=parts.actors,
            has_started=_has_started(raw),
        )

    def parse_loosely(self, state: MatchState, raw: Raw) -> EnteredContest:
        return self.parse_contract_or_parts(state, raw, Faults())

    def fill_in_derived_parts(self, state: MatchState, raw: Raw) -> dict[str, Any]:
        """Return the values of a form, with every declaration in which there is no choice.

        The declaration `trump` names no tier; it becomes the trump tier if the dice meet that.
        """
        contest = self._without_default_difficulty(state, raw)
        contest.pop("rerolls", None)
        return {**contest, "actors": _actors_with_inferred_declarations(contest, state)}

    def normalize_unfinished_hand(self, state: MatchState, raw: Raw) -> dict[str, Any]:
        """Return an unfinished contest, with None for missing dice.

        Without an inciting actor, all declarations stay open.
        """
        contest = self._without_default_difficulty(state, raw)
        contest.setdefault("actors", [None] * state.seats)
        rerolls = [count or 0 for count in contest.pop("rerolls", ())]
        if any(rerolls):
            zeros = [0] * (state.seats - len(rerolls))
            contest["rerolls"] = [*rerolls, *zeros]
        is_open = contest.get("inciter") is None
        pairs = zip(
            contest.get("actors", ()),
            _actors_with_inferred_declarations(contest, state),
            strict=True,
        )
        contest["actors"] = [
            actor
            and {
                "dice": [*entered_actor["dice"], None, None, None][:3],
                "declared": None if is_open else actor["declared"],
            }
            for entered_actor, actor in pairs
        ]
        return contest

    def _without_default_difficulty(
        self, state: MatchState, raw: Raw
    ) -> dict[str, Any]:
        """Return the values, without a difficulty that equals that of the match."""
        contest = dict(raw)
        if contest.get("difficulty") == state.options["difficulty"]:
            del contest["difficulty"]
        return contest

    def find_status_and_carry(
        self, state: MatchState, result: HandResult, totals: tuple[int, ...]
    ) -> tuple[MatchStatus, None]:
        """Return the end of the match if the last contest is played, else the ranks (db2t.end)."""
        if not result.carry and state.number + 1 != state.options["contests"]:
            return MatchStatus(rank_values(totals)), None
        winners = best_seats(totals)
        text = say(
            _("most contests won: %(total)s of %(contests)s")
            if len(winners) == 1
            else _("tied for most contests won: %(total)s of %(contests)s"),
            total=max(totals),
            contests=state.number + 1,
        )
        seat = winners[0] if len(winners) == 1 else None
        end_reason = Explanation(seat, "db2t.end", text)
        return MatchStatus(rank_values(totals), True, winners, end_reason), None

    def score_trick(self, raw: Raw, faults: Faults) -> TrickResult | None:
        contest = read_trick_document(raw, faults)
        if faults.items or contest is None:
            return None
        return contest_result(contest)


def _actors_with_inferred_declarations(
    contest: Raw, state: MatchState
) -> list[dict[str, Any] | None]:
    """Return the actors with their declarations; a missing one follows from the dice."""
    tier: Any = contest.get("tier")
    trump = contest.get("trump", state.options["trump"])
    actors: list[dict[str, Any] | None] = []
    for seat, actor in enumerate(contest.get("actors", ())):
        if actor and actor.get("declared", "trump") != "trump":
            actors.append(dict(actor))
            continue
        dice = [value for value in (actor or {}).get("dice", ()) if value is not None]
        if not dice:
            actors.append(None)
            continue
        declared = None
        if len(dice) >= 3 and tier in TIERS:
            declarations = possible_responses(dice, tier, trump)
            declared = (
                declarations[-1]
                if actor.get("declared") == "trump"
                else declarations[0]
            )
            if seat == contest.get("inciter"):
                declared = tier
        actors.append({"dice": dice, "declared": declared})
    return actors


def _has_started(raw: Raw) -> bool:
    return "inciter" in raw or "actors" in raw


def _read_ends_match(state: MatchState, raw: Raw, faults: Faults) -> bool:
    """Return whether this contest ends a match of open length (db2t.end)."""
    contests = state.options["contests"]
    is_last = "ended" in raw and read_flag(raw["ended"], "ended", faults)
    if is_last and contests not in (None, state.number + 1):
        faults.add(
            "ended",
            "db2t.end",
            _("The match ends after %(contests)s. Leave out “ended”."),
            contests=CountedNoun(contests, ngettext_noop("contest", "contests")),
        )
    return is_last


def _explain_scores(result: TrickResult, seats: int) -> tuple[Explanation, ...]:
    loser_text = say(_("0 in this contest"))
    lines = [Explanation(seat, "db2t.score", loser_text) for seat in range(seats)]
    winner_text = say(_("won the contest and narrates: 1"))
    lines[result.winner] = Explanation(result.winner, "db2t.score", winner_text)
    return (Explanation(None, result.clause, result.message), *lines)
