"""Run a night automatically: find each step, announce it, then do it.

It reads the state of a tournament and calls the same functions as a director. It never makes
the decisions of people: settling a dispute, choosing between two versions of a hand, leaving a
player out. In that case it waits and gives the reason.

A step is done under a lock on its row, and both commit together: it is done once, even if the
process is killed in between. Until then, someone can hold it or bring it forward.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from scoring.matchlog.settling import lock_matches
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.late_arrivals import (
    autoseat_newcomers_and_notify,
    replace_dropouts_or_withdraw_draw,
)
from tournaments.event.tables import first_undecided_hand_by_table
from tournaments.models import AutoStep, Place, Round, Table, Tournament, User

Autopilot, Kind = Tournament.Autopilot, AutoStep.Kind

ANY_TIME = datetime.min.replace(tzinfo=UTC)
"""Earliest time of a step that only waits for its notice period."""
LAST_HAND_BEFORE = timedelta(minutes=5)
"""The last hand is called this long before the clock runs out."""
NOTICE = {
    Kind.SEAT: timedelta(seconds=60),
    Kind.START: timedelta(minutes=2),
    Kind.LAST_HAND: timedelta(),
    Kind.CLOSE: timedelta(seconds=60),
    Kind.CUT: timedelta(seconds=60),
    Kind.FINISH: timedelta(minutes=3),
}
"""How long a step is announced before it is done."""
ASSISTED_KINDS = (Kind.LAST_HAND, Kind.CLOSE)
"""The only steps done if the autopilot just helps; a director seats and starts the rounds."""
WITHOUT_ROUNDS = (Tournament.Format.LEAGUE, Tournament.Format.PAST)
"""Formats in which rounds are not seated."""


class AutopilotObstacle(StrEnum):
    """A reason why a night has to wait."""

    PEOPLE = "people"
    """Too few players are here to make a table."""
    LISTING = "listing"
    """The tournament is a draft, which players cannot see."""
    CLOCK = "clock"
    """The clock is paused."""
    TABLES = "tables"
    """Tables are still playing or have not confirmed."""
    SETTLING = "settling"
    """A table is disputed, or has two versions of a hand."""


class NextStep(NamedTuple):
    """The next step of a night and the earliest time for it."""

    kind: AutoStep.Kind
    number: int
    earliest_at: datetime
    is_overdue: bool = False
    """Whether it is done without notice, because it has already happened at the tables."""

    @property
    def notice_period(self) -> timedelta:
        """Return how long the step is announced before it is done."""
        return timedelta() if self.is_overdue else NOTICE[self.kind]


class WaitReason(NamedTuple):
    """The reason why a night cannot take its next step yet."""

    obstacle: AutopilotObstacle
    tables: tuple[int, ...] = ()


def pending_step(tournament: Tournament) -> NextStep | WaitReason | None:
    """Return the next step of a tournament or the reason for waiting; None if people do it.

    The result stays the same until the tournament changes.
    """
    if tournament.format in WITHOUT_ROUNDS or tournament.autopilot == Autopilot.OFF:
        return None
    all_rounds = list(tournament.rounds.order_by("number"))
    unclosed = [round_ for round_ in all_rounds if round_.state != Round.State.CLOSED]
    last = next(iter(unclosed or all_rounds[-1:]), None)
    tables: list[Table] = []
    if last is not None:
        tables = list(last.tables.filter(void=False).select_related("match"))
        for table in tables:
            table.round = last
    step = rounds.directors_next_step(tournament, all_rounds, len(tables))
    if not step:
        return None
    if step == "close" and last is not None:
        pending = _step_in_round(last, tables)
    else:
        number = (
            unclosed[0].number if unclosed else len(all_rounds) + (step != "finish")
        )
        pending = _step_between_rounds(tournament, step, number, tables)
    only_helps = tournament.autopilot == Autopilot.HELP
    if (
        only_helps
        and isinstance(pending, NextStep)
        and pending.kind not in ASSISTED_KINDS
    ):
        return None
    return pending


def _disputed_or_conflicting_table_numbers(tables: Sequence[Table]) -> tuple[int, ...]:
    """Return the numbers of tables that are disputed or have two versions of a hand."""
    undecided = first_undecided_hand_by_table(tables)
    return tuple(
        table.number for table in tables if table.disputed or table.pk in undecided
    )


def _step_between_rounds(
    tournament: Tournament, step: str, number: int, tables: Sequence[Table]
) -> NextStep | WaitReason:
    if tournament.listing == Tournament.Listing.DRAFT:
        return WaitReason(AutopilotObstacle.LISTING)
    # The seats of a night that is drawn at once do not depend on results.
    if step in ("finish", "cut") or tournament.is_drawn_from_results:
        closed = Table.objects.filter(
            round__tournament=tournament, round__state=Round.State.CLOSED, void=False
        )
        if unsettled := _disputed_or_conflicting_table_numbers(
            list(closed.select_related("match"))
        ):
            return WaitReason(AutopilotObstacle.SETTLING, unsettled)
    match step:
        case "draw" | "publish":
            present = tournament.entries.present().count()
            game = tournament.default_round_game(number)
            if present >= drawing.table_size_limits(tournament, game).least:
                return NextStep(Kind.SEAT, number, tournament.starts_at)
            if number > 1:
                # Too few players are left for a table: the results so far count.
                return NextStep(Kind.FINISH, number - 1, ANY_TIME)
            return WaitReason(AutopilotObstacle.PEOPLE)
        case "start":
            # The first hand at any table starts the round.
            has_hand = any(table.match and table.match.version for table in tables)
            return NextStep(Kind.START, number, ANY_TIME, is_overdue=has_hand)
        case "cut":
            return NextStep(Kind.CUT, number, ANY_TIME)
        case _:
            return NextStep(Kind.FINISH, number, ANY_TIME)


def _step_in_round(round_: Round, tables: Sequence[Table]) -> NextStep | WaitReason:
    tournament, number = round_.tournament, round_.number
    if unsettled := _disputed_or_conflicting_table_numbers(tables):
        return WaitReason(AutopilotObstacle.SETTLING, unsettled)
    unconfirmed: set[int] = set()
    if tournament.quorum != Tournament.Quorum.NONE:
        waiting = round_.tables.all().unconfirmed(tournament.quorum)
        unconfirmed = set(waiting.values_list("pk", flat=True))
    open_tables = [
        table
        for table in tables
        if table.match is None or not table.match.finished or table.pk in unconfirmed
    ]
    if not open_tables:
        return NextStep(Kind.CLOSE, number, ANY_TIME)
    if round_.paused_at is not None:
        return WaitReason(AutopilotObstacle.CLOCK)
    ends = [table.ends_at for table in open_tables if table.ends_at is not None]
    if ends and round_.last_hand_at is None:
        return NextStep(Kind.LAST_HAND, number, max(ends) - LAST_HAND_BEFORE)
    if ends and tournament.counts_late:
        grace = timedelta(minutes=tournament.grace)
        return NextStep(Kind.CLOSE, number, max(ends) + grace)
    return WaitReason(
        AutopilotObstacle.TABLES, tuple(table.number for table in open_tables)
    )


State = AutoStep.State

MISSED_AFTER = timedelta(minutes=2)
"""A step overdue by more than this is announced again: while the server was down nobody saw it."""


def run_autopilot(*, tournament_id: int, now: datetime) -> AutoStep | None:
    """Do the step of a tournament that is due, and announce the next one.

    Before that, dropouts are replaced and newcomers seated in rounds with published seats. Returns
    the step that is active then; None if there is none. Safe to run at any time, repeatedly and
    concurrently.
    """
    replace_dropouts_or_withdraw_draw(tournament_id=tournament_id, now=now)
    autoseat_newcomers_and_notify(tournament_id=tournament_id, now=now)
    step = _ensure_announced_step(tournament_id, now)
    if step is not None and step.state == State.ANNOUNCED and step.due_at <= now:
        if now - step.due_at > MISSED_AFTER:
            unchanged = AutoStep.objects.filter(
                pk=step.pk, state=State.ANNOUNCED, due_at=step.due_at
            )
            unchanged.update(announced_at=now, due_at=now + NOTICE[Kind(step.kind)])
            step.refresh_from_db()
        elif _try_step(step.pk, now):
            return _ensure_announced_step(tournament_id, now)
    return step


def hold_step(*, step_id: int, user: User) -> AutoStep:
    """Hold the step until someone brings it forward, and return it.

    Raises RefusedError once it is done.
    """
    return _update_active_step(step_id, state=State.HELD, by=user)


def do_step_now(*, step_id: int, user: User, now: datetime) -> AutoStep:
    """Do the step now and return it. Raises RefusedError with the reason if that is impossible."""
    step = _update_active_step(
        step_id, state=State.ANNOUNCED, by=user, due_at=now, refused=""
    )
    _try_step(step.pk, now)
    step.refresh_from_db()
    if step.refused:
        raise RefusedError("step", step.refused)
    run_autopilot(tournament_id=step.tournament_id, now=now)
    return step


def undo_step_and_hold_next(*, step_id: int, user: User, now: datetime) -> AutoStep:
    """Undo a completed step and return it; the next one is held until someone brings it forward.

    Raises RefusedError if it can no longer be undone or is not the last.
    """
    with transaction.atomic():
        step = AutoStep.objects.select_for_update().get(pk=step_id)
        _lock_matches_and_tournament(step)
        if step != step.tournament.auto_steps.done_or_undone().first():
            raise RefusedError(
                "step", _("Something else has happened since. Undo that first.")
            )
        if step.state == State.DONE:
            match step.kind:
                case Kind.SEAT | Kind.START | Kind.CUT:
                    round_id = _require_round(step).pk
                    rounds.withdraw_rounds(round_id=round_id, user=user)
                case Kind.LAST_HAND:
                    round_id = _require_round(step).pk
                    rounds.apply_clock_action(
                        round_id=round_id, verb="longer", now=now, user=user
                    )
                case Kind.FINISH:
                    rounds.reopen(tournament_id=step.tournament_id, user=user)
                case _:
                    round_id = _require_round(step).pk
                    rounds.reopen_round(round_id=round_id, user=user)
            step.state, step.by = State.UNDONE, user
            step.save(update_fields=["state", "by"])
    hold_next_step(tournament_id=step.tournament_id, user=user, now=now)
    return step


def hold_next_step(*, tournament_id: int, user: User, now: datetime) -> None:
    """Hold the next step, if there is one, until someone brings it forward."""
    if (next_step := _ensure_announced_step(tournament_id, now)) is not None:
        hold_step(step_id=next_step.pk, user=user)


def _update_active_step(step_id: int, **fields: object) -> AutoStep:
    active_steps = AutoStep.objects.held_or_announced().filter(pk=step_id)
    if not active_steps.update(**fields):
        raise RefusedError("step", _("This step is already done or no longer needed."))
    return AutoStep.objects.get(pk=step_id)


def _ensure_announced_step(tournament_id: int, now: datetime) -> AutoStep | None:
    """Return the active step for what comes next, announcing it if needed; None if nothing does.

    A step that no longer fits is dropped.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    expected = pending_step(tournament)
    active = tournament.auto_steps.held_or_announced().first()
    if active is not None and _is_still_next(active, expected, now):
        return active
    if active is not None:
        # Keeps a step that someone held or brought forward after it was read.
        unchanged = AutoStep.objects.filter(
            pk=active.pk,
            state=active.state,
            by=active.by_id,
            due_at=active.due_at,
        )
        unchanged.update(state=State.DROPPED)
    if not isinstance(expected, NextStep):
        return None
    due_at = max(expected.earliest_at, now + expected.notice_period)
    try:
        with transaction.atomic():
            step: AutoStep = tournament.auto_steps.create(
                kind=expected.kind,
                number=expected.number,
                announced_at=now,
                due_at=due_at,
            )
            return step
    except IntegrityError:
        # Another process has just announced it.
        return tournament.auto_steps.held_or_announced().first()


