"""What a director decides about a tournament, when setting it up and later."""

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.rules import GAMES
from tests.factories.tournaments import (
    ClubFactory,
    member,
    play_round,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.models import Role, Tournament
from tournaments.standings import NAMES

pytestmark = pytest.mark.django_db(transaction=True)

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
}
BY_PLACE = {"points": "places", "places": "4: 10 6 3 1\n3: 10 4 1\n5: 9 7 5 3 1"}


def post(client: Client, **changes: Any) -> Any:
    """Set a tournament up, as the director of a new club."""
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    url = reverse("tournaments:tournament_new", args=[club.slug])
    return client.post(url, {**SETTINGS, **changes}, follow=True)


def test_a_tournament_is_set_up_with_its_own_rules(client: Client) -> None:
    assert post(client).status_code == 200
    made = Tournament.objects.get(name="Friday")
    assert made.options == {"target": 800}
    assert made.tie_breaks == ["wins", "opponents"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"table_size": 6, "most_size": 6}, "table_size"),
        ({"table_size": 2}, "table_size"),
        ({"tie_breaks_2": "elo"}, "tie_breaks"),
        ({"tie_breaks_2": "wins"}, "tie_breaks"),
        ({"target": 0}, "target"),
        ({"game": "tricky_bid"}, "target"),
        ({"game": "chess"}, "game"),
        ({"starts_at": "soon"}, "starts_at"),
        ({"bye": "half"}, "bye"),
        ({"points": "places", "places": ""}, "places"),
        ({"points": "places", "places": "4: 10 6 3"}, "places"),
        ({"points": "places", "places": "4: 10 6 3 x"}, "places"),
        ({"points": "places", "places": "four: 1 2 3 4"}, "places"),
        ({"points": "places", "places": "4: 10 6 3 1"}, "places"),
    ],
)
def test_settings_that_cannot_be_are_refused_beside_their_field(
    client: Client, changes: dict[str, object], field: str
) -> None:
    form = post(client, **changes).context["form"]
    assert field in form.errors


def test_what_is_refused_is_said_at_the_top_with_a_way_there(client: Client) -> None:
    refused = post(client, points="x", tie_breaks_2="wins", target=0)
    page = " ".join(refused.content.decode().split())
    said = page[page.index("Look again at:") :]
    ways = [
        '<a href="#id_points_0">What decides the night?</a>',
        '<a href="#id_target">Points that end a match, if not as usual</a>',
        '<a href="#id_tie_breaks_0">Who is level is parted by, in this order</a>',
    ]
    assert [said.count(way) for way in ways] == [1, 1, 1]
    assert sorted(ways, key=said.index) == ways
    for place in ("id_points_0", "id_target", "id_tie_breaks_0"):
        assert page.count(f'id="{place}"') == 1


def test_a_page_that_is_refused_is_the_page_that_was_sent(client: Client) -> None:
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    new = reverse("tournaments:tournament_new", args=[club.slug])
    proposed = "people=14&hours=3&game=db2t&rounds_planned=2"
    sent = client.get(f"{new}?{proposed}").content.decode()
    (action,) = re.findall(
        r'<form method="post" action="(\S+tournaments/new/[^"]*)"', sent
    )
    refused = client.post(html.unescape(action), {**SETTINGS, "game": "db2t"})
    fits = reverse("tournaments:wizard", args=[club.slug])
    back = html.escape(f"{fits}?people=14&hours=3&game=db2t")
    for page in (sent, refused.content.decode()):
        assert "2 of 2" in page
        assert f'href="{back}"' in page
    assert refused.context["form"].errors
    played = next(iter(refused.context["form"].folds))
    assert played.said == "DB2T · 27 Nov, 19:30"


def test_a_format_is_chosen_by_its_name_and_told_below(client: Client) -> None:
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    page = text(client, reverse("tournaments:tournament_new", args=[club.slug]))
    assert '<option value="planned" selected>planned night</option>' in page
    told = page[page.index('id="id_format_helptext"') :]
    assert "<span>Everyone meets as many as possible.</span>" in told
    assert told.index("<span>") < told.index("Tables of similar score.")
    assert 'aria-describedby="id_format_helptext"' in page


def test_matches_of_db2t_have_as_many_contests_as_is_said(client: Client) -> None:
    assert post(client, game="db2t", target="", contests=5).status_code == 200
    made = Tournament.objects.get(name="Friday")
    assert made.options == {"contests": 5}
    page = text(client, at("settings", made))
    assert 'name="contests" value="5"' in page


