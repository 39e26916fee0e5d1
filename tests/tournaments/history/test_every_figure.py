"""Every figure that pages of the history show follows from the match records.

Random clubs: evenings with byes, substitutes, penalties, void tables and hands, random games,
imported lists, merged players, and corrections after everything was counted.
"""

import os
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from scoring.locales.sentences import join_names
from scoring.matchlog.commands import CommandAuthor
from scoring.models import Match, Player
from tests.factories import author
from tests.factories.commands import correct_hand, void_hand
from tests.factories.history import evening, merge_by_name, update_history
from tests.factories.tournaments import (
    ClubFactory,
    enter_points,
    running_round,
    tournament_with,
)
from tests.tournaments.history.played_matches import (
    play_random_match,
    random_tournament,
)
from tests.tournaments.history.slow_club import SlowClub
from tests.tournaments.history.slow_figures import Figures, mean
from tests.tournaments.history.test_imports import import_list
from tournaments.changes import RefusedError
from tournaments.event import entries, results, rounds
from tournaments.event.results import store_current_standings
from tournaments.event.table_results import read_results_by_stage
from tournaments.history import club_records, play_stats, player_stats
from tournaments.history.leaderboard import (
    RECENT_TABLES,
    BoardLine,
    BoardQuery,
    Measure,
    compute_leaderboard,
    open_result_counts_by_player,
    recent_table_places,
    season_results,
)
from tournaments.history.play_stats import Share
from tournaments.history.seasons import close_season
from tournaments.history.winners import wins_or_leads_by_tournament
from tournaments.models import Club, Role, Season, Standings, Table
from tournaments.people.identities import find_played_tournaments
from tournaments.standings import list_rounds_and_point_courses

pytestmark = [pytest.mark.django_db, pytest.mark.long(2)]
NAMES = [f"Player {number}" for number in range(9)]
OTHER_NAMES = ["Annie", "Robbie"]
GAMES = ("tricky", "tricky_dice", "tricks_and_treats", "db2t")
EARLIER, NOW = evening("2026-06-18"), evening("2026-06-20")
AUTHOR = author(may_change_closed=True)


def random_club(rng: Random) -> tuple[Club, list[BoardLine]]:
    """Return a club with a season of everything, and its leaderboard before corrections."""
    club: Club = ClubFactory.create()
    import_past_lists(club, rng)
    for day in range(1, 5):
        hold_evening(club, f"2026-05-{day:02}", rng)
    random_tournament(club, rng.choice(GAMES), rng.sample(NAMES, 4), rng)
    update_history(club, EARLIER)
    first_leaderboard = compute_leaderboard(BoardQuery(club=club), EARLIER.date())
    for match in Match.objects.filter(table__round__tournament__club=club):
        if match.game == "tricky_bid" and rng.random() < 0.2:
            correct_or_void(match, rng)
    for tournament in club.tournaments.all():
        store_current_standings(tournament_id=tournament.pk, now=NOW)
    for name in OTHER_NAMES:
        # Players of one table, or who never played, cannot be merged.
        with suppress(RefusedError, Player.DoesNotExist):
            merge_by_name(club, rng.choice(NAMES), name, NOW)
    update_history(club, NOW)
    return club, first_leaderboard


def import_past_lists(club: Club, rng: Random) -> None:
    """Import a list with final places only, and one of tables with their scores."""
    names = [*rng.sample(NAMES, 4), OTHER_NAMES[0]]
    places = ["1", "2", "2", "4", "5"]
    rows = [
        f"2024-03-01,March,{name},{place}"
        for name, place in zip(names, places, strict=True)
    ]
    import_list(club, "\n".join(["date,tournament,player,place", *rows]))
    rows = []
    for number in (1, 2):
        players = rng.sample(NAMES, 4)
        for name in players:
            rows.append(
                f"2024-04-0{number},April {number},1,1,{name},{rng.randint(0, 9)}"
            )
    import_list(club, "\n".join(["date,tournament,round,table,player,points", *rows]))


