"""Finding what an operation is about, as its page does, and asking for the role that it needs."""

from typing import NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext

from scoring.api.operations import Check
from scoring.api.problems import ProblemError, no_token, not_there
from tournaments.models import (
    SHOWN,
    Club,
    Entry,
    Role,
    Round,
    Table,
    Tournament,
    User,
)


class AtTournament(NamedTuple):
    """A tournament, and what who asks is there."""

    tournament: Tournament
    role: Role | None


def asking(request: HttpRequest) -> User | None:
    """Return the account for which a program asks; None for a stranger."""
    user = getattr(request, "user", None)
    return user if isinstance(user, User) else None


def by_whom(request: HttpRequest) -> User:
    """Return the account for which a program does something; a token was asked for before."""
    user = asking(request)
    assert user is not None
    return user


def check_token_club(request: HttpRequest, club_id: int) -> None:
    """Raise ProblemError if the token was made for another club."""
    if not by_whom(request).counts_in(club_id):
        raise ProblemError("not-allowed")


def check_role(request: HttpRequest, role: Role | None, needs: Role) -> None:
    """Raise ProblemError for whoever may not; a stranger may show a token."""
    if role is not None and role >= needs:
        return
    if asking(request) is None:
        raise no_token(gettext("Only people of the club see this: show a token."))
    raise ProblemError(
        "not-allowed",
        gettext("This needs the role of a %(role)s in the club.")
        % {"role": needs.label},
    )


def require(role: Role) -> Check:
    """Return a check of the role at the club or the tournament of an address."""

    def check(
        request: HttpRequest, slug: str = "", address: str = "", **_others: str
    ) -> None:
        if slug:
            check_role(request, club_at(slug).role_of(asking(request)), role)
        else:
            check_role(request, tournament_at(request, address).role, role)

    return check


def check_token(request: HttpRequest, address: str, **_others: str) -> AtTournament:
    """Return the tournament of an address, at which the token counts; raises ProblemError."""
    at = tournament_at(request, address)
    check_token_club(request, at.tournament.club_id)
    return at


def club_at(slug: str) -> Club:
    """Return a club; raises ProblemError if there is none."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise not_there()
    return club


def tournament_at(request: HttpRequest, address: str) -> AtTournament:
    """Return a tournament; raises ProblemError if there is none.

    A draft is not there for whoever has no role in its club.
    """
    tournaments = Tournament.objects.select_related("club")
    tournament = tournaments.filter(address=address).first()
    if tournament is None:
        raise not_there()
    role = tournament.club.role_of(asking(request))
    if tournament.listing == Tournament.Listing.DRAFT and role is None:
        raise not_there()
    return AtTournament(tournament, role)


def round_at(at: AtTournament, number: int) -> Round:
    """Return a round that who asks may see; the club's people see what is drawn, too."""
    rounds = at.tournament.rounds.filter(number=number)
    if at.role is None:
        rounds = rounds.filter(state__in=SHOWN)
    round_ = rounds.first()
    if round_ is None:
        raise not_there()
    round_.tournament = at.tournament
    return round_


def table_at(at: AtTournament, number: int, table_number: int) -> Table:
    """Return a table of a round that who asks may see; raises ProblemError."""
    round_ = round_at(at, number)
    table = (
        Table.objects.with_people()
        .select_related("round")
        .filter(round=round_, number=table_number)
        .first()
    )
    if table is None:
        raise not_there()
    table.round = round_
    return table


def entry_at(tournament: Tournament, number: int) -> Entry:
    """Return an entry by its number; raises ProblemError."""
    entry = tournament.entries.select_related("player").filter(number=number).first()
    if entry is None:
        raise not_there()
    return entry
