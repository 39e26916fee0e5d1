"""Rounds: publishing, starting, swapping seats, closing, finishing."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.locales.sentences import join_names, translate
from scoring.matchlog.append import replay_match
from scoring.matchlog.commands import CommandAuthor
from scoring.matchlog.settling import (
    lock_matches,
    mark_unfinished_matches_as_counting,
    set_closed,
    unmark_unfinished_matches_as_counting,
)
from scoring.models import Match
from scoring.pages.confirmation import describe_required_confirmations
from scoring.rules.names import find_text_fault, has_visible_character, normalize_text
from tournaments.changes import RefusedError, mark_changed, signal_history_outdated
from tournaments.event import results
from tournaments.event.draw import update_draw_quality, withdraw_draws
from tournaments.event.push import NoticeKind, notify
from tournaments.event.separations import check_separations
from tournaments.event.tables import (
    first_undecided_hand_by_table,
    has_logged_or_unsent_entries,
    lock_round_and_matches,
    open_pads,
)
from tournaments.hooks import happenings
from tournaments.models import NightEvent, Place, Round, Table, Tournament, User
from tournaments.models.round_names import round_name, round_subject
from tournaments.models.rounds import is_confirmed, required_confirmation_count

FIVE_MINUTES = timedelta(minutes=5)
FINAL = "final"
"""Name of the standings frozen when a tournament is finished."""


@transaction.atomic
def publish(
    *, round_id: int, user: User | None = None, now: datetime | None = None
) -> Round:
    """Publish the seating of a round and return the round.

    Raises RefusedError if an earlier round is not published or the tournament is a draft.
    """
    tournament = Tournament.objects.lock(rounds=round_id)
    round_ = Round.objects.select_for_update().get(pk=round_id)
    round_.tournament = tournament
    if round_.state == Round.State.DRAWN:
        earlier_rounds = tournament.rounds.filter(number__lt=round_.number)
        if unpublished := earlier_rounds.filter(state=Round.State.DRAWN).first():
            raise RefusedError(
                "round",
                _("%(round)s isn’t published yet. Publish it first.")
                % {"round": round_subject(unpublished)},
            )
        if tournament.listing == Tournament.Listing.DRAFT:
            raise RefusedError(
                "round",
                _(
                    "Players can’t see a draft. Under Settings, choose "
                    "who can find it, then publish."
                ),
            )
        round_.state = Round.State.PUBLISHED
        round_.save(update_fields=["state"])
        NightEvent.objects.record_rounds(
            NightEvent.Kind.PUBLISHED, [round_], by=user, now=now
        )
        happenings.report_seating_published(round_)
        notify(NoticeKind.SEATED, round_.pk)
    return round_


@transaction.atomic
def publish_and_open_pads(
    *, round_id: int, now: datetime, user: User | None = None
) -> Round:
    """Publish the seating of a round and begin a match at every table; return the round.

    The first hand at any table starts the round, if nobody starts it before. Raises
    RefusedError as `publish` does.
    """
    lock_round_and_matches(round_id)
    round_ = publish(round_id=round_id, user=user, now=now)
    if round_.state == Round.State.PUBLISHED:
        open_pads(round_, now)
    return round_


@transaction.atomic
def start(*, round_id: int, now: datetime, user: User | None = None) -> Round:
    """Start a round: every table has its match, and the clock runs; return the round.

    Doing it again changes nothing. Raises RefusedError while the round before is open.
    """
    round_ = lock_round_and_matches(round_id)
    tournament = round_.tournament
    if round_.state in (Round.State.RUNNING, Round.State.CLOSED):
        return round_
    earlier_rounds = tournament.rounds.filter(number__lt=round_.number)
    open_round = earlier_rounds.exclude(state=Round.State.CLOSED).first()
    if open_round is not None:
        raise RefusedError(
            "round",
            _("%(round)s is still open. Close it first.")
            % {"round": round_subject(open_round)},
        )
    if round_.state == Round.State.DRAWN:
        happenings.report_seating_published(round_)
    open_pads(round_, now)
    round_.state = Round.State.RUNNING
    round_.ends_at = now + timedelta(minutes=tournament.minutes)
    round_.save(update_fields=["state", "ends_at"])
    tournament.phase = Tournament.Phase.RUNNING
    tournament.save(update_fields=["phase"])
    NightEvent.objects.record_rounds(
        NightEvent.Kind.STARTED, [round_], by=user, now=now
    )
    mark_changed(tournament.pk)
    notify(NoticeKind.STARTED, round_.pk)
    return round_


@transaction.atomic
def apply_clock_action(
    *, round_id: int, verb: str, now: datetime, user: User | None = None
) -> Round:
    """Pause or resume the clock of a round, call the last hand or add five minutes.

    `verb` is `longer`, `last_hand`, `pause` or `resume`. A resumed clock goes on with the time
    that was left. `last_hand` makes the current hand of every table its last; `longer` takes
    that back. Raises RefusedError if no clock is running.
    """
    round_ = Round.objects.select_for_update().get(pk=round_id)
    if round_.ends_at is None or round_.state != Round.State.RUNNING:
        raise RefusedError(
            "round", _("The clock starts with the round. Start the round first.")
        )
    kind = None
    if verb == "longer":
        kind = NightEvent.Kind.MORE_TIME
        round_.ends_at += FIVE_MINUTES
        round_.last_hand_at = None
    elif verb == "last_hand" and round_.last_hand_at is None:
        kind = NightEvent.Kind.LAST_HAND
        round_.last_hand_at = now
    elif verb == "pause" and round_.paused_at is None:
        kind = NightEvent.Kind.PAUSED
        round_.paused_at = now
    elif verb == "resume" and round_.paused_at is not None:
        kind = NightEvent.Kind.RESUMED
        round_.ends_at += now - round_.paused_at
        round_.paused_at = None
    if kind is not None:
        round_.save(update_fields=["ends_at", "paused_at", "last_hand_at"])
        NightEvent.objects.record_rounds(kind, [round_], by=user, now=now)
    return round_


@transaction.atomic
def give_five_more_minutes(*, table_id: int, user: User | None = None) -> Table:
    """Give a table five more minutes than the other tables, in addition to earlier ones."""
    table = Table.objects.select_for_update(of=["self"]).get(pk=table_id)
    table.extra_minutes += 5
    table.save(update_fields=["extra_minutes"])
    NightEvent.objects.record_table(NightEvent.Kind.MORE_TIME, table, by=user)
    return table


TableVerb = Literal["more_time", "answer", "settle", "seen", "agree", "void", "restore"]
"""The actions of the club's team at a table, at the desk and in the API."""


