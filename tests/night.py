"""A night of a club at a hosted site: run there, by `manage.py shell`."""

import json
import os
import time
from uuid import uuid4

from django.db.models import QuerySet
from django.urls import get_resolver
from django.utils import timezone

from scoring.matchlog.tokens import match_write_token
from tests.api.caller import Caller
from tests.factories.hooks import new_webhook
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    play_round,
    running_round,
    tournament_with,
)
from tournaments.event import rounds
from tournaments.hooks.webhooks import create_test_event
from tournaments.models import Role, Standings, Table, Tournament, User
from tournaments.tasks import sweep

PLAYERS = 24
PATIENCE = 120


def print_tables() -> None:
    """Print the addresses of the tables of a tournament, each match to go on long.

    Their round is closed, so that each further hand counts and asks for standings.
    """
    tables = _tables().values_list("match__address", flat=True)
    print(json.dumps(list(tables)))


def print_table() -> None:
    """Print a table of such a tournament: its match, what a phone shows to write there."""
    table = _tables().select_related("match", "round")[0]
    assert table.match is not None
    told = {
        "match": table.match.address,
        "token": match_write_token(table.match),
        "tournament": table.round.tournament_id,
    }
    print(json.dumps(told))


def _tables() -> QuerySet[Table]:
    tournament = tournament_with(
        PLAYERS,
        club=ClubFactory.create(slug=uuid4().hex),
        options={"multiple": 9},
        table_size=3,
        rounds_planned=2,
    )
    one = running_round(tournament)
    rounds.close(round_id=one.pk, now=NOW, override="no network tonight")
    return one.tables.order_by("number")


def tell_webhooks() -> None:
    """Write events for a webhook at each path that RECEIVER_PATHS of the environment names.

    RECEIVER is the server of all.
    """
    get_resolver().url_patterns  # noqa: B018 - a web process has loaded its pages
    club, receiver = ClubFactory.create(slug=uuid4().hex), os.environ["RECEIVER"]
    paths = os.environ["RECEIVER_PATHS"].split()
    hooks = [new_webhook(club, f"{receiver}{path}") for path in paths]
    for _event in range(40):
        for hook in hooks:
            create_test_event(hook=hook, now=timezone.now())


def play_first_round() -> None:
    """Play one of two rounds of a tournament in the club that CLUB of the environment names."""
    club = ClubFactory.create(slug=os.environ["CLUB"])
    one = running_round(tournament_with(8, club=club, table_size=4, rounds_planned=2))
    play_round(one)
    rounds.close(round_id=one.pk, now=timezone.now())


def play_second_round() -> None:
    """Draw, publish and start the next round by the API, play it; print how many tables ended."""
    tournament = Tournament.objects.get(club__slug=os.environ["CLUB"])
    # Each command makes its first account.
    user = UserFactory.create(email=f"{uuid4().hex}@example.org")
    tournament.club.memberships.create(user=user, role=Role.DIRECTOR)
    director = Caller(user)
    path = f"/tournaments/{tournament.address}/rounds"
    if not tournament.rounds.filter(number=2).exists():
        director.call("post", path, {})
    for act in ("publish", "start"):
        director.call("post", f"{path}/2/{act}")
    one = tournament.rounds.get(number=2)
    play_round(one)
    rounds.close(round_id=one.pk, now=timezone.now())
    print(Table.objects.filter(round=one, match__finished=True).count())


def come_up_to_date() -> None:
    """Wait until all standings count everything, swept as each minute on a real site."""
    deadline = time.monotonic() + PATIENCE
    while behind := _behind():
        assert time.monotonic() < deadline, f"standings behind: {behind}"
        sweep()
        time.sleep(1)


def _behind() -> list[str]:
    current = Standings.objects.up_to_date().values("tournament")
    late = Tournament.objects.exclude(pk__in=current)
    return list(late.values_list("code", flat=True))


EVENING_PASSWORD = "right and long"
ACCOUNTS = 4


def print_evening() -> None:
    """Print a club's evening for many phones: tables, pages for everybody, accounts that sign in."""
    tables = [table for _tournament in range(4) for table in _tables()]
    told = []
    pages = set()
    for table in tables:
        assert table.match is not None
        match = table.match
        told.append({"match": match.address, "token": match_write_token(match)})
        tournament = table.round.tournament
        club = tournament.club.get_absolute_url()
        pages |= {tournament.get_absolute_url(), club, f"{club}leaderboards/"}
    accounts = [f"{uuid4().hex}@example.org" for _number in range(ACCOUNTS)]
    for email in accounts:
        User.objects.create_user(email, EVENING_PASSWORD)
    evening = {"tables": told, "pages": sorted(pages), "accounts": accounts}
    print(json.dumps(evening))
