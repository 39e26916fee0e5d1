"""Entries of a tournament: registering, checking in, leaving, coming back, substituting."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.locales.sentences import translate
from scoring.matchlog.commands import CommandAuthor
from scoring.matchlog.seat_occupants import (
    earlier_occupants_in_uncounted_matches,
    occupants_by_changed_seat,
)
from scoring.matchlog.settling import lock_matches
from scoring.models import LogEntry, Player
from scoring.rules.match_record import LONGEST_NAME
from scoring.rules.names import (
    find_name_fault,
    lookalike_key,
    normalize_text,
    same_name_key,
)
from tournaments.changes import RefusedError, mark_changed
from tournaments.event.late_arrivals import IS_SEATED
from tournaments.event.seats import reseat_match
from tournaments.event.tables import (
    has_begun,
    has_logged_or_unsent_entries,
    start_table,
)
from tournaments.event.teams import assign_teams, join_teams_named_after
from tournaments.event.unplayed_players import (
    delete_unplayed_entry,
    delete_unused_players,
    has_taken_part,
)
from tournaments.event.waiting_list import (
    count_free_places,
    fill_places_from_waiting_list,
    next_waiting_number,
)
from tournaments.models import (
    Entry,
    NightEvent,
    Place,
    RemovedEntry,
    Round,
    Table,
    Tournament,
    User,
)
from tournaments.models.night_events import KINDS_BY_STATE
from tournaments.names import name_key
from tournaments.people.identities import (
    direct_merge_targets,
    root_player,
    substitutes_without_entry,
)

LATE_PLAYER_MINUTES = 5
"""Extra minutes for a table that waits for a late player."""
MOST_PENDING = 500
"""Most names of a pasted list that wait until the director says which players they are."""
REGISTRATION_MESSAGES = {
    Tournament.RegistrationState.EARLY: gettext_lazy(
        "Registration isn’t open yet. Come back later, or ask the director."
    ),
    Tournament.RegistrationState.CLOSED: gettext_lazy(
        "Registration is closed. If you’re registered, you’re in. If not, ask the "
        "director."
    ),
}
"""Messages for people that try to register while registration is not open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedEntries:
    """The result of entering a list of names."""

    entries: Sequence[Entry]
    """The new entries, in order."""
    known: Sequence[str]
    """Names that had an entry before."""
    known_entries: Sequence[tuple[Entry, Entry.State]]
    """Entries of known names, each with the state that it had before."""