def act_at_table(
    *, table_id: int, verb: TableVerb, author: CommandAuthor, user: User, now: datetime
) -> None:
    match verb:
        case "more_time":
            give_five_more_minutes(table_id=table_id, user=user)
        case "answer":
            results.mark_director_coming(table_id=table_id, now=now)
        case "settle":
            results.confirm_disputed_result_or_end_call(
                table_id=table_id, author=author, now=now
            )
        case "seen":
            Table.objects.filter(pk=table_id).mark_seen()
        case "agree":
            results.confirm_table_as_director(table_id=table_id, author=author, now=now)
        case "void" | "restore":
            results.set_void(table_id=table_id, void=verb == "void", user=user)


def check_can_finish(tournament: Tournament) -> None:
    """Raise RefusedError while a round runs, a result is disputed, or a waiting round has a hand."""
    running_round = tournament.rounds.filter(state=Round.State.RUNNING).first()
    if running_round is not None:
        message = _("%(round)s is still open. Close it first.")
        raise RefusedError("round", message % {"round": round_subject(running_round)})
    tables = Table.objects.filter(round__tournament=tournament).select_related("round")
    disputed_table = tables.filter(disputed=True, void=False).first()
    if disputed_table is not None:
        message = _(
            "%(round)s, table %(table)s: the result is disputed. Settle the dispute "
            "first."
        )
        values = {
            "round": round_name(disputed_table.round),
            "table": disputed_table.number,
        }
        raise RefusedError("round", message % values)
    open_rounds = tournament.rounds.exclude(state=Round.State.CLOSED)
    for match in Table.objects.filter(round__in=open_rounds).matches():
        if has_logged_or_unsent_entries(match):
            message = _(
                "%(round)s already has entries. Start it, and close it when it’s done."
            )
            raise RefusedError(
                "round", message % {"round": round_subject(match.table.round)}
            )


