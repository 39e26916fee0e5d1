"""A contest of DB2T that goes on later: whatever of it is known so far."""

from typing import Any, NamedTuple

from scoring.rules.db2t.contest import (
    Actor,
    Contest,
    check_faces,
    check_inciter,
    check_response,
    read_trump,
)
from scoring.rules.db2t.tiers import DICE_SETS, TIERS
from scoring.rules.game import Raw
from scoring.rules.reading import (
    Faults,
    check_keys,
    named_seat,
    read_choice,
    read_flag,
    read_list,
    read_object,
    read_seat,
)
from scoring.rules.results import FORMAT
from scoring.rules.wording import gettext_noop as _

REROLLS = range(3)
"""One for relevant experience, one for a suited domain (db2t.roll)."""


class BegunActor(NamedTuple):
    """What is known of an actor; a die that was not entered is None."""

    dice: tuple[int | None, ...]
    declared: str | None

    def rolled(self, count: int) -> tuple[int, ...] | None:
        """Return the dice, None while there are fewer than `count`."""
        known = tuple(value for value in self.dice if value is not None)
        return known if len(known) == count else None


class Offer(NamedTuple):
    """Who incites, and with what, as far as it is known."""

    inciter: int | None
    tier: str | None
    trump: str | None

    @property
    def contest(self) -> Contest | None:
        """Return the contest before anybody rolled, None while one of the two is open."""
        if self.inciter is None or self.tier is None:
            return None
        return Contest(self.inciter, self.tier, self.trump, ())


def read_begun(
    raw: Raw, seats: int, trump: str | None, dice: str, faults: Faults
) -> tuple[Offer, list[BegunActor | None]]:
    """Return what is known of a contest that goes on later; note what cannot be.

    Nothing has to be known; what is known has to be possible. Re-rolls stand here
    because a record has no place for them.
    """
    before = len(faults.listed)
    offer = _read_offer(raw, seats, trump, faults)
    if "difficulty" in raw:
        read_flag(raw["difficulty"], "difficulty", faults)
    if "rerolls" in raw:
        _check_rerolls(raw["rerolls"], seats, faults)
    actors = _read_actors(raw["actors"], seats, dice, faults) if "actors" in raw else []
    if len(faults.listed) == before:
        for seat, actor in enumerate(actors):
            if actor is not None:
                count = len(DICE_SETS[dice])
                _check_declared(offer.contest, seat, actor, count, faults)
    return offer, actors


def _read_offer(raw: Raw, seats: int, trump: str | None, faults: Faults) -> Offer:
    inciter, tier = raw.get("inciter"), raw.get("tier")
    if inciter is not None:
        inciter = read_seat(inciter, seats, "inciter", faults)
    if tier is not None:
        tier = read_choice(tier, tuple(TIERS), "tier", faults)
    return Offer(inciter, tier, read_trump(raw, trump, faults))


def _check_rerolls(raw: object, seats: int, faults: Faults) -> None:
    for seat, count in enumerate(read_list(raw, seats, "rerolls", faults) or ()):
        if type(count) is not int or count not in REROLLS:
            faults.add(
                f"rerolls[{seat}]",
                "db2t.roll",
                _("An actor re-rolls at most %(most)s times; enter 0 to %(most)s."),
                most=REROLLS[-1],
            )


def _read_actors(
    raw: object, seats: int, dice: str, faults: Faults
) -> list[BegunActor | None]:
    return [
        None if actor is None else _read_actor(actor, f"actors[{seat}]", dice, faults)
        for seat, actor in enumerate(read_list(raw, seats, "actors", faults) or ())
    ]


def _read_actor(
    raw: object, field: str, dice: str, faults: Faults
) -> BegunActor | None:
    actor = read_object(raw, field, faults)
    if actor is None:
        return None
    check_keys(actor, Actor._fields, faults, f"{field}.")
    declared = actor.get("declared")
    if declared is not None:
        declared = read_choice(declared, tuple(TIERS), f"{field}.declared", faults)
    faces, rolled = DICE_SETS[dice], actor.get("dice")
    if not isinstance(rolled, (list, tuple)) or len(rolled) > len(faces):
        words = _("Up to three dice are expected here.")
        faults.add(f"{field}.dice", FORMAT, words)
        return None
    _check_known(rolled, f"{field}.dice", faces, faults)
    return BegunActor(tuple(rolled), declared)


def _check_known(
    rolled: Any, field: str, faces: tuple[int, int, int], faults: Faults
) -> None:
    for place, value in enumerate(rolled):
        if value is not None:
            check_faces(value, f"{field}[{place}]", faces[place], faults)


def _check_declared(
    contest: Contest | None,
    seat: int,
    actor: BegunActor,
    count: int,
    faults: Faults,
) -> None:
    """Note a declaration that comes too early, or that the dice do not allow."""
    rolled = actor.rolled(count)
    if rolled is None or contest is None:
        if actor.declared is not None:
            faults.add(
                f"actors[{seat}].declared",
                "db2t.declare",
                _(
                    "%(who)s declares once all three dice and the inciting tier are "
                    "known; until then “declared” is null."
                ),
                who=named_seat(seat),
            )
    elif seat == contest.inciter:
        # The inciting tier is what the inciting actor declared.
        inciting = Actor(rolled, actor.declared or contest.tier)
        check_inciter(contest, inciting, faults)
    else:
        check_response(contest, seat, Actor(rolled, actor.declared), faults)
