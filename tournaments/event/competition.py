"""What the scorepad asks and tells of the tournament that a match belongs to."""

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
    Agreement,
    Competition,
    LocaleDefaults,
    Namesake,
    NextTable,
    Notice,
    ResultState,
)
from scoring.games.words import join_names
from scoring.models import Match, Player
from scoring.models.matches import MatchQuerySet
from scoring.rules import MatchState
from scoring.rules.names import same_name_key
from scoring.versions import SITE
from scoring.versions.cache import VersionedCache
from tournaments.event.entries import people_of_club
from tournaments.event.next_seat import (
    describe_next_seat,
    has_last_hand,
    is_done,
    lag_warning,
    last_hand_notice,
)
from tournaments.event.results import call_director
from tournaments.event.rights import (
    follow_reason,
    is_at,
    may_settle,
    may_write_at,
    own_place,
    own_places,
    seats_on_phones,
)
from tournaments.event.table_results import read_stages, table_result
from tournaments.hooks import happenings
from tournaments.models import Club, Round, Table, Tournament, User, Webhook
from tournaments.models.round_names import round_name, round_subject
from tournaments.models.rounds import required_confirmations
from tournaments.people.club_state import club_state
from tournaments.people.similar_names import find_similar_players
from tournaments.standings import staged_standings

ROUNDS = VersionedCache[int, Round](lambda _round: [SITE])
"""By their own numbers, with their tournaments and clubs."""
ANNOUNCED = VersionedCache[int, Sequence[str]](lambda _tournament: [SITE])
"""By tournament, what its director tells everybody."""