@pytest.mark.parametrize(
    ("game", "contests", "said"),
    [
        ("db2t", 0, "A number from 1 up; nothing where the end is open."),
        ("tricky", 5, "A match of Tricky has no contests to count: leave this out."),
    ],
)
def test_contests_that_cannot_be_are_refused_beside_their_field(
    client: Client, game: str, contests: int, said: str
) -> None:
    form = post(client, game=game, target="", contests=contests).context["form"]
    assert dict(form.errors) == {"contests": [said]}


@pytest.mark.parametrize("game", ["db2t", "tricky_bid"])
def test_a_game_that_ends_otherwise_takes_no_points_to_end_at(
    client: Client, game: str
) -> None:
    form = post(client, game=game).context["form"]
    (said,) = form.errors["target"]
    assert f"A match of {GAMES[game].name} does not end at so many points" in said


def test_a_number_that_cannot_be_drawn_is_said_at_set_up(client: Client) -> None:
    robin = {"format": "round_robin", "table_size": 4}
    refused = post(client, **robin, capacity=14).content.decode()
    assert "No schedule is known in which 14 players" in refused
    said = post(client, **robin, capacity=16).content.decode()
    assert "A round robin at tables of 4 is drawn for 4, " in said
    sizes = {"table_size": 4, "least_size": 4, "most_size": 4}
    refused = post(client, **sizes, format="knockout", capacity=14).content.decode()
    assert "nobody sits out of a knockout. 12 / 16 would." in refused


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"format": "round_robin"},
            "A round robin at tables of 4 is drawn for 4, ",
        ),
        (
            {"format": "knockout", "least_size": 4, "most_size": 4},
            "at tables of 4 it is drawn for 4, 8, 12, 16 players and so on.",
        ),
        (
            {"format": "knockout", "least_size": 4, "most_size": 5},
            "is drawn for 4 players and more, and not for 6, 7, 11.",
        ),
    ],
)
def test_numbers_that_can_be_drawn_are_said_where_places_are_not_limited(
    client: Client, changes: dict[str, object], said: str
) -> None:
    assert said in post(client, **changes, capacity=0).content.decode()


def test_nothing_is_said_of_a_knockout_that_is_drawn_for_any_number(
    client: Client,
) -> None:
    page = post(client, format="knockout", capacity=0).content.decode()
    assert "Nobody sits out of a knockout" not in page


def test_points_by_place_are_kept_and_favoured_sizes_are_named(client: Client) -> None:
    page = post(client, **BY_PLACE).content.decode()
    assert "10 points" not in page
    places = {"4": [10, 6, 3, 1], "3": [10, 4, 1], "5": [9, 7, 5, 3, 1]}
    assert Tournament.objects.get().points == {
        "places": {size: [str(one) for one in row] for size, row in places.items()}
    }
    uneven = post(
        client, **{**BY_PLACE, "places": BY_PLACE["places"] + "\n6: 6 5 4 3 2 1"}
    )
    assert "equal means would be fair" in uneven.content.decode()


def test_points_of_several_games_are_said_not_to_be_worth_the_same(
    client: Client,
) -> None:
    answer = post(client, game_choice="round", games=["tricky", "db2t"], points="raw")
    assert "go by place" in answer.content.decode()


def test_the_settings_page_shows_what_was_decided_and_takes_other_decisions(
    client: Client,
) -> None:
    post(client, **BY_PLACE)
    tournament = Tournament.objects.get()
    url = reverse("tournaments:settings", args=[tournament.address])
    form = client.get(url).context["form"]
    shown = {name: form[name].value() for name in ("points", "places", "bye", "target")}
    assert shown["points"] == "places"
    assert "4: 10 6 3 1" in shown["places"]
    assert (shown["bye"], shown["target"]) == ("average", 800)
    client.post(url, {**SETTINGS, "rounds_planned": 5, "points": "pairwise"})
    tournament.refresh_from_db()
    assert (tournament.rounds_planned, tournament.points) == (5, "pairwise")


def test_a_tournament_is_renamed_and_corrected_everywhere(client: Client) -> None:
    tournament = tournament_with(4, name="Thrusday", venue="Café Morgn", fee="5 €")
    client.force_login(member(tournament.club, Role.DIRECTOR))
    right = {"name": "Thursday", "venue": "Café Morgen", "fee": "6 €"}
    kept = client.post(at("settings", tournament), {**SETTINGS, **right}, follow=True)
    assert "The settings are kept." in kept.content.decode()
    invitation = text(Client(), at("tournament", tournament))
    assert [words for words in right.values() if words not in invitation] == []
    club = text(client, tournament.club.get_absolute_url())
    assert "Thursday" in club
    assert "Thrusday" not in invitation + club


