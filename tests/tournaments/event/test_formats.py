"""Formats: how rounds are drawn, who advances, and the final ranks."""

from random import Random

import pytest

from scoring.matchlog.append import replay_match
from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    closed_round,
    enter_points,
    play_table,
    running_round,
    tournament_with,
)
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import entries, results, rounds
from tournaments.event import tables as games
from tournaments.event.competition import TournamentCompetition
from tournaments.event.desk.overview import read_desk
from tournaments.event.outlook import derive_outlook
from tournaments.event.results import draw_missing_lots, store_current_standings
from tournaments.event.table_results import derive_standings, rank_players
from tournaments.models import Entry, Round, Tournament
from tournaments.standings import Outlook

pytestmark = pytest.mark.django_db


def names_by_table(round_: Round) -> list[set[str]]:
    return [
        {place.entry.name for place in table.places.all()}
        for table in round_.tables.with_places_and_entries()
    ]


def names_in_order(tournament: Tournament) -> list[str]:
    names = dict(tournament.entries.values_list("pk", "name"))
    return [names[int(row.player)] for row in rank_players(tournament)]


def cut_to(size: int, tournament: Tournament) -> Round:
    """Draw lots between tied players, and cut to the final."""
    results.draw_missing_lots(tournament_id=tournament.pk, shuffle=Random(3).shuffle)
    (final,) = drawing.freeze_and_cut_to_final(
        tournament_id=tournament.pk, size=size, now=NOW
    )
    return final


def test_started_round_robin_is_not_redrawn() -> None:
    tournament = tournament_with(9, format="round_robin", table_size=3)
    running_round(tournament)
    with pytest.raises(RefusedError, match="planned night"):
        drawing.draw(tournament_id=tournament.pk)


def test_heats_are_drawn_one_at_a_time_for_present_players() -> None:
    tournament = tournament_with(8, format="heats", best_tables=1)
    closed_round(tournament)
    entries.add_entries(
        tournament_id=tournament.pk,
        names=["Zoe", "Zed", "Zia", "Zac"],
        now=NOW,
        state=Entry.State.PRESENT,
    )
    (second,) = drawing.draw(tournament_id=tournament.pk)
    assert sum(map(len, names_by_table(second))) == 12
    closed_round(tournament)
    # Only the best table counts: four points for a player who won any.
    assert rank_players(tournament)[0].points == 4


def test_two_of_each_knockout_table_advance_until_one_is_left() -> None:
    tournament = tournament_with(16, format="knockout", advance=2)
    first, second = closed_round(tournament), closed_round(tournament)
    final = closed_round(tournament)
    assert [len(round_.tables.all()) for round_ in (first, second, final)] == [4, 2, 1]
    for table in first.tables.with_places_and_entries():
        names = [place.entry.name for place in table.places.all()]
        assert {
            name for name in names if name in set().union(*names_by_table(second))
        } == set(names[:2])
    with pytest.raises(RefusedError, match="Now finish the tournament"):
        drawing.draw(tournament_id=tournament.pk)
    finalists = [
        place.entry.name for place in final.tables.get().places.order_by("index")
    ]
    order = names_in_order(tournament)
    assert order[:4] == finalists
    assert set(order[:8]) == set().union(*names_by_table(second))


def test_tied_lucky_losers_are_drawn_by_lot() -> None:
    tournament = tournament_with(
        12,
        format="knockout",
        advance=2,
        least_size=4,
        most_size=4,
        tie_breaks=["final_table", "lot"],
    )
    closed_round(tournament)
    # Third places are tied, and a table drawn at random does not break ties.
    with pytest.raises(RefusedError, match="tie-break draw"):
        drawing.draw(tournament_id=tournament.pk)
    results.draw_missing_lots(tournament_id=tournament.pk, shuffle=Random(3).shuffle)
    (second,) = drawing.draw(tournament_id=tournament.pk)
    assert [len(table) for table in names_by_table(second)] == [4, 4]


