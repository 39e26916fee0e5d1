"""One contest of DB2T: who rolled and declared what, and who won."""

from collections.abc import Sequence
from typing import NamedTuple

from scoring.rules.db2t.tiers import DICE_SETS, TIERS
from scoring.rules.game import Raw
from scoring.rules.reading import (
    Faults,
    check_keys,
    is_whole,
    named_seat,
    note_no_number,
    read_choice,
    read_flag,
    read_list,
    read_object,
    read_seat,
    seats_from,
)
from scoring.rules.results import FORMAT, Finding, TrickResult
from scoring.rules.wording import Word, say
from scoring.rules.wording import gettext_noop as _


class Actor(NamedTuple):
    """An actor's final dice and declaration; None: discarded."""

    dice: tuple[int, ...]
    declared: str | None


class Contest(NamedTuple):
    """One contest; an actor who took no part is None."""

    inciter: int
    tier: str
    trump: str | None
    actors: tuple[Actor | None, ...]

    @property
    def declarers(self) -> list[int]:
        """Return the seats that can win, in the order of their declarations."""
        order = seats_from(self.inciter, len(self.actors))
        trumped = [seat for seat in order if self.declared(seat) == self.trump]
        if self.trump is not None and trumped:
            return trumped
        return [seat for seat in order if self.declared(seat) == self.tier]

    def declared(self, seat: int) -> str | None:
        """Return the tier that a seat declared."""
        actor = self.actors[seat]
        return None if actor is None else actor.declared

    def total(self, seat: int) -> int:
        """Return the sum of a seat's dice."""
        actor = self.actors[seat]
        return 0 if actor is None else sum(actor.dice)


def read_contest(
    raw: Raw, seats: int, trump: str | None, dice: str, faults: Faults
) -> Contest | None:
    """Return the contest, `trump` unless it names another, else note the faults."""
    before = len(faults.listed)
    inciter = read_seat(raw.get("inciter"), seats, "inciter", faults)
    tier = read_choice(raw.get("tier"), tuple(TIERS), "tier", faults)
    trump = read_trump(raw, trump, faults)
    if "difficulty" in raw:
        read_flag(raw["difficulty"], "difficulty", faults)
    actors = _read_actors(raw.get("actors"), seats, dice, faults)
    if len(faults.listed) > before or inciter is None or tier is None or actors is None:
        return None
    contest = Contest(inciter, tier, trump, tuple(actors))
    _check_declarations(contest, faults)
    return contest


def read_trump(raw: Raw, trump: str | None, faults: Faults) -> str | None:
    """Return the trump tier of a contest: `trump` unless it names another, or none."""
    if raw.get("trump", trump) is None:
        return None
    if "trump" not in raw:
        return trump
    return read_choice(raw["trump"], tuple(TIERS), "trump", faults)


def _read_actors(
    raw: object, seats: int, dice: str, faults: Faults
) -> list[Actor | None] | None:
    actors = read_list(raw, seats, "actors", faults)
    if actors is None:
        return None
    return [
        None if actor is None else _read_actor(actor, f"actors[{seat}]", dice, faults)
        for seat, actor in enumerate(actors)
    ]


def _read_actor(raw: object, field: str, dice: str, faults: Faults) -> Actor | None:
    actor = read_object(raw, field, faults)
    if actor is None:
        return None
    rolled = _read_dice(actor.get("dice"), f"{field}.dice", DICE_SETS[dice], faults)
    declared = actor.get("declared")
    if declared is not None:
        declared = read_choice(declared, tuple(TIERS), f"{field}.declared", faults)
    check_keys(actor, Actor._fields, faults, f"{field}.")
    return None if rolled is None else Actor(rolled, declared)


def _read_dice(
    raw: object, field: str, faces: tuple[int, int, int], faults: Faults
) -> tuple[int, ...] | None:
    if not isinstance(raw, (list, tuple)) or len(raw) != len(faces):
        faults.add(field, FORMAT, _("Three dice are expected here."))
        return None
    for place, (value, most) in enumerate(zip(raw, faces, strict=True)):
        check_faces(value, f"{field}[{place}]", most, faults)
    return tuple(raw)


