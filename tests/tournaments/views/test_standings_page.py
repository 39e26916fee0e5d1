"""The page of a tournament: drawn once for each state, and never out of date."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    enter_points,
    member,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.views.pages import text
from tournaments.models import Role, Tournament
from tournaments.operations import announcements, drawing, rounds

pytestmark = pytest.mark.django_db(transaction=True)


def announce(tournament: Tournament, words: str = "Tea!") -> int:
    return announcements.announce(
        tournament_id=tournament.pk, text=words, by=None, now=NOW
    ).pk


def test_whoever_asks_again_costs_one_query(
    client: Client, django_assert_num_queries: Any
) -> None:
    tournament = tournament_with(8)
    play_round(running_round(tournament))
    first = text(client, tournament.get_absolute_url())
    with django_assert_num_queries(1):
        again = text(client, tournament.get_absolute_url())
    assert again.partition("<main")[2] == first.partition("<main")[2]


def rename(tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(name="Another name")


def rename_club(tournament: Tournament) -> None:
    club = tournament.club
    club.slug = "elsewhere"
    club.save()


def publish_another(tournament: Tournament) -> None:
    rounds.publish(round_id=drawing.draw(tournament_id=tournament.pk)[0].pk)


@pytest.mark.parametrize(
    ("change", "shows"),
    [
        (announce, "Tea!"),
        (rename, "Another name"),
        (rename_club, "elsewhere"),
        (publish_another, "Round 2"),
    ],
)
def test_what_changes_is_on_the_next_page(
    client: Client, change: Callable[[Tournament], object], shows: str
) -> None:
    tournament = tournament_with(8, format="swiss")
    one = running_round(tournament)
    play_round(one)
    rounds.close(round_id=one.pk, now=NOW)
    url = tournament.get_absolute_url()
    assert shows not in text(client, url)
    change(tournament)
    assert shows in text(client, url)


def test_a_withdrawn_announcement_is_gone_although_another_came(client: Client) -> None:
    tournament = tournament_with(4)
    said = announce(tournament, "Coffee!")
    url = tournament.get_absolute_url()
    assert "Coffee!" in text(client, url)
    announcements.withdraw(announcement_id=said, now=NOW)
    assert "Coffee!" not in text(client, url)
    announce(tournament, "Cake!")
    assert "Cake!" in text(client, url)


def test_hidden_standings_are_drawn_for_the_clubs_people_alone(client: Client) -> None:
    tournament = tournament_with(4, standings_shown="finished")
    play_round(running_round(tournament))
    url = tournament.get_absolute_url()
    inside = Client()
    inside.force_login(member(tournament.club, Role.VIEWER))
    assert "Shown when the tournament is finished" not in text(inside, url)
    assert "Shown when the tournament is finished" in text(client, url)


def test_a_hand_that_comes_after_its_round_was_closed_moves_the_standings() -> None:
    tournament = tournament_with(8)
    one = running_round(tournament)
    finished, unfinished = one.tables.order_by("number")
    play_table(finished, [9, 5, 3, 1])
    match = unfinished.match
    assert match is not None
    enter_points(match, [9, 5, 3, 1])
    rounds.close(round_id=one.pk, now=NOW, override="The pub closes.")
    before = tournament.standings.current()[0]
    enter_points(match, [1, 3, 5, 9])
    after = tournament.standings.current()[0]
    assert after.entries == before.entries + 1
