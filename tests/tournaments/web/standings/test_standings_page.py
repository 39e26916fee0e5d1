"""The page of a tournament: drawn once for each state, and never out of date."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    NAMES,
    closed_round,
    enter_points,
    member,
    own_phone,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.event.test_leagues import begin
from tests.tournaments.web.pages import text
from tournaments.event import draw as drawing
from tournaments.event import results, rounds
from tournaments.event.desk.announcements import announce
from tournaments.event.entries import set_state
from tournaments.event.results import compute_standings
from tournaments.models import Club, Entry, Role, Round, Tournament, User
from tournaments.web.standings.lines import ranks_before

pytestmark = pytest.mark.django_db(transaction=True)


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


def test_nobody_has_a_rank_or_is_out_of_the_final_before_a_table_counts(
    client: Client,
) -> None:
    tournament = tournament_with(["Ann", "Bo", "Cy", "Di"], final_size=3)
    round_ = running_round(tournament)
    compute_standings(tournament_id=tournament.pk, now=NOW)
    before = text(client, tournament.get_absolute_url())
    assert before.count('<span class="num">–</span>') == 4
    assert "in every tie-break" not in before
    assert "Not in the final" not in before
    play_round(round_)
    compute_standings(tournament_id=tournament.pk, now=NOW)
    after = text(client, tournament.get_absolute_url())
    assert '<span class="num">–</span>' not in after


OUT, LEVEL = "Not in the final as it stands", "Level for 1 place in the final"


@pytest.mark.parametrize(
    ("points", "shown", "hidden"),
    [
        ([20, 12, 5, 5], ["2 go on", LEVEL], "Not in the final"),
        ([20, 12, 5, 1], ["3 go on", OUT], "Level for"),
    ],
)
def test_who_is_level_at_the_cut_is_neither_in_the_final_nor_out_of_it(
    client: Client, points: list[int], shown: list[str], hidden: str
) -> None:
    tournament = tournament_with(4, final_size=3)
    play_table(running_round(tournament).tables.get(), points)
    compute_standings(tournament_id=tournament.pk, now=NOW)
    page = text(client, tournament.get_absolute_url())
    assert [words for words in shown if words not in page] == []
    assert hidden not in page


def test_who_is_not_seated_in_the_final_is_out_for_good(client: Client) -> None:
    tournament = tournament_with(8, rounds_planned=1)
    closed_round(tournament)
    drawing.cut(tournament_id=tournament.pk, size=4, now=NOW)
    compute_standings(tournament_id=tournament.pk, now=NOW)
    page = text(client, tournament.get_absolute_url())
    assert "4 go on" in page
    assert "Not in the final" in page
    assert "as it stands" not in page


def test_standings_part_nobody_where_others_play_the_final(client: Client) -> None:
    tournament = tournament_with(8, rounds_planned=1)
    closed_round(tournament)
    best = compute_standings(tournament_id=tournament.pk, now=NOW).rows.get(place=1)
    set_state(entry_id=best.entry_id, state=Entry.State.DROPPED)
    drawing.cut(tournament_id=tournament.pk, size=3, now=NOW)
    compute_standings(tournament_id=tournament.pk, now=NOW)
    page = text(client, tournament.get_absolute_url())
    assert "3 go on" not in page
    assert "Not in the final" not in page


@pytest.mark.parametrize(
    ("verb", "shows"), [("pause", "Round 1 is paused"), ("last_hand", "Last hand")]
)
def test_the_clock_says_what_the_director_did_with_it(
    client: Client, verb: str, shows: str
) -> None:
    tournament = tournament_with(4)
    one = running_round(tournament)
    page = text(client, tournament.get_absolute_url())
    assert "Round 1 runs" in page
    assert shows not in page
    rounds.set_clock(round_id=one.pk, verb=verb, now=NOW)
    assert shows in text(client, tournament.get_absolute_url())


def test_a_line_says_by_how_many_ranks_it_moved_since_the_round_before(
    client: Client,
) -> None:
    tournament = tournament_with(4, rounds_planned=2)
    closed_round(tournament)
    url = tournament.get_absolute_url()
    assert 'class="moved' not in text(client, url)
    last = tournament.standings.current()[0].rows.order_by("-place")[0].entry_id
    turn_round_two(tournament)
    rows = {row.entry_id: row for row in tournament.standings.current()[0].rows.all()}
    page = " ".join(text(client, url).split())
    assert f'</svg> {4 - rows[last].rank}<span class="unseen"> up' in page


def turn_round_two(tournament: Tournament) -> Round:
    """Close a second round in which the last of the first has the most points."""
    second = running_round(tournament)
    last = tournament.standings.current()[0].rows.order_by("-place")[0].entry_id
    table = second.tables.get()
    points = [
        20 if place.entry_id == last else 1 for place in table.places.order_by("index")
    ]
    play_table(table, points)
    return rounds.close(round_id=second.pk, now=NOW)


@pytest.mark.parametrize("is_closed_again", [False, True])
def test_lines_move_from_the_last_closed_round_that_was_not_opened_again(
    *, is_closed_again: bool
) -> None:
    tournament = tournament_with(4, rounds_planned=3)
    closed_round(tournament)
    first = tournament.standings.exclude(frozen_as="").get()
    second = turn_round_two(tournament)
    rounds.reopen_round(round_id=second.pk)
    if is_closed_again:
        rounds.close(round_id=second.pk, now=NOW)
    shown = compute_standings(tournament_id=tournament.pk, now=NOW)
    assert ranks_before(shown) == dict(first.rows.values_list("entry", "rank"))


def test_lines_move_from_the_round_before_in_a_night_that_was_opened_again() -> None:
    tournament = tournament_with(4, rounds_planned=2)
    closed_round(tournament)
    first = tournament.standings.exclude(frozen_as="").get()
    turn_round_two(tournament)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    rounds.reopen(tournament_id=tournament.pk)
    shown = compute_standings(tournament_id=tournament.pk, now=NOW)
    assert ranks_before(shown) == dict(first.rows.values_list("entry", "rank"))


def test_public_sees_no_standings_of_a_round_that_was_opened_again() -> None:
    tournament = tournament_with(
        4, rounds_planned=3, standings_shown=Tournament.Visibility.CLOSED
    )
    closed_round(tournament)
    first = tournament.standings.exclude(frozen_as="").get()
    second = turn_round_two(tournament)
    assert tournament.standings.public(tournament) != first
    rounds.reopen_round(round_id=second.pk)
    assert tournament.standings.public(tournament) == first


@pytest.mark.parametrize(
    ("points", "settings", "said"),
    [
        ([20, 12, 5, 1], {}, "Ada leads Amir by"),
        ([20, 20, 5, 1], {"tie_breaks": []}, "Ada and Amir share the lead."),
    ],
)
def test_a_league_says_who_leads_and_how_everybody_played(
    client: Client, points: list[int], settings: dict[str, Any], said: str
) -> None:
    league = tournament_with(4, format="league", **settings)
    for _number in range(2):
        play_table(begin(league, NAMES[:4]), points)
    compute_standings(tournament_id=league.pk, now=NOW)
    page = " ".join(text(client, league.get_absolute_url()).split())
    assert said in page
    assert "2 played, 2 won" in page
    assert '<li class="won">1</li>' in page


def test_ended_league_offers_no_new_match(client: Client) -> None:
    league = tournament_with(4, format="league")
    phone = own_phone(league.entries.by_number()[0])
    address = league.get_absolute_url()
    assert "Begin a match" in text(phone, address)
    table = begin(league, NAMES[:4])
    play_table(table, [40, 30, 20, 10])
    assert "Begin a match" in text(phone, address)
    rounds.close(round_id=table.round_id, now=NOW)
    assert "Begin a match" not in text(phone, address)
    rounds.reopen_round(round_id=table.round_id)
    assert "Begin a match" in text(phone, address)


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


CHANGES: dict[str, Callable[[Tournament], object]] = {
    "Tea!": lambda t: announce(tournament_id=t.pk, text="Tea!", by=None, now=NOW),
    "Another": lambda t: Tournament.objects.filter(pk=t.pk).update(name="Another"),
    "elsewhere": lambda t: Club.objects.filter(pk=t.club_id).update(slug="elsewhere"),
    "Round 2": lambda t: rounds.publish(
        round_id=drawing.draw(tournament_id=t.pk)[0].pk
    ),
}


@pytest.mark.parametrize("shows", CHANGES)
def test_what_changes_is_on_the_next_page(client: Client, shows: str) -> None:
    tournament = tournament_with(8, format="swiss")
    closed_round(tournament)
    url = tournament.get_absolute_url()
    assert shows not in text(client, url)
    CHANGES[shows](tournament)
    assert shows in text(client, url)


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
