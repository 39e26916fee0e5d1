"""Requests about clubs and tournaments, with the objects in their URLs and the account's role."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext

from scoring.api.operations import ApiRequest
from scoring.api.problems import ProblemError, unauthorized_problem
from scoring.matchlog.commands import CommandAuthor
from tournaments.changes import RefusedError
from tournaments.event.rights import director_author
from tournaments.models import (
    Club,
    Entry,
    Role,
    Round,
    Season,
    Table,
    Tournament,
    User,
)
from tournaments.people.profiles import archived_player_ids, invisible_player_ids


class AccountRequest(ApiRequest):
    """A request by an account, or without one."""

    @property
    def user(self) -> User | None:
        """The account; None without one."""
        user = self.http.user
        return user if isinstance(user, User) else None

    @property
    def required_user(self) -> User:
        """The account. Raises ProblemError without one."""
        if self.user is None:
            raise unauthorized_problem(
                gettext("Send an API key as “Authorization: Bearer tricky_…”.")
            )
        return self.user

    def check_api_key_allows_club_id(self, club_id: int) -> None:
        """Raise ProblemError if the API key was made for another club."""
        if not self.required_user.token_allows_club(club_id):
            raise ProblemError("not-allowed")


class ClubRequest(AccountRequest):
    prefix = "/clubs/{slug}"
    club: Club

    def __init__(self, http: HttpRequest, slug: str, **address: str) -> None:
        super().__init__(http, **address)
        self.club = get_object_or_404(Club, slug=slug)

    @cached_property
    def role(self) -> Role | None:
        """The role of the account in the club; None without one."""
        return self.club.get_role(self.user)

    @cached_property
    def hidden_player_ids(self) -> set[int]:
        """Keys of the players with pages hidden from the account."""
        return invisible_player_ids(self.club, self.user)

    @cached_property
    def archived_player_ids(self) -> set[int]:
        return archived_player_ids(self.club)

    def season(self, slug: str) -> Season:
        return get_object_or_404(self.club.seasons, slug=slug)

    def check_api_key_allows_club(self) -> None:
        """Raise ProblemError if the API key was made for another club."""
        self.check_api_key_allows_club_id(self.club.pk)


class TournamentRequest(ClubRequest):
    """A request about a tournament; a draft exists only for members of its club."""

    prefix = "/tournaments/{address}"

    def __init__(self, http: HttpRequest, address: str, **further: str) -> None:
        ApiRequest.__init__(self, http, **further)
        tournaments = Tournament.objects.select_related("club")
        self.tournament = get_object_or_404(tournaments, address=address)
        self.club = self.tournament.club
        if self.tournament.listing == Tournament.Listing.DRAFT and self.role is None:
            raise Http404

    @property
    def author(self) -> CommandAuthor:
        """The author of an official's changes."""
        return director_author(self.required_user)

    def entry(self, number: int) -> Entry:
        entries = self.tournament.entries.select_related("player")
        return get_object_or_404(entries, number=number)

    def entry_ids(self, numbers: list[int]) -> list[int]:
        """Return the keys of the entries with these numbers, in the same order; one query.

        Raises RefusedError for an unknown number.
        """
        entries = self.tournament.entries.filter(number__in=numbers)
        ids_by_number = dict(entries.values_list("number", "pk"))
        for number in numbers:
            if number not in ids_by_number:
                message = gettext(
                    "No player in this tournament has the number %(number)s."
                )
                raise RefusedError("entries", message % {"number": number})
        return [ids_by_number[number] for number in numbers]

    def visible_round(self, number: int, *, published_only: bool = False) -> Round:
        """Return a round; only members see unpublished ones, unless `published_only` excludes them."""
        rounds = self.tournament.rounds.filter(number=number)
        if published_only or self.role is None:
            rounds = rounds.published()
        return get_object_or_404(rounds)

    def visible_table(
        self, round_number: int, number: int, *, published_only: bool = False
    ) -> Table:
        tables = self.visible_round(
            round_number, published_only=published_only
        ).tables.with_places_and_entries()
        return get_object_or_404(tables, number=number)

    def check_unfinished(self) -> None:
        """Raise ProblemError if the tournament is finished."""
        if self.tournament.phase == Tournament.Phase.FINISHED:
            raise ProblemError("closed", gettext("The tournament is finished."))


def make_role_check(required: Role) -> Callable[[Any], None]:
    """Return a check that raises ProblemError below the role `required` in the club."""

    def check(request: ClubRequest) -> None:
        if request.role is not None and request.role >= required:
            return
        if request.user is None:
            raise unauthorized_problem(
                gettext("Only the club’s team can see this. Send an API key.")
            )
        template = gettext("You need the %(role)s role in the club.")
        raise ProblemError("not-allowed", template % {"role": required.label})

    return check


viewer, scorer, director = map(
    make_role_check, (Role.VIEWER, Role.SCORER, Role.DIRECTOR)
)
