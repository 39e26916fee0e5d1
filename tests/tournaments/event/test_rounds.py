"""An evening from the first name to the last table, as operations."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from scoring.matchlog.commands import Author
from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    NAMES,
    enter_points,
    match_of,
    play_and_close,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import entries, results, rounds
from tournaments.event.setup.entry_lists import read_names
from tournaments.event.table_results import rank_players, read_stages
from tournaments.models import Entry, Round, Tournament
from tournaments.seating import meetings

# Standings follow from what is committed, so everything here is.
pytestmark = pytest.mark.django_db(transaction=True)


def seating(one: Round) -> list[list[str]]:
    return [
        [place.entry.name for place in table.places.order_by("index")]
        for table in one.tables.order_by("number")
    ]


def current_rows(tournament: Tournament) -> list[tuple[int, str, str]]:
    made = tournament.standings.unfrozen_latest_first().get()
    return [(row.rank, row.entry.name, row.points) for row in made.rows.all()]


def test_pasted_list_is_entered_once_and_matches_club_members() -> None:
    first = tournament_with(["Ada", "Bea"])
    again = tournament_with([], club=first.club)
    names = read_names("1. Ada\n2) Carl;  Dora \n\n• Ada")
    entered = entries.add_entries(tournament_id=again.pk, names=names, now=NOW)
    assert [entry.name for entry in entered.entries] == ["Ada", "Carl", "Dora"]
    assert entered.known == ["Ada"]
    ada = first.entries.get(name="Ada").player
    assert again.entries.get(name="Ada").player == ada
    assert [entry.number for entry in again.entries.by_number()] == [1, 2, 3]


@pytest.mark.parametrize("name", ["", "x" * 41, "a\x00b"])
def test_rejects_name_that_cannot_be_stored(name: str) -> None:
    tournament = tournament_with([])
    with pytest.raises(RefusedError) as refused:
        entries.add_entries(tournament_id=tournament.pk, names=["Ada", name], now=NOW)
    assert refused.value.field == "name"
    assert not tournament.entries.exists()


def test_planned_night_is_drawn_at_once_with_its_quality() -> None:
    tournament = tournament_with(16, rounds_planned=5)
    drawn = drawing.draw(tournament_id=tournament.pk)
    assert [one.number for one in drawn] == [1, 2, 3, 4, 5]
    night = [[[NAMES.index(n) for n in t] for t in seating(one)] for one in drawn]
    assert max(meetings(night).values()) == 1
    assert drawn[0].quality["repeats"] == drawn[0].quality["bound"] == 0
    before = [seating(one) for one in drawn]
    again = drawing.draw(tournament_id=tournament.pk, seed=drawn[0].seed)
    assert [seating(one) for one in again] == before
    other = drawing.draw(tournament_id=tournament.pk, seed=99)
    assert [seating(one) for one in other] != before
    assert tournament.rounds.count() == 5


def test_seats_can_be_swapped_until_the_first_hand() -> None:
    tournament = tournament_with(8)
    one = drawing.draw(tournament_id=tournament.pk)[0]
    (a, *_rest), (b, *_others) = seating(one)
    first, second = (tournament.entries.get(name=name) for name in (a, b))
    swap = partial(rounds.swap_and_count_repeats, round_id=one.pk, entry_id=first.pk)
    swap(other_id=second.pk)
    assert [table[0] for table in seating(one)] == [b, a]
    with pytest.raises(RefusedError):
        swap(other_id=0)
    rounds.publish_with_pads(round_id=one.pk, now=NOW)
    swap(other_id=second.pk)
    table = one.tables.get(number=1)
    assert match_of(table).seats.get(index=0).name == a
    enter_points(match_of(table), [9, 5, 3, 1])
    with pytest.raises(RefusedError, match="already has a hand"):
        swap(other_id=second.pk)
    rounds.start(round_id=one.pk, now=NOW)
    with pytest.raises(RefusedError, match="has started"):
        swap(other_id=second.pk)


def test_too_few_players_for_a_table_are_reported() -> None:
    with pytest.raises(RefusedError) as refused:
        drawing.draw(tournament_id=tournament_with(2).pk)
    assert refused.value.field == "players"


def test_drops_and_arrivals_change_only_future_rounds() -> None:
    tournament = tournament_with(13, rounds_planned=3)
    first = running_round(tournament)
    before = seating(first)
    play_and_close(first)
    gone = tournament.entries.get(name="Ada")
    entries.set_state(entry_id=gone.pk, state=Entry.State.DROPPED)
    here = Entry.State.PRESENT
    entries.add_entries(tournament_id=tournament.pk, names=["Zoe"], now=NOW, state=here)
    drawing.draw(tournament_id=tournament.pk)
    assert seating(first) == before
    for one in tournament.rounds.filter(number__gt=1):
        seated = [name for table in seating(one) for name in table]
        assert "Ada" not in seated
        assert "Zoe" in seated
        assert len(seated) == 13


def test_a_started_round_has_a_match_at_every_table_with_the_seats_as_drawn() -> None:
    tournament = tournament_with(13)
    one = running_round(tournament)
    assert one.ends_at == NOW + timedelta(minutes=tournament.minutes)
    for table in one.tables.all():
        seats = match_of(table).seats.order_by("index").values_list("name", flat=True)
        assert list(seats) == seating(one)[table.number - 1]
    rounds.start(round_id=one.pk, now=NOW)
    assert Match.objects.count() == one.tables.count()


def test_round_cannot_start_before_the_previous_one_closes() -> None:
    tournament = tournament_with(8)
    running_round(tournament)
    second = tournament.rounds.get(number=2)
    with pytest.raises(RefusedError, match="Round 1 is still open"):
        rounds.start(round_id=second.pk, now=NOW)
    with pytest.raises(RefusedError, match="Round 2 hasn’t started yet"):
        rounds.close(round_id=second.pk, now=NOW, override="late")


def test_blockers_are_named_and_can_be_overridden_with_a_reason() -> None:
    tournament = tournament_with(8, quorum="one")
    one = running_round(tournament)
    first, second = one.tables.order_by("number")
    play_table(first, [9, 5, 3, 1])
    with pytest.raises(RefusedError) as refused:
        rounds.close(round_id=one.pk, now=NOW)
    assert refused.value.message == (
        "Table 1 hasn’t confirmed its result. Table 2 isn’t finished."
    )
    results.confirm_for_table(table_id=first.pk, author=Author(), now=NOW)
    results.dispute(table_id=second.pk, now=NOW)
    assert rounds.closing_obstacles(one) == ["Table 2 isn’t finished."]
    with pytest.raises(RefusedError, match="Table 2 isn’t finished"):
        rounds.close(round_id=one.pk, now=NOW, override="\ufeff")
    closed = rounds.close(round_id=one.pk, now=NOW, override="the pub shuts")
    assert (closed.state, closed.override) == ("closed", "the pub shuts")


def test_draw_can_be_undone_until_the_first_hand() -> None:
    tournament = tournament_with(8)
    one = running_round(tournament)
    rounds.withdraw_rounds(round_id=one.pk)
    assert not Match.objects.exists()
    one = running_round(tournament)
    table = one.tables.order_by("number")[1]
    enter_points(match_of(table), [3, 2, 1, 0])
    with pytest.raises(RefusedError, match="Round 1, table 2 already has entries"):
        rounds.withdraw_rounds(round_id=one.pk)


def test_swiss_round_is_drawn_from_previous_results() -> None:
    tournament = tournament_with(16, format="swiss")
    first = running_round(tournament)
    with pytest.raises(RefusedError, match="still open"):
        drawing.draw(tournament_id=tournament.pk)
    play_and_close(first)
    second = drawing.draw(tournament_id=tournament.pk)[0]
    winners = {table[0] for table in seating(first)}
    assert winners in [set(table) for table in seating(second)]


def test_stored_standings_have_reasons_and_stay_when_frozen() -> None:
    tournament = tournament_with(8, rounds_planned=2)
    one = running_round(tournament)
    play_round(one)
    rows = current_rows(tournament)
    winners = {table[0] for table in seating(one)}
    assert {name for _rank, name, _points in rows[:2]} == winners
    points = [points for _rank, _name, points in rows]
    assert points == ["4", "4", "3", "3", "2", "2", "1", "1"]
    made = tournament.standings.unfrozen_latest_first().get()
    assert made.rows.all()[0].reason == (
        f"tied with {rows[1][1]} on 4 points and every tie-break"
    )
    assert results.standings_differences(tournament) == []
    freeze = partial(results.freeze, tournament_id=tournament.pk, name="halfway")
    frozen = freeze(now=NOW)
    assert frozen.rows.count() == 8
    rounds.close(round_id=one.pk, now=NOW)
    play_round(running_round(tournament))
    assert freeze(now=NOW).version != frozen.version
    assert tournament.standings.filter(frozen_as="halfway").count() == 2
    assert tournament.standings.unfrozen_latest_first().count() == 1


def test_penalties_void_tables_and_byes_count_as_the_rules_say() -> None:
    tournament = tournament_with(5, least_size=4, most_size=4)
    one = running_round(tournament)
    play_round(one)
    out = one.byes.get().entry
    points = {name: points for _rank, name, points in current_rows(tournament)}
    assert points[out.name] == "5/2"
    winner = one.tables.get().places.get(index=0).entry
    penalty = results.penalise(
        entry=winner, points="1/2", reason="late", user=None, now=NOW
    )
    points = {name: points for _rank, name, points in current_rows(tournament)}
    assert points[winner.name] == "7/2"
    results.cancel_penalty(penalty_id=penalty.pk, now=NOW)
    results.set_void(table_id=one.tables.get().pk, void=True)
    assert {points for _rank, _name, points in current_rows(tournament)} == {"0"}
    results.set_void(table_id=one.tables.get().pk, void=False)
    points = {name: points for _rank, name, points in current_rows(tournament)}
    assert points[winner.name] == "4"


@pytest.mark.parametrize(
    ("unfinished", "points"),
    [("as_it_stands", {4, 3, 2, 1}), ("deduct", {3, 2, 1, 0}), ("void", {0})],
)
def test_unfinished_table_counts_by_the_tournament_setting(
    unfinished: str, points: set[int]
) -> None:
    tournament = tournament_with(4, unfinished=unfinished)
    one = running_round(tournament)
    table = one.tables.get()
    enter_points(match_of(table), [9, 5, 3, 1])
    assert read_stages(tournament)[0].tables == []
    assert len(read_stages(tournament, as_it_stands=True)[0].tables) == 1
    rounds.close(round_id=one.pk, now=NOW, override="time")
    assert {row.points for row in rank_players(tournament)} == points
    # What was played there is part of the history, too.
    assert match_of(table).hands.count() == 1
    assert rebuild_match(match_id=match_of(table).pk, check=True) == []


def test_separated_players_do_not_meet() -> None:
    tournament = tournament_with(12, rounds_planned=2)
    ada, amir = tournament.entries.filter(name__in=["Ada", "Amir"])
    ada.apart.add(amir)
    for one in drawing.draw(tournament_id=tournament.pk):
        assert not any({"Ada", "Amir"} <= set(table) for table in seating(one))


def test_standings_have_constant_query_count(
    django_assert_max_num_queries: Any,
) -> None:
    for players in (8, 24):
        tournament = tournament_with(players)
        one = running_round(tournament)
        for table in one.tables.all():
            enter_points(match_of(table), [4, 3, 2, 1])
        rounds.close(round_id=one.pk, now=NOW, override="measured")
        tournament.standings.all().delete()
        with django_assert_max_num_queries(12) as queries:
            results.compute_standings(tournament_id=tournament.pk, now=NOW)
        read = [one for one in queries if one["sql"].startswith("SELECT")]
        # One of them asks whether they are up to date, another whether a webhook wants to know.
        assert len(read) <= 8