def test_tied_knockout_players_are_decided_by_lot() -> None:
    tournament = tournament_with(8, format="knockout", advance=2, quorum="none")
    round_ = running_round(tournament)
    first, second = round_.tables.select_related("match").order_by("number")
    play_table(first, [12, 12, 12, 1])
    play_table(second, [20, 12, 5, 1])
    rounds.close(round_id=round_.pk, now=NOW)
    tied_names = [place.entry.name for place in first.places.order_by("index")][:3]
    with pytest.raises(RefusedError, match="tied on everything") as refusal:
        drawing.draw(tournament_id=tournament.pk)
    assert all(name in refusal.value.message for name in tied_names)
    tournament.refresh_from_db()
    desk = read_desk(tournament, NOW)
    assert "tie-break draw" in desk.preflight
    assert desk.needs_lots
    results.draw_missing_lots(tournament_id=tournament.pk, shuffle=Random(3).shuffle)
    desk = read_desk(tournament, NOW)
    assert desk.preflight == "4 players advance. That makes tables of 4."
    assert not desk.needs_lots
    order = names_in_order(tournament)
    (final,) = drawing.draw(tournament_id=tournament.pk)
    assert {name for name in tied_names if name in names_by_table(final)[0]} == set(
        sorted(tied_names, key=order.index)[:2]
    )


def test_next_player_at_the_table_advances_for_a_leaver() -> None:
    tournament = tournament_with(8, format="knockout", advance=2)
    first = closed_round(tournament)
    table = first.tables.with_places_and_entries()[0]
    best, _second, third, _last = table.places.all()
    entries.set_state(entry_id=best.entry_id, state=Entry.State.DROPPED)
    (final,) = drawing.draw(tournament_id=tournament.pk)
    (finalists,) = names_by_table(final)
    assert best.entry.name not in finalists
    assert third.entry.name in finalists


@pytest.mark.parametrize("format_", ["planned", "swiss", "heats", "round_robin"])
def test_final_decides_the_first_places_after_any_format(
    format_: str,
) -> None:
    tournament = tournament_with(16, format=format_, rounds_planned=2)
    for _round in range(5 if format_ == "round_robin" else 2):
        closed_round(tournament)
    results.draw_missing_lots(tournament_id=tournament.pk, shuffle=Random(3).shuffle)
    names_before = names_in_order(tournament)
    (final,) = drawing.freeze_and_cut_to_final(
        tournament_id=tournament.pk, size=4, now=NOW
    )
    assert names_by_table(final) == [set(names_before[:4])]
    assert tournament.standings.filter(frozen_as__startswith="cut after").count() == 1
    closed_round(tournament)
    finalists = [
        place.entry.name for place in final.tables.get().places.order_by("index")
    ]
    assert names_in_order(tournament) == finalists + names_before[4:]


def test_final_of_two_tables_leads_to_a_final_of_one() -> None:
    tournament = tournament_with(16, rounds_planned=1)
    closed_round(tournament)
    assert cut_to(8, tournament).tables.count() == 2
    closed_round(tournament)
    (final,) = drawing.draw(tournament_id=tournament.pk)
    assert (final.tables.count(), final.stage) == (1, 2)


@pytest.mark.parametrize(
    ("most", "size", "sentence"),
    [
        (4, 3, "A final of 3 players can’t be split into tables of 4. Choose 4 / 8."),
        (
            5,
            6,
            "A final of 6 players can’t be split into tables of 4 to 5. Choose 4 / 5.",
        ),
    ],
)
def test_rejected_final_size_suggests_sizes_that_fill_tables(
    most: int, size: int, sentence: str
) -> None:
    tournament = tournament_with(8, rounds_planned=1, least_size=4, most_size=most)
    closed_round(tournament)
    with pytest.raises(RefusedError) as refusal:
        drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=size, now=NOW)
    assert (refusal.value.field, refusal.value.message) == ("size", sentence)