def check_faces(value: object, field: str, most: int, faults: Faults) -> None:
    """Note a value that no die with `most` faces shows (db2t.roll)."""
    if not is_whole(value):
        note_no_number(value, field, faults)
    elif not 1 <= value <= most:
        faults.add(
            field,
            "db2t.roll",
            _("This die shows 1 to %(most)s, not %(value)s."),
            most=most,
            value=value,
        )


def _check_declarations(contest: Contest, faults: Faults) -> None:
    for seat, actor in enumerate(contest.actors):
        if seat == contest.inciter:
            check_inciter(contest, actor, faults)
        elif actor is not None:
            check_response(contest, seat, actor, faults)


def check_inciter(contest: Contest, actor: Actor | None, faults: Faults) -> None:
    """Note where the inciting actor did not declare what the dice meet (db2t.declare)."""
    field = f"actors[{contest.inciter}]"
    who = named_seat(contest.inciter)
    if actor is None:
        faults.add(field, "db2t.declare", _("%(who)s incites, so takes part."), who=who)
    elif actor.declared != contest.tier:
        faults.add(
            f"{field}.declared",
            "db2t.declare",
            _("%(who)s incites with %(tier)s, so declares it."),
            who=who,
            tier=Word.of(contest.tier),
        )
    elif not TIERS[contest.tier](actor.dice):
        faults.add(
            f"{field}.declared",
            "db2t.declare",
            _("The dice of %(who)s do not meet %(tier)s."),
            who=who,
            tier=Word.of(contest.tier),
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
            _("%(who)s can declare %(tier)s, trump, or discard; not %(declared)s."),
            who=named_seat(seat),
            tier=Word.of(contest.tier),
            declared=Word.of(declared),
        )
    elif not TIERS[declared](actor.dice):
        faults.add(
            field,
            clause,
            _("The dice of %(who)s do not meet %(declared)s; they are discarded."),
            who=named_seat(seat),
            declared=Word.of(declared),
        )


def discarded_wrongly(contest: Contest) -> tuple[Finding, ...]:
    """Return who could have followed and discarded (db2t.respond)."""
    tier = contest.tier
    return tuple(
        Finding(
            1,
            seat,
            "db2t.respond",
            say(
                _("%(who)s met %(tier)s and discarded."),
                who=named_seat(seat),
                tier=Word.of(tier),
            ),
        )
        for seat in seats_from(contest.inciter, len(contest.actors))
        if (actor := contest.actors[seat]) is not None
        and actor.declared is None
        and TIERS[tier](actor.dice)
    )


WON = {
    (True, False): _("%(who)s declared trump and has the highest sum, %(total)s."),
    (True, True): _(
        "%(who)s declared trump and is the first with the highest sum, %(total)s."
    ),
    (False, False): _("%(who)s has the highest sum of those who declared, %(total)s."),
    (False, True): _(
        "%(who)s is the first of those who declared with the highest sum, %(total)s."
    ),
}
"""Why somebody wins: whether they declared trump, and whether others have as much."""


def winner_of(contest: Contest) -> int:
    """Return the seat that wins: the highest sum, the earlier in a tie (db2t.win)."""
    declarers: Sequence[int] = contest.declarers
    return max(declarers, key=contest.total)


def contest_result(contest: Contest) -> TrickResult:
    """Return who won the contest, and why."""
    winner = winner_of(contest)
    total = contest.total(winner)
    trumped = contest.declared(winner) == contest.trump
    tied = sum(contest.total(seat) == total for seat in contest.declarers) > 1
    message = say(WON[trumped, tied], who=named_seat(winner), total=total)
    return TrickResult(winner, "db2t.win", message)


def read_lone_contest(raw: Raw, faults: Faults) -> Contest | None:
    """Return the contest of a `trick` document, with as many seats as actors."""
    actors = raw.get("actors")
    if not isinstance(actors, (list, tuple)) or not 2 <= len(actors) <= 8:
        faults.add("actors", FORMAT, _("A list of 2 to 8 actors is expected here."))
        return None
    dice = read_choice(raw.get("dice", "3d6"), tuple(DICE_SETS), "dice", faults)
    contest = read_contest(raw, len(actors), None, dice or "3d6", faults)
    check_keys(
        raw,
        ("game", "players", "inciter", "tier", "trump", "difficulty", "dice", "actors"),
        faults,
    )
    return contest
