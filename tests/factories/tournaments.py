"""Clubs, accounts and tournaments for tests."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import factory
from django.test import Client
from factory.declarations import Sequence as Counted

from scoring.models import Match
from tests.factories.commands import author, enter_hand
from tests.factories.matches import NOW
from tournaments.event import draw as drawing
from tournaments.event import entries, rounds
from tournaments.models import (
    Club,
    Entry,
    Membership,
    Role,
    Round,
    Table,
    Tournament,
    User,
)

NAMES = [
    *("Ada", "Amir", "Bea", "Bruno", "Clara", "Daan", "Elif", "Emil"),
    *("Fleur", "Goran", "Hana", "Ida", "Jonas", "Kaya", "Lena", "Milo"),
    *("Nora", "Otis", "Pia", "Quinn", "Rosa", "Sami", "Tilda", "Vito"),
]


class UserFactory(factory.django.DjangoModelFactory[User]):
    email = Counted(lambda number: f"person{number}@example.org")

    class Meta:
        model = User


class ClubFactory(factory.django.DjangoModelFactory[Club]):
    name = Counted(lambda number: f"Club {number}")
    slug = Counted(lambda number: f"club-{number}")
    created_at = NOW

    class Meta:
        model = Club


class TournamentFactory(factory.django.DjangoModelFactory[Tournament]):
    """A planned night of Tricky Bid."""

    club = factory.declarations.SubFactory(ClubFactory)
    name = "Thursday"
    starts_at = NOW
    game = "tricky_bid"
    points = "linear"
    quorum = "none"
    # Rights to enter hands have their own tests.
    writing = "open"

    class Meta:
        model = Tournament


def member(club: Club, role: Role) -> User:
    user: User = UserFactory.create()
    Membership.objects.create(club=club, user=user, role=role)
    return user


def signed_in(club: Club, role: Role = Role.DIRECTOR) -> Client:
    client = Client()
    client.force_login(member(club, role))
    return client


def director(tournament: Tournament) -> Client:
    return signed_in(tournament.club)


def tournament_with(players: int | Sequence[str], **settings: Any) -> Tournament:
    """Return a tournament with all its players checked in."""
    tournament: Tournament = TournamentFactory.create(**settings)
    names = NAMES[:players] if isinstance(players, int) else players
    if isinstance(players, int) and players > len(NAMES):
        names = [f"Player {number}" for number in range(players)]
    entries.add_entries(
        tournament_id=tournament.pk, names=names, now=NOW, state=Entry.State.PRESENT
    )
    return tournament


def running_round(tournament: Tournament) -> Round:
    """Draw the next round if it is not drawn yet, and start it."""
    not_started = tournament.rounds.exclude(state__in=["running", "closed"])
    if not not_started.exists():
        drawing.draw(tournament_id=tournament.pk)
    round_ = not_started.order_by("number")[0]
    rounds.publish(round_id=round_.pk)
    return rounds.start(round_id=round_.pk, now=NOW)


def match_of(table: Table) -> Match:
    assert table.match is not None
    return table.match


def enter_points(match: Match, points: Sequence[int], *, minutes: int = 0) -> None:
    match.refresh_from_db()
    enter_hand(
        match_id=match.pk,
        key=uuid4(),
        number=match.hands_played + 1,
        raw={"points": list(points)},
        author=author(now=NOW + timedelta(minutes=minutes)),
    )


def play_table(table: Table, points: Sequence[int]) -> None:
    """Play a table of Tricky Bid to its end, always with these points."""
    match = match_of(table)
    seats = match.seats.count()
    for _round in range(seats):
        enter_points(match, points[:seats])


def play_round(round_: Round) -> None:
    """Play every table of a round to its end; the first seat wins."""
    for table in round_.tables.select_related("match"):
        play_table(table, [20, 12, 5, 1, 0])


def play_and_close(round_: Round, *, now: datetime = NOW, override: str = "") -> None:
    play_round(round_)
    rounds.close(round_id=round_.pk, now=now, override=override)


def closed_round(
    tournament: Tournament, *, now: datetime = NOW, override: str = ""
) -> Round:
    round_ = running_round(tournament)
    play_and_close(round_, now=now, override=override)
    return round_


def own_phone(*entries: Entry) -> Client:
    """Return the phone with which one player, or several of a family, registered."""
    phone = Client()
    session = phone.session
    address = entries[0].tournament.address
    session["joined"] = {address: [entry.pk for entry in entries]}
    players = {str(entry.pk): entry.player_id for entry in entries}
    session["joined_players"] = {address: players}
    session.save()
    return phone