def _is_still_next(
    step: AutoStep, expected: NextStep | WaitReason | None, now: datetime
) -> bool:
    """Return whether a step is still the next one, with a due time that still fits.

    More time at a table and the last confirmation move the due time, except for a step that
    someone has held or brought forward.
    """
    if not isinstance(expected, NextStep):
        return False
    if (step.kind, step.number) != (expected.kind, expected.number):
        return False
    latest = max(expected.earliest_at, now + expected.notice_period)
    return step.by_id is not None or expected.earliest_at <= step.due_at <= latest


@transaction.atomic
def _try_step(step_id: int, now: datetime) -> bool:
    """Do a step that is still wanted; return whether it is done.

    If it is refused, the reason is stored and the step is held for someone to decide.
    """
    due_steps = AutoStep.objects.filter(
        pk=step_id, state=State.ANNOUNCED, due_at__lte=now
    )
    step = due_steps.select_for_update().first()
    if step is None:
        return False
    # The lock keeps a dispute from coming in between.
    expected = pending_step(_lock_matches_and_tournament(step))
    if not _is_still_next(step, expected, now):
        return False
    try:
        with transaction.atomic():
            _perform_step(step, now)
    except RefusedError as refusal:
        step.state, step.refused = State.HELD, refusal.message[:300]
        step.save(update_fields=["state", "refused"])
        return False
    step.state, step.done_at = State.DONE, now
    step.save(update_fields=["state", "done_at"])
    return True


