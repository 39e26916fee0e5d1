"""The history follows from the results, whatever is corrected, reopened or merged."""

from datetime import date, datetime, timedelta
from io import StringIO
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from scoring.models import Match, Player
from tests.factories import author
from tests.factories.commands import correct_hand
from tests.factories.history import (
    POINTS,
    counted_tournament,
    evening,
    finished_tournament,
    merge_by_name,
    update_history,
)
from tests.factories.tournaments import (
    ClubFactory,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tournaments.changes import RefusedError
from tournaments.event import results, rounds
from tournaments.event.entries import substitute_entry_player
from tournaments.event.results import store_current_standings
from tournaments.history import derivation
from tournaments.history.derivation import history_differences, rebuild_history
from tournaments.history.search import search_club
from tournaments.history.seasons import remove_season, save_season
from tournaments.models import (
    Club,
    Placing,
    Result,
    Revision,
    Season,
    Table,
    Tournament,
)
from tournaments.people.identities import people_in_club
from tournaments.people.merges import unmerge_players
from tournaments.people.similar_names import find_similar_players

pytestmark = pytest.mark.django_db
LATER = evening("2026-06-03")


def current_result(name: str, tournament: Tournament) -> Result:
    return Result.objects.current().get(tournament=tournament, player__name=name)


def correct(match: Match, points: list[int], number: int = 1) -> None:
    correct_hand(
        match_id=match.pk,
        key=uuid4(),
        number=number,
        raw={"points": points},
        author=author(may_change_closed=True, now=LATER - timedelta(minutes=5)),
    )


def correct_all(tournament: Tournament, now: datetime = LATER) -> None:
    """Correct every hand of a tournament's first match, and count it again."""
    for number in (1, 2, 3, 4):
        correct(first_match(tournament), [0, 1, 5, 12], number)
    store_current_standings(tournament_id=tournament.pk, now=now)
    Tournament.objects.filter(pk=tournament.pk).update(version=99)
    assert update_history(tournament.club, now) > 0


def first_match(tournament: Tournament) -> Match:
    match = tournament.rounds.get(number=1).tables.order_by("number")[0].match
    assert match is not None
    return match


def current_results(club: Club) -> list[tuple[Any, ...]]:
    """Return all current results, without the times at which they became known."""
    lines = club.results.current().order_by("tournament", "player", "game")
    columns = [
        field.name
        for field in Result._meta.fields
        if field.name not in ("id", "known_from", "known_until")
    ]
    return list(lines.values_list(*columns))


def test_counting_in_parts_equals_counting_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(derivation, "PART", 2)
    club = ClubFactory.create()
    reopened = counted_tournament("2026-05-05", 4, club=club)
    counted_tournament("2026-05-26", 4, club=club)
    rounds.reopen(tournament_id=reopened.pk)
    days = ("2026-05-19", "2026-05-12", "2026-04-28", "2026-06-02", "2026-05-12")
    nights = [finished_tournament(day, 4, club=club) for day in days]
    assert update_history(club, LATER) > 0
    assert history_differences(club) == []
    for night in nights:
        assert current_result("Ada", night).known_from == night.finished_at
    assert not Result.objects.current().filter(tournament=reopened).exists()
    assert rebuild_history(club_id=club.pk, now=LATER) == 0


def test_correction_rerates_later_results_and_is_noted(club: Club) -> None:
    first = counted_tournament("2026-05-12", 4, club=club)
    second = counted_tournament("2026-05-19", 4, club=club)
    original = current_result("Ada", second)
    correct_all(first)
    [revision] = Revision.objects.all()
    assert (revision.kind, revision.tournament) == (Revision.Kind.CORRECTED, first)
    assert [one["hand"] for one in revision.details["hands"]] == [1, 2, 3, 4]
    corrected = current_result("Ada", second)
    assert corrected.mu != original.mu
    assert corrected.place_points == original.place_points
    original.refresh_from_db()
    assert original.known_until == corrected.known_from == LATER
    assert history_differences(club) == []


def test_reopening_removes_a_tournament_from_history_until_finished() -> None:
    tournament = counted_tournament("2026-05-12")
    before = current_results(tournament.club)
    rounds.reopen(tournament_id=tournament.pk)
    update_history(tournament.club, LATER)
    assert not Result.objects.current().exists()
    assert Revision.objects.get().kind == Revision.Kind.REOPENED
    rounds.finish(tournament_id=tournament.pk, now=LATER)
    update_history(tournament.club, LATER)
    assert current_results(tournament.club) == before


def tournament_with_a_substitute(from_round: int) -> Tournament:
    """Return a tournament of three rounds; Zed plays for Ann from the given one on."""
    tournament = tournament_with(
        ["Ann", "Bo", "Cy", "Di"], rounds_planned=3, starts_at=evening("2026-05-12")
    )
    for number in (1, 2, 3, 4):
        if number == from_round:
            entry = tournament.entries.get(name="Ann")
            substitute_entry_player(entry_id=entry.pk, name="Zed", now=LATER)
        if number == 4:
            break
        round_ = running_round(tournament)
        for table in round_.tables.select_related("match"):
            play_table(table, POINTS)
        rounds.close(round_id=round_.pk, now=LATER)
    rounds.finish(tournament_id=tournament.pk, now=LATER)
    update_history(tournament.club, LATER)
    return tournament


def test_substitute_and_replaced_player_share_the_place() -> None:
    tournament = tournament_with_a_substitute(from_round=3)
    ann, zed = current_result("Ann", tournament), current_result("Zed", tournament)
    assert (ann.tables, zed.tables) == (2, 1)
    assert (ann.rank, ann.place_points) == (zed.rank, zed.place_points)
    assert {row.players for row in Result.objects.all()} == {4}
    page = Client().get(tournament.get_absolute_url()).content.decode()
    assert "Ann, Zed (round 3)" in page
    assert "Bo (round" not in page
    tables = [
        Table.objects.with_places_and_entries().get(round__number=n) for n in (1, 3)
    ]
    names_by_table = [{place.name for place in table.places.all()} for table in tables]
    assert [{"Ann", "Zed"} & names for names in names_by_table] == [{"Ann"}, {"Zed"}]
    club = tournament.club
    for name in ("Ann", "Zed"):
        assert f"rank {zed.rank}, " in player_page_text(name, club)
    assert {person.player.name for person in people_in_club(club)} >= {"Ann", "Zed"}
    assert (ann.player_id, "Ann", "") in search_club(club, "ann").players
    assert "Änn" in find_similar_players(club, ["Änn"])
    next_tournament = tournament_with(["ann", "Zed"], club=club)
    assert next_tournament.entries.get(name="Ann").player_id == ann.player_id


def player_page_text(name: str, club: Club) -> str:
    player = Player.objects.get(name=name)
    url = reverse("tournaments:player", args=[club.slug, player.pk])
    response = Client().get(url)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def test_substitute_after_the_last_table_has_no_place() -> None:
    tournament = tournament_with_a_substitute(from_round=4)
    row = tournament.standings.unfrozen_latest_first()[0].rows.get(entry__name="Zed")
    assert f"rank {row.rank}, " in player_page_text("Ann", tournament.club)
    assert "rank" not in player_page_text("Zed", tournament.club)
    page = Client().get(tournament.get_absolute_url()).content.decode()
    assert ">Ann</a>" in page
    assert "Zed" not in page


def test_substitute_is_named_before_their_first_table() -> None:
    tournament = tournament_with(["Ann", "Bo", "Cy", "Di"], rounds_planned=2)
    play_round(running_round(tournament))
    entry = tournament.entries.get(name="Ann")
    substitute_entry_player(entry_id=entry.pk, name="Zed", now=LATER)
    store_current_standings(tournament_id=tournament.pk, now=LATER)
    page = Client().get(tournament.get_absolute_url()).content.decode()
    assert ">Ann, Zed</a>" in page


def test_only_entries_that_played_are_counted_and_placed() -> None:
    tournament = finished_tournament(
        "2026-05-12", ["Ann", "Bo", "Cy", "Di", "Eve", "Flo", "Gus", "Hal"]
    )
    first, second = Table.objects.filter(round__tournament=tournament).order_by("pk")
    results.set_void(table_id=first.pk, void=True)
    update_history(tournament.club, LATER)
    rows = Result.objects.order_by("rank")
    names = {place.entry.name for place in second.places.select_related("entry")}
    assert {row.player.name for row in rows} == names
    assert [(row.rank, row.players, row.place_points) for row in rows] == [
        (1, 4, "100"),
        (2, 4, "200/3"),
        (3, 4, "100/3"),
        (4, 4, "0"),
    ]
    results.set_void(table_id=second.pk, void=True)
    update_history(tournament.club, LATER)
    assert not Result.objects.current().exists()
    assert not Placing.objects.exists()


def test_merge_rebuilds_the_history_and_undo_restores_it(
    club: Club,
) -> None:
    counted_tournament("2026-05-12", ["Ann", "Bo", "Cy", "Di"], club=club)
    counted_tournament("2026-05-19", ["Annie", "Bo", "Cy", "Di"], club=club)
    counted_tournament("2026-05-26", ["Eve", "Bo", "Cy", "Di"], club=club)
    before = current_results(club)
    ann, annie = Player.objects.get(name="Ann"), Player.objects.get(name="Annie")
    merge = merge_by_name(club, "Ann", "Annie", LATER)
    update_history(club, LATER)
    assert Result.objects.current().filter(player=ann).count() == 2
    assert not Result.objects.current().filter(player=annie).exists()
    assert history_differences(club) == []
    unmerge_players(merge_id=merge.pk, now=LATER)
    update_history(club, LATER)
    assert current_results(club) == before
    kinds = [revision.kind for revision in club.revisions.all()]
    assert kinds == [Revision.Kind.IDENTITIES] * 2


def test_a_season_that_keeps_half_of_a_rating_softens_it_at_the_next_table(
    club: Club,
) -> None:
    counted_tournament("2026-05-12", 4, club=club)
    autumn = counted_tournament("2026-07-14", 4, club=club)
    season = Season.objects.get(slug="2026-autumn")
    season.keep_percent = 50
    save_season(season=season, now=LATER)
    before = current_result("Ada", autumn).mu
    update_history(club, LATER)
    spring = Placing.objects.get(player__name="Ada", held_on="2026-05-12")
    placing = Placing.objects.get(player__name="Ada", held_on="2026-07-14")
    assert placing.mu_before == pytest.approx(25 + (spring.mu - 25) / 2)
    assert current_result("Ada", autumn).mu != before
    assert history_differences(club) == []


def test_half_years_give_way_to_a_season_of_the_whole_year(club: Club) -> None:
    for day in ("2025-11-04", "2026-05-12", "2026-07-14"):
        counted_tournament(day, 4, club=club)
    autumn = club.seasons.get(slug="2026-autumn")
    with pytest.raises(RefusedError, match="Add a season with the dates"):
        remove_season(season_id=autumn.pk, now=LATER)
    year = Season(
        club=club,
        name="Season 25/26",
        slug="25-26",
        starts_on=date(2025, 9, 1),
        ends_on=date(2026, 6, 30),
    )
    save_season(season=year, now=LATER)
    names = club.seasons.latest_first().values_list("slug", "starts_on", "ends_on")
    assert list(names) == [
        ("2026-autumn", date(2026, 7, 1), date(2026, 12, 31)),
        ("25-26", date(2025, 9, 1), date(2026, 6, 30)),
    ]
    other = Season(
        club=club,
        name="2026",
        slug="2026",
        starts_on=date(2026, 1, 1),
        ends_on=date(2026, 12, 31),
    )
    with pytest.raises(RefusedError, match="already covers"):
        save_season(season=other, now=LATER)
    assert club.seasons.count() == 2
    assert history_differences(club) == []


def test_half_year_with_changed_days_does_not_give_way(club: Club) -> None:
    counted_tournament("2026-05-12", 4, club=club)
    spring = club.seasons.get(slug="2026-spring")
    assert spring.is_automatic
    spring.ends_on = date(2026, 12, 31)
    save_season(season=spring, now=LATER)
    summer = Season(
        club=club,
        name="Summer",
        slug="summer",
        starts_on=date(2026, 6, 1),
        ends_on=date(2026, 8, 31),
    )
    with pytest.raises(RefusedError, match="already covers"):
        save_season(season=summer, now=LATER)


def test_rebuild_repairs_tampered_rows() -> None:
    tournament = counted_tournament("2026-05-12")
    call_command("rebuild", check=True, stdout=StringIO())
    Placing.objects.filter(rank=1).update(mu=99)
    Result.objects.filter(rank=1).update(wins=0)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("rebuild", check=True, stdout=out)
    assert "placing at table" in out.getvalue()
    assert "result of player" in out.getvalue()
    call_command("rebuild", stdout=StringIO())
    call_command("rebuild", check=True, stdout=StringIO())
    assert rebuild_history(club_id=tournament.club_id, now=LATER) == 0


@pytest.mark.long(2)
@pytest.mark.parametrize("seed", range(6))
def test_history_always_follows_from_the_results(
    seed: int,
) -> None:
    rng = Random(seed)
    club = ClubFactory.create()
    names = [f"Player {number}" for number in range(12)]
    days = [f"2026-05-{day:02}" for day in range(1, 29)]
    tournaments = [
        counted_tournament(
            rng.choice(days),
            rng.sample(names, rng.choice([4, 5, 7, 8])),
            club=club,
            played=rng.choice([1, 2]),
            points=rng.choice([[20, 12, 5, 1, 0], [7, 7, 3, 3, 0]]),
        )
        for _evening in range(6)
    ]
    for _change in range(6):
        tournament = rng.choice(tournaments)
        match rng.choice(["correct", "void", "reopen", "finish", "penalise"]):
            case "correct":
                size = first_match(tournament).seats.count()
                correct(first_match(tournament), rng.sample(POINTS[:size], size))
                Tournament.objects.filter(pk=tournament.pk).update(
                    version=rng.randint(99, 9999)
                )
            case "void":
                table = tournament.rounds.get(number=1).tables.all()[0]
                results.set_void(table_id=table.pk, void=not table.void)
            case "reopen":
                rounds.reopen(tournament_id=tournament.pk)
            case "finish":
                rounds.finish(tournament_id=tournament.pk, now=LATER)
            case _:
                results.add_penalty(
                    entry=tournament.entries.all()[0],
                    points="1/2",
                    reason="late",
                    user=None,
                    now=LATER,
                )
        if rng.random() < 0.5:
            update_history(club, LATER)
    update_history(club, LATER)
    assert history_differences(club) == []
