"""The rank history has the ranks of each day's leaderboard."""

from datetime import date, timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories.history import (
    counted_tournament,
    evening,
    merge_by_name,
    update_history,
)
from tests.factories.tournaments import ClubFactory
from tests.tournaments.history.test_derivation import correct_all
from tournaments.history.leaderboard import BoardQuery, compute_leaderboard
from tournaments.history.rank_history import (
    MOST_DAYS,
    compute_rank_history,
    rank_history,
)
from tournaments.models import Club, Season

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
NAMES = [f"Player {number}" for number in range(7)]


def random_spring(rng: Random) -> Club:
    """Return a club with evenings of one or two tables, one of them corrected later."""
    club: Club = ClubFactory.create()
    days = sorted(rng.sample(range(1, 25), 4))
    for day in days:
        counted_tournament(f"2026-05-{day:02}", rng.sample(NAMES, 4), club=club)
    correct_all(club.tournaments.order_by("pk")[0], evening("2026-05-27"))
    Season.objects.filter(club=club).update(
        best_of=rng.randint(0, 3),
        lasts_days=rng.choice([0, 10]),
        least_attendance=rng.randint(1, 2),
        counts=rng.choice(Season.TournamentWorth.values),
    )
    return club


def board_query(club: Club, **options: Any) -> BoardQuery:
    club.refresh_from_db()
    return BoardQuery(club=club, season=club.seasons.get(), **options)


@pytest.mark.parametrize("seed", range(5))
def test_ranks_of_a_day_are_those_of_its_leaderboard(seed: int) -> None:
    rng = Random(seed)
    club = random_spring(rng)
    for options in ({}, {"game": "tricky_bid"}):
        query = board_query(club, **options)
        history = compute_rank_history(query)
        for day, ranks in history:
            lines = compute_leaderboard(query.as_of_day(day), today=day)
            assert ranks == {line.player: line.rank for line in lines if line.rank}
    assert len(compute_rank_history(board_query(club))) == 5


def test_rank_history_ends_at_the_given_day_and_filters_by_game() -> None:
    club = random_spring(Random(1))
    full_history, last_day = rank_history(board_query(club)), date(2026, 5, 20)
    partial_history = rank_history(board_query(club, as_of=last_day))
    assert partial_history == [
        (day, ranks) for day, ranks in full_history if day <= last_day
    ]
    assert 0 < len(partial_history) < len(full_history)
    assert compute_rank_history(board_query(club, game="tricky")) == []
    assert compute_rank_history(BoardQuery(club=club)) == []


def two_evenings_of_a_spring() -> Club:
    """Return a club in which Emil and Emile are one person, each at one of two evenings."""
    club: Club = ClubFactory.create()
    counted_tournament("2026-05-12", ["Emil", "Clara", "Dieter", "Heike"], club=club)
    counted_tournament("2026-05-19", ["Emile", "Clara", "Dieter", "Heike"], club=club)
    return club


def merge_in_november(club: Club) -> None:
    now = evening("2026-11-28")
    merge_by_name(club, "Emil", "Emile", now)
    assert update_history(club, now)


def test_merge_after_season_end_adds_no_day_but_updates_the_last_one() -> None:
    club = two_evenings_of_a_spring()
    merge_in_november(club)
    query = board_query(club)
    history = rank_history(query)
    assert [day for day, _ranks in history] == [date(2026, 5, 12), date(2026, 5, 19)]
    lines = compute_leaderboard(query, today=date(2026, 11, 28))
    assert history[-1][1] == {line.player: line.rank for line in lines if line.rank}
    before = rank_history(board_query(club, as_of=date(2026, 11, 27)))
    assert len(before[-1][1]) == 5
    address = reverse("tournaments:leaderboard", args=[club.slug, "2026-spring"])
    for parameters in ({}, {"as_of": "2026-11-28"}):
        chart = Client().get(address, parameters).context["chart"]
        assert chart.labels == ["12 May", "19 May"]


def test_night_ending_after_its_season_has_a_day_in_rank_history() -> None:
    club = two_evenings_of_a_spring()
    night = counted_tournament(
        "2026-06-30", ["Ann", "Clara", "Dieter", "Heike"], club=club
    )
    night.results.update(known_from=evening("2026-07-01"))
    merge_in_november(club)
    days = [day for day, _ranks in rank_history(board_query(club))]
    assert days[1:] == [date(2026, 5, 19), date(2026, 7, 1)]


def test_many_days_are_sampled_evenly_and_include_the_last(
    django_assert_num_queries: Any,
) -> None:
    club = random_spring(Random(1))
    tournament = club.tournaments.order_by("pk")[0]
    for result in tournament.results.all():
        for day in range(100):
            result.pk = None
            result.known_from = evening("2026-01-05") + timedelta(days=day)
            result.known_until = result.known_from + timedelta(days=1)
            result.save(force_insert=True)
    query = board_query(club)
    with django_assert_num_queries(3):
        history = rank_history(query)
    assert MOST_DAYS / 2 < len(history) <= MOST_DAYS
    assert history[-1][0] == date(2026, 5, 27)
    with django_assert_num_queries(0):
        assert rank_history(query) == history