@transaction.atomic
def finish(
    *, tournament_id: int, now: datetime, user: User | None = None
) -> Tournament:
    """Finish the tournament and freeze its standings as the final ones.

    Its matches are closed: later changes go through its director. The draw of rounds that were
    not started is withdrawn. Raises RefusedError as `check_can_finish` does.
    """
    tables = Table.objects.filter(round__tournament=tournament_id)
    set_closed(tables.matches(), closed=True)
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    check_can_finish(tournament)
    if open_rounds := tournament.rounds.exclude(state=Round.State.CLOSED):
        unstarted_matches = list(Table.objects.filter(round__in=open_rounds).matches())
        withdraw_draws(tournament, open_rounds)
        Match.objects.filter(pk__in=[match.pk for match in unstarted_matches]).delete()
        mark_changed(tournament.pk)
    was_running = tournament.phase != Tournament.Phase.FINISHED
    if was_running:
        for announcement in tournament.announcements.filter(withdrawn_at=None):
            announcement.withdrawn_at = now
            announcement.save(update_fields=["withdrawn_at"])
        tournament.phase, tournament.finished_at = Tournament.Phase.FINISHED, now
        tournament.save(update_fields=["phase", "finished_at"])
        NightEvent.objects.record(
            NightEvent.Kind.FINISHED, tournament=tournament, by=user, now=now
        )
    final = results.freeze_standings(tournament_id=tournament.pk, name=FINAL, now=now)
    if was_running:
        happenings.report_tournament_finished(tournament, final)
    signal_history_outdated(tournament.club_id)
    return tournament


@transaction.atomic
def reopen(*, tournament_id: int, user: User | None = None) -> Tournament:
    """Open a finished tournament again; its frozen final standings stay.

    Its matches take entries again, including those that phones have saved meanwhile.
    """
    tables = Table.objects.filter(round__tournament=tournament_id)
    set_closed(tables.matches(), closed=False)
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.phase == Tournament.Phase.FINISHED:
        tournament.phase = Tournament.Phase.RUNNING
        tournament.save(update_fields=["phase"])
        NightEvent.objects.record(
            NightEvent.Kind.REOPENED, tournament=tournament, by=user
        )
        mark_changed(tournament.pk)
    return tournament


@transaction.atomic
def withdraw_rounds(*, round_id: int, user: User | None = None) -> None:
    """Withdraw the draw of a round and of all later ones.

    The draws can be restored until something else is drawn. Raises RefusedError once something
    is entered in one of the rounds, or waits on a phone.
    """
    rounds = Round.objects.get(pk=round_id).itself_and_later_rounds().order_by("number")
    lock_matches(Table.objects.filter(round__in=rounds).matches())
    tournament = Tournament.objects.lock(rounds=round_id)
    tables = Table.objects.filter(round__in=rounds).select_related("match", "round")
    matches = [table.match for table in tables]
    for table in tables:
        if table.match and has_logged_or_unsent_entries(table.match):
            raise RefusedError(
                "round",
                _(
                    "%(round)s, table %(table)s already has entries. Void "
                    "individual tables instead."
                )
                % {"round": round_name(table.round), "table": table.number},
            )
    NightEvent.objects.record_rounds(NightEvent.Kind.DRAW_UNDONE, rounds, by=user)
    withdraw_draws(tournament, rounds)
    for match in matches:
        if match:
            match.delete()
    mark_changed(tournament.pk)


class RepeatsBeforeAndAfter(NamedTuple):
    """The repeated pairings of a draw, before and after a change."""

    before: int
    after: int


