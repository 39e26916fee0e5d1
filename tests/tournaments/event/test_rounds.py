"""The operations of a night, from the first name to the last table."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from scoring.matchlog.commands import CommandAuthor
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
from tournaments.event.table_results import rank_players, read_results_by_stage
from tournaments.models import Entry, Round, Tournament
from tournaments.seating import count_meetings

# Standings are computed after a commit, so these tests commit.
pytestmark = pytest.mark.django_db(transaction=True)


def seating(round_: Round) -> list[list[str]]:
    return [
        [place.entry.name for place in table.places.order_by("index")]
        for table in round_.tables.order_by("number")
    ]


def current_rows(tournament: Tournament) -> list[tuple[int, str, str]]:
    standings = tournament.standings.unfrozen_latest_first().get()
    return [(row.rank, row.entry.name, row.points) for row in standings.rows.all()]


def test_pasted_list_is_entered_once_and_matches_club_members() -> None:
    first_tournament = tournament_with(["Ada", "Bea"])
    second_tournament = tournament_with([], club=first_tournament.club)
    names = read_names("1. Ada\n2) Carl;  Dora \n\n• Ada")
    result = entries.add_entries(
        tournament_id=second_tournament.pk, names=names, now=NOW
    )
    assert [entry.name for entry in result.entries] == ["Ada", "Carl", "Dora"]
    assert result.known == ["Ada"]
    ada = first_tournament.entries.get(name="Ada").player
    assert second_tournament.entries.get(name="Ada").player == ada
    assert [entry.number for entry in second_tournament.entries.by_number()] == [
        1,
        2,
        3,
    ]


@pytest.mark.parametrize("name", ["", "x" * 41, "a\x00b"])
def test_rejects_name_that_cannot_be_stored(name: str) -> None:
    tournament = tournament_with([])
    with pytest.raises(RefusedError) as refusal:
        entries.add_entries(tournament_id=tournament.pk, names=["Ada", name], now=NOW)
    assert refusal.value.field == "name"
    assert not tournament.entries.exists()


def test_planned_night_is_drawn_at_once_with_its_quality() -> None:
    tournament = tournament_with(16, rounds_planned=5)
    drawn_rounds = drawing.draw(tournament_id=tournament.pk)
    assert [round_.number for round_ in drawn_rounds] == [1, 2, 3, 4, 5]
    seats_by_round = [
        [[NAMES.index(name) for name in table] for table in seating(round_)]
        for round_ in drawn_rounds
    ]
    assert max(count_meetings(seats_by_round).values()) == 1
    assert drawn_rounds[0].quality["repeats"] == drawn_rounds[0].quality["bound"] == 0
    seating_before = [seating(round_) for round_ in drawn_rounds]
    redrawn_rounds = drawing.draw(
        tournament_id=tournament.pk, seed=drawn_rounds[0].seed
    )
    assert [seating(round_) for round_ in redrawn_rounds] == seating_before
    other_rounds = drawing.draw(tournament_id=tournament.pk, seed=99)
    assert [seating(round_) for round_ in other_rounds] != seating_before
    assert tournament.rounds.count() == 5


def test_seats_can_be_swapped_until_the_first_hand() -> None:
    tournament = tournament_with(8)
    round_ = drawing.draw(tournament_id=tournament.pk)[0]
    (first_name, *_rest), (second_name, *_others) = seating(round_)
    first, second = (
        tournament.entries.get(name=name) for name in (first_name, second_name)
    )
    swap = partial(rounds.swap_and_count_repeats, round_id=round_.pk, entry_id=first.pk)
    swap(other_id=second.pk)
    assert [table[0] for table in seating(round_)] == [second_name, first_name]
    with pytest.raises(RefusedError):
        swap(other_id=0)
    rounds.publish_and_open_pads(round_id=round_.pk, now=NOW)
    swap(other_id=second.pk)
    table = round_.tables.get(number=1)
    assert match_of(table).seats.get(index=0).name == first_name
    enter_points(match_of(table), [9, 5, 3, 1])
    with pytest.raises(RefusedError, match="has already entered a hand"):
        swap(other_id=second.pk)
    rounds.start(round_id=round_.pk, now=NOW)
    with pytest.raises(RefusedError, match="has started"):
        swap(other_id=second.pk)


def test_too_few_players_for_a_table_are_reported() -> None:
    with pytest.raises(RefusedError) as refusal:
        drawing.draw(tournament_id=tournament_with(2).pk)
    assert refusal.value.field == "players"


def test_drops_and_arrivals_change_only_future_rounds() -> None:
    tournament = tournament_with(13, rounds_planned=3)
    first_round = running_round(tournament)
    before = seating(first_round)
    play_and_close(first_round)
    leaver = tournament.entries.get(name="Ada")
    entries.set_state(entry_id=leaver.pk, state=Entry.State.DROPPED)
    present = Entry.State.PRESENT
    entries.add_entries(
        tournament_id=tournament.pk, names=["Zoe"], now=NOW, state=present
    )
    drawing.draw(tournament_id=tournament.pk)
    assert seating(first_round) == before
    for round_ in tournament.rounds.filter(number__gt=1):
        names = [name for table in seating(round_) for name in table]
        assert "Ada" not in names
        assert "Zoe" in names
        assert len(names) == 13


def test_started_round_has_a_match_at_every_table_with_the_seats_as_drawn() -> None:
    tournament = tournament_with(13)
    round_ = running_round(tournament)
    assert round_.ends_at == NOW + timedelta(minutes=tournament.minutes)
    for table in round_.tables.all():
        seats = match_of(table).seats.order_by("index").values_list("name", flat=True)
        assert list(seats) == seating(round_)[table.number - 1]
    rounds.start(round_id=round_.pk, now=NOW)
    assert Match.objects.count() == round_.tables.count()


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
    round_ = running_round(tournament)
    first, second = round_.tables.order_by("number")
    play_table(first, [9, 5, 3, 1])
    with pytest.raises(RefusedError) as refusal:
        rounds.close(round_id=round_.pk, now=NOW)
    assert refusal.value.message == (
        "Table 1 hasn’t confirmed its result. Table 2 isn’t finished."
    )
    results.confirm_table_as_director(
        table_id=first.pk, author=CommandAuthor(), now=NOW
    )
    results.dispute(table_id=second.pk, now=NOW)
    assert rounds.closing_obstacles(round_) == ["Table 2 isn’t finished."]
    with pytest.raises(RefusedError, match="Table 2 isn’t finished"):
        rounds.close(round_id=round_.pk, now=NOW, override="\ufeff")
    closed_round = rounds.close(round_id=round_.pk, now=NOW, override="the pub shuts")
    assert (closed_round.state, closed_round.override) == ("closed", "the pub shuts")


def test_draw_can_be_undone_until_the_first_hand() -> None:
    tournament = tournament_with(8)
    round_ = running_round(tournament)
    rounds.withdraw_rounds(round_id=round_.pk)
    assert not Match.objects.exists()
    round_ = running_round(tournament)
    table = round_.tables.order_by("number")[1]
    enter_points(match_of(table), [3, 2, 1, 0])
    with pytest.raises(RefusedError, match="Round 1, table 2 already has entries"):
        rounds.withdraw_rounds(round_id=round_.pk)


def test_swiss_round_is_drawn_from_previous_results() -> None:
    tournament = tournament_with(16, format="swiss")
    first_round = running_round(tournament)
    with pytest.raises(RefusedError, match="still open"):
        drawing.draw(tournament_id=tournament.pk)
    play_and_close(first_round)
    second_round = drawing.draw(tournament_id=tournament.pk)[0]
    winners = {table[0] for table in seating(first_round)}
    assert winners in [set(table) for table in seating(second_round)]


@pytest.mark.parametrize(
    "earlier",
    [
        "equal with %(player)s on %(points)s and in every tie-break",
        "tied with %(player)s on %(points)s and every tie-break",
    ],
)
def test_reasons_in_earlier_words_are_no_difference(earlier: str) -> None:
    tournament = tournament_with(8, rounds_planned=2)
    play_round(running_round(tournament))
    current_rows(tournament)
    row = tournament.standings.unfrozen_latest_first().get().rows.all()[0]
    values = {**row.because["values"], "player": "Bo"}
    row.because = {"template": earlier, "values": values}
    row.reason = earlier % {"player": "Bo", "points": "4 points"}
    row.save()
    assert results.standings_differences(tournament) == []


def test_stored_standings_have_reasons_and_stay_when_frozen() -> None:
    tournament = tournament_with(8, rounds_planned=2)
    round_ = running_round(tournament)
    play_round(round_)
    rows = current_rows(tournament)
    winners = {table[0] for table in seating(round_)}
    assert {name for _rank, name, _points in rows[:2]} == winners
    points = [points for _rank, _name, points in rows]
    assert points == ["4", "4", "3", "3", "2", "2", "1", "1"]
    standings = tournament.standings.unfrozen_latest_first().get()
    assert standings.rows.all()[0].reason == ("tied on 4, all tie-breaks equal")
    assert results.standings_differences(tournament) == []
    freeze = partial(
        results.freeze_standings, tournament_id=tournament.pk, name="halfway"
    )
    frozen = freeze(now=NOW)
    assert frozen.rows.count() == 8
    rounds.close(round_id=round_.pk, now=NOW)
    play_round(running_round(tournament))
    assert freeze(now=NOW).version != frozen.version
    assert tournament.standings.filter(frozen_as="halfway").count() == 2
    assert tournament.standings.unfrozen_latest_first().count() == 1


def test_penalties_void_tables_and_byes_count_as_the_rules_say() -> None:
    tournament = tournament_with(5, least_size=4, most_size=4)
    round_ = running_round(tournament)
    play_round(round_)
    bye_entry = round_.byes.get().entry
    points = {name: points for _rank, name, points in current_rows(tournament)}
    assert points[bye_entry.name] == "5/2"
    winner = round_.tables.get().places.get(index=0).entry
    penalty = results.add_penalty(
        entry=winner, points="1/2", reason="late", user=None, now=NOW
    )
    points = {name: points for _rank, name, points in current_rows(tournament)}
    assert points[winner.name] == "7/2"
    results.cancel_penalty(penalty_id=penalty.pk, now=NOW)
    results.set_void(table_id=round_.tables.get().pk, void=True)
    assert {points for _rank, _name, points in current_rows(tournament)} == {"0"}
    results.set_void(table_id=round_.tables.get().pk, void=False)
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
    round_ = running_round(tournament)
    table = round_.tables.get()
    enter_points(match_of(table), [9, 5, 3, 1])
    assert read_results_by_stage(tournament)[0].tables == []
    assert len(read_results_by_stage(tournament, as_it_stands=True)[0].tables) == 1
    rounds.close(round_id=round_.pk, now=NOW, override="time")
    assert {row.points for row in rank_players(tournament)} == points
    # The hands played there stay.
    assert match_of(table).hands.count() == 1
    assert rebuild_match(match_id=match_of(table).pk, check_only=True) == []


def test_separated_players_do_not_meet() -> None:
    tournament = tournament_with(12, rounds_planned=2)
    ada, amir = tournament.entries.filter(name__in=["Ada", "Amir"])
    ada.apart.add(amir)
    for round_ in drawing.draw(tournament_id=tournament.pk):
        assert not any({"Ada", "Amir"} <= set(table) for table in seating(round_))


def test_standings_have_constant_query_count(
    django_assert_max_num_queries: Any,
) -> None:
    for players in (8, 24):
        tournament = tournament_with(players)
        round_ = running_round(tournament)
        for table in round_.tables.all():
            enter_points(match_of(table), [4, 3, 2, 1])
        rounds.close(round_id=round_.pk, now=NOW, override="measured")
        tournament.standings.all().delete()
        with django_assert_max_num_queries(12) as queries:
            results.store_current_standings(tournament_id=tournament.pk, now=NOW)
        selects = [query for query in queries if query["sql"].startswith("SELECT")]
        # One checks whether they are up to date, another looks for webhooks.
        assert len(selects) <= 8