@transaction.atomic
def add_entries(
    *,
    tournament_id: int,
    names: Iterable[str],
    now: datetime,
    state: Entry.State = Entry.State.EXPECTED,
    people: Mapping[str, Player] | None = None,
    user: User | None = None,
) -> AddedEntries:
    """Add entries for these names; players of the club keep their identity.

    Entries beyond the capacity join the waiting list. With the state PRESENT known names are
    checked in as well, those without a place only if one is free. `people` are other known
    players, by name in lower case. Raises RefusedError for a name that cannot be stored, and
    once the tournament is finished.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    check_not_finished(tournament)
    names = [normalize_text(name) for name in names]
    for name in names:
        check_player_name(name)
    _check_lookalikes(names, known_names=tournament.entries.all().names())
    fill_places_from_waiting_list(tournament)
    players = {**(people or {}), **people_by_name_key(tournament, names)}
    # A second name of a person with an entry is known too: nobody is entered twice.
    merged_into = direct_merge_targets(tournament.club)
    by_person = {
        root_player(entry.player_id, merged_into): entry
        for entry in tournament.entries.all()
    }
    new_persons: set[int] = set()
    by_name = {same_name_key(entry.name): entry for entry in tournament.entries.all()}
    new_names: dict[str, str] = {}
    known_entries: dict[int, Entry] = {}
    known_names: list[str] = []
    for name in names:
        key = same_name_key(name)
        # 0 for a player that is not known yet.
        person = root_player(players[key].pk, merged_into) if key in players else 0
        entry = by_name.get(key) or by_person.get(person)
        if entry is not None:
            known_entries[entry.pk] = entry
        if entry is not None or key in new_names or person in new_persons:
            known_names.append(name)
        else:
            new_names[key] = name
            new_persons |= {person} - {0}
    place_counter = _PlaceAllocator(tournament, state, user)
    states_before = [
        (entry, Entry.State(entry.state)) for entry in known_entries.values()
    ]
    if state == Entry.State.PRESENT:
        for entry, _state in states_before:
            place_counter.save_state_and_log(entry)
    first = 1 + (tournament.entries.aggregate(last=Max("number"))["last"] or 0)
    entries = []
    for number, (key, name) in enumerate(new_names.items(), start=first):
        player = players.get(key)
        if player is None:
            player = Player.objects.create(name=name, created_at=now)
        elif same_name_key(player.name) == key:
            # Use the capitals that the club knows.
            name = player.name
        entry = Entry(tournament=tournament, player=player, name=name, number=number)
        place_counter.assign_place(entry)
        entries.append(entry)
    entries = Entry.objects.bulk_create(entries)
    NightEvent.objects.record_new_entries(entries, by=user, now=now)
    _restore_subscriptions(tournament, entries)
    join_teams_named_after(tournament, entries)
    mark_changed(tournament.pk)
    return AddedEntries(entries=entries, known=known_names, known_entries=states_before)


def _restore_subscriptions(tournament: Tournament, entries: Sequence[Entry]) -> None:
    """Restore the notifications of people that are entered again, except on released phones."""
    for removed in tournament.removed_entries.all():
        entry = next(
            (entry for entry in entries if removed.is_same_person(entry)), None
        )
        if entry is None:
            continue
        entry.phones_released = max(entry.phones_released, removed.phones_released)
        entry.save(update_fields=["phones_released"])
        known_endpoints = entry.subscriptions.values("endpoint")
        moved_subscriptions = removed.subscriptions.exclude(
            endpoint__in=known_endpoints
        )
        moved_subscriptions.update(entry=entry, removed=None)
        removed.delete()


def _check_lookalikes(names: Iterable[str], known_names: Iterable[str]) -> None:
    """Raise RefusedError if a new name looks the same on a page as another one, new or known."""
    by_look = {lookalike_key(name): name for name in known_names}
    known_keys = set(map(same_name_key, known_names))
    for name in names:
        lookalike = by_look.setdefault(lookalike_key(name), name)
        if same_name_key(name) not in {same_name_key(lookalike), *known_keys}:
            raise RefusedError(
                "name",
                _(
                    "“%(name)s” looks like “%(other)s” but uses letters of another "
                    "alphabet. Write it the same way, or add a letter."
                )
                % {"name": name, "other": lookalike},
            )


class _PlaceAllocator:
    """Gives out the free places of a locked tournament, then positions on its waiting list."""

    def __init__(
        self, tournament: Tournament, state: Entry.State, user: User | None
    ) -> None:
        self._state, self._user = state, user
        self._free = count_free_places(tournament)
        self._waiting_number = next_waiting_number(tournament)

    def save_state_and_log(self, entry: Entry) -> None:
        """Give a stored entry the state, if it has a place or one is free; else it waits."""
        state_before, was_checked_in = (
            Entry.State(entry.state),
            entry.is_present_or_waits_here,
        )
        if entry.is_expected_or_present:
            entry.state = self._state
        else:
            self.assign_place(entry)
        entry.save(update_fields=["state", "waiting_number", "waits_here"])
        if (state_before, was_checked_in) == (
            entry.state,
            entry.is_present_or_waits_here,
        ):
            return
        kind = KINDS_BY_STATE[Entry.State(entry.state)]
        if entry.is_present_or_waits_here:
            kind = NightEvent.Kind.CHECKED_IN
        elif state_before == Entry.State.PRESENT:
            kind = NightEvent.Kind.CHECK_IN_UNDONE
        NightEvent.objects.record_entry(kind, entry, by=self._user)

    def assign_place(self, entry: Entry) -> None:
        """Give an entry a free place, or the end of the waiting list; does not save it."""
        if self._free is None or self._free > 0:
            self._free = None if self._free is None else self._free - 1
            entry.state, entry.waits_here = self._state, False
            return
        entry.waits_here = self._state == Entry.State.PRESENT
        if entry.state != Entry.State.WAITING:
            entry.state, entry.waiting_number = (
                Entry.State.WAITING,
                self._waiting_number,
            )
            self._waiting_number += 1


@transaction.atomic
def register(*, tournament_id: int, name: str, now: datetime, team: str = "") -> Entry:
    """Add an entry for a person that registers on their own, and return it.

    It waits if all places are taken. `team` is a team's name, or a partner's. Raises
    RefusedError while registration is not open, for a name that has an entry already, and with
    the field `team` for a team that is complete.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    place_count = tournament.entries.all().expected_or_present().count()
    registration = tournament.registration_state(now, place_count)
    if registration in REGISTRATION_MESSAGES:
        raise RefusedError("name", str(REGISTRATION_MESSAGES[registration]))
    result = add_entries(tournament_id=tournament_id, names=[name], now=now)
    if not result.entries:
        raise RefusedError(
            "name",
            _(
                "“%(name)s” is already registered. If that’s you, you’re in. If not, "
                "add a letter to your name."
            )
            % {"name": name},
        )
    entry = result.entries[0]
    if team and tournament.team_size:
        try:
            assign_teams(tournament_id=tournament_id, team_texts={entry.pk: team})
        except RefusedError as refused:
            raise RefusedError("team", refused.message) from None
        entry.refresh_from_db(fields=["team"])
    return entry