def test_final_replaces_a_leaver_and_is_refused_with_too_few_players() -> None:
    tournament = tournament_with(8, rounds_planned=1, least_size=4, most_size=4)
    closed_round(tournament)
    cut_to(4, tournament)
    leader = names_in_order(tournament)[0]
    leaver = tournament.entries.get(name=leader)
    entries.set_state(entry_id=leaver.pk, state=Entry.State.DROPPED)
    (final,) = drawing.draw(tournament_id=tournament.pk)
    assert (final.number, final.stage) == (2, 1)
    assert len(names_by_table(final)[0]) == 4
    assert leader not in names_by_table(final)[0]
    for other in tournament.entries.exclude(pk=leaver.pk).order_by("pk")[:4]:
        entries.set_state(entry_id=other.pk, state=Entry.State.DROPPED)
    with pytest.raises(RefusedError) as refusal:
        drawing.draw(tournament_id=tournament.pk)
    assert refusal.value.message == (
        "Not enough players are here for a final. A table needs at least 4."
    )


def test_penalty_in_the_final_counts_there() -> None:
    tournament = tournament_with(8, rounds_planned=1)
    closed_round(tournament)
    final = cut_to(4, tournament)
    closed_round(tournament)
    winner = final.tables.get().places.get(index=0).entry
    results.add_penalty(entry=winner, points="4", reason="late", user=None, now=NOW)
    assert names_in_order(tournament).index(winner.name) == 3


def test_desk_previews_final_tables_after_a_round_robin() -> None:
    tournament = tournament_with(16, format="round_robin", tie_breaks=["lot"])
    for _round in range(5):
        closed_round(tournament)
    cut_to(12, tournament)
    closed_round(tournament)
    tournament.refresh_from_db()
    assert (
        read_desk(tournament, NOW).preflight
        == "6 players advance. That makes tables of 3 + 3."
    )


def test_cut_is_refused_before_the_first_round_or_during_one() -> None:
    tournament = tournament_with(8, rounds_planned=1)
    with pytest.raises(RefusedError, match="round that everyone plays"):
        drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=4, now=NOW)
    running_round(tournament)
    with pytest.raises(RefusedError, match="still open"):
        drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=4, now=NOW)


def test_rounds_rotate_games_with_table_sizes_that_fit_each() -> None:
    tournament = tournament_with(
        13,
        rounds_planned=3,
        game_choice="round",
        games=["tricky_bid", "tricky_dice"],
    )
    drawn_rounds = drawing.draw(tournament_id=tournament.pk)
    sizes = [sorted(map(len, names_by_table(round_))) for round_ in drawn_rounds]
    assert sizes == [[3, 3, 3, 4], [4, 4, 4], [3, 3, 3, 4]]
    assert [round_.byes.count() for round_ in drawn_rounds] == [0, 1, 0]
    match = running_round(tournament).tables.all()[0].match
    assert match is not None
    assert match.game == "tricky_bid"


def test_round_is_redrawn_if_the_new_game_needs_larger_tables() -> None:
    tournament = tournament_with(13, rounds_planned=2, game_choice="round")
    first, _second = drawing.draw(tournament_id=tournament.pk)
    games.set_game_and_redraw_if_needed(round_id=first.pk, game="tricky_dice")
    redrawn_round = tournament.rounds.get(number=1)
    assert sorted(map(len, names_by_table(redrawn_round))) == [4, 4, 4]
    assert redrawn_round.game == "tricky_dice"
    second_round = tournament.rounds.get(number=2)
    with pytest.raises(RefusedError, match="Round 1 isn’t published yet"):
        rounds.publish(round_id=second_round.pk)
    rounds.publish(round_id=redrawn_round.pk)
    rounds.publish(round_id=second_round.pk)
    with pytest.raises(RefusedError, match="Undo the draw first"):
        games.set_game_and_redraw_if_needed(
            round_id=second_round.pk, game="tricky_dice"
        )
    round_ = running_round(tournament)
    with pytest.raises(RefusedError, match="has started"):
        games.set_game_and_redraw_if_needed(round_id=round_.pk, game="tricky_bid")