@transaction.atomic
def swap_and_count_repeats(
    *,
    round_id: int,
    entry_id: int,
    other_id: int,
    user: User | None = None,
    allows_together: bool = False,
) -> RepeatsBeforeAndAfter:
    """Swap the places of two players in a round that has not begun.

    Returns the repeats of the draw. A player without a seat takes the other's
    place. Raises RefusedError if neither has a seat, once the round runs, once something is
    entered at one of their tables, and, unless it `allows_together`, if players that are kept
    apart would share a table.
    """
    their_tables = Table.objects.filter(
        round=round_id, places__entry__in=[entry_id, other_id]
    )
    matches = their_tables.matches()
    lock_matches(matches)
    Tournament.objects.lock(rounds=round_id)
    round_ = Round.objects.select_for_update().get(pk=round_id)
    if round_.state not in (Round.State.DRAWN, Round.State.PUBLISHED):
        message = _("%(round)s has started. Change the seats table by table.")
        raise RefusedError("round", message % {"round": round_subject(round_)})
    if any(map(has_logged_or_unsent_entries, matches)):
        raise RefusedError(
            "round",
            _(
                "One of these tables has already entered a hand. Change the "
                "seats at that table instead."
            ),
        )
    places = {
        place.entry_id: place
        for place in round_.places.filter(entry__in=[entry_id, other_id])
    }
    if entry_id == other_id or not places:
        raise RefusedError(
            "entry", _("Choose two players. At least one needs a seat in this round.")
        )
    with check_separations(round_, allows_together=allows_together):
        _swap_places(round_, places, entry_id, other_id)
    entries = round_.tournament.entries.in_bulk([entry_id, other_id])
    NightEvent.objects.record_rounds(
        NightEvent.Kind.SEATS_CHANGED,
        [round_],
        name=f"{entries[entry_id].name} ↔ {entries[other_id].name}",
        by=user,
    )
    repeats_before: int = round_.quality["repeats"]
    update_draw_quality(round_)
    if first_match := round_.tables.matches().first():
        open_pads(round_, first_match.started_at)
    if round_.state == Round.State.PUBLISHED:
        notify(NoticeKind.SEATED, round_.pk)
    return RepeatsBeforeAndAfter(repeats_before, round_.quality["repeats"])


def _swap_places(
    round_: Round, places: Mapping[int, Place], entry_id: int, other_id: int
) -> None:
    if len(places) == 2:
        first, second = places[entry_id], places[other_id]
        table_id, index = second.table_id, second.index
        # Empty one seat first, because nobody may sit twice.
        first.delete()
        second.table_id, second.index = first.table_id, first.index
        second.save(update_fields=["table", "index"])
        round_.places.create(table_id=table_id, index=index, entry_id=entry_id)
    else:
        # One of them has no seat, and takes the seat of the other.
        (place,) = places.values()
        leaving_id = place.entry_id
        joining_id = other_id if leaving_id == entry_id else entry_id
        if not round_.tournament.entries.filter(pk=joining_id).exists():
            raise RefusedError(
                "entry", _("Choose someone who plays in this tournament.")
            )
        place.entry_id = joining_id
        place.save(update_fields=["entry"])
        if round_.byes.filter(entry=joining_id).delete()[0]:
            round_.byes.create(entry_id=leaving_id)


@transaction.atomic
def close(
    *, round_id: int, now: datetime, override: str = "", user: User | None = None
) -> Round:
    """Close a round; unfinished tables count by the tournament's setting. Return the round.

    The standings of that moment are frozen. Raises RefusedError with everything that blocks it,
    unless a reason is given as `override`.
    """
    round_ = lock_round_and_matches(round_id)
    if round_.state == Round.State.CLOSED:
        return round_
    if round_.state != Round.State.RUNNING:
        raise RefusedError(
            "round",
            _("%(round)s hasn’t started yet. Start it first.")
            % {"round": round_subject(round_)},
        )
    override = normalize_text(override)
    if fault := find_text_fault(override):
        raise RefusedError("override", translate(fault))
    if not has_visible_character(override):
        override = ""
    blocks = [] if override else closing_obstacles(round_)
    if blocks:
        raise RefusedError("round", " ".join(blocks))
    round_.state = Round.State.CLOSED
    round_.override = override
    round_.save(update_fields=["state", "override"])
    NightEvent.objects.record_rounds(
        NightEvent.Kind.CLOSED, [round_], by=user, reason=override, now=now
    )
    mark_unfinished_matches_as_counting(round_.tables.matches())
    round_.tables.all().mark_seen()
    mark_changed(round_.tournament_id)
    results.freeze_standings(
        tournament_id=round_.tournament_id,
        name=round_.frozen_standings_name,
        now=now,
    )
    return round_