def hold_evening(club: Club, day: str, rng: Random) -> None:
    """Play two rounds, in which players may sit out, be replaced or lose points."""
    substitution_rounds = [number for number in (1, 2) if rng.random() < 0.4]
    tournament = tournament_with(
        rng.sample([*NAMES[1:], *OTHER_NAMES], rng.choice([4, 5, 8])),
        club=club,
        rounds_planned=2,
        starts_at=evening(day),
        table_size=4,
        least_size=4,
        most_size=4,
        tie_breaks=[],
        quorum=rng.choice(["none", "one"]),
        unfinished=rng.choice(["as_it_stands", "void"]),
        game_choice="round",
        games=["tricky_bid", rng.choice(["tricky_bid", "tricks_and_treats"])],
    )
    for number in (1, 2):
        round_ = running_round(tournament)
        for table in round_.tables.select_related("match"):
            play_table(table, rng)
        rounds.close(round_id=round_.pk, now=EARLIER, override="time is up")
        if number in substitution_rounds:
            entry = rng.choice(list(tournament.entries.exclude(name=NAMES[0])))
            with suppress(RefusedError):
                entries.substitute_entry_player(
                    entry_id=entry.pk, name=NAMES[0], now=EARLIER
                )
    if rng.random() < 0.5:
        entry = rng.choice(list(tournament.entries.all()))
        results.add_penalty(
            entry=entry, points="1/3", reason="late", user=None, now=EARLIER
        )
    rounds.finish(tournament_id=tournament.pk, now=EARLIER)


def play_table(table: Table, rng: Random) -> None:
    """Play a table, not always to its end; sometimes void it, or one of its hands."""
    match = table.match
    assert match is not None
    if match.game != "tricky_bid":
        play_random_match(match, rng)
        return
    for _hand in range(rng.choice([0, 2, 4, 4, 4])):
        enter_points(match, [rng.randint(0, 4) for _seat in range(4)])
    if rng.random() < 0.1:
        results.set_void(table_id=table.pk, void=True)


def correct_or_void(match: Match, rng: Random) -> None:
    """Correct or void the first hand of a match that already counts."""
    if not match.hands_played:
        return
    if rng.random() < 0.3:
        void_hand(match_id=match.pk, number=1, author=AUTHOR)
        return
    points = [rng.randint(0, 9) for _seat in range(4)]
    correct_hand(match_id=match.pk, number=1, raw={"points": points}, author=AUTHOR)


CLUBS = int(os.environ.get("CLUBS", "8"))
"""How many random clubs, one for each seed. `CLUBS=200` takes about four minutes."""


@pytest.mark.parametrize("seed", range(CLUBS))
def test_club_pages_match_the_match_records(seed: int) -> None:
    club, first_leaderboard = random_club(Random(seed))
    slow = SlowClub(club)
    assert slow.persons
    earlier_query = BoardQuery(club=club, as_of=EARLIER.date())
    assert compute_leaderboard(earlier_query, NOW.date()) == first_leaderboard
    for person in slow.persons:
        assert_figures_of_a_player(club, slow, person)
    assert_records_of_a_club(club, slow)
    for season in [None, *seasons_of(club)]:
        for game in ("", "tricky_bid"):
            assert_leaderboards(BoardQuery(club=club, season=season, game=game), slow)
    assert_tournaments(club, slow)
    assert_closed_seasons(club, slow)


def seasons_of(club: Club) -> list[Season]:
    """Return a season that counts the two best places, and one that counts all points."""
    days = {
        "starts_on": evening("2024-01-01").date(),
        "ends_on": evening("2026-12-31").date(),
    }
    return [
        Season(
            club=club, slug="place", name="place", best_of=2, least_attendance=2, **days
        ),
        Season(
            club=club,
            slug="earned",
            name="earned",
            counts=Season.TournamentWorth.POINTS,
            **days,
        ),
    ]


