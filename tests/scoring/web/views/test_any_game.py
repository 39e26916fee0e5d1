"""Pages of Any game: the options of a new match, its title, its sheet and the next match."""

import re
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.translation import override

from scoring.games.registry import table_game
from scoring.models import Match
from scoring.models.matches import game_choices

pytestmark = pytest.mark.django_db

HEARTS = {"title": "Hearts", "target": "20", "lowest_wins": "on", "bids": "on"}
LABEL = "Hearts, to 20, lowest wins, with bids"


def start_match(phone: Client, **options: str) -> Any:
    names = {"name_0": "Ann", "name_1": "Bo", "name_2": "Cy"}
    form_fields = {"key": str(uuid4()), "game": "any_game", **names, **options}
    return phone.post("/matches/new/", form_fields, follow=True)


def enter_hand(
    phone: Client, match: Match, number: int, *points: int, **extra_fields: str
) -> str:
    fields = {f"points_{seat}": str(value) for seat, value in enumerate(points)}
    hand = {"key": str(uuid4()), "number": str(number), **fields, **extra_fields}
    phone.post(f"{match.get_absolute_url()}hands/new/", hand)
    return get_page(phone, match.get_absolute_url())


def get_page(phone: Client, address: str) -> str:
    page: str = phone.get(address).content.decode()
    return page


def test_lowest_total_leads_and_wins_under_the_title() -> None:
    phone = Client()
    start_match(phone, **HEARTS)
    match = Match.objects.get()
    assert match.options == {
        "title": "Hearts",
        "target": 20,
        "lowest_wins": True,
        "bids": True,
    }
    page = enter_hand(phone, match, 1, 5, -3, 8, bids_0="2", bids_1="0")
    assert "<h1>Hearts</h1>" in page
    assert "Bo leads by 8." in page
    assert "The match ends at 20. The lowest total wins." in page
    assert re.findall(r'class="seat-bid">.*?</span>(\S+)</small>', page) == ["2", "0"]
    page = enter_hand(phone, match, 2, 15, 3, 0)
    assert "Bo won" in page
    assert "The lowest total: 0." in page
    assert "Bo from hand 1 on" in page
    match.refresh_from_db()
    assert [seat.won for seat in match.seats.order_by("index")] == [False, True, False]


def test_new_match_offers_earlier_titles_and_options() -> None:
    phone = Client()
    start_match(phone, **HEARTS)
    start_match(phone, **HEARTS)
    start_match(phone, title="Uno", hands="5")
    page = unescape(get_page(phone, "/matches/new/"))
    offers = re.findall(
        r'href="(\?game=[^"]+)" class="chip">.*?</span>([^<]+)</a>', page, re.DOTALL
    )
    assert [label for _address, label in offers] == ["Uno, 5 hands", LABEL]
    form = phone.get(f"/matches/new/{offers[1][0]}").context["form"]
    assert form["title"].value() == "Hearts"
    assert 'value="20"' in str(form["target"])
    assert "checked" in str(form["lowest_wins"])
    assert LABEL not in get_page(Client(), "/matches/new/")


@pytest.mark.parametrize(
    ("option", "text"), [("hands", "0"), ("target", "-5"), ("title", "x" * 41)]
)
def test_impossible_option_is_refused_at_its_field(option: str, text: str) -> None:
    form = start_match(Client(), **{option: text}).context["form"]
    assert form.errors.keys() == {option}
    assert form[option].value() == text
    assert not Match.objects.exists()


def test_open_match_ends_when_its_players_say_so() -> None:
    phone = Client()
    start_match(phone)
    match = Match.objects.get()
    page = enter_hand(phone, match, 1, 4, 9, 2)
    assert "<h1>Any game</h1>" in page
    assert "End match now" in page
    start_match(phone, hands="3")
    assert "End match now" not in enter_hand(
        phone, Match.objects.latest("pk"), 1, 4, 9, 2
    )


def test_name_is_translated() -> None:
    with override("de"):
        assert table_game("any_game").name == "Freies Spiel"
        assert game_choices()[-1] == ("any_game", "Freies Spiel")
