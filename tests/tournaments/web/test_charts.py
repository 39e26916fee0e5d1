"""Charts: drawn by the server, described in a sentence, and downloadable."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import dist
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Player
from scoring.pages.plots import Plot, Series, draw_lines
from tests.factories.history import counted_tournament
from tests.factories.tournaments import ClubFactory
from tournaments.history.leaderboard import BoardLine
from tournaments.models import Club
from tournaments.people.profiles import set_page_visibility
from tournaments.ratings import Rating
from tournaments.web.charts import describe_lead_start, rank_chart_caption

PLAYERS = ["Ann", "Bo", "Cy", "Di"]
SVG = "{http://www.w3.org/2000/svg}"


def draw_plot(*values: Sequence[float | None], ranks: bool = False) -> Plot:
    series = [
        Series(name=f"Player {number}", values=points, main=number == 0)
        for number, points in enumerate(values)
    ]
    return draw_lines([str(n) for n in range(len(values[0]))], series, ranks=ranks)


@pytest.mark.parametrize("level", [3, 8])
def test_labels_of_converging_lines_are_spread_with_leaders(
    level: int,
) -> None:
    plot = draw_plot(*[[float(number), 5.0] for number in range(level)])
    heights = sorted(line.label.y for line in plot.lines if line.label)
    assert all(low - high >= 19 for high, low in pairwise(heights))
    assert heights[-1] < plot.height
    assert sum(bool(line.leader) for line in plot.lines) >= level - 1


def test_lines_are_distinguished_by_non_overlapping_markers() -> None:
    plot = draw_plot(
        *[[float(hand * (seat % 3)) for hand in range(30)] for seat in range(8)]
    )
    assert len({line.shape for line in plot.lines}) == 8
    stops = [stop for line in plot.lines for stop in line.stops]
    assert all(dist(one, other) >= 12 for one, other in combinations(stops, 2))
    # Three bundles of lines; later lines of each also have room for markers.
    assert sum(bool(line.stops) for line in plot.lines) >= 6


def test_rank_chart_has_first_place_on_top() -> None:
    plot = draw_plot([1, 1], [9, 9], ranks=True)
    first, last = sorted(plot.lines, key=lambda line: line.style != "lit")
    assert first.end[1] < last.end[1]
    assert [mark.text for mark in plot.grid] == ["1", "5"]
    # The highlighted line is drawn on top of the others.
    assert [line.style for line in plot.lines] == ["quiet", "lit"]
    [only_line] = draw_plot([1, 2, 3]).lines
    assert not only_line.stops
    assert only_line.sign is None


@pytest.fixture
def club() -> Club:
    club: Club = ClubFactory.create()
    for day in ("2026-05-12", "2026-05-19", "2026-05-26"):
        counted_tournament(day, PLAYERS, club=club)
    return club


@pytest.mark.django_db
def test_every_chart_is_a_standalone_file(client: Client, club: Club) -> None:
    ann = Player.objects.get(name="Ann").pk
    night = counted_tournament("2026-06-02", 8, played=2)
    urls = [
        reverse("tournaments:ranks_picture", args=[club.slug, "2026-spring"]),
        reverse("tournaments:player_picture", args=[club.slug, ann, "rating"]),
        reverse("tournaments:player_picture", args=[club.slug, ann, "places"]),
        reverse("tournaments:race_picture", args=[night.address]),
    ]
    for url in urls:
        response = client.get(url)
        assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
        assert response["Content-Disposition"].startswith("attachment")
        drawing = ElementTree.fromstring(response.content)  # noqa: S314
        assert drawing.find(f"{SVG}style") is not None
        assert b"var(" not in response.content
        shapes = {shape.get("id") for shape in drawing.iter(f"{SVG}g")}
        used_shapes = {shape.attrib["href"][1:] for shape in drawing.iter(f"{SVG}use")}
        assert used_shapes <= shapes
    set_page_visibility(club=club, player_id=ann, public=False)
    bo = Player.objects.get(name="Bo").pk
    for missing_url in (
        urls[1],
        reverse("tournaments:player_picture", args=[club.slug, bo, "luck"]),
        reverse("tournaments:ranks_picture", args=[club.slug, "all"]),
    ):
        assert client.get(missing_url).status_code == 404


@pytest.mark.django_db
def test_chart_of_more_than_eight_ranks_names_the_drawn_players(client: Client) -> None:
    club: Club = ClubFactory.create()
    address = reverse("tournaments:leaderboard", args=[club.slug, "2026-spring"])
    names = [f"Player {number}" for number in range(12)]
    for day in ("2026-05-12", "2026-05-19"):
        counted_tournament(day, names[:8], club=club)
    assert "are drawn." not in client.get(address).content.decode()
    counted_tournament("2026-05-26", names, club=club)
    response = client.get(address)
    assert "The chart shows the top 8." in response.content.decode()
    last = response.context["lines"][-1].line
    chart = client.get(address, {"who": last.player}).context["chart"]
    assert len(chart.series) == 9
    assert chart.caption.endswith(f"The chart shows the top 8 and {last.name}.")


AHEAD = "Eva led on points"


@pytest.mark.parametrize(
    ("own", "other", "last", "sentence"),
    [
        ([2, 4, 6], [1, 3, 4], "3", f"{AHEAD} from the first round to the last."),
        ([2, 4, 6], [2, 3, 4], "3", "Eva was ahead on points from round 2 onwards."),
        ([2, 4, 6], [1, 4, 4], "3", "Eva took the lead on points in the last round."),
        ([2, 4, 6], [1, 3, 6], "3", "Points after each round"),
        ([2, 2, 6], [3, 3, 4], "Final", "Eva took the lead on points in the final."),
        (
            [2, 2, 6],
            [3, 3, 4],
            "Semi-final",
            "Semi-final: Eva took the lead on points and kept it to the end.",
        ),
    ],
)
def test_winner_leads_since_the_last_tie(
    own: list[int], other: list[int], last: str, sentence: str
) -> None:
    points_by_player = {"a": list(map(Fraction, own)), "b": list(map(Fraction, other))}
    assert (
        describe_lead_start("Eva", "a", ["1", "2", last], points_by_player) == sentence
    )


@pytest.mark.parametrize(
    ("ranks_by_day", "sentence"),
    [
        ([{1: 1, 2: 2}, {1: 1, 2: 2}], "Eva has led from the start."),
        ([{1: 1, 2: 1}, {1: 1, 2: 2}], "Eva has led since 12 May."),
        ([{2: 1}, {1: 1, 2: 2}], "Eva has led since 12 May."),
        ([{1: 1, 2: 2}, {1: 1, 2: 1}], "Eva’s rank, day by day."),
        ([{1: 2, 2: 1}, {1: 1, 2: 1}], "Eva went from rank 2 to rank 1."),
    ],
)
def test_shared_first_rank_is_not_called_first(
    ranks_by_day: list[dict[int, int]], sentence: str
) -> None:
    zero = Fraction()
    rating = Rating(mu=25.0, sigma=8.0)
    line = BoardLine(1, "Eva", 1, zero, 2, 2, 0, 0, 0, rating, 0)
    assert rank_chart_caption(line, ["5 May", "12 May"], ranks_by_day) == sentence
