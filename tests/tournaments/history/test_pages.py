"""Pages of a club's history, as visitors and directors use them."""

import re
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Player
from scoring.queue import wait_for_background
from tests.factories.history import (
    counted_tournament,
    evening,
    finished_tournament,
    update_history,
)
from tests.factories.tournaments import (
    ClubFactory,
    TournamentFactory,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.history.test_derivation import (
    correct,
    correct_all,
    first_match,
)
from tournaments.changes import RefusedError
from tournaments.event import rounds
from tournaments.exact import format_exact_number
from tournaments.history.derivation import history_differences
from tournaments.history.leaderboard import (
    BoardQuery,
    compute_leaderboard,
)
from tournaments.history.seasons import close_season, reopen_season, save_season
from tournaments.models import (
    Club,
    Placing,
    Result,
    Revision,
    Tournament,
)
from tournaments.ratings import PARTS
from tournaments.tasks import derive_history, resend_lost_tasks_and_delete_outdated_rows

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
FOUR = ["Ann", "Bo", "Cy", "Di"]


@pytest.fixture
def club() -> Club:
    """Return a club with two evenings in spring and one in autumn."""
    club: Club = ClubFactory.create()
    for day in ("2026-05-12", "2026-05-19", "2026-09-08"):
        counted_tournament(day, FOUR, club=club)
    return club


def page(client: Client, name: str, club: Club, *parts: object, **query: str) -> str:
    url = reverse(f"tournaments:{name}", args=[club.slug, *parts])
    response = client.get(url, query)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def text(content: str) -> str:
    """Return the text of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", content).split())


@pytest.mark.parametrize(
    ("points", "second"),
    [
        ([9, 5, 1], r"\w+"),
        ([9, 5, 5, 5], r"\w+, \w+ and \w+"),
        ([9, 5, 5, 5, 5], "the next 4 players"),
    ],
)
def test_players_sharing_second_place_are_named_or_counted(
    points: list[int], second: str
) -> None:
    names = [*FOUR, "Ed"][: len(points)]
    club = counted_tournament("2026-05-12", names, points=points, most_size=5).club
    page_text = text(page(Client(), "leaderboard", club, "2026-spring"))
    assert re.search(rf"\w+ leads {second} by \S+ points\.", page_text)


def test_leaderboards_without_a_season_go_to_the_last_one(
    client: Client, club: Club
) -> None:
    url = reverse("tournaments:leaderboards", args=[club.slug])
    assert client.get(url)["Location"].endswith("/leaderboards/2026-autumn/")
    empty_club: Club = ClubFactory.create()
    response = client.get(reverse("tournaments:leaderboards", args=[empty_club.slug]))
    assert response["Location"].endswith("/leaderboards/all/")
    assert "No tournaments counted" in page(client, "leaderboard", empty_club, "all")
    days = {"starts": "2026-01-01", "ends": "2026-01-31"}
    filtered_page = page(client, "leaderboard", club, "2026-spring", **days)
    assert "No results for these filters yet." in filtered_page


def test_past_leaderboard_shows_changes_since(client: Client, club: Club) -> None:
    tournament = club.tournaments.order_by("starts_at")[0]
    correct(first_match(tournament), [0, 1, 5, 12], 2)
    Tournament.objects.filter(pk=tournament.pk).update(version=50)
    update_history(club, evening("2026-06-03"))
    page_text = text(
        page(client, "leaderboard", club, "2026-spring", as_of="2026-05-12")
    )
    assert "As of 12 May 2026." in page_text
    assert "Since then: 1 tournament; 1 correction to hand 2 from 12 May." in page_text
    current_text = text(
        page(client, "leaderboard", club, "2026-spring", as_of="2026-06-10")
    )
    assert "Nothing has changed since then." in current_text


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"as_of": "yesterday"}, "Enter a valid date"),
        ({"as_of": "2999-01-01"}, "1 Jan 2999 is in the future"),
        ({"starts": "2026-05-20", "ends": "2026-05-01"}, "Swap the two"),
        ({"by": "luck"}, "not one of the available choices"),
    ],
)
def test_invalid_filter_shows_an_error_at_its_field(
    client: Client, club: Club, query: dict[str, str], message: str
) -> None:
    content = page(client, "leaderboard", club, "2026-spring", **query)
    assert message in content
    assert "Ann" in content


def test_pages_of_the_history_ask_a_constant_number_of_queries(
    client: Client, club: Club, django_assert_max_num_queries: Any
) -> None:
    counted_tournament("2026-09-15", 24, club=club)
    ann = Player.objects.get(name="Ann")
    for max_queries, name, url_args in (
        (21, "leaderboard", ["2026-autumn"]),
        (33, "player", [ann.pk]),
        (18, "records", []),
        (8, "head_to_head", ["2026-autumn"]),
        (4, "hall_of_fame", []),
    ):
        with django_assert_max_num_queries(max_queries):
            page(client, name, club, *url_args)


def test_a_club_with_many_tournaments_shows_them_page_by_page(client: Client) -> None:
    club: Club = ClubFactory.create()
    for number in range(32):
        TournamentFactory.create(club=club, name=f"Evening {number}")
    first = page(client, "club", club)
    assert "Earlier nights" in first
    assert first.count("Evening ") == 30
    assert page(client, "club", club, page="2").count("Evening ") == 2


def test_a_director_sets_a_season_up_and_changes_it(club: Club) -> None:
    client = signed_in(club)
    url = reverse("tournaments:seasons", args=[club.slug])
    form_fields = {
        "name": "League 2027",
        "starts_on": "2027-01-01",
        "ends_on": "2027-12-31",
        "counts": "points",
        "best_of": "5",
        "least_attendance": "3",
        "lasts_days": "0",
        "keep_percent": "80",
    }
    client.post(url, form_fields)
    season = club.seasons.get(slug="league-2027")
    assert (season.best_of, season.keep_percent) == (5, 80)
    duplicate_page = client.post(url, form_fields).content.decode()
    assert "A season with that name already exists" in duplicate_page
    overlap_page = client.post(url, {**form_fields, "name": "Other"}).content.decode()
    assert "“League 2027” already covers 1 Jan 2027 to 31 Dec 2027" in overlap_page
    reversed_page = client.post(
        url, {**form_fields, "ends_on": "2026-12-01"}
    ).content.decode()
    assert "can’t end before it starts" in reversed_page
    edit_url = reverse("tournaments:season_edit", args=[club.slug, season.slug])
    client.post(edit_url, {**form_fields, "best_of": "7"})
    season.refresh_from_db()
    assert season.best_of == 7


def test_a_closed_season_keeps_its_champions_and_prints_certificates(
    club: Club,
) -> None:
    client = signed_in(club)
    close_url = reverse(
        "tournaments:season_action", args=[club.slug, "2026-spring", "close"]
    )
    seasons_page = page(client, "seasons", club)
    close_details = seasons_page.partition(
        '<details class="fold" id="close-2026-spring">'
    )[2]
    assert close_url in close_details.partition("</details>")[0]
    assert seasons_page.count(close_url) == 1
    client.post(close_url)
    season = club.seasons.get(slug="2026-spring")
    rows = season.final_rows.filter(game="").order_by("place")
    champion, last = rows[0], rows.reverse()[0]
    assert champion.player.name in page(Client(), "hall_of_fame", club)
    certificates = page(Client(), "certificates", club, "2026-spring")
    assert f"{champion.player.name} won Spring 2026" in text(certificates)
    player_page = page(Client(), "player", club, champion.player_id)
    assert "Won Spring 2026" in player_page
    address = reverse("tournaments:certificates", args=[club.slug, "2026-spring"])
    assert player_page.count(address) == 1
    assert "Won Spring 2026" not in page(Client(), "player", club, last.player_id)
    client.post(close_url.replace("close", "reopen"))
    assert "No seasons closed" in page(Client(), "hall_of_fame", club)
    assert client.post(close_url.replace("close", "burn")).status_code == 404


def test_leaderboard_of_a_closed_season_stays_until_it_is_opened_again(
    club: Club,
) -> None:
    season = club.seasons.get(slug="2026-spring")
    close_season(season_id=season.pk, now=evening("2026-07-01"))
    season.refresh_from_db()
    query = BoardQuery(club=club, season=season)
    closed_lines = compute_leaderboard(query, evening("2026-07-01").date())
    correct_all(club.tournaments.order_by("starts_at")[0], evening("2026-07-02"))
    later = evening("2027-03-01").date()
    assert compute_leaderboard(query, later) == closed_lines
    final_rows = season.final_rows.filter(game="").order_by("place")
    assert [(str(line.points), line.player) for line in closed_lines] == [
        (row.points, row.player_id) for row in final_rows
    ]
    reopen_season(season_id=season.pk)
    season.refresh_from_db()
    assert (
        compute_leaderboard(BoardQuery(club=club, season=season), later) != closed_lines
    )


def test_archived_unfinished_night_is_named_and_left_out_of_a_closed_season(
    club: Club,
) -> None:
    night = tournament_with(
        FOUR, club=club, name="Power cut", starts_at=evening("2026-06-02")
    )
    running_round(night)
    season = club.seasons.get(slug="2026-spring")
    with pytest.raises(RefusedError, match=r"Power cut.*Finish or archive it first"):
        close_season(season_id=season.pk, now=evening("2026-07-01"))
    Tournament.objects.filter(pk=night.pk).update(listing=Tournament.Listing.ARCHIVED)
    assert "left out: Power cut." in page(signed_in(club), "seasons", club)
    closed = close_season(season_id=season.pk, now=evening("2026-07-01"))
    assert closed.final_rows.filter(game="").count() == len(FOUR)


def test_closed_season_counts_as_it_did_until_it_is_opened_again(club: Club) -> None:
    season = close_season(
        season_id=club.seasons.get(slug="2026-spring").pk, now=evening("2026-07-01")
    )
    season.name = "Spring of the lost card"
    save_season(season=season, now=evening("2026-07-02"))
    season.best_of = 1
    with pytest.raises(RefusedError, match=r"is closed\. Reopen it first"):
        save_season(season=season, now=evening("2026-07-02"))
    reopen_season(season_id=season.pk)
    season.closed_at = None
    assert save_season(season=season, now=evening("2026-07-03")).best_of == 1


def test_near_integer_average_is_not_shown_as_integer(club: Club) -> None:
    ann = Player.objects.get(name="Ann")
    three = 3 * PARTS
    results = club.results.current().filter(player=ann)
    placings = Placing.objects.filter(club=club, player=ann)
    results.update(tables=1, places=three, table_points=three)
    placings.update(place=three, points=three)
    results.filter(pk=results[0].pk).update(places=three - 1, table_points=three + 1)
    placings.filter(pk=placings[0].pk).update(place=three - 1, points=three + 1)
    for page_text in (
        text(page(Client(), "player", club, ann.pk)),
        text(page(Client(), "leaderboard", club, "all", by="rating")),
    ):
        assert format_exact_number(3 - Fraction(1, 3 * PARTS)) in page_text
        assert format_exact_number(3 + Fraction(1, 3 * PARTS)) in page_text


def test_club_page_shows_next_night_with_one_action(club: Club) -> None:
    night = TournamentFactory.create(
        club=club, name="December night", starts_at=evening("2099-12-06"), capacity=8
    )
    club_page = page(Client(), "club", club)
    assert "8 of 8 places left" in text(club_page)
    assert club_page.count('class="button primary"') == 1
    assert reverse("tournaments:join", args=[night.address]) in club_page
    assert "New tournament" in page(signed_in(club), "club", club)


def test_season_cannot_close_while_a_tournament_runs(club: Club) -> None:
    open_tournament = finished_tournament(
        "2026-05-26", FOUR, club=club, name="Last night"
    )
    rounds.reopen(tournament_id=open_tournament.pk)
    season = club.seasons.get(slug="2026-spring")
    with pytest.raises(RefusedError, match="“Last night” isn’t finished"):
        close_season(season_id=season.pk, now=evening("2026-06-30"))


def test_a_season_set_up_by_mistake_is_removed_and_its_tournaments_stay(
    club: Club,
) -> None:
    client = signed_in(club)
    season = club.seasons.get(slug="2026-spring")
    season.name, season.slug, season.keep_percent = "Wrong", "wrong", 50
    save_season(season=season, now=evening("2026-06-01"))
    update_history(club, evening("2026-06-01"))
    close_url = reverse("tournaments:season_action", args=[club.slug, "wrong", "close"])
    client.post(close_url)
    error_page = client.post(
        close_url.replace("close", "remove"), follow=True
    ).content.decode()
    assert "“Wrong” is closed. Reopen it first" in error_page
    client.post(close_url.replace("close", "reopen"))
    client.post(close_url.replace("close", "remove"))
    assert [one.slug for one in club.seasons.order_by("starts_on")] == [
        "2026-spring",
        "2026-autumn",
    ]
    update_history(club, evening("2026-06-02"))
    assert history_differences(club) == []
    assert "lead" in page(Client(), "leaderboard", club, "2026-spring")


@pytest.mark.django_db(transaction=True)
class TestBackgroundUpdates:
    """Updates that run in the background."""

    def test_a_correction_afterwards_is_noted(self) -> None:
        tournament = finished_tournament("2026-05-12", FOUR)
        correct(first_match(tournament), [0, 1, 5, 12], 3)
        [revision] = Revision.objects.all()
        assert revision.tournament == tournament

    def test_sweep_derives_missed_history(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(derive_history, "apply_async", lambda args: None)
        tournament = finished_tournament("2026-05-12", FOUR)
        wait_for_background()
        assert not Result.objects.exists()
        monkeypatch.undo()
        resend_lost_tasks_and_delete_outdated_rows()
        assert Result.objects.filter(tournament=tournament).count() == 4
