"""One contest of DB2T: dice, declarations and winner."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from scoring.rules.db2t.tiers import DICE_SETS, TIERS
from scoring.rules.game import Raw
from scoring.rules.reading import (
    Faults,
    add_number_fault,
    check_keys,
    clockwise_seats,
    is_integer,
    read_choice,
    read_flag,
    read_list,
    read_object,
    read_seat,
)
from scoring.rules.results import FORMAT, RuleBreachFinding, TrickResult
from scoring.rules.wording import SeatIndex, Word, say
from scoring.rules.wording import gettext_noop as _

REROLLS = range(3)
"""One for relevant experience, one for a suited domain (db2t.roll)."""


class Actor(NamedTuple):
    """An actor's final dice and declaration."""

    dice: tuple[int | None, ...]
    """None for a die that was not entered yet, in an unfinished contest."""
    declared: str | None
    """The tier, or None if the actor discarded or has not declared yet."""

    @property
    def values(self) -> tuple[int, ...]:
        """Return the values of the dice that were entered."""
        return tuple(value for value in self.dice if value is not None)


class Contest(NamedTuple):
    """One contest; None for actors that took no part."""

    inciter: int
    tier: str
    trump: str | None
    actors: tuple[Actor | None, ...]

    @property
    def possible_winners(self) -> list[int]:
        """Return the seats that can win, in the order of their declarations."""
        order = clockwise_seats(self.inciter, len(self.actors))
        trump_seats = [seat for seat in order if self.declaration(seat) == self.trump]
        if self.trump is not None and trump_seats:
            return trump_seats
        return [seat for seat in order if self.declaration(seat) == self.tier]

    def declaration(self, seat: int) -> str | None:
        actor = self.actors[seat]
        return None if actor is None else actor.declared

    def total(self, seat: int) -> int:
        actor = self.actors[seat]
        return 0 if actor is None else sum(actor.values)


class PartialContest(NamedTuple):
    """The known parts of a contest."""

    inciter: int | None
    tier: str | None
    trump: str | None
    actors: tuple[Actor | None, ...]


def read_contest(
    raw: Raw, seats: int, trump: str | None, dice: str, faults: Faults
) -> Contest | None:
    """Return the contest, else note the faults; `trump` counts unless the contest names another."""
    fault_count = len(faults.items)
    inciter, tier, trump, actors = _read_parts(
        raw, seats, trump, dice, faults, is_complete=True
    )
    if len(faults.items) > fault_count or inciter is None or tier is None:
        return None
    contest = Contest(inciter, tier, trump, actors)
    for seat, actor in enumerate(actors):
        if seat == inciter:
            check_inciter(contest, actor, faults)
        elif actor is not None:
            check_response(contest, seat, actor, faults)
    return contest


def read_unfinished_contest(
    raw: Raw, seats: int, trump: str | None, dice: str, faults: Faults
) -> PartialContest:
    """Return the known parts of an unfinished contest; note impossible ones.

    Any part may be missing.
    """
    fault_count = len(faults.items)
    parts = _read_parts(raw, seats, trump, dice, faults, is_complete=False)
    if len(faults.items) > fault_count:
        return parts
    inciter, tier, trump, actors = parts
    for seat, actor in enumerate(actors):
        if actor is None:
            continue
        is_rolled = len(actor.values) == len(DICE_SETS[dice])
        if not is_rolled or inciter is None or tier is None:
            if actor.declared is not None:
                faults.add(
                    f"actors[{seat}].declared",
                    "db2t.declare",
                    _(
                        "%(who)s can’t declare until all three dice and the tier declared "
                        "first are known. Until then “declared” is null."
                    ),
                    who=SeatIndex(seat),
                )
            continue
        contest = Contest(inciter, tier, trump, actors)
        if seat == inciter:
            # A missing declaration of the inciting actor can only be the inciting tier.
            inciting = actor._replace(declared=actor.declared or tier)
            check_inciter(contest, inciting, faults)
        else:
            check_response(contest, seat, actor, faults)
    return parts


def _read_parts(
    raw: Raw,
    seats: int,
    trump: str | None,
    dice: str,
    faults: Faults,
    *,
    is_complete: bool,
) -> PartialContest:
    """Return the parts of a contest; note impossible ones, and missing ones if it is complete.

    Only an unfinished contest has re-rolls: a record has no field for them.
    """
    inciter, tier = raw.get("inciter"), raw.get("tier")
    if is_complete or inciter is not None:
        inciter = read_seat(inciter, seats, "inciter", faults)
    if is_complete or tier is not None:
        tier = read_choice(tier, tuple(TIERS), "tier", faults)
    if raw.get("trump", trump) is None:
        trump = None
    elif "trump" in raw:
        trump = read_choice(raw["trump"], tuple(TIERS), "trump", faults)
    if "difficulty" in raw:
        read_flag(raw["difficulty"], "difficulty", faults)
    if "rerolls" in raw and not is_complete:
        rerolls = read_list(raw["rerolls"], seats, "rerolls", faults)
        for seat, count in enumerate(rerolls or ()):
            if type(count) is not int or count not in REROLLS:
                faults.add(
                    f"rerolls[{seat}]",
                    "db2t.roll",
                    _("Enter 0 to %(most)s. No one can re-roll more often."),
                    most=REROLLS[-1],
                )
    raw_actors: Sequence[Any] | None = None
    if is_complete or "actors" in raw:
        raw_actors = read_list(raw.get("actors"), seats, "actors", faults)
    actors = [
        None
        if actor is None
        else _read_actor(
            actor, f"actors[{seat}]", dice, faults, is_complete=is_complete
        )
        for seat, actor in enumerate(raw_actors or ())
    ]
    return PartialContest(inciter, tier, trump, tuple(actors))