@transaction.atomic
def reopen_round(*, round_id: int, user: User | None = None) -> Round:
    """Open a closed round again and return it; the standings frozen at its end stay.

    Raises RefusedError if something was built on it, and names that.
    """
    round_ = lock_round_and_matches(round_id)
    tournament = round_.tournament
    if round_.state != Round.State.CLOSED:
        return round_
    if reason := reopening_obstacle(round_, tournament.rounds.order_by("number")):
        raise RefusedError("round", reason)
    round_.state, round_.override = Round.State.RUNNING, ""
    round_.save(update_fields=["state", "override"])
    NightEvent.objects.record_rounds(NightEvent.Kind.ROUND_REOPENED, [round_], by=user)
    withdrawn_draws = tournament.taken_back
    if tournament.is_drawn_from_results or any(
        draw["stage"] > round_.stage for draw in withdrawn_draws
    ):
        # The withdrawn draw was made from results that can change now.
        tournament.taken_back = []
        tournament.save(update_fields=["taken_back"])
    unmark_unfinished_matches_as_counting(round_.tables.matches())
    mark_changed(tournament.pk)
    return round_


def reopening_obstacle(round_: Round, rounds: Iterable[Round]) -> str:
    """Return the reason why a closed round cannot be opened again; empty for none.

    `rounds` are all of its tournament, in order.
    """
    tournament = round_.tournament
    if tournament.phase == Tournament.Phase.FINISHED:
        return _("The tournament is finished. Reopen it first.")
    later_rounds = [
        later_round for later_round in rounds if later_round.number > round_.number
    ]
    for later_round in later_rounds:
        later_round.tournament = tournament
        names = {"next": round_subject(later_round)}
        if later_round.state != Round.State.DRAWN:
            return (
                _(
                    "%(next)s is already published, so you can’t reopen "
                    "earlier rounds. Correct individual tables instead."
                )
                % names
            )
        if later_round.stage > round_.stage or tournament.is_drawn_from_results:
            return (
                _("%(next)s was drawn from these results. Undo that draw first.")
                % names
            )
    return ""


def directors_next_step(
    tournament: Tournament, rounds: Sequence[Round], tables: int
) -> str:
    """Return the director's likely next step; `tables` is the number of tables of the last round."""
    current = next(
        (round_ for round_ in rounds if round_.state != Round.State.CLOSED), None
    )
    if current is not None:
        return {"drawn": "publish", "published": "start", "running": "close"}[
            current.state
        ]
    if tournament.phase == Tournament.Phase.FINISHED:
        return ""
    if not rounds:
        return "" if tournament.is_league else "draw"
    is_knockout = tournament.format == Tournament.Format.KNOCKOUT
    if rounds[-1].stage or is_knockout:
        return "finish" if tables == 1 else "draw"
    is_drawn_as_whole = tournament.format == Tournament.Format.ROUND_ROBIN
    is_fully_drawn = is_drawn_as_whole or len(rounds) >= tournament.rounds_planned
    if not (is_fully_drawn or tournament.is_league):
        return "draw"
    return "cut" if tournament.final_size else "finish"