def test_other_settings_count_what_was_played_before_anew(client: Client) -> None:
    tournament = tournament_with(4, game="tricky_bid")
    client.force_login(member(tournament.club, Role.DIRECTOR))
    play_round(running_round(tournament))
    url = reverse("tournaments:settings", args=[tournament.address])
    changed = {"game": "tricky_bid", "target": "", "points": "pairwise"}
    client.post(url, {**SETTINGS, **changed, "format": "planned"})
    rows = tournament.standings.current().get().rows.all()
    assert [row.points for row in rows] == ["3", "1", "-1", "-3"]


def test_a_refused_setting_changes_nothing_and_stays_in_the_form(
    client: Client,
) -> None:
    tournament = tournament_with(4)
    client.force_login(member(tournament.club, Role.DIRECTOR))
    url = reverse("tournaments:settings", args=[tournament.address])
    answer = client.post(url, {**SETTINGS, "bye": "half", "name": "Other"})
    assert answer.context["form"]["bye"].value() == "half"
    tournament.refresh_from_db()
    assert tournament.name == "Thursday"


def test_a_tournament_with_rounds_does_not_become_a_league(client: Client) -> None:
    tournament = tournament_with(4)
    client.force_login(member(tournament.club, Role.DIRECTOR))
    running_round(tournament)
    url = reverse("tournaments:settings", args=[tournament.address])
    answer = client.post(url, {**SETTINGS, "format": "league"})
    assert "format" in answer.context["form"].errors


def test_six_questions_are_asked_and_every_fold_says_what_is_set(
    client: Client,
) -> None:
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    url = reverse("tournaments:tournament_new", args=[club.slug])
    wanted: dict[str, str | int] = {
        "game": "tricky",
        "rounds_planned": 5,
        "minutes": 30,
        "final_size": 4,
    }
    page = client.get(url, wanted).content.decode()
    assert page.count('<fieldset class="ask">') == 6
    assert "5 rounds of 30 minutes." in page
    assert "rounds of" not in text(client, f"{url}?rounds_planned={'9' * 5000}")
    form = client.get(url, wanted).context["form"]
    said = {fold.legend: fold.said for fold in form.folds}
    assert said["What is played"].startswith("Tricky · ")
    assert said["Rounds and tables"] == "5 × 30 min, tables of 4"
    assert said["How it is counted"] == said["Invitation and entering"] == "as usual"
    assert not any(fold.is_open for fold in form.folds)


def test_who_agrees_is_counted_in_people_in_german(client: Client) -> None:
    club = ClubFactory.create(language="de")
    client.force_login(member(club, Role.DIRECTOR))
    page = text(client, reverse("tournaments:tournament_new", args=[club.slug]))
    assert "Eine Person" in page
    assert "Eins mehr" not in page


def test_a_fold_is_open_where_its_field_is_refused_and_says_what_differs(
    client: Client,
) -> None:
    form = post(client, best_tables=3, tie_breaks_2="wins").context["form"]
    folds = {fold.legend: fold for fold in form.folds}
    assert folds["How it is counted"].is_open
    assert folds["How it is counted"].said == "2 otherwise"
    assert not folds["Rounds and tables"].is_open


def test_every_field_is_asked_once(client: Client) -> None:
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    url = reverse("tournaments:tournament_new", args=[club.slug])
    answer = client.get(url)
    form, page = answer.context["form"], answer.content.decode()
    # A list for each place in the order of tie-breaks.
    asked_as = {name: name for name in form.fields} | {"tie_breaks": "tie_breaks_0"}
    missing = [name for name in asked_as.values() if f'name="{name}"' not in page]
    assert missing == []
    values = [value for value, _words in form.fields["points"].choices]
    asked = [page.count(f'name="points" value="{value}"') for value in values]
    assert asked == [1] * len(values)


def test_tie_breaks_are_chosen_by_what_they_compare_and_all_are_there(
    client: Client,
) -> None:
    tournament = tournament_with([], tie_breaks=list(NAMES))
    client.force_login(member(tournament.club, Role.DIRECTOR))
    url = reverse("tournaments:settings", args=[tournament.address])
    answer = client.get(url)
    page = answer.content.decode()
    assert "results against each other" in page
    assert "head_to_head" not in re.sub(r'value="\w*"', "", page)
    chosen = {f"tie_breaks_{place}": name for place, name in enumerate(NAMES)}
    order = {name: value for name, value in SETTINGS.items() if name[:4] != "tie_"}
    kept = client.post(url, {**order, **chosen}, follow=True)
    assert "The settings are kept." in kept.content.decode()
    tournament.refresh_from_db()
    assert tournament.tie_breaks == list(NAMES)