def _read_actor(
    raw: object, field: str, dice: str, faults: Faults, *, is_complete: bool
) -> Actor | None:
    actor = read_object(raw, field, faults)
    if actor is None:
        return None
    faces, values = DICE_SETS[dice], actor.get("dice")
    least = len(faces) if is_complete else 0
    if not isinstance(values, (list, tuple)) or not least <= len(values) <= len(faces):
        values = None
        message = (
            _("Enter three dice.") if is_complete else _("Enter up to three dice.")
        )
        faults.add(f"{field}.dice", FORMAT, message)
    for place, value in enumerate(values or ()):
        if is_complete or value is not None:
            check_die_value(value, f"{field}.dice[{place}]", faces[place], faults)
    declared = actor.get("declared")
    if declared is not None:
        declared = read_choice(declared, tuple(TIERS), f"{field}.declared", faults)
    check_keys(actor, Actor._fields, faults, f"{field}.")
    return None if values is None else Actor(tuple(values), declared)


def check_die_value(value: object, field: str, faces: int, faults: Faults) -> None:
    """Note a value that no die with so many faces shows (db2t.roll)."""
    if not is_integer(value):
        add_number_fault(value, field, faults)
    elif not 1 <= value <= faces:
        faults.add(
            field,
            "db2t.roll",
            _("Enter 1 to %(most)s for this die, not %(value)s."),
            most=faces,
            value=value,
        )


def check_inciter(contest: Contest, actor: Actor | None, faults: Faults) -> None:
    """Note a fault if the inciting actor does not declare the tier, or the dice do not meet it (db2t.declare)."""
    field = f"actors[{contest.inciter}]"
    inciter = SeatIndex(contest.inciter)
    if actor is None:
        faults.add(
            field,
            "db2t.declare",
            _("%(who)s begins the contest and must take part."),
            who=inciter,
        )
    elif actor.declared != contest.tier:
        faults.add(
            f"{field}.declared",
            "db2t.declare",
            _("%(who)s begins with %(tier)s and must declare it."),
            who=inciter,
            tier=Word.from_record(contest.tier),
        )
    elif not TIERS[contest.tier](actor.values):
        faults.add(
            f"{field}.declared",
            "db2t.declare",
            _("%(who)s’s dice don’t make “%(tier)s”."),
            who=inciter,
            tier=Word.from_record(contest.tier),
        )


def check_response(contest: Contest, seat: int, actor: Actor, faults: Faults) -> None:
    """Note a declaration that the dice do not meet (db2t.respond, db2t.trump)."""
    declared = actor.declared
    if declared is None:
        return
    field = f"actors[{seat}].declared"
    clause = "db2t.trump" if declared == contest.trump else "db2t.respond"
    if declared not in (contest.tier, contest.trump):
        faults.add(
            field,
            clause,
            _(
                "%(who)s can’t declare %(declared)s. Declare %(tier)s or trump, or discard."
            ),
            who=SeatIndex(seat),
            tier=Word.from_record(contest.tier),
            declared=Word.from_record(declared),
        )
    elif not TIERS[declared](actor.values):
        faults.add(
            field,
            clause,
            _("%(who)s’s dice don’t make “%(declared)s”, so they must be discarded."),
            who=SeatIndex(seat),
            declared=Word.from_record(declared),
        )


def find_wrong_discards(contest: Contest) -> tuple[RuleBreachFinding, ...]:
    """Return findings for actors that could have followed and discarded (db2t.respond)."""
    tier = contest.tier
    return tuple(
        RuleBreachFinding(
            1,
            seat,
            "db2t.respond",
            say(
                _("%(who)s could have declared %(tier)s but discarded."),
                who=SeatIndex(seat),
                tier=Word.from_record(tier),
            ),
        )
        for seat in clockwise_seats(contest.inciter, len(contest.actors))
        if (actor := contest.actors[seat]) is not None
        and actor.declared is None
        and TIERS[tier](actor.values)
    )


WIN_TEMPLATES = {
    (True, False): _(
        "Of those who declared trump, %(who)s has the highest sum: %(total)s."
    ),
    (True, True): _(
        "Of those who declared trump, %(who)s was the first with the highest sum: "
        "%(total)s."
    ),
    (False, False): _("Of those who declared, %(who)s has the highest sum: %(total)s."),
    (False, True): _(
        "Of those who declared, %(who)s was the first with the highest sum: %(total)s."
    ),
}
"""The reason for a win, by whether the winner declared trump and whether there is a tie."""


def contest_result(contest: Contest) -> TrickResult:
    """Return the seat that wins: the highest sum, the earlier in a tie (db2t.win)."""
    declarers = contest.possible_winners
    winner = max(declarers, key=contest.total)
    total = contest.total(winner)
    is_trump = contest.declaration(winner) == contest.trump
    is_tied = sum(contest.total(seat) == total for seat in declarers) > 1
    message = say(WIN_TEMPLATES[is_trump, is_tied], who=SeatIndex(winner), total=total)
    return TrickResult(winner, "db2t.win", message)


def read_trick_document(raw: Raw, faults: Faults) -> Contest | None:
    """Return the contest of a `trick` document, with as many seats as actors."""
    actors = raw.get("actors")
    if not isinstance(actors, (list, tuple)) or not 2 <= len(actors) <= 8:
        faults.add("actors", FORMAT, _("This must be a list of 2 to 8 actors."))
        return None
    dice = read_choice(raw.get("dice", "3d6"), tuple(DICE_SETS), "dice", faults)
    contest = read_contest(raw, len(actors), None, dice or "3d6", faults)
    check_keys(
        raw,
        ("game", "players", "inciter", "tier", "trump", "difficulty", "dice", "actors"),
        faults,
    )
    return contest