def people_by_name_key(
    tournament: Tournament, names: Collection[str]
) -> dict[str, Player]:
    """Return the club's players with these names, by normalized name; the latest entry counts.

    Names of players that were replaced or took over a seat count only if no entry has the name.
    """
    club = tournament.club
    entries = Entry.objects.filter(
        tournament__club=club, name_key__in=map(name_key, names)
    )
    name_keys = set(map(same_name_key, names))
    log = LogEntry.objects.filter(match__table__round__tournament=tournament)
    former_players = [
        *substitutes_without_entry(club, names=names),
        *(
            (occupant.player, occupant.name)
            for occupant in earlier_occupants_in_uncounted_matches(log)
            if same_name_key(occupant.name) in name_keys
        ),
    ]
    players = Player.objects.in_bulk([player for player, _name in former_players])
    people = {
        same_name_key(name): players[player]
        for player, name in former_players
        if player in players
    }
    for entry in entries.select_related("player").order_by("id"):
        people[same_name_key(entry.name)] = entry.player
    return people


def check_not_finished(tournament: Tournament) -> None:
    """Raise RefusedError for a finished tournament: new players would have played nothing of it."""
    if tournament.phase == Tournament.Phase.FINISHED:
        raise RefusedError(
            "tournament",
            _("The tournament is finished. Reopen it at the desk first."),
        )


def check_player_name(name: str) -> None:
    if not 1 <= len(name) <= LONGEST_NAME:
        raise RefusedError(
            "name",
            _("“%(name)s…” isn’t a valid name. Use 1 to %(most)s characters.")
            % {"name": name[:20], "most": LONGEST_NAME},
        )
    if fault := find_name_fault(name):
        raise RefusedError("name", translate(fault))


@transaction.atomic
def set_state(*, entry_id: int, state: Entry.State, user: User | None = None) -> Entry:
    """Set the state of an entry and return it: checked in, left, expected again, absent or waiting.

    A place that becomes free goes to the first of the waiting list. While none is free, players
    without one wait for it: at the end of the list if they left or were absent. PRESENT then
    means that they are here, EXPECTED that they are not. Players that were here and now wait
    are still here. Drawn rounds that have not begun keep their seats until they are drawn
    again. Raises RefusedError once the tournament is finished, and for waiting while a place is
    free.
    """
    tournament = Tournament.objects.lock(entries=entry_id)
    check_not_finished(tournament)
    needs_place = state in (Entry.State.PRESENT, Entry.State.EXPECTED)
    if needs_place:
        fill_places_from_waiting_list(tournament)
    entry = Entry.objects.select_for_update().get(pk=entry_id)
    if entry.state == state:
        return entry
    if needs_place:
        state_before = (entry.state, entry.waits_here)
        _PlaceAllocator(tournament, state, user).save_state_and_log(entry)
        if (entry.state, entry.waits_here) != state_before:
            mark_changed(tournament.pk)
        return entry
    was_here = entry.state == Entry.State.PRESENT
    entry.state, entry.waits_here = state, False
    if state == Entry.State.WAITING:
        entry.waiting_number = next_waiting_number(tournament)
        entry.waits_here = was_here
    entry.save(update_fields=["state", "waiting_number", "waits_here"])
    moved_up = fill_places_from_waiting_list(tournament)
    if entry in moved_up:
        raise RefusedError("state", _("A place is free, so no one needs to wait."))
    NightEvent.objects.record_entry(KINDS_BY_STATE[state], entry, by=user)
    mark_changed(tournament.pk)
    return entry


