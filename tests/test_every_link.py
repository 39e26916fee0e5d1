"""Every link leads to a page: follows all links from matches and nights of each game."""

import re
from collections import Counter
from html import unescape
from random import Random
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import resolve

from scoring.games.random_match import generate_match
from scoring.matchlog.settling import mark_unfinished_matches_as_counting
from scoring.models import Match
from scoring.rules import GAMES
from tests.factories import entered_match
from tests.factories.commands import NOW, author, enter_hand
from tests.factories.tournaments import (
    director,
    match_of,
    running_round,
    tournament_with,
)
from tournaments.event import rounds
from tournaments.event.results import clear_request_and_store_standings
from tournaments.history.derivation import derive_history
from tournaments.models import Round, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

LINK = re.compile(r'(?:href|hx-get|src)="([^"#][^"]*)"')
MOST_PER_ROUTE = 3
"""Pages to visit per route: the others differ only in their subject."""
SKIPPED_PATHS = ("/static/", "/docs/", "/accounts/", "/admin/", "/style-guide/")
"""Paths that other servers serve, or that have their own tests."""


def follow_links(
    page: str, client: Client, *other_pages: str, per_night: int = MOST_PER_ROUTE
) -> dict[str, str]:
    """Follow all links from these pages; return the page that links to each address.

    Visits at most three pages per route, and `per_night` of one tournament.
    """
    waiting = [page, *other_pages]
    linked_from = dict.fromkeys(waiting, "")
    visits = Counter[tuple[str, str]]()
    while waiting:
        address = waiting.pop(0)
        match = resolve(urlsplit(address).path)
        is_of_night = match.route.startswith("t/")
        night = match.kwargs["address"] if is_of_night and match.kwargs else ""
        visits[match.view_name, night] += 1
        limit = per_night if night else MOST_PER_ROUTE
        if visits[match.view_name, night] > limit:
            continue
        response = client.get(address)
        assert response.status_code in (200, 204, 302), (address, linked_from[address])
        if response.status_code == 302:
            links = [response.headers["Location"]]
        elif response.headers.get("Content-Type", "").startswith("text/html"):
            links = LINK.findall(response.content.decode())
        else:
            continue
        for link in links:
            target = urldefrag(urljoin(address, unescape(link))).url
            parts = urlsplit(target)
            if parts.netloc or parts.scheme or parts.path.startswith(SKIPPED_PATHS):
                continue
            if target not in linked_from:
                linked_from[target] = address
                waiting.append(target)
    return linked_from


def play_random_match(game: str, *, hands: int, seed: int = 1) -> Match:
    seats = min(GAMES[game].seats)
    record = generate_match(game, seats, {}, Random(seed), most_hands=hands)
    return entered_match(record.hands, game, seats)


def running_night(game: str) -> tuple[Tournament, Round]:
    """Return a night of a game and its first round, with random hands."""
    players = 2 * min(GAMES[game].seats)
    tournament = tournament_with(players, game=game, rounds_planned=1)
    round_ = running_round(tournament)
    for seed, table in enumerate(round_.tables.select_related("match")):
        match = match_of(table)
        seats = match.seats.count()
        record = generate_match(game, seats, match.options, Random(seed), most_hands=3)
        for number, raw in enumerate(record.hands, start=1):
            enter_hand(match_id=match.pk, number=number, raw=raw, author=author())
    return tournament, round_


def counted_night(game: str) -> Tournament:
    tournament, round_ = running_night(game)
    rounds.close(round_id=round_.pk, now=NOW, override="It was late.")
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
    derive_history(club_id=tournament.club_id, now=NOW)
    tournament.refresh_from_db()
    return tournament


@pytest.mark.parametrize("hands", [2, 60])
@pytest.mark.parametrize("game", GAMES)
def test_every_link_from_a_match_leads_to_a_page(game: str, hands: int) -> None:
    match = play_random_match(game, hands=hands)
    if hands == 60 and not match.finished:
        mark_unfinished_matches_as_counting(Match.objects.filter(pk=match.pk))
    assert len(follow_links(match.get_absolute_url(), Client())) > 10


@pytest.mark.parametrize("game", ["tricky_bid", "tricks_and_treats"])
def test_every_link_from_a_night_leads_to_a_page(game: str) -> None:
    tournament, _round = running_night(game)
    desk = f"{tournament.get_absolute_url()}desk/"
    assert len(follow_links(desk, director(tournament))) > 30
    finished_night = counted_night(game)
    for client in (Client(), director(finished_night)):
        assert len(follow_links(finished_night.get_absolute_url(), client)) > 30
