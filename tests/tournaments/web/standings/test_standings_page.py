"""The page of a tournament: drawn once for each state, and never out of date."""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.core.cache import caches
from django.test import Client

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    closed_round,
    enter_points,
    member,
    own_phone,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import text
from tournaments.event import draw as drawing
from tournaments.event import leagues, results, rounds
from tournaments.event.desk import announcements
from tournaments.event.results import compute_standings
from tournaments.models import Role, Tournament, User

pytestmark = pytest.mark.django_db(transaction=True)


def announce(tournament: Tournament, words: str = "Tea!") -> int:
    return announcements.announce(
        tournament_id=tournament.pk, text=words, by=None, now=NOW
    ).pk


def drawn(page: str) -> str:
    """Return what a page shows but for the time it is."""
    return re.sub(r'data-now="[^"]*"', "", page.partition("<main")[2])


def test_whoever_asks_again_costs_one_query(
    client: Client, django_assert_num_queries: Any
) -> None:
    tournament = tournament_with(8)
    play_round(running_round(tournament))
    first = text(client, tournament.get_absolute_url())
    with django_assert_num_queries(1):
        again = text(client, tournament.get_absolute_url())
    assert drawn(again) == drawn(first)


def test_nobody_has_a_rank_before_a_table_counts(client: Client) -> None:
    tournament = tournament_with(["Ann", "Bo", "Cy", "Di"])
    round_ = running_round(tournament)
    compute_standings(tournament_id=tournament.pk, now=NOW)
    before = text(client, tournament.get_absolute_url())
    assert before.count('<span class="num">–</span>') == 4
    assert "in every tie-break" not in before
    play_round(round_)
    compute_standings(tournament_id=tournament.pk, now=NOW)
    after = text(client, tournament.get_absolute_url())
    assert '<span class="num">–</span>' not in after


def test_nobody_is_out_of_the_final_before_a_table_counts(client: Client) -> None:
    tournament = tournament_with(6, final_size=3)
    running_round(tournament)
    compute_standings(tournament_id=tournament.pk, now=NOW)
    page = text(client, tournament.get_absolute_url())
    assert "Not in the final" not in page


def test_who_is_level_at_the_cut_is_neither_in_the_final_nor_out_of_it(
    client: Client,
) -> None:
    tournament = tournament_with(4, final_size=3)
    play_table(running_round(tournament).tables.get(), [20, 12, 5, 5])
    compute_standings(tournament_id=tournament.pk, now=NOW)
    page = text(client, tournament.get_absolute_url())
    assert "2 go on" in page
    assert "Level for 1 place in the final" in page
    assert "Not in the final" not in page


def test_the_cut_names_who_goes_on_and_who_does_not(client: Client) -> None:
    tournament = tournament_with(4, final_size=3)
    play_table(running_round(tournament).tables.get(), [20, 12, 5, 1])
    compute_standings(tournament_id=tournament.pk, now=NOW)
    page = text(client, tournament.get_absolute_url())
    assert "3 go on" in page
    assert "Not in the final as it stands" in page
    assert "Level for" not in page


def pause(tournament: Tournament) -> None:
    rounds.set_clock(round_id=tournament.rounds.get(number=1).pk, verb="pause", now=NOW)


def call_last_hand(tournament: Tournament) -> None:
    rounds.set_clock(
        round_id=tournament.rounds.get(number=1).pk, verb="last_hand", now=NOW
    )


@pytest.mark.parametrize(
    ("change", "shows"), [(pause, "Round 1 is paused"), (call_last_hand, "Last hand")]
)
def test_the_clock_says_what_the_director_did_with_it(
    client: Client, change: Callable[[Tournament], object], shows: str
) -> None:
    tournament = tournament_with(4)
    running_round(tournament)
    page = text(client, tournament.get_absolute_url())
    assert "Round 1 runs" in page
    assert shows not in page
    change(tournament)
    assert shows in text(client, tournament.get_absolute_url())