@transaction.atomic
def check_in_expected(*, tournament_id: int, user: User | None = None) -> list[Entry]:
    """Check in all registered players with a place, and return those that were not checked in.

    Raises RefusedError once the tournament is finished.
    """
    tournament = Tournament.objects.lock(pk=tournament_id)
    check_not_finished(tournament)
    expected = list(tournament.entries.unchecked().by_number().select_for_update())
    allocator = _PlaceAllocator(tournament, Entry.State.PRESENT, user)
    for entry in expected:
        allocator.save_state_and_log(entry)
    if expected:
        mark_changed(tournament.pk)
    return expected


@transaction.atomic
def apply_own_report(*, entry_id: int, verb: str, now: datetime) -> Entry:
    """Apply a player's own report: `here`, `away`, `coming`, `leave` or `late`.

    Before any seats are published, players check in with `here`, cancel with `away` and come
    back with `coming`, to the waiting list if all places are taken. Waiting players that are
    `here` are checked in once they get a place. Later, expected players are `here` from the
    next round on, waiting players may cancel, present players may `leave`, and players with a
    seat in a published round may be `late`, and `here` after all. Repeating a report changes
    nothing. Raises RefusedError if it is too early to check in, and for any other change, which
    is up to the director.
    """
    tournament = Tournament.objects.lock(entries=entry_id)
    entry = Entry.objects.select_for_update().get(pk=entry_id)
    published_rounds = tournament.rounds.published()
    if tournament.phase == Tournament.Phase.RUNNING or (
        tournament.phase == Tournament.Phase.OPEN and published_rounds.exists()
    ):
        return _apply_own_report_in_play(entry, verb)
    if tournament.phase != Tournament.Phase.OPEN:
        raise RefusedError("state", _("The tournament is over."))
    expected, absent = Entry.State.EXPECTED, Entry.State.NO_SHOW
    match verb, entry.state:
        case "here", Entry.State.EXPECTED | Entry.State.WAITING:
            if not tournament.is_check_in_open(now):
                raise RefusedError(
                    "state", _("Check-in isn’t open yet. Try again later.")
                )
            if entry.state == Entry.State.WAITING:
                return _mark_waits_here(entry)
            state = Entry.State.PRESENT
        case "away", Entry.State.EXPECTED | Entry.State.PRESENT | Entry.State.WAITING:
            state = absent
        case "coming", Entry.State.NO_SHOW:
            state = expected
        case ("here", Entry.State.PRESENT) | ("away", Entry.State.NO_SHOW):
            return entry
        case "coming", Entry.State.EXPECTED | Entry.State.WAITING:
            return entry
        case _:
            raise RefusedError(
                "verb", _("Only the director can change that. Please ask them.")
            )
    return set_state(entry_id=entry.pk, state=state)


def _mark_waits_here(entry: Entry) -> Entry:
    """Note that the player of a waiting entry is here, to be checked in with their place."""
    if not entry.waits_here:
        entry.waits_here = True
        entry.save(update_fields=["waits_here"])
        NightEvent.objects.record_entry(NightEvent.Kind.CHECKED_IN, entry)
        mark_changed(entry.tournament_id)
    return entry


def _apply_own_report_in_play(entry: Entry, verb: str) -> Entry:
    match verb, entry.state:
        case "here", Entry.State.EXPECTED:
            return set_state(entry_id=entry.pk, state=Entry.State.PRESENT)
        case "here", Entry.State.WAITING:
            return _mark_waits_here(entry)
        case "leave", Entry.State.PRESENT:
            return set_state(entry_id=entry.pk, state=Entry.State.DROPPED)
        case "away", Entry.State.WAITING:
            return set_state(entry_id=entry.pk, state=Entry.State.NO_SHOW)
        case (("late" | "here"), Entry.State.PRESENT):
            _set_late_and_give_time(entry, late=verb == "late")
            return entry
        case "leave", Entry.State.DROPPED:
            return entry
        case _:
            raise RefusedError(
                "state", _("The director decides who plays now. Please ask them.")
            )