def assert_figures_of_a_player(club: Club, slow: SlowClub, person: int) -> None:
    tables = slow.tables_of(person)
    player_ids = {
        player
        for player in Player.objects.values_list("pk", flat=True)
        if slow.person(player) == person
    }
    for record in player_stats.overall_and_game_stats(club, person):
        parts = [part for table, part in tables if record.game in ("", table.game)]
        assert record.tables == len(parts)
        assert record.average == sum(part.points for part in parts) / Fraction(
            len(parts)
        )
        assert record.place == sum(part.place for part in parts) / Fraction(len(parts))
        assert record.wins == sum(part.wins for part in parts)
        rating = slow.ratings[person, record.game]
        assert (record.rating.mu, record.rating.sigma) == pytest.approx(rating)
    recent_ranks = [
        (placing.tournament_id, placing.rank)
        for placing in player_stats.recent_table_placings(club, person)
    ]
    latest = [(table.tournament.pk, part.rank) for table, part in tables[::-1]]
    assert recent_ranks == latest[: player_stats.RECENT_TABLES]
    assert player_stats.longest_run_of_tables_won(club, person) == max(
        slow.runs(person), default=0
    )
    results = player_stats.results_in_order(club, person)
    rating_values = [
        result.mu for result in player_stats.last_rated_result_per_tournament(results)
    ]
    assert rating_values == pytest.approx(slow.rating_courses.get(person, []))
    played_tournaments = find_played_tournaments(club, player_ids, role=Role.DIRECTOR)
    attended = {result.tournament for result in slow.results_of(person)}
    assert {one.entry.tournament for one in played_tournaments if one.row} == attended
    places = Counter(part.rank for _table, part in tables)
    assert player_stats.table_rank_counts(club, person) == places
    expected_meetings = {
        other: counts
        for (first, other), counts in slow.meetings.items()
        if first == person
    }
    opponents = player_stats.most_frequent_opponents(club, person)
    assert {
        one.player: (one.met, one.ahead, one.level) for one in opponents
    } == expected_meetings
    for opponent in opponents:
        assert opponent.is_small_sample == (opponent.met < 3)
        half_points = 2 * opponent.ahead + opponent.level
        assert opponent.ahead_percent_with_half_ties == round(
            Fraction(100 * half_points, 2 * opponent.met)
        )
    assert_hands_of_a_player(club, slow, person, player_ids)


def assert_hands_of_a_player(
    club: Club, slow: SlowClub, person: int, player_ids: set[int]
) -> None:
    best: dict[str, int] = {}
    for table, hand in slow.hands:
        if person in table.persons:
            points = hand.scored.scores[table.persons.index(person)]
            best[hand.game] = max(points, best.get(hand.game, points))
    best_hands = player_stats.best_hand_of_each_game(club, player_ids)
    assert {score.hand.match.game: score.points for score in best_hands} == best
    bids: Counter[tuple[str, int]] = Counter()
    made_bids: Counter[tuple[str, int]] = Counter()
    contracts_by_role: Counter[str] = Counter()
    made_by_role: Counter[str] = Counter()
    for contract in slow.contracts:
        if contract.bidder == person and contract.bid is not None:
            bids[contract.game, contract.bid] += 1
            made_bids[contract.game, contract.bid] += contract.made
        if contract.game == "tricky_dice" and person in (
            contract.bidder,
            contract.partner,
        ):
            role = "partner" if contract.partner == person else "bidder"
            role = "solo" if contract.solo else role
            contracts_by_role[role] += 1
            made_by_role[role] += contract.made
    bid_stats = player_stats.count_bids_by_size(club, player_ids)
    assert {(stat.game, stat.least): stat.bids for stat in bid_stats} == bids
    assert {(stat.game, stat.least): stat.made for stat in bid_stats} == made_bids
    partnerships = player_stats.contract_totals_by_role(club, player_ids)
    assert {one.part: one.contracts for one in partnerships} == contracts_by_role
    assert {one.part: one.made for one in partnerships} == made_by_role
    successful_bids = [(game, bid) for (game, bid), times in made_bids.items() if times]
    assert player_stats.highest_made_bid_by_game(bid_stats) == dict(
        sorted(successful_bids)
    )
    assert_bidding_and_tricks(club, slow.figures, person, player_ids)


def assert_bidding_and_tricks(
    club: Club, figures: Figures, person: int, player_ids: set[int]
) -> None:
    bidding_stats = {
        one.game: one for one in play_stats.bidding_stats(club, player_ids)
    }
    trick_stats = {
        one.game: one for one in play_stats.trick_play_stats(club, player_ids)
    }
    for game in GAMES:
        key = str(person), game
        contracts = figures.contracts.get(key, [])
        assert (game in bidding_stats) == (
            key in figures.opening_chances or bool(contracts)
        )
        if stat := bidding_stats.get(game):
            assert stat.opened == Share(
                part=figures.openings[key], whole=figures.opening_chances[key]
            )
            assert stat.contracts == len(contracts)
            assert stat.bid == mean([bid for bid, _taken in contracts])
            assert stat.taken == mean([points for _bid, points in contracts])
        assert (game in trick_stats) == (key in figures.hands)
        if play_stat := trick_stats.get(game):
            assert (play_stat.hands, play_stat.tricks) == (
                figures.hands[key],
                figures.tricks[key],
            )
            trumps_led = Share(part=figures.trump_leads[key], whole=figures.leads[key])
            last_won = Share(part=figures.last_tricks[key], whole=figures.hands[key])
            assert (play_stat.trumps_led, play_stat.last_won) == (trumps_led, last_won)