class Tournaments(Competition):
    """Matches at the tables of tournaments, of which the site's clubs have many."""

    def along(self, matches: MatchQuerySet, *, to_look: bool = False) -> MatchQuerySet:
        """Return matches with their tables, rounds, tournaments and clubs.

        To look at them the tables are enough: `_get_table` remembers the rest.
        """
        if to_look:
            return matches.select_related("table")
        return matches.select_related("table__round__tournament__club")

    def place(self, match: Match) -> LocaleDefaults:
        table = _get_table(match)
        return table.round.tournament.club if table else NOWHERE

    def notices(self, match: Match) -> Sequence[Notice]:
        """Return the table where the match is played, its clock, and what is announced.

        A table that is done has no clock, and nobody hurries it.
        """
        table = _get_table(match)
        if table is None:
            return ()
        round_, tournament = table.round, table.round.tournament
        goes_on = round_.state == Round.State.RUNNING and not match.is_settled
        words = _("Table %(number)s · %(name)s")
        if goes_on and not table.called_at:
            words = _("Table %(number)s · %(name)s: agree, or call the director")
        where = Notice(
            words=words % {"number": table.number, "name": tournament.name},
            address=_table_url(table),
            ends_at=table.ends_at if goes_on else None,
            paused_at=round_.paused_at if goes_on else None,
        )
        lines = [] if table.void else [table.call_sentence, table.dispute_advice]
        if not goes_on:
            lines.append(self.late_notice(match))
        if not match.version:
            late = table.places.filter(late=True).select_related("entry")
            if names := [place.name for place in late.order_by("index")]:
                lines.append(late_in_words(names))
        if goes_on and (notice := last_hand_notice(table)):
            lines += [notice, lag_warning(table, timezone.now())]
        standing = tournament.announcements.active()
        lines += ANNOUNCED.get_or_load(
            tournament.pk, lambda: list(standing.values_list("text", flat=True))
        )
        return [where, *(Notice(words=line, urgent=True) for line in lines if line)]

    def late_notice(self, match: Match) -> str:
        """Return that the last hand is in, or the round closed; empty while it is played.

        A finished tournament has closed its matches, and they say so themselves.
        """
        table = _get_table(match)
        if table is None or table.void or match.finished or match.closed:
            return ""
        if table.round.state != Round.State.CLOSED:
            return last_hand_notice(table) if has_last_hand(table) else ""
        words = _("%(round)s is closed. Late hands still count.")
        if table.round.tournament.unfinished == Tournament.Unfinished.VOID:
            words = _("%(round)s is closed. The table counts once it is over.")
        return words % {"round": round_subject(table.round)}

    def is_last_hand_called(self, match: Match) -> bool:
        """Tell whether the director has called the last hand of a table that goes on."""
        table = _get_table(match)
        return table is not None and last_hand_notice(table) != ""

    def next_table(self, match: Match, request: HttpRequest) -> NextTable | None:
        """Return where those who played go on; None while they play."""
        table = _get_table(match)
        # Mostly nobody has to be asked for who they are.
        if table is None or not is_done(table):
            return None
        return describe_next_seat(
            table, own_places(table, table.round.tournament, request)
        )

    def confirmed_at(self, match: Match) -> str:
        """Return the page of the table where the match was played; empty for none."""
        table = _get_table(match)
        return _table_url(table) if table else ""

    def agreement(self, match: Match) -> Agreement | None:
        """Return how many of the table are to agree, and who sits there now."""
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
        wanted = required_confirmations(len(holders), table.round.tournament.quorum)
        return Agreement(
            wanted=wanted,
            holders=holders,
            is_disputed=table.disputed and not table.void,
        )

    def poll_state(self, match: Match) -> Hashable:
        """Return who has which role and name in its club, how that looks, and the last hand called."""
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

    def seats_on_phones(self, match: Match) -> Collection[int]:
        """Return where those sit who have a phone with them, by which they entered or are signed in."""
        table = _get_table(match)
        return seats_on_phones(table) if table else ()

    def family_seats(self, match: Match, request: HttpRequest) -> Sequence[int]:
        """Return where others of a family sit who share the phone that asks."""
        table = _get_table(match)
        if table is None:
            return ()
        own = own_places(table, table.round.tournament, request)
        return [place.index for place in own.here[1:]]

    def is_at_table(self, match: Match, request: HttpRequest) -> bool:
        table = _get_table(match)
        return table is not None and is_at(table, table.round.tournament, request)

    def desk(self, match: Match, user: object) -> str:
        """Return the desk of the match's tournament; empty for users without a role."""
        if not isinstance(user, User):
            return ""
        tournaments = Tournament.objects.select_related("club")
        tournament = tournaments.filter(rounds__tables__match=match).first()
        if tournament is None or tournament.club.get_role(user) is None:
            return ""
        return reverse("tournaments:desk", args=[tournament.address])

    def may_write(self, match: Match, request: HttpRequest) -> bool:
        """Let those write who sit at the table, direct, or have scanned its card."""
        table = _get_table(match)
        if table is None:
            return super().may_write(match, request)
        return may_write_at(table, table.round.tournament, request)

    def follows_because(self, match: Match, request: HttpRequest) -> str:
        """Return why who asks may not write at the match of a table."""
        table = _get_table(match)
        return follow_reason(table.round.tournament, request) if table else ""

    def shared_secret(self, match: Match) -> str:
        """Return what the card of the match's table shows; empty where there is none."""
        tournaments = Tournament.objects.filter(rounds__tables__match=match)
        by_card = tournaments.filter(writing=Tournament.Writing.CARD)
        return match.secret if by_card.exists() else ""

    def may_change_closed(self, match: Match, user: object) -> bool:
        """Let those who settle the club's tables change matches of finished tournaments."""
        club = Club.objects.filter(tournaments__rounds__tables__match=match).first()
        return club is not None and may_settle(club, user)

    def official(self, match: Match, user: object) -> str:
        """Return the public name of who settles the club's tables."""
        if not isinstance(user, User) or not self.may_change_closed(match, user):
            return ""
        return user.public_name

    def consequences(self, match: Match, state: MatchState) -> Sequence[str]:
        """Return how a change would move ranks that all may see, and which seatings stay."""
        table = (
            Table.objects.with_people()
            .select_related("round__tournament")
            .filter(match=match)
            .first()
        )
        if table is None or table.void:
            return ()
        tournament = table.round.tournament
        stages = read_stages(tournament)
        without = read_stages(tournament, without=[table.pk])
        changed = list(stages)
        for stage, (event, others) in enumerate(zip(stages, without, strict=True)):
            counts = state.finished or len(others.tables) < len(event.tables)
            if stage != table.round.stage or not counts:
                continue
            places = list(table.places.all())
            result = table_result(
                round_number=table.number
                if tournament.is_league
                else table.round.number,
                table=table.number,
                game=state.game,
                entries=[place.entry_id for place in places],
                points=[state.totals[place.index] for place in places],
                ranks=[state.ranks[place.index] for place in places],
                finished=state.finished,
            )
            changed[stage] = replace(
                others,
                tables=[*others.tables, result],
                has_final_tables=others.has_final_tables and state.finished,
            )
        before = {row.player: row.rank for row in staged_standings(stages)}
        after = {row.player: row.rank for row in staged_standings(changed)}
        moved = [
            _("%(name)s moves from rank %(before)s to %(after)s in the standings.")
            % {
                "name": place.entry.name,
                "before": before[str(place.entry_id)],
                "after": after[str(place.entry_id)],
            }
            for place in table.places.all()
            if before.get(str(place.entry_id)) != after.get(str(place.entry_id))
            and str(place.entry_id) in before
        ]
        if not moved:
            return ()
        later = tournament.rounds.filter(number__gt=table.round.number)
        words = _("%(round)s: the seating is published and stays as it is.")
        # Where standings are not public yet, a phone at a table does not tell ranks.
        return (moved if tournament.shows_all else []) + [
            words % {"round": round_name(round_)}
            for round_ in later.exclude(state=Round.State.DRAWN)
        ]

    def find_namesakes(
        self, match: Match, name: str, *, but: Collection[Player] = ()
    ) -> Sequence[Namesake]:
        """Return whom of the club a name may mean that only these players have as it is written."""
        table = _get_table(match)
        if table is None:
            return ()
        doubles = find_similar_players(table.round.tournament.club, [name], but=but)
        return [
            Namesake(name=who.name, words=who.words)
            for known in doubles.values()
            for who in known
        ]

    def find_player(self, match: Match, name: str) -> Player | None:
        """Return who of the club played by a name last."""
        table = _get_table(match)
        if table is None:
            return None
        people = people_of_club(table.round.tournament, [name])
        return people.get(same_name_key(name))

    def call_director(self, match: Match, now: datetime) -> None:
        for table in Table.objects.filter(match=match):
            call_director(table_id=table.pk, now=now)

    def note_settled(self, match: Match) -> None:
        """Have the club's webhooks told that the table's result counts."""
        for table in _tables_with_webhooks(match):
            happenings.match_finished(table)

    def note_agreement(self, match: Match, seat: int, now: datetime) -> None:
        """Have the club's webhooks told, once as many have agreed as the tournament asks."""
        for table in _tables_with_webhooks(match):
            confirmed = {
                place.index: place.confirmed_at for place in table.places.all()
            }
            agreed = [at for at in confirmed.values() if at is not None]
            wanted = required_confirmations(
                len(confirmed), table.round.tournament.quorum
            )
            # A repeated tap is no new agreement.
            if len(agreed) == wanted and confirmed.get(seat) == now:
                happenings.result_confirmed(table)


def _tables_with_webhooks(match: Match) -> Iterable[Table]:
    """Return the table of a match as it is now, where its club has any webhook."""
    # Few clubs have any, and each match that ends asks.
    clubs = set(Webhook.objects.active().values_list("club", flat=True))
    if not clubs:
        return ()
    tables = Table.objects.filter(match=match, round__tournament__club__in=clubs)
    return tables.with_people().select_related("round__tournament__club")


def _get_table(match: Match) -> Table | None:
    """Return the table where a match is played; asked once of each `match`."""
    if not match.pk:
        # A sample that is shown and stored nowhere.
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


def late_in_words(names: Sequence[str]) -> str:
    """Return that a table waits for these people."""
    words = ngettext(
        "%(names)s: comes late. The table waits.",
        "%(names)s: come late. The table waits.",
        len(names),
    )
    return words % {"names": join_names(names)}