def _lock_matches_and_tournament(step: AutoStep) -> Tournament:
    """Lock the matches and the tournament of a step; return the tournament."""
    lock_matches(Table.objects.filter(round__tournament=step.tournament_id).matches())
    return Tournament.objects.lock(pk=step.tournament_id)


def _perform_step(step: AutoStep, now: datetime) -> None:
    # Whoever brought the step forward; nobody if it was just due.
    tournament_id, user = step.tournament_id, step.by
    match step.kind:
        case Kind.SEAT:
            # The draw has to seat exactly the players that are here now.
            found_round = _find_round(step)
            if found_round is None or not is_draw_up_to_date(found_round):
                started_rounds = step.tournament.rounds.exclude(state=Round.State.DRAWN)
                is_robin = step.tournament.format == Tournament.Format.ROUND_ROBIN
                # A round robin that has begun cannot be drawn again for other players.
                drawing.draw(
                    tournament_id=tournament_id,
                    becomes_planned_night=is_robin and started_rounds.exists(),
                    user=user,
                    now=now,
                )
            round_id = _require_round(step).pk
            rounds.publish_and_open_pads(round_id=round_id, now=now, user=user)
        case Kind.START:
            rounds.start(round_id=_require_round(step).pk, now=now, user=user)
        case Kind.LAST_HAND:
            rounds.apply_clock_action(
                round_id=_require_round(step).pk,
                verb="last_hand",
                now=now,
                user=user,
            )
        case Kind.CLOSE:
            round_ = _require_round(step)
            is_open = rounds.closing_obstacles(round_)
            override = (
                _("The time and the extra minutes had run out.") if is_open else ""
            )
            rounds.close(round_id=round_.pk, now=now, override=override, user=user)
        case Kind.CUT:
            present_count = step.tournament.entries.present().count()
            size = min(step.tournament.final_size, present_count)
            final = drawing.freeze_and_cut_to_final(
                tournament_id=tournament_id, size=size, now=now, user=user
            )
            rounds.publish_and_open_pads(round_id=final[0].pk, now=now, user=user)
        case _:
            rounds.finish(tournament_id=tournament_id, now=now, user=user)


def is_draw_up_to_date(round_: Round) -> bool:
    """Return whether exactly the present players have a seat or a bye in a drawn round.

    Nobody that asked to sit out has a seat. Otherwise it is drawn again when it is seated. True for later stages, which are only for
    advancing players.
    """
    seated = set(
        Place.objects.filter(table__round=round_).values_list("entry", flat=True)
    )
    bye_ids = set(round_.byes.values_list("entry", flat=True))
    present = dict(round_.tournament.entries.present().values_list("pk", "bye_rounds"))
    return round_.stage > 0 or (
        seated | bye_ids == present.keys()
        and not any(round_.number in present[entry] for entry in seated)
    )


def _find_round(step: AutoStep) -> Round | None:
    return Round.objects.filter(
        tournament=step.tournament_id, number=step.number
    ).first()


def _require_round(step: AutoStep) -> Round:
    round_ = _find_round(step)
    if round_ is None:
        raise RefusedError("round", _("This round no longer exists."))
    return round_
