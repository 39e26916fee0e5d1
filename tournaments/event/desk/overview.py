"""The content of the director's desk, gathered in a constant number of queries."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games.registry import table_game
from scoring.locales.sentences import join_names
from scoring.models import ConfirmationWay
from scoring.pages.confirmation import (
    describe_confirmation_way,
    describe_director_confirmations,
)
from scoring.versions import SITE, match_topic
from scoring.versions.cache import VersionedCache
from tournaments.changes import RefusedError
from tournaments.event.desk.attention import (
    AttentionFinder,
    AttentionLine,
    CorrectionLink,
    last_hand_correction_link,
)
from tournaments.event.desk.holes import (
    TIME,
    ProgressHoles,
    elapsed_time_holes,
    played_hands_holes,
)
from tournaments.event.draw import (
    UnbrokenTieError,
    check_drawable,
    count_advancing,
    table_size_limits,
)
from tournaments.event.next_seat import has_entered_last_hand
from tournaments.event.requested_byes import coming_byes_in_words
from tournaments.event.rounds import (
    closing_obstacles,
    directors_next_step,
    is_table_confirmed,
    reopening_obstacle,
)
from tournaments.event.seeding import (
    describe_seeding,
    is_first_round_fixed,
    seeding_label,
)
from tournaments.event.tables import first_undecided_hand_by_table
from tournaments.event.teams import incomplete_teams_in_words
from tournaments.event.waiting_list import has_round_for_newcomers
from tournaments.models import (
    Announcement,
    Entry,
    Place,
    Round,
    Table,
    Tournament,
    last_entered_at_by_match,
)
from tournaments.models.round_names import round_subject
from tournaments.models.rounds import required_confirmation_count
from tournaments.names import localized_sort_key
from tournaments.seating import (
    SeatingRefusal,
    TableFill,
    TableSizeLimits,
    choose_table_sizes,
    list_table_alternatives,
)

ENTRIES = VersionedCache[int, Mapping[int, Entry]](lambda _tournament: [SITE])
"""The entries of a tournament by primary key, cached by tournament."""
SEATED = VersionedCache[tuple[int, str], Table](
    lambda table: [SITE, match_topic(table[1])] if table[1] else [SITE]
)
"""Tables `with_places`, cached by primary key and match address: usually only one has a new hand."""


@dataclass(frozen=True, kw_only=True)
class TableTile:
    table: Table
    state: str
    """A key of `TONES`."""
    label: str
    hand: str
    """The hand being played, in words; empty if there is none."""
    places: Sequence[Place]
    heard_at: datetime | None
    """When its last entry came in; None before its first hand."""
    undecided: int
    """The first hand that has two versions; 0 for none."""
    holes: ProgressHoles | None
    """The hands played, out of the usual number; None before a game is chosen."""

    @property
    def is_disputed_or_called(self) -> bool:
        """Return whether the table disputes its result or calls the director."""
        return self.state in ("disputed", "called")

    @property
    def has_unanswered_call(self) -> bool:
        """Return whether the table's call has not been answered yet."""
        table = self.table
        return (
            self.is_disputed_or_called
            and table.called_at is not None
            and table.coming_at is None
        )

    @property
    def dispute_correction(self) -> CorrectionLink | None:
        """Return the link that corrects the last hand; None unless the result is disputed."""
        has_two_versions = bool(self.undecided)
        return None if has_two_versions else last_hand_correction_link(self.table)

    @property
    def is_silent_or_unsent(self) -> bool:
        """Return whether the table is playing, but overdue with entries or holding them on a phone."""
        return self.state in ("silent", "kept")

    @property
    def is_counted_as_playing(self) -> bool:
        """Return whether the table has begun, and hands are still to come."""
        return self.is_silent_or_unsent or self.state == "playing"

    @property
    def tone(self) -> str:
        """Return the colour of the tile: `bad`, `wait`, `off`, `done`, `void` or empty."""
        return TONES[self.state]

    @cached_property
    def card_fingerprint(self) -> str:
        """Return a text that changes whenever the card of the table shows something else."""
        table, match = self.table, self.table.match
        return repr(
            (
                *(table.pk, table.number, table.round.number, table.extra_minutes),
                match and (match.get_absolute_url(), match.unsent_entry_count),
                table.voided_by and table.voided_by.public_name,
                *(self.state, self.label, self.hand, self.undecided, self.holes),
                *(self.heard_at, table.called_at, table.coming_at),
                *(table.dispute_reason, self.dispute_correction),
                [
                    (seat.name, seat.confirmed_at, seat.confirmed_by)
                    if (seat := place.match_seat)
                    else place.entry.name
                    for place in self.places
                ],
            )
        )

    @property
    def required_confirmation_count(self) -> int:
        return required_confirmation_count(
            len(self.places), self.table.round.tournament.quorum
        )

    @property
    def confirmed_count(self) -> int:
        """Return the number of players that have confirmed the result."""
        return sum(place.confirmed_at is not None for place in self.places)

    @property
    def confirmation_descriptions(self) -> Sequence[str]:
        """Return the way in which each player has confirmed, in words, then the director's confirmations.

        The latter are left out if `all_confirmed_text` mentions the director.
        """
        confirmed = [place for place in self.places if place.confirmed_at is not None]
        way_unknown = _("confirmed")
        descriptions = [
            f"{place.name}, {describe_confirmation_way(place.confirmed_by) or way_unknown}"
            for place in confirmed
            if place.confirmed_by != ConfirmationWay.DIRECTOR
        ]
        by_director = describe_director_confirmations(
            [
                place.name
                for place in confirmed
                if place.confirmed_by == ConfirmationWay.DIRECTOR
            ],
            len(self.places),
        )
        return (
            [*descriptions, by_director]
            if by_director and not self.all_confirmed_text
            else descriptions
        )

    @property
    def all_confirmed_text(self) -> str:
        """Return whether players or the director confirmed, in words; empty until every seat has."""
        if not self.places or self.confirmed_count < len(self.places):
            return ""
        by_director = sum(
            place.confirmed_by == ConfirmationWay.DIRECTOR for place in self.places
        )
        if not by_director:
            return _("confirmed by all")
        players = len(self.places) - by_director
        if not players:
            return _("confirmed by the director")
        message = ngettext(
            "confirmed by %(n)s player, the rest by the director",
            "confirmed by %(n)s players, the rest by the director",
            players,
        )
        return message % {"n": players}