def assert_records_of_a_club(club: Club, slow: SlowClub) -> None:
    hands = Counter(hand.game for _table, hand in slow.hands)
    findings: Counter[str] = Counter()
    for _table, hand in slow.hands:
        findings[hand.game] += len(hand.scored.findings)
    matches = Counter(table.game for table in slow.tables if table.hands)
    contracts = Counter(contract.game for contract in slow.contracts)
    set_ = Counter(contract.game for contract in slow.contracts if not contract.made)
    trumps = [
        contract.trump
        for contract in slow.contracts
        if contract.game == "tricky" and contract.trump is not None
    ]
    assert club_records.average_trump_number(club) == (
        Fraction(sum(trumps), len(trumps)) if trumps else None
    )
    best: dict[str, int] = {}
    for contract in slow.contracts:
        if contract.made and contract.bid is not None:
            best[contract.game] = max(contract.bid, best.get(contract.game, 0))
    assert {one["game"]: one for one in club_records.game_statistics(club)} == {
        game: {
            "game": game,
            "matches": matches[game],
            "hands": hands[game],
            "findings": findings[game],
            "contracts": contracts[game],
            "set": set_[game],
            "best_bid": best.get(game),
        }
        for game in hands
    }
    scores_by_game: dict[str, list[int]] = {}
    for _table, hand in slow.hands:
        scores_by_game.setdefault(hand.game, []).extend(hand.scored.scores)
    listed_scores: dict[str, list[int]] = {}
    for feat in club_records.hand_records(club).best:
        listed_scores.setdefault(feat.game, []).append(feat.number)
    assert listed_scores == {
        game: sorted(points, reverse=True)[:3]
        for game, points in scores_by_game.items()
    }
    attended = Counter(person for person, _result in slow.results)
    undecided_tournaments = (
        Standings.objects.with_unconfirmed_first_place().values_list(
            "tournament", flat=True
        )
    )
    won = Counter(
        person
        for person, result in slow.results
        if result.rank == 1 and result.tournament.pk not in undecided_tournaments
    )
    for expected, is_won in ((attended, False), (won, True)):
        top_players = club_records.top_players_by_tournaments(club, won=is_won)
        assert [feat.number for feat in top_players] == sorted(
            expected.values(), reverse=True
        )[:3]
        assert all(feat.number == expected[feat.player] for feat in top_players)
    longest_runs = club_records.longest_runs_of_tables_won(club)
    runs = [run for person in slow.persons for run in slow.runs(person)]
    assert [feat.number for feat in longest_runs] == sorted(runs, reverse=True)[:3]
    assert all(feat.number in slow.runs(feat.player) for feat in longest_runs)
    longest_auction = club_records.longest_auction(club)
    assert (
        longest_auction.number if longest_auction else 0
    ) == slow.figures.longest_auction
    hand_records = club_records.hand_records(club)
    most_tricks = {feat.game: feat.number for feat in hand_records.most_tricks}
    assert most_tricks == dict(slow.figures.most_tricks)
    dearest_tricks = {feat.game: feat.number for feat in hand_records.dearest_tricks}
    assert dearest_tricks == {
        game: worth for game, worth in slow.figures.highest_worth.items() if worth > 1
    }
    assert_matrix(club, slow)


def assert_matrix(club: Club, slow: SlowClub) -> None:
    persons = sorted(slow.persons)
    for row, first in zip(
        club_records.ahead_matrix(club, persons), persons, strict=True
    ):
        for share, other in zip(row, persons, strict=True):
            met, ahead, level = slow.meetings.get((first, other), (0, 0, 0))
            expected = (
                round(Fraction(100 * (2 * ahead + level), 2 * met))
                if met >= 3
                else None
            )
            assert share == expected


def assert_tournaments(club: Club, slow: SlowClub) -> None:
    """Compare each tournament's winners, number of players, points and race."""
    names = dict(Player.objects.values_list("pk", "name"))
    wins = wins_or_leads_by_tournament(
        [tournament.pk for tournament in club.tournaments.all()]
    )
    tournaments_with_results = {
        result.tournament.pk for _person, result in slow.results
    }
    assert wins.keys() == tournaments_with_results
    for tournament, win in wins.items():
        winners = [
            (names[person], result)
            for person, result in slow.results
            if (result.tournament.pk, result.rank) == (tournament, 1)
        ]
        assert win.names == join_names(sorted(name for name, _result in winners))
        _name, result = winners[0]
        assert win.players == result.players
        assert Fraction(win.points) == result.earned_points
    for slow_tournament in slow.tournaments:
        _rounds, courses = list_rounds_and_point_courses(
            read_results_by_stage(slow_tournament)
        )
        points = slow.points(slow_tournament)
        assert courses == {
            entry: [*course[:-1], points[int(entry)]]
            for entry, course in courses.items()
        }