def closing_obstacles(
    round_: Round, tables: Iterable[Table] | None = None
) -> list[str]:
    """Return what keeps a round from being closed, a sentence for each kind of obstacle.

    Without `tables`, those of the round are fetched `with_places_and_entries`.
    """
    round_tables = list(
        round_.tables.with_places_and_entries() if tables is None else tables
    )
    undecided = first_undecided_hand_by_table(round_tables)
    is_final = round_.playoff_table_count == 1
    quorum = round_.tournament.quorum
    tables_by_obstacle: dict[str, list[Table]] = {}
    for table in round_tables:
        if not table.void:
            obstacle = _find_closing_obstacle(table, undecided.get(table.pk), quorum)
            tables_by_obstacle.setdefault(obstacle, []).append(table)
    tables_by_obstacle.pop("", None)
    sentences = []
    for obstacle, obstructing in tables_by_obstacle.items():
        if obstacle == "undecided":
            template = (
                _("The final: hand %(hand)s has two versions.")
                if is_final
                else _("Table %(table)s: hand %(hand)s has two versions.")
            )
            sentences += [
                template % {"table": table.number, "hand": undecided[table.pk]}
                for table in obstructing
            ]
        else:
            sentences.append(
                _describe_closing_obstacle(obstacle, obstructing, is_final=is_final)
            )
    return sentences


def _describe_closing_obstacle(
    obstacle: str, tables: Sequence[Table], *, is_final: bool
) -> str:
    count = len(tables)
    final, ordinary = {
        "no_game": (
            _("No game has been chosen for the final."),
            ngettext(
                "Table %(tables)s hasn’t chosen a game.",
                "Tables %(tables)s haven’t chosen a game.",
                count,
            ),
        ),
        "unfinished": (
            _("The final isn’t finished."),
            ngettext(
                "Table %(tables)s isn’t finished.",
                "Tables %(tables)s aren’t finished.",
                count,
            ),
        ),
        "disputed": (
            _("The result of the final is disputed."),
            ngettext(
                "The result of table %(tables)s is disputed.",
                "The results of tables %(tables)s are disputed.",
                count,
            ),
        ),
        "unconfirmed": (
            _("The result of the final isn’t confirmed yet."),
            ngettext(
                "Table %(tables)s hasn’t confirmed its result.",
                "Tables %(tables)s haven’t confirmed their results.",
                count,
            ),
        ),
    }[obstacle]
    numbers = join_names(str(table.number) for table in tables)
    return final if is_final else ordinary % {"tables": numbers}


def _find_closing_obstacle(table: Table, undecided: int | None, quorum: str) -> str:
    """Return `no_game`, `undecided`, `unfinished`, `disputed`, `unconfirmed`, or empty for nothing."""
    if table.match is None:
        return "no_game"
    if undecided:
        return "undecided"
    if not table.match.finished:
        return "unfinished"
    if table.disputed:
        return "disputed"
    return "" if is_table_confirmed(table, quorum) else "unconfirmed"


def is_table_confirmed(table: Table, quorum: str) -> bool:
    """Return whether enough players have confirmed a table's result for the quorum."""
    places = table.places.all()
    return is_confirmed([place.confirmed_at is not None for place in places], quorum)


def describe_settled_table(table_id: int) -> str:
    """Return the message that a table is settled, with what it still needs."""
    tables = Table.objects.with_places_and_entries()
    table = tables.select_related("round__tournament").get(pk=table_id)
    if missing := _describe_unfinished_table(table):
        message = _("Table %(number)s is settled. %(missing)s")
        return message % {"number": table.number, "missing": missing}
    return _("Table %(number)s is settled and done.") % {"number": table.number}


def _describe_unfinished_table(table: Table) -> str:
    """Return what keeps a table from being done; empty for nothing.

    `table` must come `with_places_and_entries`, with its round and its tournament.
    """
    match, quorum = table.match, table.round.tournament.quorum
    if table.void:
        return _("This table is void and doesn’t count.")
    if match is None:
        return _("This table still has to choose a game.")
    if undecided := replay_match(match).conflicting_hands:
        message = _("Hand %(number)s has two versions. Choose one on the sheet.")
        return message % {"number": undecided[0].number}
    if not match.has_counting_result:
        message = _("The match continues with hand %(number)s.")
        return message % {"number": match.hands_played + 1}
    if not is_table_confirmed(table, quorum):
        seats = len(table.places.all())
        return describe_required_confirmations(
            required_confirmation_count(seats, quorum), seats
        )
    if match.unsent_entry_count:
        message = ngettext(
            "%(n)s entry is still on a phone.",
            "%(n)s entries are still on phones.",
            match.unsent_entry_count,
        )
        return message % {"n": match.unsent_entry_count}
    return ""