class TableChoice(NamedTuple):
    """Other tables for the same players."""

    fill: TableFill
    label: str
    """The sizes of the tables and the number of players that sit out."""


class RoundBlocker(NamedTuple):
    """Something that keeps the round open, and the tables concerned."""

    tables: str
    description: str


LATEST = 12
"""Number of latest matches of a league that stay on the desk when they are over."""
TONES = {
    "disputed": "bad",
    "called": "bad",
    "undecided": "wait",
    "unconfirmed": "wait",
    "silent": "off",
    "kept": "off",
    "ended": "",
    "playing": "",
    "waiting": "",
    "void": "void",
    "done": "done",
}
"""Colour of a table by its state, the most urgent states first."""
ORDER = tuple(TONES)
NEEDING = ("bad", "wait", "off")
HANDS_OF_SILENCE = 2
"""A table without entries for the usual time of so many hands is silent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskContents:
    """Everything that the desk shows."""

    tournament: Tournament
    rounds: Sequence[Round]
    current: Round | None
    """The first round that is not closed, else the last round; None without rounds."""
    tables: Sequence[TableTile]
    blocks: Sequence[str]
    arrivals: str
    """Number of players that are here, in words; empty once the tournament is finished."""
    preflight: str
    """The tables that the present players would make."""
    table_choices: Sequence["TableChoice"]
    """The other tables that the present players could make in the next draw; empty for none."""
    is_empty_room: bool
    """Whether round 1 is to be drawn and no one is checked in."""
    unchecked: str
    """Registered players that are not checked in before the seats are published, in words; empty for none."""
    teams_note: str
    coming_byes: str
    """Who sits out which coming rounds on request; may be empty."""
    """Incomplete teams and players without one before the seats are published, in words; empty for none."""
    needs_lots: bool
    """Whether lots have to be drawn first to decide who advances."""
    step: str
    """The next step: `draw`, `publish`, `start`, `close`, `cut`, `finish` or empty."""
    bye_names: Sequence[str]
    """Names of the players that the draw lets sit the round out."""
    requested_bye_names: Sequence[str]
    """Names of the players that sit it out on request."""
    bye_reason: str
    game: str
    """The game of the round; empty without a round."""
    short_tables: Sequence[int]
    """Numbers of the tables with fewer players than the largest table."""
    absent: Sequence[Entry]
    """Present players without a seat in the round."""
    announcements: Sequence[Announcement]
    repeated_pairs: Sequence[str]
    """Pairs that meet again in this draw, and how often."""
    unseparated_pairs: Sequence[str]
    """Pairs at one table that should have been separated."""
    attention: Sequence[AttentionLine]
    """What needs the director, the most urgent first."""
    time: ProgressHoles | None
    """The elapsed share of the round; None if no clock runs."""

    @property
    def call_and_dispute_lines(self) -> Sequence[AttentionLine]:
        """Return the lines of tables that wait for someone to come."""
        return [line for line in self.attention if line.is_call_or_dispute]

    @property
    def round_summary(self) -> str:
        """Return the round and the number of its tables that need the director, in words."""
        if self.current is None:
            return ""
        name = round_subject(self.current, len(self.tables))
        needing = sum(view.tone in NEEDING for view in self.tables)
        if self.current.state == Round.State.RUNNING and needing:
            message = ngettext(
                "%(round)s: %(n)s table needs you",
                "%(round)s: %(n)s tables need you",
                needing,
            )
            return message % {"round": name, "n": needing}
        state = self.current.get_state_display()
        if self.current.paused_at:
            state = _("paused")
        return _("%(round)s: %(state)s") % {"round": name, "state": state}

    @property
    def table_counts_in_words(self) -> str:
        """Return the numbers of tables: in all, playing and done, in words."""
        table_count, playing_count, done_count = (
            len(self.tables),
            sum(view.is_counted_as_playing for view in self.tables),
            sum(view.state == "done" for view in self.tables),
        )
        counts = [
            ngettext("%(n)s table", "%(n)s tables", table_count) % {"n": table_count}
        ]
        if self.current and self.current.state == Round.State.RUNNING:
            waiting_count = sum(view.state == "waiting" for view in self.tables)
            if waiting_count:
                counts.append(
                    ngettext("%(n)s not started", "%(n)s not started", waiting_count)
                    % {"n": waiting_count}
                )
            counts += [
                ngettext("%(n)s playing", "%(n)s playing", playing_count)
                % {"n": playing_count},
                ngettext("%(n)s done", "%(n)s done", done_count) % {"n": done_count},
            ]
        return " · ".join(counts)

    @property
    def round_blockers(self) -> Sequence[RoundBlocker]:
        """Return what has to happen before the running round can be closed."""
        if not self.blocks:
            return []
        by_state = (
            (("disputed", "called"), _("to settle")),
            (("undecided",), _("two versions of a hand")),
            (("unconfirmed",), _("to confirm")),
            (("silent",), _("no hand for a while")),
            (("kept",), _("hands not sent yet")),
            (("ended",), _("last hand entered")),
        )
        actions = [
            RoundBlocker(
                tables=ngettext("Table %(numbers)s", "Tables %(numbers)s", len(numbers))
                % {"numbers": ", ".join(map(str, numbers))},
                description=description,
            )
            for states, description in by_state
            if (
                numbers := [
                    view.table.number for view in self.tables if view.state in states
                ]
            )
        ]
        playing = sum(view.state in ("playing", "waiting") for view in self.tables)
        if playing:
            tables = ngettext("%(n)s table", "%(n)s tables", playing) % {"n": playing}
            description = ngettext("still playing", "still playing", playing)
            actions.append(RoundBlocker(tables=tables, description=description))
        return actions

    @property
    def reopening_candidate(self) -> Round | None:
        """Return the round that was closed last; None while one runs."""
        if any(round_.state == Round.State.RUNNING for round_ in self.rounds):
            return None
        closed = [
            round_ for round_ in self.rounds if round_.state == Round.State.CLOSED
        ]
        return closed[-1] if closed else None

    @property
    def reopening_obstacle(self) -> str:
        """Return what keeps the last closed round from being opened again; empty for nothing."""
        if self.reopening_candidate is None:
            return ""
        return reopening_obstacle(self.reopening_candidate, self.rounds)

    @property
    def is_current_round_seated_by_desk(self) -> bool:
        """Return whether the desk seated the round; in a league members begin their matches instead."""
        if self.current is None:
            return False
        return not self.tournament.is_league or self.current.stage > 0

    @property
    def seeding_in_words(self) -> str:
        """Return how the round was seeded, as sentences; empty if it was drawn by lot."""
        seeding = self.current.quality.get("seeding") if self.current else None
        return describe_seeding(**seeding) if seeding else ""

    @property
    def next_seeding_in_words(self) -> str:
        """Return how round 1 will be seeded; empty if it is published or has no seeds."""
        is_started = any(round_.state != Round.State.DRAWN for round_ in self.rounds)
        if is_started or not self.tournament.is_first_round_seedable:
            return ""
        return seeding_label(self.tournament)

    @property
    def is_next_round_fixed(self) -> bool:
        """Return whether round 1 comes next, and its seeds decide the tables."""
        return bool(self.next_seeding_in_words) and is_first_round_fixed(
            self.tournament
        )

    @property
    def is_final_drawn(self) -> bool:
        """Return whether the final is drawn, the last round of all."""
        if self.current is None or not self.current.is_playoff:
            return False
        return len(self.tables) == 1

    @property
    def offers_finish(self) -> bool:
        """Return whether the tournament can be finished: a round is closed and none is running."""
        states = {round_.state for round_ in self.rounds}
        return (
            self.tournament.phase == Tournament.Phase.RUNNING
            and Round.State.CLOSED in states
            and Round.State.RUNNING not in states
        )

    @property
    def digest(self) -> str:
        """Return a hash that changes whenever the desk shows something else."""
        tournament, current = self.tournament, self.current
        shown_fields = (
            *("step", "game", "arrivals", "preflight", "needs_lots", "bye_names"),
            "requested_bye_names",
            *("bye_reason", "repeated_pairs", "unseparated_pairs", "short_tables"),
            *(
                "blocks",
                "time",
                "attention",
                "unchecked",
                "is_empty_room",
                "teams_note",
                "coming_byes",
            ),
            "table_choices",
        )
        desk_state = (
            [view.card_fingerprint for view in self.tables],
            [(round_.number, round_.state) for round_ in self.rounds],
            current
            and (
                *(current.ends_at, current.paused_at, current.last_hand_at),
                *(current.seed, current.quality),
            ),
            *(tournament.phase, tournament.listing, tournament.screen),
            *(tournament.standings_shown, tournament.final_size),
            *(tournament.seeding, tournament.seed_pattern),
            bool(tournament.taken_back),
            [getattr(self, field) for field in shown_fields],
            [entry.pk for entry in self.absent],
            [announcement.pk for announcement in self.announcements],
        )
        return sha256(repr(desk_state).encode()).hexdigest()[:16]


def read_desk(tournament: Tournament, now: datetime) -> DeskContents:
    rounds = list(tournament.rounds.order_by("number"))
    unfinished = [round_ for round_ in rounds if round_.state != Round.State.CLOSED]
    current = next(iter(unfinished), rounds[-1] if rounds else None)
    entries = ENTRIES.get_or_load(
        tournament.pk,
        lambda: {entry.pk: entry for entry in tournament.entries.by_number()},
    )
    names = {pk: entry.name for pk, entry in entries.items()}
    present = [
        entry for entry in entries.values() if entry.state == Entry.State.PRESENT
    ]
    tables: list[TableTile] = []
    drawn_byes: list[int] = []
    requested_byes: list[int] = []
    game = bye_reason = ""
    if current is not None:
        tables = _table_tiles(tournament, current, entries, now)
        for pk in current.byes.values_list("entry_id", flat=True):
            is_requested = current.number in entries[pk].bye_rounds
            (requested_byes if is_requested else drawn_byes).append(pk)
        game = current.game or tournament.default_round_game(current.number)
        if drawn_byes:
            bye_reason = _size_limits_in_words(
                game, table_size_limits(tournament, game)
            )
    blocks: list[str] = []
    time = None
    if current is not None and current.state == Round.State.RUNNING:
        # The desk shows only some tables of a league; all of them count here.
        shown_tables = sorted(
            (view.table for view in tables), key=lambda table: table.number
        )
        blocks = closing_obstacles(
            current, None if tournament.is_league else shown_tables
        )
        if current.ends_at is not None:
            remaining = current.ends_at - (current.paused_at or now)
            time = elapsed_time_holes(
                remaining=remaining, minutes=tournament.minutes, count=TIME
            )
    # Before a night is published, the director looks at all of it.
    is_drawn = current is not None and current.state == Round.State.DRAWN
    rated_round = rounds[-1] if is_drawn else current
    quality = rated_round.quality if rated_round else {}
    next_game = tournament.default_round_game(len(rounds) + 1)
    next_tables, needs_lots = _next_tables_in_words_and_needs_lots(
        tournament, rounds, next_game, present
    )
    seated = {place.entry_id for view in tables for place in view.places}
    largest = max((len(view.places) for view in tables), default=0)
    absent = [entry for entry in present if entry.pk not in seated]
    step = directors_next_step(tournament, rounds, len(tables))
    return DeskContents(
        tournament=tournament,
        rounds=rounds,
        current=current,
        tables=tables,
        blocks=blocks,
        arrivals=arrivals_in_words(tournament, entries.values()),
        preflight=next_tables,
        table_choices=_list_table_choices(tournament, rounds, present),
        needs_lots=needs_lots,
        is_empty_room=step == "draw" and not (rounds or present),
        unchecked=_unchecked_players_in_words(tournament, step, entries.values()),
        coming_byes=coming_byes_in_words(
            tournament,
            entries.values(),
            after_round=current.number if current else 0,
        ),
        teams_note=incomplete_teams_in_words(tournament, entries.values())
        if step in ("draw", "publish")
        else "",
        step=step,
        bye_names=[names[entry] for entry in drawn_byes],
        requested_bye_names=[names[entry] for entry in requested_byes],
        bye_reason=bye_reason,
        game=game,
        short_tables=sorted(
            view.table.number for view in tables if len(view.places) < largest
        ),
        absent=absent,
        attention=AttentionFinder(
            tournament=tournament,
            rounds=rounds,
            current=current,
            tables=[view.table for view in tables],
            undecided={
                view.table.pk: view.undecided for view in tables if view.undecided
            },
            absent=absent,
            departed=[
                each for each in entries.values() if each.state == Entry.State.DROPPED
            ],
            now=now,
        ).find(),
        announcements=list(tournament.announcements.active()),
        repeated_pairs=pair_labels(quality.get("again", ()), names),
        unseparated_pairs=pair_labels(quality.get("together", ()), names),
        time=time,
    )


def _table_tiles(
    tournament: Tournament, current: Round, entries: Mapping[int, Entry], now: datetime
) -> list[TableTile]:
    """Return the tables of the round, the most urgent first.

    Of a league only the unfinished and the latest tables. Places get their entry from
    `entries`.
    """
    current.tournament = tournament
    tables = current.tables.order_by("number")
    if tournament.is_league:
        by_latest = current.tables.order_by("-number").values_list("pk", flat=True)
        unfinished = current.tables.unfinished_or_needing_director().values_list(
            "pk", flat=True
        )
        tables = tables.filter(pk__in={*by_latest[:LATEST], *unfinished})

    def read(missing_keys: Sequence[tuple[int, str]]) -> dict[tuple[int, str], Table]:
        addresses = dict(missing_keys)
        fresh = current.tables.with_places().filter(pk__in=addresses)
        for table in fresh:
            table.round = current
            for place in table.places.all():
                if entry := entries.get(place.entry_id):
                    place.entry = entry
        return {(table.pk, addresses[table.pk]): table for table in fresh}

    keys = [
        (pk, address or "")
        for pk, address in tables.values_list("pk", "match__address")
    ]
    heard_at = last_entered_at_by_match(current)
    loaded = SEATED.get_or_load_many(keys, read)
    shown_tables = [table for key in keys if (table := loaded.get(key))]
    undecided = first_undecided_hand_by_table(shown_tables)
    views = []
    for table in shown_tables:
        match, last_at = table.match, heard_at.get(table.match_id or 0)
        undecided_hand = undecided.get(table.pk, 0)
        state, label = _table_state_and_label(
            table, tournament, undecided_hand, has_begun=last_at is not None
        )
        hand = label if state == "playing" else ""
        if state == "playing" and match is not None:
            silence_limit = timedelta(
                minutes=HANDS_OF_SILENCE * table_game(match.game).minutes_a_hand
            )
            is_silent = last_at is not None and now - last_at >= silence_limit
            if match.unsent_entry_count:
                state, label = (
                    "kept",
                    _("%(n)s not sent yet") % {"n": match.unsent_entry_count},
                )
            elif is_silent and not table.round.paused_at:
                state, label = "silent", _("no recent hand")
        places = list(table.places.all())
        views.append(
            TableTile(
                table=table,
                state=state,
                label=label,
                hand=hand,
                places=places,
                heard_at=last_at,
                undecided=undecided_hand,
                holes=played_hands_holes(match, len(places)) if match else None,
            )
        )
    return sorted(views, key=lambda view: ORDER.index(view.state))


def arrivals_in_words(tournament: Tournament, entries: Collection[Entry]) -> str:
    """Return how many players with a place and of the waiting list are here, in words.

    In a league, whose members come at any time, the number of players. Empty once the
    tournament is finished.
    """
    states = [entry.state for entry in entries if entry.is_expected_or_present]
    if tournament.phase == Tournament.Phase.FINISHED:
        return ""
    if tournament.is_league:
        label = ngettext("%(n)s player", "%(n)s players", len(states))
        return label % {"n": len(states)}
    present_count = states.count(Entry.State.PRESENT)
    arrivals = _("%(here)s of %(coming)s checked in") % {
        "here": present_count,
        "coming": len(states),
    }
    waiting_count = sum(
        entry.waits_here and entry.state == Entry.State.WAITING for entry in entries
    )
    if not waiting_count:
        return arrivals
    label = ngettext(
        "%(n)s on the waiting list is here too",
        "%(n)s on the waiting list are here too",
        waiting_count,
    )
    return f"{arrivals} · {label % {'n': waiting_count}}"


MOST_NAMES = 4
"""Names shown of players that have not checked in yet."""


def first_names_and_count(entries: Iterable[Entry]) -> str:
    """Return the first names in alphabetical order, separated by commas, and the number of the others."""
    names = sorted((entry.name for entry in entries), key=localized_sort_key)
    shown = ", ".join(names[:MOST_NAMES])
    if not (others := len(names[MOST_NAMES:])):
        return shown
    text = ngettext("%(names)s and %(n)s more", "%(names)s and %(n)s more", others)
    return text % {"names": shown, "n": others}


def _unchecked_players_in_words(
    tournament: Tournament, step: str, entries: Collection[Entry]
) -> str:
    """Return who is registered and not checked in, until the seats are published.

    Empty if no one is checked in, which the tables of the next draw say, and if newcomers could
    not play.
    """
    expected = [entry for entry in entries if entry.state == Entry.State.EXPECTED]
    is_someone_here = any(entry.state == Entry.State.PRESENT for entry in entries)
    if step not in ("draw", "publish") or not expected or not is_someone_here:
        return ""
    if not has_round_for_newcomers(tournament):
        return ""
    text = ngettext(
        "%(n)s registered player isn’t checked in: %(names)s.",
        "%(n)s registered players aren’t checked in: %(names)s.",
        len(expected),
    )
    return text % {"n": len(expected), "names": first_names_and_count(expected)}


def _next_tables_in_words_and_needs_lots(
    tournament: Tournament,
    rounds: Sequence[Round],
    game: str,
    present: Sequence[Entry],
) -> tuple[str, bool]:
    """Return the players and tables of the next draw, in words, and whether lots come first."""
    last = rounds[-1] if rounds else None
    knockout = tournament.format == Tournament.Format.KNOCKOUT
    if last is None or last.state != Round.State.CLOSED or not (last.stage or knockout):
        count_sentence = ngettext(
            "%(n)s player is here.", "%(n)s players are here.", len(present)
        ) % {"n": len(present)}
        number = len(rounds) + 1
        resting = [entry.name for entry in present if number in entry.bye_rounds]
        if resting:
            text = _("Sitting out on request: %(names)s.")
            names = join_names(sorted(resting, key=localized_sort_key))
            count_sentence = f"{count_sentence} {text % {'names': names}}"
        tables_sentence = table_forecast_in_words(
            tournament, game, len(present) - len(resting)
        )
        return (
            f"{count_sentence} {tables_sentence}"
            if tables_sentence and present
            else tables_sentence
        ), False
    try:
        advancing_count = count_advancing(tournament)
    except UnbrokenTieError as error:
        return error.message, True
    except RefusedError as refused:
        return refused.message, False
    count_sentence = ngettext(
        "%(n)s player advances.", "%(n)s players advance.", advancing_count
    ) % {"n": advancing_count}
    tables_sentence = table_forecast_in_words(
        tournament, game, advancing_count, is_final=not knockout
    )
    return f"{count_sentence} {tables_sentence}", False


def table_forecast_in_words(
    tournament: Tournament, game: str, players: int, *, is_final: bool = False
) -> str:
    """Return the tables that `players` players would make and how many sit out, in words."""
    if tournament.is_league:
        return ""
    if not players:
        return _("No one is checked in yet.")
    sizing = table_size_limits(tournament, game)
    try:
        check_drawable(tournament.format, players, sizing, is_final=is_final)
        if is_final or tournament.format == Tournament.Format.KNOCKOUT:
            sizing = sizing.without_chosen_byes()
        sizes = choose_table_sizes(players, sizing)
    except SeatingRefusal as refusal:
        return str(refusal.message)
    sizes_sentence = _("That makes tables of %(sizes)s.") % {
        "sizes": table_sizes_in_words(sizes)
    }
    bye_count = players - sum(sizes)
    if not bye_count:
        return sizes_sentence
    bye_sentence = ngettext(
        "%(out)s player sits out.", "%(out)s players sit out.", bye_count
    ) % {"out": bye_count}
    return f"{sizes_sentence} {bye_sentence} {_size_limits_in_words(game, sizing)}"


MOST_SIZES = 6
"""More tables than these are grouped by size."""


def table_sizes_in_words(sizes: Sequence[int]) -> str:
    """Return the sizes of tables as a sum, as in `5 + 4 + 4` or, for many tables, `8 × 5 + 2 × 4`."""
    if len(sizes) <= MOST_SIZES:
        return " + ".join(map(str, sizes))
    return " + ".join(f"{count} × {size}" for size, count in Counter(sizes).items())


def _list_table_choices(
    tournament: Tournament, rounds: Sequence[Round], present: Sequence[Entry]
) -> list[TableChoice]:
    """Return the other tables that the next draw for everyone could make."""
    started = [round_ for round_ in rounds if round_.state != Round.State.DRAWN]
    is_knockout = tournament.format == Tournament.Format.KNOCKOUT
    if (
        not tournament.is_first_round_seedable
        or any(round_.stage for round_ in rounds)
        or (is_knockout and started)
    ):
        return []
    number = len(started) + 1
    game = tournament.default_round_game(number)
    resting_count = sum(number in entry.bye_rounds for entry in present)
    sizing = table_size_limits(tournament, game)
    try:
        _chosen, *others = list_table_alternatives(
            len(present) - resting_count,
            sizing.without_chosen_byes() if is_knockout else sizing,
        )
    except SeatingRefusal:
        return []
    choices = []
    for alternative in others:
        label = table_sizes_in_words(alternative.sizes)
        if alternative.bye_count:
            byes = ngettext("%(n)s sits out", "%(n)s sit out", alternative.bye_count)
            label = f"{label} · {byes % {'n': alternative.bye_count}}"
        if not (is_knockout and alternative.bye_count):
            choices.append(TableChoice(alternative.fill, label))
    return choices


def _size_limits_in_words(game: str, sizing: TableSizeLimits) -> str:
    if sizing.fill == TableFill.FULL:
        return _("Only full tables of %(size)s are drawn.") % {"size": sizing.preferred}
    if sizing.least == sizing.most:
        return _(
            "In this tournament, each %(game)s table has exactly %(size)s players."
        ) % {
            "game": table_game(game).name,
            "size": sizing.least,
        }
    return _("In this tournament, each table has %(least)s to %(most)s players.") % {
        "least": sizing.least,
        "most": sizing.most,
    }


def pair_labels(pairs: Iterable[Sequence[int]], names: Mapping[int, str]) -> list[str]:
    """Return pairs of entries as in `Ann – Bo`, or `Ann – Bo (2×)` with a third number."""
    return [
        f"{names[first]} – {names[second]}" + (f" ({times[0]}×)" if times else "")
        for first, second, *times in pairs
        if first in names and second in names
    ]


def _table_state_and_label(
    table: Table, tournament: Tournament, undecided: int, *, has_begun: bool
) -> tuple[str, str]:
    match = table.match
    if table.void:
        return "void", _("void")
    if table.disputed:
        return "disputed", _("disputed")
    if table.called_at is not None:
        return "called", _("calling")
    if undecided:
        return "undecided", _("two versions of hand %(number)s") % {"number": undecided}
    if match is None or not has_begun:
        late = ", ".join(place.name for place in table.places.all() if place.late)
        label = (
            _("waiting for %(names)s") % {"names": late} if late else _("not started")
        )
        if match is None and table.round.state == Round.State.RUNNING:
            label = _("choosing a game")
        return "waiting", label
    if not match.has_counting_result:
        if has_entered_last_hand(table):
            return "ended", _("last hand entered")
        return "playing", _("hand %(number)s") % {"number": match.hands_played + 1}
    if not is_table_confirmed(table, tournament.quorum):
        return "unconfirmed", _("unconfirmed")
    return "done", _("done")
