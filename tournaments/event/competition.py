"""Connect the scorepad to the tournament that a match belongs to."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from django.db.models import Prefetch, prefetch_related_objects
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.competition import (
    NOWHERE,
    Competition,
    ConfirmationRules,
    LocaleDefaults,
    NextTableNotice,
    Notice,
    OwnNight,
    ResultState,
    SimilarPerson,
)
from scoring.locales.sentences import join_names
from scoring.models import Match, Player
from scoring.models.matches import MatchQuerySet
from scoring.rules import MatchState
from scoring.rules.names import same_name_key
from scoring.versions import SITE
from scoring.versions.cache import VersionedCache
from tournaments.changes import RefusedError
from tournaments.event.entries import people_by_name_key
from tournaments.event.next_seat import (
    build_next_table_notice,
    deadline_notice,
    has_counting_result_or_closed_round,
    has_entered_last_hand,
    last_hand_notice,
)
from tournaments.event.own_nights import find_own_nights
from tournaments.event.results import call_director, confirm_disputed_result_or_end_call
from tournaments.event.rights import (
    director_author,
    is_trusted_at_table,
    may_settle,
    may_write_at_table,
    own_place,
    own_places,
    seat_indexes_with_phone,
    table_read_only_hint,
)
from tournaments.event.rounds import describe_settled_table
from tournaments.event.table_results import read_results_by_stage, table_result
from tournaments.hooks import happenings
from tournaments.models import Club, Round, Table, Tournament, User, Webhook
from tournaments.models.round_names import round_name, round_subject
from tournaments.models.rounds import required_confirmation_count
from tournaments.people.club_state import club_state
from tournaments.people.similar_names import find_similar_players
from tournaments.standings import staged_standings

ROUNDS = VersionedCache[int, Round](lambda _round: [SITE])
"""Rounds by primary key, with their tournaments and clubs."""
ANNOUNCED = VersionedCache[int, Sequence[str]](lambda _tournament: [SITE])
"""Texts of the active announcements, by tournament."""


class TournamentCompetition(Competition):
    """The competition of matches that are played at tables of tournaments."""

    def with_related(
        self, matches: MatchQuerySet, *, may_be_stale: bool = False
    ) -> MatchQuerySet:
        """Return matches with their tables, rounds, tournaments and clubs.

        With `may_be_stale` only the tables are joined: `_get_table` reads the rest from a cache.
        """
        if may_be_stale:
            return matches.select_related("table")
        return matches.select_related("table__round__tournament__club")

    def own_nights(self, request: HttpRequest) -> Sequence[OwnNight]:
        return find_own_nights(request, timezone.now())

    def locale_defaults(self, match: Match) -> LocaleDefaults:
        table = _get_table(match)
        return table.round.tournament.club if table else NOWHERE

    def notices(self, match: Match) -> Sequence[Notice]:
        """Return notices about the table, its clock, its call or dispute, and announcements.

        There is no clock once the result counts or the round is closed.
        """
        table = _get_table(match)
        if table is None:
            return ()
        round_, tournament = table.round, table.round.tournament
        is_running = (
            round_.state == Round.State.RUNNING and not match.has_counting_result
        )
        heading = _("Table %(number)s · %(name)s")
        if is_running and not table.called_at:
            heading = _("Table %(number)s · %(name)s: confirm or call the director")
        table_notice = Notice(
            text=heading % {"number": table.number, "name": tournament.name},
            address=_table_url(table),
            ends_at=table.ends_at if is_running else None,
            paused_at=round_.paused_at if is_running else None,
        )
        messages = (
            []
            if table.void
            else [table.dispute_or_call_status, table.players_dispute_advice]
        )
        if not is_running:
            messages.append(self.match_over_notice(match))
        if not match.version:
            late = table.places.filter(late=True).select_related("entry")
            if names := [place.name for place in late.order_by("index")]:
                messages.append(late_players_sentence(names))
        if is_running and (notice := last_hand_notice(table)):
            messages += [notice, deadline_notice(table, timezone.now())]
        active_announcements = tournament.announcements.active()
        messages += ANNOUNCED.get_or_load(
            tournament.pk,
            lambda: list(active_announcements.values_list("text", flat=True)),
        )
        return [
            table_notice,
            *(Notice(text=message, urgent=True) for message in messages if message),
        ]

    def match_over_notice(self, match: Match) -> str:
        """Return a notice that the last hand is in or the round is closed; empty while it is played.

        Empty also for finished and closed matches, which have a notice of their own.
        """
        table = _get_table(match)
        if table is None or table.void or match.finished or match.closed:
            return ""
        if table.round.state != Round.State.CLOSED:
            return last_hand_notice(table) if has_entered_last_hand(table) else ""
        message = _("%(round)s is closed. Late hands still count.")
        if table.round.tournament.unfinished == Tournament.UnfinishedTableRule.VOID:
            message = _("%(round)s is closed. This table counts once it’s finished.")
        return message % {"round": round_subject(table.round)}

    def is_last_hand_called(self, match: Match) -> bool:
        """Return whether the last hand is called for a table that is still playing."""
        table = _get_table(match)
        return table is not None and last_hand_notice(table) != ""

    def next_table_notice(
        self, match: Match, request: HttpRequest
    ) -> NextTableNotice | None:
        """Return the next seats of the table's players; None while they play."""
        table = _get_table(match)
        # The places of the phone are only looked up once the table is done.
        if table is None or not has_counting_result_or_closed_round(table):
            return None
        return build_next_table_notice(
            table, own_places(table, table.round.tournament, request)
        )

    def table_url(self, match: Match) -> str:
        """Return the URL of the table of a match; empty without one."""
        table = _get_table(match)
        return _table_url(table) if table else ""

    def confirmation_rules(self, match: Match) -> ConfirmationRules | None:
        """Return the required confirmations and a key for the holder of each seat."""
        table = _get_table(match)
        if table is None:
            return None
        places = table.places.order_by("index").values_list(
            "index", "entry", "entry__player", "entry__phones_released"
        )
        holders = {
            index: f"{entry} {player}" + (f" {released}" if released else "")
            for index, entry, player, released in places
        }
        required = required_confirmation_count(
            len(holders), table.round.tournament.quorum
        )
        return ConfirmationRules(
            required=required,
            holders=holders,
            is_disputed=table.disputed and not table.void,
        )

    def poll_state(self, match: Match) -> Hashable:
        """Return the roles, names and looks in the club, and when the last hand was called."""
        table = _get_table(match)
        if table is None:
            return None
        club = club_state(table.round.tournament.club)
        return repr((*club, table.round.last_hand_at))

    def result_state(self, match: Match) -> ResultState:
        table = _get_table(match)
        return table.result_state if table else ResultState.FINAL

    def own_seat(self, match: Match, request: HttpRequest) -> int | None:
        table = _get_table(match)
        if table is None:
            return None
        own = own_place(table, table.round.tournament, request)
        return own.index if own else None

    def seat_indexes_with_phone(self, match: Match) -> Collection[int]:
        """Return the seats of players with a phone of their own; see `rights.seat_indexes_with_phone`."""
        table = _get_table(match)
        return seat_indexes_with_phone(table) if table else ()

    def seats_on_same_phone(self, match: Match, request: HttpRequest) -> Sequence[int]:
        """Return the seats of the other players that share the requesting phone."""
        table = _get_table(match)
        if table is None:
            return ()
        own = own_places(table, table.round.tournament, request)
        return [place.index for place in own.at_table[1:]]

    def can_others_confirm_on_this_phone(
        self, match: Match, request: HttpRequest
    ) -> bool:
        table = _get_table(match)
        return table is not None and is_trusted_at_table(
            table, table.round.tournament, request
        )

    def desk_url(self, match: Match, user: object) -> str:
        """Return the URL of the tournament's desk; empty for users without a role in the club."""
        if not isinstance(user, User):
            return ""
        tournaments = Tournament.objects.select_related("club")
        tournament = tournaments.filter(rounds__tables__match=match).first()
        if tournament is None or tournament.club.get_role(user) is None:
            return ""
        return reverse("tournaments:desk", args=[tournament.address])

    def may_write(self, match: Match, request: HttpRequest) -> bool:
        """Allow players at the table, directors, and phones that scanned the table's card."""
        table = _get_table(match)
        if table is None:
            return super().may_write(match, request)
        return may_write_at_table(table, table.round.tournament, request)

    def table_read_only_hint(self, match: Match, request: HttpRequest) -> str:
        """Return a hint for a requester that may not write at the table; empty for the usual one."""
        table = _get_table(match)
        return table_read_only_hint(table.round.tournament, request) if table else ""

    def shareable_secret(self, match: Match) -> str:
        """Return the secret on the card of the match's table; empty without cards."""
        tournaments = Tournament.objects.filter(rounds__tables__match=match)
        by_card = tournaments.filter(writing=Tournament.Writing.CARD)
        return match.secret if by_card.exists() else ""

    def may_change_closed(self, match: Match, user: object) -> bool:
        """Allow users that may settle the club's tables to change matches of finished tournaments."""
        club = Club.objects.filter(tournaments__rounds__tables__match=match).first()
        return club is not None and may_settle(club, user)

    def director_name(self, match: Match, user: object) -> str:
        """Return the user's public name if they may settle the club's tables; empty otherwise."""
        if not isinstance(user, User) or not self.may_change_closed(match, user):
            return ""
        return user.public_name

    def settle_dispute(self, match: Match, user: object, now: datetime) -> Notice:
        """Settle the dispute or call of the match's table for a user that has a role in the club.

        The notice is urgent if it could not be settled.
        """
        table = _get_table(match)
        assert table is not None
        assert isinstance(user, User)
        author = director_author(user)
        try:
            confirm_disputed_result_or_end_call(
                table_id=table.pk, author=author, now=now
            )
        except RefusedError as refused:
            return Notice(text=refused.message, urgent=True)
        return Notice(text=describe_settled_table(table.pk))

    def describe_consequences(
        self, match: Match, changed_state: MatchState
    ) -> Sequence[str]:
        """Return how a change would move public ranks, and which published seatings stay."""
        table = (
            Table.objects.with_places_and_entries()
            .select_related("round__tournament")
            .filter(match=match)
            .first()
        )
        if table is None or table.void:
            return ()
        tournament = table.round.tournament
        stages = read_results_by_stage(tournament)
        stages_without_table = read_results_by_stage(
            tournament, except_tables=[table.pk]
        )
        changed_stages = list(stages)
        for stage, (event, event_without_table) in enumerate(
            zip(stages, stages_without_table, strict=True)
        ):
            counts = changed_state.finished or len(event_without_table.tables) < len(
                event.tables
            )
            if stage != table.round.stage or not counts:
                continue
            places = list(table.places.all())
            result = table_result(
                round_number=table.number
                if tournament.is_league
                else table.round.number,
                table=table.number,
                game=changed_state.game,
                entries=[place.entry_id for place in places],
                points=[changed_state.totals[place.index] for place in places],
                ranks=[changed_state.ranks[place.index] for place in places],
                finished=changed_state.finished,
            )
            changed_stages[stage] = replace(
                event_without_table,
                tables=[*event_without_table.tables, result],
                has_final_tables=event_without_table.has_final_tables
                and changed_state.finished,
            )
        ranks_before = {row.player: row.rank for row in staged_standings(stages)}
        ranks_after = {row.player: row.rank for row in staged_standings(changed_stages)}
        rank_changes = [
            _("%(name)s moves from rank %(before)s to %(after)s in the standings.")
            % {
                "name": place.entry.name,
                "before": ranks_before[str(place.entry_id)],
                "after": ranks_after[str(place.entry_id)],
            }
            for place in table.places.all()
            if ranks_before.get(str(place.entry_id))
            != ranks_after.get(str(place.entry_id))
            and str(place.entry_id) in ranks_before
        ]
        if not rank_changes:
            return ()
        later_rounds = tournament.rounds.filter(number__gt=table.round.number)
        seating_message = _("%(round)s: the seating is published and won’t change.")
        # Phones at a table must not reveal ranks before the standings are public.
        return (rank_changes if tournament.are_current_standings_public else []) + [
            seating_message % {"round": round_name(round_)}
            for round_ in later_rounds.exclude(state=Round.State.DRAWN)
        ]

    def find_similar_people(
        self, match: Match, name: str, *, excluded: Collection[Player] = ()
    ) -> Sequence[SimilarPerson]:
        """Return players of the club that a name may mean, besides those in `excluded` with exactly that name."""
        table = _get_table(match)
        if table is None:
            return ()
        doubles = find_similar_players(
            table.round.tournament.club, [name], excluded=excluded
        )
        return [
            SimilarPerson(name=player.name, text=player.label)
            for players in doubles.values()
            for player in players
        ]

    def find_player(self, match: Match, name: str) -> Player | None:
        """Return the club's player that last played under this name; None if there is none."""
        table = _get_table(match)
        if table is None:
            return None
        people = people_by_name_key(table.round.tournament, [name])
        return people.get(same_name_key(name))

    def record_director_call(self, match: Match, now: datetime) -> None:
        for table in Table.objects.filter(match=match):
            call_director(table_id=table.pk, now=now)

    def record_counting_result_event(self, match: Match) -> None:
        """Record the event for the webhooks of the club."""
        for table in _tables_with_webhooks(match):
            happenings.report_match_finished(table)

    def record_confirmed_result_event(
        self, match: Match, seat: int, now: datetime
    ) -> None:
        """Record the event for the club's webhooks once the last required player confirms."""
        for table in _tables_with_webhooks(match):
            confirmed = {
                place.index: place.confirmed_at for place in table.places.all()
            }
            confirmation_times = [at for at in confirmed.values() if at is not None]
            required = required_confirmation_count(
                len(confirmed), table.round.tournament.quorum
            )
            # A repeated tap is not a new confirmation.
            if len(confirmation_times) == required and confirmed.get(seat) == now:
                happenings.report_result_confirmed(table)