def _set_late_and_give_time(entry: Entry, *, late: bool) -> None:
    """Note at a player's next table that they come late, or are there after all.

    The first late player gives the table `LATE_PLAYER_MINUTES` extra minutes.
    """
    place = (
        Place.objects.filter(entry=entry, round__state=Round.State.PUBLISHED)
        .select_related("table")
        .first()
    )
    if place is None and late:
        raise RefusedError(
            "state",
            _(
                "You can say you’re running late after seats are "
                "published, until the round starts."
            ),
        )
    if place is None or place.late == late:
        return
    others_are_late = place.table.places.filter(late=True).exists()
    if late and not others_are_late and not place.table.extra_minutes:
        Table.objects.filter(pk=place.table_id).update(
            extra_minutes=LATE_PLAYER_MINUTES
        )
    place.late = late
    place.save(update_fields=["late"])
    mark_changed(entry.tournament_id)


NEXT_ROUND = 0
"""Value of `from_hand`: the substitute begins in the next round."""


def find_table_in_play(entry: Entry) -> Table | None:
    """Return the table where an entry plays a match that has begun; None without one."""
    if entry.tournament.is_league:
        return None
    tables = Table.objects.filter(
        round__state__in=IS_SEATED,
        places__entry=entry,
        void=False,
        match__finished=False,
    ).select_related("match", "round")
    started_tables = (
        table for table in tables if table.match and has_begun(table.match)
    )
    return next(started_tables, None)


@transaction.atomic
def substitute_entry_player(
    *,
    entry_id: int,
    name: str,
    now: datetime,
    from_hand: int | None = None,
    author: CommandAuthor | None = None,
) -> Entry:
    """Let a substitute play for an entry from now on, and return the entry.

    The substitute takes the seat in every match without a hand. In a match that has begun they
    play from hand `from_hand` on, or not at all with NEXT_ROUND; naming them again changes that
    hand. Raises RefusedError if that hand is needed and not given, if the entry has no place,
    and if the name or its person plays already.
    """
    name = normalize_text(name)
    check_player_name(name)
    tables = Table.objects.filter(
        round__state__in=IS_SEATED, places__entry=entry_id, void=False
    )
    lock_matches(tables.matches())
    tournament = Tournament.objects.lock(entries=entry_id)
    entry = Entry.objects.select_for_update().get(pk=entry_id)
    entry.tournament = tournament
    check_not_finished(tournament)
    if not entry.is_expected_or_present:
        raise RefusedError(
            "name",
            _("%(name)s isn’t playing right now. Check them in first.")
            % {"name": entry.name},
        )
    started_table = find_table_in_play(entry)
    if started_table is not None and from_hand is None:
        raise RefusedError(
            "from_hand",
            _(
                "Table %(table)s has already entered a hand. Choose the "
                "substitute’s first hand."
            )
            % {"table": started_table.number},
        )
    if (
        started_table is not None
        and from_hand
        and _has_taken_over_seat(started_table, entry, name)
    ):
        _seat_substitute_in_match(started_table, entry, from_hand, author, now)
        return entry
    player = people_by_name_key(tournament, [name]).get(same_name_key(name))
    substitute_entry = _check_substitute_and_find_entry(entry, name, player)
    # The entry now belongs to the phone of the substitute, if they have one here.
    entry.on_phone = substitute_entry is not None and substitute_entry.on_phone
    entry.subscriptions.all().delete()
    if substitute_entry is not None:
        player, entry.waited_as = substitute_entry.player, substitute_entry.pk
        if substitute_entry.waits_here:
            entry.state = Entry.State.PRESENT
        substitute_entry.subscriptions.update(entry=entry)
        delete_unplayed_entry(substitute_entry)
    entry.player = player or Player.objects.create(name=name, created_at=now)
    entry.save(update_fields=["player", "state", "on_phone", "waited_as"])
    NightEvent.objects.record(
        NightEvent.Kind.SUBSTITUTED,
        tournament=tournament,
        name=f"{entry.name} → {name}",
        by_id=author.account if author else None,
        now=now,
    )
    entry.rename(name)
    fill_places_from_waiting_list(tournament)
    for table in tables.exclude(match=None).select_related("match", "round"):
        if table.match is None or table.match.finished:
            continue
        is_running = table.round.state == Round.State.RUNNING
        if not is_running and not has_logged_or_unsent_entries(table.match):
            start_table(table, tournament, now)
        elif from_hand if table == started_table else not has_begun(table.match):
            # The match keeps its address, so that open scorepads follow.
            _seat_substitute_in_match(table, entry, from_hand or 1, author, now)
    mark_changed(tournament.pk)
    return entry