def test_table_can_change_its_game_until_the_first_hand() -> None:
    tournament = tournament_with(8, game_choice="table", games=["tricky_bid", "db2t"])
    round_ = running_round(tournament)
    table = round_.tables.all()[0]
    assert table.match is None
    assert "Tables 1 and 2 haven’t chosen a game." in rounds.closing_obstacles(round_)
    with pytest.raises(RefusedError, match="too big or too small for this game"):
        games.choose_game_and_start_match(table_id=table.pk, game="tricky", now=NOW)
    games.choose_game_and_start_match(table_id=table.pk, game="db2t", now=NOW)
    chosen_table = games.choose_game_and_start_match(
        table_id=table.pk, game="tricky_bid", now=NOW
    )
    assert (
        games.choose_game_and_start_match(table_id=table.pk, game="tricky_bid", now=NOW)
        == chosen_table
    )
    assert chosen_table.match is not None
    enter_points(chosen_table.match, [9, 5, 3, 1])
    with pytest.raises(RefusedError, match="A hand has been entered"):
        games.choose_game_and_start_match(table_id=table.pk, game="db2t", now=NOW)
    Tournament.objects.update(game_choice="tournament")
    with pytest.raises(RefusedError, match="the director chooses"):
        games.choose_game_and_start_match(table_id=table.pk, game="db2t", now=NOW)


def test_player_with_a_bye_takes_the_seat_of_another() -> None:
    tournament = tournament_with(5, least_size=4, most_size=4)
    (round_, *_more) = drawing.draw(tournament_id=tournament.pk)
    bye_entry, seated_entry = round_.byes.get().entry, round_.places.all()[0].entry
    rounds.swap_and_count_repeats(
        round_id=round_.pk, entry_id=seated_entry.pk, other_id=bye_entry.pk
    )
    assert bye_entry.name in names_by_table(round_)[0]
    assert round_.byes.get().entry == seated_entry


def play_each(round_: Round, *tables: list[int], close: bool = True) -> None:
    """Play the tables of a round in order; those without points stay unplayed."""
    for table, points in zip(round_.tables.order_by("number"), tables, strict=False):
        play_table(table, points)
    if close:
        rounds.close(round_id=round_.pk, now=NOW, override="late")


def swiss_night(**settings: object) -> Tournament:
    """Return a Swiss night in the second of two rounds; all are tied after the first."""
    tournament = tournament_with(
        8, format="swiss", rounds_planned=2, tie_breaks=["final_table"], **settings
    )
    play_each(running_round(tournament), [5, 5, 5, 5], [5, 5, 5, 5])
    running_round(tournament)
    return tournament


def ranks(tournament: Tournament) -> list[int]:
    return [row.rank for row in rank_players(tournament)]


def final_tables(tournament: Tournament) -> list[int | None]:
    values = [row.values["final_table"] for row in rank_players(tournament)]
    return [None if value is None else int(value) for value in values]


def outlook(tournament: Tournament) -> Outlook:
    current_outlook = derive_outlook(tournament)
    assert current_outlook is not None
    return current_outlook


