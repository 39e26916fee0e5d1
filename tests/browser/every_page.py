"""Every page of the site, by its URL pattern and example arguments."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from uuid import uuid4

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.core.management import call_command
from django.urls import URLResolver, get_resolver
from django.utils import timezone

from scoring.models import Match, Trick
from scoring.models.matches import demo_address
from tests.browser.club import PASSWORD
from tests.factories.circuits import add_to_circuit, new_circuit
from tests.factories.tournaments import (
    TournamentFactory,
    UserFactory,
    play_round,
    running_round,
    tournament_with,
)
from tests.scoring.games.tricks_and_treats.test_board_log import (
    laid_match,
    play,
    play_until_usable,
)
from tournaments.history.seasons import close_season
from tournaments.management.commands.demo import RUNNING
from tournaments.models import (
    Arrival,
    Circuit,
    Club,
    Invitation,
    Role,
    Subscription,
    Tournament,
    Upload,
    User,
    Webhook,
)
from tournaments.models.clubs import DEMO

Example = dict[str, Any]
"""Arguments of a URL by name."""

NO_PAGES: Mapping[str, str] = {
    "only posted to": """
        set_language scoring:match_confirm scoring:match_withdraw scoring:match_take_seat scoring:match_detach_phone scoring:match_forget scoring:hand_preview
        scoring:match_rematch scoring:entries scoring:pending_entries scoring:hand_choose scoring:hand_note scoring:hand_void
        scoring:hand_restore scoring:board_preview tournaments:invitation_withdraw
        tournaments:person_remove tournaments:player_visibility tournaments:player_claim
        tournaments:player_unmerge tournaments:claim_withdraw tournaments:claim_settle
        tournaments:season_action tournaments:club_cards_renew tournaments:import_action
        tournaments:me_action tournaments:me_subscribe tournaments:desk_subscribe
        tournaments:table_action tournaments:listing
        tournaments:registration tournaments:cut tournaments:tie_break_draw tournaments:screen
        tournaments:announce tournaments:announcement_withdraw tournaments:reopen
        tournaments:finish tournaments:draw tournaments:draw_restore tournaments:count_standings
        tournaments:auto_step_action tournaments:round_action tournaments:desk_table_action
        tournaments:keep_entries_apart tournaments:check_in_expected
        tournaments:entry_action tournaments:entry_seat tournaments:penalty_cancel tournaments:club_follow
        tournaments:club_circuit_action tournaments:circuit_invitation_withdraw
        tournaments:circuit_tournament tournaments:circuit_split
        tournaments:token_end
        tournaments:origin_remove tournaments:webhook_action
        tournaments:sign_in_end tournaments:sign_ins_end tournaments:demo_claim
    """,
    "part of a page that has an example": """
        scoring:match_live scoring:hand_updates scoring:board_live
        scoring:who_won_answer tournaments:tournament_live tournaments:me_live
        tournaments:projector_version tournaments:desk_live tournaments:table_live
        tournaments:frame_live_now tournaments:entries_live
    """,
    "a picture": """
        scoring:picture scoring:match_qr scoring:match_chart scoring:match_picture
        tournaments:club_preview tournaments:club_logo tournaments:player_picture
        tournaments:player_preview tournaments:leaderboard_preview
        tournaments:ranks_picture tournaments:join_qr tournaments:race_picture
        tournaments:tournament_preview tournaments:badge
    """,
    "for programs": """
        healthz readyz metrics robots schema scoring:offline_pack scoring:service_worker scoring:manifest
        scoring:match_snapshot tournaments:cloth
    """,
    "a file to keep": """
        scoring:match_record tournaments:player_export tournaments:account_export tournaments:calendar
        tournaments:club_calendar
        tournaments:player_calendar tournaments:club_results
        tournaments:club_archive tournaments:players_table tournaments:player_tournaments_table tournaments:statistics_table
        tournaments:leaderboard_table tournaments:leaderboard_teams_table tournaments:standings_table tournaments:teams_table
        tournaments:seating_table tournaments:seats_table tournaments:results_table tournaments:entries_table
        tournaments:night_log_table
        mfa_download_recovery_codes
    """,
    "leads on to a page that has an example": """
        tournaments:card tournaments:leaderboards mfa_login_webauthn usersessions_list
    """,
    "leads to the page to sign in: no codes are sent for that": """
        account_confirm_login_code
    """,
}
"""Names of URL patterns without a page, by what is there instead."""


class Pattern(NamedTuple):
    """A URL pattern of the site."""

    name: str
    view: Any
    arguments: frozenset[str]
    """Names of the arguments in its URL."""

    @property
    def space(self) -> str:
        return self.name.rpartition(":")[0]


def patterns(
    resolver: URLResolver | None = None,
    space: str = "",
    arguments: frozenset[str] = frozenset(),
) -> Iterator[Pattern]:
    """Yield every URL pattern of the site except those of the API, which has its own description."""
    for url_pattern in (resolver or get_resolver()).url_patterns:
        all_arguments = arguments | set(url_pattern.pattern.regex.groupindex)
        if isinstance(url_pattern, URLResolver):
            if url_pattern.namespace == "api":
                continue
            inner_space = (
                f"{space}{url_pattern.namespace}:" if url_pattern.namespace else space
            )
            yield from patterns(url_pattern, inner_space, all_arguments)
        else:
            yield Pattern(
                f"{space}{url_pattern.name}", url_pattern.callback, all_arguments
            )


class Examples:
    """A site with content on every page: the demo season and more data."""

    def __init__(self) -> None:
        call_command("demo", verbosity=0)
        self.club = Club.objects.get(slug=DEMO)
        self.night = Tournament.objects.get(code=RUNNING)
        self.director: User = UserFactory.create(is_superuser=True)
        self.director.set_password(PASSWORD)
        self.director.save()
        self.club.memberships.create(user=self.director, role=Role.DIRECTOR)
        self._defaults = {
            "": {},
            "tournaments": self._club_arguments(),
            "scoring": {
                "address": demo_address("tricky"),
                "game": "tricky",
                "number": 1,
            },
        }
        self._special = {
            **self._account_arguments(),
            **self._tournament_arguments(),
            **self._trick_arguments(),
            **self._board_arguments(),
        }

    def add(self, name: str, example: Example) -> None:
        self._special[name] = example

    def of(self, pattern: Pattern) -> Example:
        """Return arguments for the URL of a page. Raises KeyError if one is unknown."""
        known = {**self._defaults[pattern.space], **self._special.get(pattern.name, {})}
        return {name: known[name] for name in pattern.arguments}

    def _club_arguments(self) -> Example:
        entry = self.night.entries.order_by("number")[0]
        # Players that met cannot be merged, so the other one must be new.
        other = tournament_with(["Somebody new"], club=self.club).entries.get()
        return {
            "slug": self.club.slug,
            "address": self.night.address,
            "season": "all",
            "number": 1,
            "table": 1,
            "pk": entry.player_id,
            "kept": entry.player_id,
            "merged": other.player_id,
            "circuit": self._circuit().slug,
        }

    def _circuit(self) -> Circuit:
        circuit = new_circuit(self.club)
        add_to_circuit(circuit, *self.club.tournaments.finished().order_by("pk")[:2])
        return circuit

    def _tournament_arguments(self) -> Mapping[str, Example]:
        now = timezone.now()
        season = self.club.seasons.order_by("starts_on")[0]
        close_season(season_id=season.pk, now=now)
        league = TournamentFactory.create(
            club=self.club, format=Tournament.Format.LEAGUE
        )
        invitation = Invitation.objects.create(
            club=self.club,
            email="bo@example.org",
            role=Role.SCORER,
            made_by=self.director,
            made_at=now,
        )
        upload = Upload.objects.create(
            club=self.club, key=uuid4(), name="past.csv", game="tricky", made_at=now
        )
        arrival = Arrival.objects.create(
            user=self.director, key=uuid4(), name="club.zip", content=b"", made_at=now
        )
        night = tournament_with(4, club=self.club, quorum="all")
        play_round(running_round(night))
        result_query = Match.objects.get(table__round__tournament=night)
        teams = tournament_with(4, club=self.club, team_size=2)
        teams.entries.filter(number__lte=2).update(team="1")
        hook = Webhook.objects.create(
            club=self.club, url="https://example.org/hook", made_at=now
        )
        device = Subscription.objects.create(
            tournament=night,
            entry=night.entries.get(number=1),
            endpoint="https://push.example.org/device",
            made_at=now,
        )
        return {
            "tournaments:webhook": {"pk": hook.pk},
            "tournaments:teams": {"address": teams.address},
            "scoring:match_confirm_seat": {"address": result_query.address, "seat": 0},
            "tournaments:season_edit": {"season": season.slug},
            "tournaments:certificates": {"season": season.slug},
            "tournaments:table_dispute": {"address": night.address},
            "tournaments:league_match": {"address": league.address},
            "tournaments:invitation": {"address": invitation.address},
            "tournaments:upload": {"key": upload.key},
            "tournaments:club_import_status": {"key": arrival.key},
            "tournaments:subscription_stop": {"address": device.address},
        }

    def _trick_arguments(self) -> Mapping[str, Example]:
        """Return arguments for the pages of a hand that was recorded by tricks."""
        trick = Trick.objects.select_related("hand__match").order_by("pk")[0]
        arguments = {
            "address": trick.hand.match.address,
            "number": trick.hand.number,
            "trick": trick.number,
        }
        return dict.fromkeys(
            (
                "scoring:hand",
                "scoring:hand_correct_by_tricks",
                "scoring:correct_trick",
                "scoring:hand_replay",
                "scoring:hand_replay_trick",
            ),
            arguments,
        )

    def _board_arguments(self) -> Mapping[str, Example]:
        match: Match = laid_match(3, treats={"spy": 19, "mixer": 3})
        holder, board = play_until_usable(match, "spy")
        cell = next(
            arguments[:2] for arguments in board.visible_cells if arguments.face is None
        )
        spied = play(match, "spy", seat=holder, cell=list(cell))
        arguments = {"address": match.address, "step": 1, "key": spied.key}
        pages = ("scoring:board", "scoring:board_peek", "scoring:board_replay")
        return dict.fromkeys(pages, arguments)

    def _account_arguments(self) -> Mapping[str, Example]:
        email = EmailAddress.objects.create(
            user=self.director, email=self.director.email
        )
        return {
            "account_confirm_email": {"key": EmailConfirmationHMAC.create(email).key},
            "account_reset_password_from_key": {
                "uidb36": user_pk_to_url_str(self.director),
                "key": default_token_generator.make_token(self.director),
            },
        }