def _seat_substitute_in_match(
    table: Table,
    entry: Entry,
    from_hand: int,
    author: CommandAuthor | None,
    now: datetime,
) -> None:
    reseat_match(
        table,
        {table.places.get(entry=entry).index: entry},
        uuid4(),
        from_hand,
        author=author or CommandAuthor(may_change_closed=True),
        reason=_("substitute"),
        now=now,
    )


def _has_taken_over_seat(table: Table, entry: Entry, name: str) -> bool:
    """Return whether the player of an entry, with this name, took over their seat during the match."""
    place = table.places.get(entry=entry)
    if table.match is None or same_name_key(name) != same_name_key(place.name):
        return False
    return place.index in occupants_by_changed_seat(table.match.log.seat_changes())


def _check_substitute_and_find_entry(
    entry: Entry, name: str, player: Player | None
) -> Entry | None:
    """Return the substitute's own entry if it has no place and no results; None without an entry.

    Raises RefusedError if the person plays already.
    """
    other_entries = entry.tournament.entries.exclude(pk=entry.pk)
    key = lookalike_key(name)
    candidate = next(
        (other for other in other_entries if lookalike_key(other.name) == key), None
    )
    if candidate is None and player is not None:
        merged_into = direct_merge_targets(entry.tournament.club)
        by_person = {root_player(o.player_id, merged_into): o for o in other_entries}
        candidate = by_person.get(root_player(player.pk, merged_into))
    if (
        candidate is not None
        and not candidate.is_expected_or_present
        and not has_taken_part(candidate)
    ):
        return candidate
    if candidate is not None or same_name_key(name) == same_name_key(entry.name):
        raise RefusedError(
            "name",
            _("“%(name)s” is already playing. Give one of them another name.")
            % {"name": name},
        )
    return None


@transaction.atomic
def remove_entry(*, entry_id: int, user: User | None = None) -> None:
    """Delete an entry that was made by mistake.

    Raises RefusedError if the entry has a part in anything: players leave instead.
    """
    tournament = Tournament.objects.lock(entries=entry_id)
    entry = Entry.objects.select_for_update().get(pk=entry_id)
    if entry.phones_released or entry.subscriptions.exists():
        # The person may be entered again, and use the same phones.
        removed = RemovedEntry.objects.create(
            tournament_id=entry.tournament_id,
            former_player=entry.player_id,
            name=entry.name,
            phones_released=entry.phones_released,
        )
        entry.subscriptions.update(entry=None, removed=removed)
    delete_unplayed_entry(entry)
    NightEvent.objects.record_entry(NightEvent.Kind.REMOVED, entry, by=user)
    fill_places_from_waiting_list(tournament)
    delete_unused_players([entry.player_id])


@transaction.atomic
def add_pending_names(
    *, tournament_id: int, names: Collection[str], checks_in: bool
) -> None:
    """Store names until they are answered; with `checks_in` their players are here.

    Raises RefusedError for too many, and once the tournament is finished.
    """
    tournament = Tournament.objects.lock(pk=tournament_id)
    check_not_finished(tournament)
    pending: dict[str, bool] = dict(tournament.pending_names)
    stored_names = {same_name_key(name): name for name in pending}
    for name in names:
        stored_name = stored_names.setdefault(same_name_key(name), name)
        pending[stored_name] = pending.get(stored_name, False) or checks_in
    if len(pending) > MOST_PENDING:
        raise RefusedError(
            "names",
            _("%(n)s names still need your answer. Answer those first.")
            % {"n": len(tournament.pending_names)},
        )
    tournament.pending_names = pending
    tournament.save(update_fields=["pending_names"])


@transaction.atomic
def pop_pending_names(
    *, tournament_id: int, names: Collection[str]
) -> Mapping[str, bool]:
    """Remove these names from the pending ones; return the removed ones and whether each checks in.

    Names that were answered before are left out.
    """
    tournament = Tournament.objects.lock(pk=tournament_id)
    pending: dict[str, bool] = dict(tournament.pending_names)
    removed_names = {name: pending.pop(name) for name in names if name in pending}
    tournament.pending_names = pending
    tournament.save(update_fields=["pending_names"])
    return removed_names