def test_a_line_says_by_how_many_ranks_it_moved_since_the_round_before(
    client: Client,
) -> None:
    tournament = tournament_with(4, rounds_planned=2)
    closed_round(tournament)
    url = tournament.get_absolute_url()
    assert 'class="moved' not in text(client, url)
    second = running_round(tournament)
    table = second.tables.get()
    last = tournament.standings.current()[0].rows.order_by("-place")[0].entry_id
    points = [
        20 if place.entry_id == last else 1 for place in table.places.order_by("index")
    ]
    play_table(table, points)
    rows = {row.entry_id: row for row in tournament.standings.current()[0].rows.all()}
    page = " ".join(text(client, url).split())
    assert f'</svg> {4 - rows[last].rank}<span class="unseen"> up' in page


def test_a_league_says_who_leads_and_how_everybody_played(client: Client) -> None:
    league = tournament_with(4, format="league")
    members = [entry.pk for entry in league.entries.by_number()]
    for number in range(2):
        table = leagues.begin_match(
            tournament_id=league.pk,
            key=UUID(int=number),
            entry_ids=members,
            game="tricky_bid",
            now=NOW,
        )
        play_table(table, [20, 12, 5, 1])
    compute_standings(tournament_id=league.pk, now=NOW)
    page = " ".join(text(client, league.get_absolute_url()).split())
    assert "Ada leads Amir by" in page
    assert "2 played, 2 won" in page
    assert page.count('<li class="won">1</li>') == 2


def test_ended_league_offers_no_new_match(client: Client) -> None:
    league = tournament_with(4, format="league")
    members = list(league.entries.by_number())
    phone = own_phone(members[0])
    address = league.get_absolute_url()
    assert "Begin a match" in text(phone, address)
    table = leagues.begin_match(
        tournament_id=league.pk,
        key=UUID(int=1),
        entry_ids=[member.pk for member in members],
        game=league.game,
        now=NOW,
    )
    play_table(table, [40, 30, 20, 10])
    assert "Begin a match" in text(phone, address)
    rounds.close(round_id=table.round_id, now=NOW)
    assert "Begin a match" not in text(phone, address)
    rounds.open_again(round_id=table.round_id)
    assert "Begin a match" in text(phone, address)


def test_a_league_says_who_share_the_lead(client: Client) -> None:
    league = tournament_with(4, format="league", tie_breaks=[])
    members = [entry.pk for entry in league.entries.by_number()]
    table = leagues.begin_match(
        tournament_id=league.pk,
        key=UUID(int=1),
        entry_ids=members,
        game="tricky_bid",
        now=NOW,
    )
    play_table(table, [20, 20, 5, 1])
    compute_standings(tournament_id=league.pk, now=NOW)
    page = " ".join(text(client, league.get_absolute_url()).split())
    assert "Ada and Amir share the lead." in page


def rename(tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(name="Another name")


def rename_club(tournament: Tournament) -> None:
    club = tournament.club
    club.slug = "elsewhere"
    club.save()


def publish_another(tournament: Tournament) -> None:
    rounds.publish(round_id=drawing.draw(tournament_id=tournament.pk)[0].pk)


def test_everybody_sees_what_somebody_was_penalised_for_and_by_whom(
    client: Client,
) -> None:
    tournament = tournament_with(8)
    play_round(running_round(tournament))
    director = member(tournament.club, Role.DIRECTOR)
    User.objects.filter(pk=director.pk).update(first_name="Rolf", last_name="Meier")
    director.refresh_from_db()
    entry = tournament.entries.by_number()[0]
    results.penalise(
        entry=entry, points="1/2", reason="came late", by=director, now=NOW
    )
    compute_standings(tournament_id=tournament.pk, now=NOW)
    shown = text(client, tournament.get_absolute_url())
    assert "penalty −½: came late (Rolf Meier)" in " ".join(shown.split())
    User.objects.filter(pk=director.pk).update(first_name="", last_name="")
    caches["drawn"].clear()
    shown = text(client, tournament.get_absolute_url())
    assert "came late (the director)" in " ".join(shown.split())
    assert director.email not in shown
    results.cancel_penalty(penalty_id=tournament.penalties.get().pk, now=NOW)
    compute_standings(tournament_id=tournament.pk, now=NOW)
    assert "came late" not in text(client, tournament.get_absolute_url())


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
    closed_round(tournament)
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