def _tables_with_webhooks(match: Match) -> Iterable[Table]:
    """Return the table of a match, read again, if any webhook of its club is active."""
    # Few clubs have webhooks, and this runs at the end of every match.
    clubs = set(Webhook.objects.active().values_list("club", flat=True))
    if not clubs:
        return ()
    tables = Table.objects.filter(match=match, round__tournament__club__in=clubs)
    return tables.with_places_and_entries().select_related("round__tournament__club")


def _get_table(match: Match) -> Table | None:
    """Return the table of a match, cached on `match`; None for a match without a table."""
    if not match.pk:
        # A sample match, shown but never saved.
        return None
    tables = Table.objects.select_related("round__tournament__club")
    prefetch_related_objects([match], Prefetch("table", tables))
    table: Table | None = getattr(match, "table", None)
    if table is not None and not Table.round.is_cached(table):
        rounds = Round.objects.select_related("tournament__club")
        number = table.round_id
        table.round = ROUNDS.get_or_load(number, lambda: rounds.get(pk=number))
    return table


def _table_url(table: Table) -> str:
    return reverse(
        "tournaments:table",
        args=[table.round.tournament.address, table.round.number, table.number],
    )


def late_players_sentence(names: Sequence[str]) -> str:
    """Return the sentence that a table waits for these late players."""
    message = ngettext(
        "%(names)s is running late. The table is waiting.",
        "%(names)s are running late. The table is waiting.",
        len(names),
    )
    return message % {"names": join_names(names)}