@pytest.mark.parametrize(
    "format_", ["planned", "heats", "round_robin", "knockout", "swiss"]
)
def test_tables_not_seated_by_rank_break_no_ties(format_: str) -> None:
    players = 16 if format_ == "round_robin" else 8
    tournament = tournament_with(
        players, format=format_, rounds_planned=1, tie_breaks=["final_table"]
    )
    points_by_table = [[20, 12, 5, 1]] * (players // 4)
    play_each(running_round(tournament), *points_by_table)
    count = players // 4
    expected = [1 + place * count for place in range(4) for _table in range(count)]
    assert ranks(tournament) == expected
    assert set(final_tables(tournament)) == {None}


def test_only_the_last_table_of_a_knockout_is_a_final_table() -> None:
    tournament = tournament_with(
        16,
        format="knockout",
        advance=2,
        tie_breaks=["final_table", "lot"],
        points={"places": {"4": ["2", "1", "1", "0"]}},
    )
    points = [20, 12, 5, 1]
    play_each(running_round(tournament), points, points, points, points)
    play_each(running_round(tournament), points, points)
    semifinal_rows = [row for row in rank_players(tournament) if row.stage == 1]
    assert {row.values["final_table"] for row in semifinal_rows} == {None}
    last_round = running_round(tournament)
    assert outlook(tournament).decides == "final_table"
    play_each(last_round, points)
    final_rows = rank_players(tournament)[:4]
    assert [row.rank for row in final_rows] == [1, 2, 3, 4]
    assert "at the last table" in str(final_rows[1].reason)


@pytest.mark.parametrize(
    ("close", "as_it_stands"), [(False, False), (True, False), (False, True)]
)
def test_unfinished_table_of_the_last_round_decides_nothing(
    *, close: bool, as_it_stands: bool
) -> None:
    tournament = swiss_night()
    play_each(tournament.rounds.get(number=2), [20, 12, 5, 1], close=close)
    rows = derive_standings(tournament, as_it_stands=as_it_stands).rows
    assert {row.values["final_table"] for row in rows} == {None}


def test_table_of_the_last_round_decides_nothing_while_it_is_disputed_or_void() -> None:
    tournament = swiss_night()
    last_round = tournament.rounds.get(number=2)
    play_each(last_round, [20, 12, 5, 1], [20, 12, 5, 1])
    second_table = last_round.tables.filter(number=2)
    second_table.update(disputed=True)
    assert ranks(tournament) == [1, 1, 3, 3, 5, 5, 7, 7]
    second_table.update(disputed=False)
    # Ties are broken by table first, then by place.
    assert ranks(tournament) == list(range(1, 9))
    assert final_tables(tournament) == [1, 2, 1, 2, 1, 2, 1, 2]
    second_table.update(void=True)
    assert set(final_tables(tournament)) == {1, None}


def test_tie_after_a_planned_night_is_decided_by_lot() -> None:
    tournament = tournament_with(8, rounds_planned=1, tie_breaks=["final_table", "lot"])
    round_ = running_round(tournament)
    play_each(round_, [20, 12, 5, 1], close=False)
    assert outlook(tournament).decides is None
    play_table(round_.tables.get(number=2), [20, 12, 5, 1])
    rounds.close(round_id=round_.pk, now=NOW)
    standings = store_current_standings(tournament_id=tournament.pk, now=NOW)
    first_row = standings.rows.get(place=1)
    assert "all tie-breaks equal" in first_row.reason
    draw_missing_lots(tournament_id=tournament.pk, shuffle=list.reverse)
    assert "by tie-break draw" in str(rank_players(tournament)[0].reason)


def test_preview_of_the_last_hand_uses_the_final_table_tie_break() -> None:
    tournament = swiss_night()
    last_round = tournament.rounds.get(number=2)
    play_each(last_round, [20, 12, 5, 1], [20, 12, 5, 1], close=False)
    table = (
        last_round.tables.with_places_and_entries()
        .select_related("round__tournament")
        .get(number=2)
    )
    assert table.match is not None
    state = replay_match(table.match).state
    table.match.refresh_from_db()
    Match.objects.filter(pk=table.match.pk).update(finished=False)
    names = [place.entry.name for place in table.places.all()]
    assert (
        f"{names[0]} moves from rank 5 to 2 in the standings."
        in TournamentCompetition().describe_consequences(table.match, state)
    )
    Tournament.objects.update(standings_shown=Tournament.Visibility.FINISHED)
    assert TournamentCompetition().describe_consequences(table.match, state) == []


@pytest.mark.parametrize("played_tables", [0, 1])
def test_unfinished_final_table_breaks_ties(played_tables: int) -> None:
    tournament = swiss_night()
    play_each(
        tournament.rounds.get(number=2), *[[20, 12, 5, 1]] * played_tables, close=False
    )
    current_outlook = outlook(tournament)
    assert current_outlook.decides == "final_table"
    assert current_outlook.prospects[0].reach.best == 1
    assert current_outlook.prospects[0].reach.worst > 1
