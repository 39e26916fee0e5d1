"""Round 1 by seeds, table sizes that the director chooses, and who sits at the smaller tables."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest
from django.utils import timezone

from tests.api.caller import Caller
from tests.factories.archives import change_unique_values
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    NAMES,
    ClubFactory,
    closed_round,
    member,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, messages, submit, text
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.draw import read_seating
from tournaments.event.seeding import read_club_ratings
from tournaments.event.table_results import rank_players
from tournaments.files.archive.reading import import_club
from tournaments.files.archive.writing import export_club
from tournaments.history.derivation import derive_history
from tournaments.models import Role, Round, Tournament

pytestmark = pytest.mark.django_db


def seats(tournament: Tournament, number: int = 1) -> list[list[str]]:
    """Return the names at each table of a round."""
    names = dict(tournament.entries.values_list("pk", "name"))
    seating = read_seating(tournament.rounds.get(number=number))
    return [sorted(names[entry] for entry in table) for table in seating]


def rank(tournament: Tournament, names: Sequence[str]) -> None:
    for number, name in enumerate(names, start=1):
        tournament.entries.filter(name=name).update(seed_rank=number)


@pytest.mark.parametrize("format_", ["planned", "swiss", "heats", "knockout"])
def test_round_1_is_dealt_from_pots_in_every_format_that_draws_it(format_: str) -> None:
    settings = {"format": format_, "seeding": "hand", "rounds_planned": 3}
    tournament = tournament_with(16, **settings)
    rank(tournament, NAMES[:16])
    drawing.draw(tournament_id=tournament.pk)
    for table in seats(tournament):
        assert sorted(NAMES.index(name) // 4 for name in table) == [0, 1, 2, 3]
    page = text(signed_in(tournament.club), at("desk", tournament))
    assert "Seeded by hand, in pots." in page


def test_a_seeded_night_keeps_its_plan_without_repeats() -> None:
    tournament = tournament_with(16, seeding="hand", seed_pattern="snake")
    rank(tournament, NAMES[:16])
    drawn = drawing.draw(tournament_id=tournament.pk)
    assert len(drawn) == 4
    assert drawn[-1].quality["repeats"] == 0
    assert seats(tournament)[0] == sorted(NAMES[i] for i in (0, 7, 8, 15))
    assert "seeding" not in drawn[1].quality


def test_players_without_a_number_come_last_by_lot() -> None:
    tournament = tournament_with(8, seeding="hand", seed_pattern="similar")
    rank(tournament, NAMES[4:8])
    drawing.draw(tournament_id=tournament.pk)
    assert seats(tournament) == [NAMES[4:8], NAMES[:4]]
    desk = text(signed_in(tournament.club), at("desk", tournament))
    assert "4 players without a number were ordered by lot." in desk


def test_ratings_of_the_club_order_the_seeds() -> None:
    club = ClubFactory.create()
    earlier = tournament_with(8, club=club, rounds_planned=1)
    closed_round(earlier)
    rounds.finish(tournament_id=earlier.pk, now=timezone.now())
    derive_history(club_id=club.pk, now=timezone.now())
    tournament = tournament_with(
        [*NAMES[:8], "Zoe"], club=club, seeding="rating", seed_pattern="similar"
    )
    ratings = read_club_ratings(tournament, list(tournament.entries.all()))
    names = dict(tournament.entries.values_list("pk", "name"))
    assert "Zoe" not in {names[pk] for pk in ratings}
    drawing.draw(tournament_id=tournament.pk)
    first, *_others, last = read_seating(tournament.rounds.get(number=1))
    assert min(ratings[pk].mu for pk in first) >= max(
        ratings[pk].mu for pk in last if pk in ratings
    )
    desk = text(signed_in(club), at("desk", tournament))
    assert "Seeded by club rating, similar strength together." in desk
    assert "1 player without a rating was ordered by lot." in desk


def test_seeding_page_fills_in_numbers_by_rating_and_saves_only_when_asked() -> None:
    club = ClubFactory.create()
    earlier = tournament_with(4, club=club, rounds_planned=1)
    closed_round(earlier)
    rounds.finish(tournament_id=earlier.pk, now=timezone.now())
    derive_history(club_id=club.pk, now=timezone.now())
    tournament = tournament_with([*NAMES[:4], "Zoe"], club=club)
    client, url = signed_in(club), at("seeding", tournament)
    page = submit(client, url, fill="rating")
    assert "Filled in by rating, not saved yet." in page
    assert 'value="4"' in page
    assert not tournament.entries.filter(seed_rank__isnull=False).exists()
    data = {"seeding": "hand", "seed_pattern": "snake", "rank_1": "2", "rank_5": "1"}
    assert messages(client, url, **data) == ["Seeding saved."]
    assert list(
        tournament.entries.order_by("number").values_list("seed_rank", flat=True)
    ) == [2, None, None, None, 1]
    assert messages(client, url, **data) == ["No changes to save."]
    drawing.draw(tournament_id=tournament.pk)
    later = messages(client, url, **{**data, "rank_1": "3"})
    assert later == ["Seeding saved. Draw again to use it."]


def test_wrong_seed_number_is_refused_beside_its_player() -> None:
    tournament = tournament_with(4)
    page = submit(
        signed_in(tournament.club),
        at("seeding", tournament),
        seeding="hand",
        seed_pattern="pots",
        rank_2="first",
    )
    assert "Enter a whole number." in page
    assert 'value="first"' in page


def test_results_of_a_league_need_no_seeding() -> None:
    league = tournament_with(4, format="league")
    data = {"seeding": "hand", "seed_pattern": "pots", "rank_1": "1"}
    page = submit(signed_in(league.club), at("seeding", league), **data)
    assert "In this format, round 1 can’t be seeded." in page


def test_one_tap_draws_other_tables_and_stays_for_the_next_round() -> None:
    names = [f"Player {number:02}" for number in range(1, 18)]
    tournament = tournament_with(names, format="swiss", game="tricky_bid")
    client, desk = signed_in(tournament.club), at("desk", tournament)
    page = text(client, desk)
    assert "That makes tables of 4 + 4 + 3 + 3 + 3." in page
    assert "5 + 4 + 4 + 4<" in page.replace("\n", "")
    assert "4 + 4 + 4 + 4 · 1 sits out" in page
    submit(client, at("draw", tournament), table_fill="larger")
    assert sorted(map(len, seats(tournament))) == [4, 4, 4, 5]
    submit(client, at("draw", tournament), table_fill="full")
    assert [len(table) for table in seats(tournament)] == [4, 4, 4, 4]
    assert tournament.rounds.get().byes.count() == 1
    closed_round(tournament)
    assert "That makes tables of 4 + 4 + 4 + 4. 1 player sits out." in text(
        client, desk
    )
    drawing.draw(tournament_id=tournament.pk)
    assert [len(table) for table in seats(tournament, 2)] == [4, 4, 4, 4]
    assert "Choose an option from the list." in submit(
        client, at("draw", tournament), table_fill="round"
    )


def test_full_tables_only_are_refused_in_a_knockout_where_no_one_sits_out() -> None:
    night = tournament_with(9, format="knockout")
    client = signed_in(night.club)
    refusal = "No one sits out in a knockout. Choose smaller or larger tables."
    assert refusal in submit(client, at("draw", night), table_fill="full")
    assert not night.rounds.exists()
    night.refresh_from_db()
    assert night.table_fill == "smaller"
    director = Caller(member(night.club, Role.DIRECTOR))
    path = f"/tournaments/{night.address}"
    for answer in (
        director.request("POST", f"{path}/rounds", {"table_fill": "full"}),
        director.request("PATCH", path, {"table_fill": "full"}),
    ):
        assert answer.status_code == 422
        assert refusal in answer.content.decode()


@pytest.mark.parametrize("pattern", ["snake", "similar", "pots"])
def test_desk_says_what_another_seed_changes_in_a_seeded_round(pattern: str) -> None:
    night = tournament_with(8, format="swiss", seeding="hand", seed_pattern=pattern)
    for entry in night.entries.all():
        entry.seed_rank = entry.number
        entry.save()
    client = signed_in(night.club)
    decides = "The seeding decides the tables of round 1." in text(
        client, at("desk", night)
    )
    assert decides == (pattern != "pots")
    submit(client, at("draw", night), seed="1")
    page = submit(client, at("draw", night), seed="2")
    assert ("Same seats, because the seeding decides the tables." in page) == decides


def test_tables_of_one_size_offer_no_choice() -> None:
    page = text(signed_in((night := tournament_with(16)).club), at("desk", night))
    assert "Or draw other tables" not in page


@pytest.mark.parametrize("format_", ["swiss", "heats"])
@pytest.mark.parametrize("half", ["lower", "upper"])
def test_chosen_half_of_the_standings_sits_at_the_smaller_tables(
    format_: str, half: str
) -> None:
    tournament = tournament_with(18, format=format_, smaller_tables=half)
    closed_round(tournament)
    standings = [int(row.player) for row in rank_players(tournament)]
    drawing.draw(tournament_id=tournament.pk)
    tables = read_seating(tournament.rounds.get(number=2))
    smaller = {entry for table in tables if len(table) == 3 for entry in table}
    assert len(smaller) == 6
    assert smaller <= set(standings[:9] if half == "upper" else standings[9:])


def test_seeding_and_table_choices_are_in_archive_and_api() -> None:
    settings: dict[str, Any] = {
        "seeding": "hand",
        "seed_pattern": "snake",
        "table_fill": "larger",
        "smaller_tables": "upper",
    }
    tournament = tournament_with(9, format="swiss", **settings)
    director = Caller(member(tournament.club, Role.DIRECTOR))
    path = f"/tournaments/{tournament.address}"
    numbers = [9, 8, 7]
    director.call("put", f"{path}/seeds", {"entries": numbers})
    entries = director.call("get", f"{path}/entries")["items"]
    assert [entry["seed_rank"] for entry in entries] == [None] * 6 + [3, 2, 1]
    answer = director.call("get", path)
    assert {name: answer["settings"][name] for name in settings} == settings
    director.call("post", f"{path}/rounds", {"table_fill": "full"})
    assert [len(table) for table in seats(tournament)] == [4, 4]
    file = BytesIO()
    export_club(tournament.club, file)
    change_unique_values(tournament.club)
    imported = import_club(file, now=NOW).club.tournaments.get()
    assert {name: getattr(imported, name) for name in settings} == {
        **settings,
        "table_fill": "full",
    }
    assert imported.entries.get(number=9).seed_rank == 1
    round_: Round = imported.rounds.get()
    assert round_.quality["seeding"] == {
        "by": "hand",
        "pattern": "snake",
        "unranked": 6,
    }
