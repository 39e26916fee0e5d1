"""Settings of a tournament, when it is set up and later."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from scoring.matchlog.records import export_match
from tests.factories.tournaments import (
    ClubFactory,
    member,
    play_round,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, at_club, text
from tournaments.models import Role, Tournament
from tournaments.standings import TIE_BREAKS

pytestmark = pytest.mark.django_db

SETTINGS: dict[str, Any] = {
    "name": "Friday",
    "starts_at": "2026-11-27T19:30",
    "game": "tricky",
    "game_choice": "tournament",
    "format": "swiss",
    "rounds_planned": 3,
    "table_size": 4,
    "least_size": 3,
    "most_size": 5,
    "minutes": 45,
    "capacity": 0,
    "final_size": 0,
    "advance": 2,
    "strictness": 4,
    "team_size": 0,
    "best_tables": 0,
    "bye": "average",
    "points": "linear",
    "tie_breaks_0": "wins",
    "tie_breaks_1": "opponents",
    "quorum": "one",
    "writing": "card",
    "autopilot": "off",
    "grace": 10,
    "unfinished": "void",
    "deduction": 1,
    "target": 800,
    "standings_shown": "live",
    "table_fill": "smaller",
    "smaller_tables": "turns",
    "seeding": "lot",
    "seed_pattern": "pots",
}
BY_PLACE = {"points": "places", "places": "4: 10 6 3 1\n3: 10 4 1\n5: 9 7 5 3 1"}


def post(client: Client, **changes: Any) -> Any:
    """Set up a tournament as the director of a new club."""
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    url = at_club("tournament_new", club)
    return client.post(url, {**SETTINGS, **changes}, follow=True)


@pytest.mark.parametrize(
    ("changes", "options", "field"),
    [
        ({}, {"target": 800}, 'name="target" value="800"'),
        (
            {"game": "db2t", "target": "", "contests": 5},
            {"contests": 5},
            'name="contests" value="5"',
        ),
        (
            {
                "game": "any_game",
                "target": "",
                "hands": 3,
                "lowest_wins": "on",
                "bids": "on",
                "title": "Hearts",
            },
            {"hands": 3, "lowest_wins": True, "bids": True, "title": "Hearts"},
            'name="title" value="Hearts"',
        ),
        (
            {"target": "", "minimum_bid": 150, "passed_out_loss": 0},
            {"minimum_bid": 150, "passed_out_loss": 0},
            'name="passed_out_loss" value="0"',
        ),
    ],
)
def test_a_tournament_is_set_up_with_its_own_rules(
    client: Client, changes: dict[str, Any], options: dict[str, Any], field: str
) -> None:
    assert post(client, **changes).status_code == 200
    tournament = Tournament.objects.get(name="Friday")
    assert tournament.options == options
    assert tournament.tie_breaks == ["wins", "opponents"]
    assert field in text(client, at("settings", tournament))
    if "title" in options:
        assert options["title"] in text(client, at("tournament", tournament))


INVALID_SETTINGS: list[tuple[dict[str, object], str, str]] = [
    ({"table_size": 6, "most_size": 6}, "table_size", ""),
    ({"table_size": 2}, "table_size", ""),
    ({"tie_breaks_2": "elo"}, "tie_breaks", ""),
    ({"tie_breaks_2": "wins"}, "tie_breaks", ""),
    ({"target": 0}, "target", ""),
    ({"game": "tricky_bid"}, "target", "Tricky Bid has no point target"),
    ({"game": "db2t"}, "target", "DB2T has no point target"),
    (
        {"game": "db2t", "target": "", "contests": 0},
        "contests",
        "Enter 1 or more, or leave the field empty for no limit.",
    ),
    (
        {"target": "", "contests": 5},
        "contests",
        "Tricky has no contests. Leave this blank.",
    ),
    ({"made_bonus": 3}, "made_bonus", "Tricky doesn’t have this house rule."),
    ({"minimum_bid": 0}, "minimum_bid", "Enter a minimum bid from 1 to"),
    (
        {"game_choice": "round", "minimum_bid": 0},
        "minimum_bid",
        "Enter a minimum bid from 1 to",
    ),
    ({"lowest_wins": "on"}, "lowest_wins", "In Tricky the lowest total can’t win"),
    ({"game": "any_game", "target": "", "hands": 0}, "hands", "from 1 to 1000"),
    ({"game": "chess"}, "game", ""),
    ({"starts_at": "soon"}, "starts_at", ""),
    ({"bye": "third"}, "bye", ""),
    ({"points": "places", "places": ""}, "places", ""),
    ({"points": "places", "places": "4: 10 6 3"}, "places", ""),
    ({"points": "places", "places": "4: 10 6 3 x"}, "places", ""),
    ({"points": "places", "places": "four: 1 2 3 4"}, "places", ""),
    ({"points": "places", "places": "4: 10 6 3 1"}, "places", ""),
]


def test_each_tournament_has_a_seed_of_its_own_and_keeps_it(client: Client) -> None:
    for _night in range(8):
        post(client)
    assert len({*Tournament.objects.values_list("seed", flat=True)}) > 1
    tournament = Tournament.objects.latest("pk")
    client.post(at("settings", tournament), {**SETTINGS, "name": "Friday"})
    stored = Tournament.objects.get(pk=tournament.pk)
    assert (stored.name, stored.seed) == ("Friday", tournament.seed)


def test_invalid_settings_are_rejected_at_their_field(client: Client) -> None:
    for changes, field, message in INVALID_SETTINGS:
        form = post(client, **changes).context["form"]
        assert message in " ".join(form.errors[field]), changes
    assert not Tournament.objects.exists()


def test_house_rules_of_a_tournament_count_in_its_matches_and_invitation(
    client: Client,
) -> None:
    rules = {"made_bonus": 3, "set_penalty": 5}
    tournament = tournament_with(4, game="tricky_dice", options=rules)
    sentence = "A made bid scores 3 extra, a solo twice as much."
    assert sentence in text(client, at("tournament", tournament))
    match = running_round(tournament).tables.get().match
    assert match is not None
    assert json.loads(export_match(match))["options"] == rules
    assert sentence in text(client, match.get_absolute_url())


ROBIN = {"format": "round_robin"}
KNOCKOUT = {"format": "knockout", "least_size": 4, "most_size": 4}


@pytest.mark.parametrize(
    ("changes", "capacity", "message"),
    [
        (ROBIN, 0, "works with these numbers of players: 4, "),
        (ROBIN, 16, "works with these numbers of players: 4, "),
        (ROBIN, 14, "No known schedule lets 14 players"),
        (KNOCKOUT, 0, "Tables of 4 work with 4, 8, 12, 16 players and so on."),
        (KNOCKOUT, 14, "no one sits out in a knockout. 12 / 16 players would work."),
        (
            {**KNOCKOUT, "most_size": 5},
            0,
            "work with 4 or more players, except 6, 7, 11.",
        ),
    ],
)
def test_setup_lists_drawable_player_counts(
    client: Client, changes: dict[str, object], capacity: int, message: str
) -> None:
    assert message in post(client, **changes, capacity=capacity).content.decode()
    page = post(client, format="knockout", capacity=0).content.decode()
    assert "No one sits out in a knockout" not in page


def test_points_by_place_are_saved_with_a_warning_about_favoured_sizes(
    client: Client,
) -> None:
    page = post(client, **BY_PLACE).content.decode()
    assert "10 points" not in page
    places = {"4": [10, 6, 3, 1], "3": [10, 4, 1], "5": [9, 7, 5, 3, 1]}
    assert Tournament.objects.get().points == {
        "places": {size: [str(value) for value in row] for size, row in places.items()}
    }
    response = post(
        client, **{**BY_PLACE, "places": BY_PLACE["places"] + "\n6: 6 5 4 3 2 1"}
    )
    assert "To be fair, use the same average for both" in response.content.decode()


def test_settings_page_shows_and_changes_settings(
    client: Client,
) -> None:
    post(client, **BY_PLACE)
    tournament = Tournament.objects.get()
    url = at("settings", tournament)
    form = client.get(url).context["form"]
    values = {
        name: form[name].value() for name in ("points", "places", "bye", "target")
    }
    assert values["points"] == "places"
    assert "4: 10 6 3 1" in values["places"]
    assert (values["bye"], values["target"]) == ("average", 800)
    client.post(url, {**SETTINGS, "rounds_planned": 5, "points": "pairwise"})
    tournament.refresh_from_db()
    assert (tournament.rounds_planned, tournament.points) == (5, "pairwise")


@pytest.mark.django_db(transaction=True)
def test_changed_settings_rescore_played_rounds(client: Client) -> None:
    tournament = tournament_with(4, game="tricky_bid")
    client.force_login(member(tournament.club, Role.DIRECTOR))
    play_round(running_round(tournament))
    url = at("settings", tournament)
    changes = {"game": "tricky_bid", "target": "", "points": "pairwise"}
    client.post(url, {**SETTINGS, **changes, "format": "planned"})
    rows = tournament.standings.unfrozen_latest_first().get().rows.all()
    assert [row.points for row in rows] == ["3", "1", "-1", "-3"]
    response = client.post(url, {**SETTINGS, "format": "league", "name": "Other"})
    assert "format" in response.context["form"].errors
    assert response.context["form"]["name"].value() == "Other"
    tournament.refresh_from_db()
    assert (tournament.name, tournament.format) == ("Friday", "planned")


def test_all_tie_breaks_are_listed_by_criterion(
    client: Client,
) -> None:
    tournament = tournament_with([], tie_breaks=list(TIE_BREAKS))
    client.force_login(member(tournament.club, Role.DIRECTOR))
    url = at("settings", tournament)
    response = client.get(url)
    page = response.content.decode()
    assert "head-to-head results" in page
    assert "head_to_head" not in re.sub(r'value="\w*"', "", page)
    tie_breaks = {f"tie_breaks_{place}": name for place, name in enumerate(TIE_BREAKS)}
    other_settings = {
        name: value for name, value in SETTINGS.items() if name[:4] != "tie_"
    }
    saved_response = client.post(url, {**other_settings, **tie_breaks}, follow=True)
    assert "Settings saved." in saved_response.content.decode()
    tournament.refresh_from_db()
    assert tournament.tie_breaks == list(TIE_BREAKS)
