"""What a director decides about a tournament, when setting it up and later."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from tests.factories.tournaments import (
    ClubFactory,
    member,
    play_round,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, at_club, text
from tournaments.models import Role, Tournament
from tournaments.standings import TIE_BREAK_CODES

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


@pytest.fixture
def new(client: Client) -> str:
    """Sign in as the director of a new club; return where it sets a tournament up."""
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    return at_club("tournament_new", club)


def post(client: Client, **changes: Any) -> Any:
    """Set a tournament up, as the director of a new club."""
    club = ClubFactory.create()
    client.force_login(member(club, Role.DIRECTOR))
    url = at_club("tournament_new", club)
    return client.post(url, {**SETTINGS, **changes}, follow=True)


def test_a_tournament_is_set_up_with_its_own_rules(client: Client) -> None:
    assert post(client).status_code == 200
    made = Tournament.objects.get(name="Friday")
    assert made.options == {"target": 800}
    assert made.tie_breaks == ["wins", "opponents"]


REFUSED: list[tuple[dict[str, object], str, str]] = [
    ({"table_size": 6, "most_size": 6}, "table_size", ""),
    ({"table_size": 2}, "table_size", ""),
    ({"tie_breaks_2": "elo"}, "tie_breaks", ""),
    ({"tie_breaks_2": "wins"}, "tie_breaks", ""),
    ({"target": 0}, "target", ""),
    ({"game": "tricky_bid"}, "target", "Tricky Bid does not end at so many"),
    ({"game": "db2t"}, "target", "DB2T does not end at so many"),
    (
        {"game": "db2t", "target": "", "contests": 0},
        "contests",
        "A number from 1 up; nothing where the end is open.",
    ),
    (
        {"target": "", "contests": 5},
        "contests",
        "A match of Tricky has no contests to count: leave this out.",
    ),
    ({"game": "chess"}, "game", ""),
    ({"starts_at": "soon"}, "starts_at", ""),
    ({"bye": "half"}, "bye", ""),
    ({"points": "places", "places": ""}, "places", ""),
    ({"points": "places", "places": "4: 10 6 3"}, "places", ""),
    ({"points": "places", "places": "4: 10 6 3 x"}, "places", ""),
    ({"points": "places", "places": "four: 1 2 3 4"}, "places", ""),
    ({"points": "places", "places": "4: 10 6 3 1"}, "places", ""),
]


def test_settings_that_cannot_be_are_refused_beside_their_field(
    client: Client, new: str
) -> None:
    for changes, field, why in REFUSED:
        form = client.post(new, {**SETTINGS, **changes}).context["form"]
        assert why in " ".join(form.errors[field]), changes
    assert not Tournament.objects.exists()


def test_a_fold_is_open_where_its_field_is_refused_and_says_what_differs(
    client: Client,
) -> None:
    form = post(client, best_tables=3, tie_breaks_2="wins").context["form"]
    folds = {fold.legend: fold for fold in form.fieldsets()}
    assert folds["How it is counted"].is_open
    assert folds["How it is counted"].said == "2 otherwise"
    assert not folds["Rounds and tables"].is_open


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


def test_a_page_that_is_refused_is_the_page_that_was_sent(
    client: Client, new: str
) -> None:
    proposed = "people=14&hours=3&game=db2t&rounds_planned=2"
    sent = text(client, f"{new}?{proposed}")
    (action,) = re.findall(
        r'<form method="post" action="(\S+tournaments/new/[^"]*)"', sent
    )
    refused = client.post(html.unescape(action), {**SETTINGS, "game": "db2t"})
    for page in (sent, refused.content.decode()):
        assert "2 of 2" in page
        assert html.escape("?people=14&hours=3&game=db2t") in page
    assert refused.context["form"].errors
    played = next(iter(refused.context["form"].fieldsets()))
    assert played.said == "DB2T · 27 Nov, 19:30"


def test_every_field_is_asked_once_and_a_format_is_told_below(
    client: Client, new: str
) -> None:
    answer = client.get(new)
    form, page = answer.context["form"], answer.content.decode()
    assert '<option value="planned" selected>planned night</option>' in page
    told = page[page.index('id="id_format_helptext"') :]
    assert "<span>Everyone meets as many as possible.</span>" in told
    assert told.index("<span>") < told.index("Tables of similar score.")
    assert 'aria-describedby="id_format_helptext"' in page
    # A list for each place in the order of tie-breaks.
    asked_as = {name: name for name in form.fields} | {"tie_breaks": "tie_breaks_0"}
    missing = [name for name in asked_as.values() if f'name="{name}"' not in page]
    assert missing == []
    values = [value for value, _words in form.fields["points"].choices]
    asked = [page.count(f'name="points" value="{value}"') for value in values]
    assert asked == [1] * len(values)


def test_matches_of_db2t_have_as_many_contests_as_is_said(client: Client) -> None:
    assert post(client, game="db2t", target="", contests=5).status_code == 200
    made = Tournament.objects.get(name="Friday")
    assert made.options == {"contests": 5}
    page = text(client, at("settings", made))
    assert 'name="contests" value="5"' in page


ROBIN = {"format": "round_robin"}
KNOCKOUT = {"format": "knockout", "least_size": 4, "most_size": 4}


@pytest.mark.parametrize(
    ("changes", "capacity", "said"),
    [
        (ROBIN, 0, "A round robin at tables of 4 is drawn for 4, "),
        (ROBIN, 16, "A round robin at tables of 4 is drawn for 4, "),
        (ROBIN, 14, "No schedule is known in which 14 players"),
        (KNOCKOUT, 0, "at tables of 4 it is drawn for 4, 8, 12, 16 players and so on."),
        (KNOCKOUT, 14, "nobody sits out of a knockout. 12 / 16 would."),
        (
            {**KNOCKOUT, "most_size": 5},
            0,
            "is drawn for 4 players and more, and not for 6, 7, 11.",
        ),
    ],
)
def test_numbers_that_can_be_drawn_are_said_at_set_up(
    client: Client, changes: dict[str, object], capacity: int, said: str
) -> None:
    assert said in post(client, **changes, capacity=capacity).content.decode()
    any_number = post(client, format="knockout", capacity=0).content.decode()
    assert "Nobody sits out of a knockout" not in any_number


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
    url = at("settings", tournament)
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
    url = at("settings", tournament)
    changed = {"game": "tricky_bid", "target": "", "points": "pairwise"}
    client.post(url, {**SETTINGS, **changed, "format": "planned"})
    rows = tournament.standings.current().get().rows.all()
    assert [row.points for row in rows] == ["3", "1", "-1", "-3"]
    league = client.post(url, {**SETTINGS, "format": "league", "name": "Other"})
    assert "format" in league.context["form"].errors
    assert league.context["form"]["name"].value() == "Other"
    tournament.refresh_from_db()
    assert (tournament.name, tournament.format) == ("Friday", "planned")


def test_six_questions_are_asked_and_every_fold_says_what_is_set(
    client: Client, new: str
) -> None:
    wanted = "game=tricky&rounds_planned=5&minutes=30&final_size=4"
    answer = client.get(f"{new}?{wanted}")
    page, form = answer.content.decode(), answer.context["form"]
    assert page.count('<fieldset class="ask">') == 6
    assert "5 rounds of 30 minutes." in page
    assert "rounds of" not in text(client, f"{new}?rounds_planned={'9' * 5000}")
    said = {fold.legend: fold.said for fold in form.fieldsets()}
    assert said["What is played"].startswith("Tricky · ")
    assert said["Rounds and tables"] == "5 × 30 min, tables of 4"
    assert said["How it is counted"] == said["Invitation and entering"] == "as usual"
    assert not any(fold.is_open for fold in form.fieldsets())


def test_tie_breaks_are_chosen_by_what_they_compare_and_all_are_there(
    client: Client,
) -> None:
    tournament = tournament_with([], tie_breaks=list(TIE_BREAK_CODES))
    client.force_login(member(tournament.club, Role.DIRECTOR))
    url = at("settings", tournament)
    answer = client.get(url)
    page = answer.content.decode()
    assert "results against each other" in page
    assert "head_to_head" not in re.sub(r'value="\w*"', "", page)
    chosen = {f"tie_breaks_{place}": name for place, name in enumerate(TIE_BREAK_CODES)}
    order = {name: value for name, value in SETTINGS.items() if name[:4] != "tie_"}
    kept = client.post(url, {**order, **chosen}, follow=True)
    assert "The settings are kept." in kept.content.decode()
    tournament.refresh_from_db()
    assert tournament.tie_breaks == list(TIE_BREAK_CODES)
