"""Functions that create and play nights of a hosted site; `manage.py shell` runs them there."""

import json
import os
import time
from uuid import uuid4

from django.db.models import QuerySet
from django.urls import get_resolver, reverse
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
from tournaments.tasks import resend_lost_tasks_and_delete_outdated_rows

PLAYERS = 24
PATIENCE = 120


def print_tables() -> None:
    """Print the addresses of the matches of a tournament, which take many hands.

    Their round is closed, so each further hand requests standings.
    """
    tables = _tables().values_list("match__address", flat=True)
    print(json.dumps(list(tables)))


def print_table() -> None:
    """Print the match of a table, the token to write there, and its tournament."""
    table = _tables().select_related("match", "round")[0]
    assert table.match is not None
    document = {
        "match": table.match.address,
        "token": match_write_token(table.match),
        "tournament": table.round.tournament_id,
    }
    print(json.dumps(document))


def _tables() -> QuerySet[Table]:
    tournament = tournament_with(
        PLAYERS,
        club=ClubFactory.create(slug=uuid4().hex),
        options={"multiple": 9},
        table_size=3,
        rounds_planned=2,
    )
    round_ = running_round(tournament)
    rounds.close(round_id=round_.pk, now=NOW, override="no network tonight")
    return round_.tables.order_by("number")


def tell_webhooks() -> None:
    """Create events for a webhook at each path in the variable RECEIVER_PATHS.

    RECEIVER is the server of all of them.
    """
    get_resolver().url_patterns  # noqa: B018 - a web process has loaded its pages
    club, receiver = ClubFactory.create(slug=uuid4().hex), os.environ["RECEIVER"]
    paths = os.environ["RECEIVER_PATHS"].split()
    hooks = [new_webhook(club, f"{receiver}{path}") for path in paths]
    for _event in range(40):
        for hook in hooks:
            create_test_event(hook=hook, now=timezone.now())


def play_first_round() -> None:
    """Play one of two rounds of a tournament in the club whose slug is in the variable CLUB."""
    club = ClubFactory.create(slug=os.environ["CLUB"])
    round_ = running_round(
        tournament_with(8, club=club, table_size=4, rounds_planned=2)
    )
    play_round(round_)
    rounds.close(round_id=round_.pk, now=timezone.now())


def play_second_round() -> None:
    """Draw, publish and start round 2 through the API and play it; print the number of finished tables."""
    tournament = Tournament.objects.get(club__slug=os.environ["CLUB"])
    # Each command creates an account.
    user = UserFactory.create(email=f"{uuid4().hex}@example.org")
    tournament.club.memberships.create(user=user, role=Role.DIRECTOR)
    director = Caller(user)
    path = f"/tournaments/{tournament.address}/rounds"
    if not tournament.rounds.filter(number=2).exists():
        director.call("post", path, {})
    for action in ("publish", "start"):
        director.call("post", f"{path}/2/{action}")
    round_ = tournament.rounds.get(number=2)
    play_round(round_)
    rounds.close(round_id=round_.pk, now=timezone.now())
    print(Table.objects.filter(round=round_, match__finished=True).count())


def come_up_to_date() -> None:
    """Wait until all standings are current, sweeping as a real site does each minute."""
    deadline = time.monotonic() + PATIENCE
    while outdated := _outdated_tournaments():
        assert time.monotonic() < deadline, f"standings behind: {outdated}"
        resend_lost_tasks_and_delete_outdated_rows()
        time.sleep(1)


def print_behind() -> None:
    """Print the codes of tournaments whose standings do not count everything."""
    print(json.dumps(_outdated_tournaments()))


def _outdated_tournaments() -> list[str]:
    current = Standings.objects.up_to_date().values("tournament")
    outdated = Tournament.objects.exclude(pk__in=current)
    return list(outdated.values_list("code", flat=True))


EVENING_PASSWORD = "right and long"
ACCOUNTS = 4


def print_evening() -> None:
    """Print a club night for many phones: tables, public pages and accounts."""
    tables = [table for _tournament in range(4) for table in _tables()]
    matches = []
    pages = set()
    for table in tables:
        assert table.match is not None
        match = table.match
        matches.append({"match": match.address, "token": match_write_token(match)})
        tournament = table.round.tournament
        club = tournament.club.get_absolute_url()
        pages |= {tournament.get_absolute_url(), club, f"{club}leaderboards/"}
    accounts = [f"{uuid4().hex}@example.org" for _number in range(ACCOUNTS)]
    for email in accounts:
        User.objects.create_user(email, EVENING_PASSWORD)
    evening = {"tables": matches, "pages": sorted(pages), "accounts": accounts}
    print(json.dumps({**evening, "own": reverse("tournaments:my_clubs")}))
