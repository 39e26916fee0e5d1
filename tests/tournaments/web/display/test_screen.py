"""The room's screen: what it shows at each time of an evening."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils.timezone import override

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    play_and_close,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.results import compute_standings
from tournaments.models import Tournament
from tournaments.web.display.projector import read_screen

pytestmark = pytest.mark.django_db


def where(tournament: Tournament) -> str:
    tournament.refresh_from_db()
    return read_screen(tournament, NOW).where


def projector(tournament: Tournament) -> str:
    return text(Client(), at("projector", tournament))


def test_a_round_is_named_and_once_closed_what_comes_after_it() -> None:
    tournament = tournament_with(8, rounds_planned=2, format="swiss")
    one = running_round(tournament)
    assert where(tournament) == "Round 1 of 2"
    play_and_close(one)
    assert where(tournament) == "After round 1"
    drawing.cut(tournament_id=tournament.pk, size=4, now=NOW)
    running_round(tournament)
    assert where(tournament) == "Final"


def test_a_knockout_ends_by_a_semi_final_and_a_final() -> None:
    tournament = tournament_with(8, format="knockout", rounds_planned=9)
    play_and_close(running_round(tournament))
    assert where(tournament) == "After the semi-final"
    running_round(tournament)
    assert where(tournament) == "Final"


def test_before_anybody_has_a_result_no_standings_take_a_turn() -> None:
    tournament = tournament_with(8)
    one = running_round(tournament)
    compute_standings(tournament_id=tournament.pk, now=NOW)
    assert not read_screen(tournament, NOW).standings
    play_table(one.tables.select_related("match")[0], [9, 5, 3, 1])
    compute_standings(tournament_id=tournament.pk, now=NOW)
    assert read_screen(tournament, NOW).standings


def test_standings_say_the_hour_of_the_place_where_they_hang() -> None:
    tournament = tournament_with(8)
    one = running_round(tournament)
    play_table(one.tables.select_related("match")[0], [9, 5, 3, 1])
    compute_standings(tournament_id=tournament.pk, now=NOW)
    hours = {NOW + timedelta(hours=9): "Asia/Tokyo", NOW: "UTC"}
    for hour, place in hours.items():
        with override(ZoneInfo(place)):
            since = read_screen(tournament, NOW).since
            assert since == f"As of {hour:%H:%M}; table 2 is still open"


def test_who_sits_out_stands_among_the_names() -> None:
    tournament = tournament_with(9, game="tricky_dice", least_size=4, most_size=4)
    running_round(tournament)
    (page,) = read_screen(tournament, NOW).seats
    seats = [seat for column in page.columns for seat in column]
    assert [seat.name for seat in seats] == sorted(seat.name for seat in seats)
    assert [seat.words for seat in seats if seat.table is None] == ["sits out"]


def test_standings_say_how_far_each_has_moved_since_the_round_before() -> None:
    tournament = tournament_with(4, rounds_planned=2)
    play_and_close(running_round(tournament))
    (first,) = read_screen(tournament, NOW).standings
    assert {line.moved for line in first.lines} == {None}
    play_and_close(running_round(tournament))
    (second,) = read_screen(tournament, NOW).standings
    assert sum(line.moved or 0 for line in second.lines) == 0
    assert {line.moved for line in second.lines} != {None}


def test_at_the_end_the_winner_is_named_and_the_first_three_stand_on_a_podium() -> None:
    tournament = tournament_with(8, rounds_planned=1)
    play_and_close(running_round(tournament))
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    tournament.refresh_from_db()
    screen = read_screen(tournament, NOW)
    assert screen.where == "The result"
    assert screen.winners == " and ".join(screen.steps[0].names) + " won"
    page = projector(tournament)
    assert screen.winners in page
    assert 'class="podium"' in page


def test_the_lane_of_time_fills_while_a_round_runs() -> None:
    tournament = tournament_with(4, minutes=60)
    running_round(tournament)
    tournament.refresh_from_db()
    shares = {-1: "0.1%", 0: "0.1%", 30: "50.0%", 60: "100.0%", 99: "100.0%"}
    for minutes, share in shares.items():
        time = read_screen(tournament, NOW + timedelta(minutes=minutes)).time
        assert time is not None
        assert (time.run, bool(time.filled)) == (share, minutes > 0)


def test_a_table_that_chooses_its_game_has_the_cloth_of_the_house() -> None:
    tournament = tournament_with(4, game_choice="table")
    assert 'data-game=""' in projector(tournament)
    tournament = tournament_with(4)
    assert 'data-game="tricky_bid"' in projector(tournament)