def assert_closed_seasons(club: Club, slow: SlowClub) -> None:
    """Compare what the hall of fame keeps, and the titles on players' pages."""
    for tournament in slow.tournaments:
        for round_ in tournament.rounds.all():
            director = CommandAuthor(name="Di", may_change_closed=True)
            results.confirm_round_and_list_table_numbers(
                round_id=round_.pk, author=director, now=NOW
            )
        store_current_standings(tournament_id=tournament.pk, now=NOW)
    update_history(club, NOW)
    for season in club.seasons.all():
        close_season(season_id=season.pk, now=NOW)
        points: dict[int, Fraction] = {}
        for person, result in slow.results:
            if season.starts_on <= result.tournament.held_on <= season.ends_on:
                points[person] = points.get(person, Fraction()) + result.place_points
        final_rows = season.final_rows.filter(game="")
        assert {row.player_id: Fraction(row.points) for row in final_rows} == points
        for row in final_rows:
            above = sum(worth > points[row.player_id] for worth in points.values())
            assert row.rank == 1 + above
            titles = player_stats.season_titles(club, [row.player_id])
            has_won = (season.pk, "") in {(one.season_id, one.game) for one in titles}
            assert has_won == (above == 0)


def assert_leaderboards(query: BoardQuery, slow: SlowClub) -> None:
    by_place = query.counted_points_column == "place_points"
    lines = {
        measure: compute_leaderboard(replace(query, measure=measure), NOW.date())
        for measure in Measure
    }
    open_tables = open_result_counts_by_player(query)
    recent_ranks = recent_table_places(query, slow.persons)
    for line in lines[Measure.POINTS]:
        assert_line(query, slow, line, by_place=by_place)
        ranks = [
            part.rank
            for table, part in slow.tables_of(line.player)
            if query.game in ("", table.game)
        ]
        assert recent_ranks.get(line.player, []) == ranks[::-1][:RECENT_TABLES]
        if not query.game:
            assert open_tables[line.player].unconfirmed == slow.unconfirmed(line.player)
    value_functions = {
        Measure.POINTS: lambda line: line.points,
        Measure.AVERAGE: lambda line: line.points_per_table or 0,
        Measure.WINS: lambda line: line.tables_won,
    }
    for measure, value in value_functions.items():
        ranked = [line for line in lines[measure] if line.rank is not None]
        for line in ranked:
            assert line.rank == 1 + sum(value(other) > value(line) for other in ranked)


def assert_line(
    query: BoardQuery, slow: SlowClub, line: BoardLine, *, by_place: bool
) -> None:
    player_results = [
        result
        for result in slow.results_of(line.player)
        if query.game in ("", result.game)
    ]
    result_points = [
        result.place_points if by_place else result.earned_points
        for result in player_results
    ]
    counted_points = sorted(result_points, reverse=True)[: query.best_of or None]
    assert line.points == sum(counted_points, Fraction())
    parts = [
        (table.tournament, part)
        for table, part in slow.tables_of(line.player)
        if query.game in ("", table.game)
    ]
    attended = {result.tournament for result in player_results} | {
        one for one, _part in parts
    }
    assert line.attended == len(attended)
    assert line.tournaments_needed == max(0, query.least_attendance - line.attended)
    assert (line.rank is None) == (line.tournaments_needed > 0)
    assert line.tables == len(parts)
    assert line.tables_won == sum(
        (part.wins for _tournament, part in parts), Fraction()
    )
    points = sum((part.points for _tournament, part in parts), Fraction())
    places = sum((part.place for _tournament, part in parts), Fraction())
    assert line.points_per_table == (points / len(parts) if parts else None)
    assert line.average_place == (places / len(parts) if parts else None)
    if parts:
        rating = slow.ratings[line.player, query.game]
        assert (line.rating.mu, line.rating.sigma) == pytest.approx(rating)
    if query.season is not None and not query.game:
        results = season_results(query.club, query.season, line.player, NOW.date())
        assert sorted(one.points for one in results) == sorted(result_points)
        assert sum(one.points for one in results if one.counts) == line.points
