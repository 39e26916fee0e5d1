"""Two taps on *Save hand n* save it once and open no other hand."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from scoring.games.random_match import generate_hand
from scoring.games.record_paths import format_bids
from scoring.games.registry import table_game
from scoring.matchlog.append import replay_match
from scoring.models import Match
from scoring.rules import GAMES
from tests.browser.offline import go_offline_with, open_page, wait_until_sent
from tests.browser.tapping import double_tap, fill, tap
from tests.browser.test_tricks import PIECES, next_hand
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db(transaction=True)

METHODS = [("tricks_and_treats", "sums"), ("tricky", "tricks"), ("tricky_dice", "bids")]


@pytest.mark.long(8)
def test_double_tap_saves_one_hand_and_opens_no_other(phone: Page) -> None:
    phone.on("dialog", lambda dialog: dialog.accept())
    for game, method in METHODS:
        match = new_match(game, 4)
        phone.goto(match.get_absolute_url())
        assert_double_tap_saves_once(phone, match, method)


@pytest.mark.long(10)
def test_double_tap_offline_saves_one_hand_and_opens_no_other(
    pub_phone: Page,
) -> None:
    pub_phone.on("dialog", lambda dialog: dialog.accept())
    game, method = METHODS[1]
    match = new_match(game, 4)
    go_offline_with(pub_phone, match)
    assert_double_tap_saves_once(pub_phone, match, method)


def assert_double_tap_saves_once(phone: Page, match: Match, method: str) -> None:
    enter_hand(phone, match, method)
    double_tap(phone, table_game(match.game).hand_text("save", 1))
    expect(phone.locator("tr[data-hand='1']")).to_be_attached()
    # A page opened by the second tap would be visible by now.
    phone.wait_for_timeout(500)
    assert phone.url.endswith(match.get_absolute_url()), f"{match.game} by {method}"
    phone.context.set_offline(False)
    wait_until_sent(phone)
    kinds = [entry.kind for entry in match.log.in_order()]
    assert [kind for kind in kinds if kind != "contract"] == ["enter"]


def enter_hand(phone: Page, match: Match, method: str) -> None:
    state, rng = replay_match(match).state, Random(7)
    raw = (
        next_hand(state, rng)
        if method == "tricks"
        else generate_hand(state, rng, tricks=False)
    )
    while method == "bids" and not {"bids", "contract"} <= raw.keys():
        raw = generate_hand(state, rng, tricks=False)
    page = {"tricks": "tricks/", "bids": f"?bids={format_bids(raw.get('bids', ()))}"}
    open_page(phone, f"{match.get_absolute_url()}hands/new/{page.get(method, '')}")
    fill(phone, match.game, raw)
    if method == "tricks":
        tap(
            phone,
            match.game,
            GAMES[match.game].list_pieces(raw),
            PIECES[match.game] * 4,
        )


def test_double_tap_on_preview_of_a_correction_saves_nothing(phone: Page) -> None:
    match = entered_match([{"points": [9, 5, 3, 1]}], "tricky_bid", 4)
    phone.goto(f"{match.get_absolute_url()}hands/1/correct/")
    expect(phone.locator("html.js [data-entry]")).to_be_visible()
    phone.fill("[name=points_0]", "8")
    double_tap(phone, "Preview changes")
    expect(phone.get_by_role("button", name="Correct hand 1")).to_be_visible()
    phone.wait_for_timeout(500)
    assert [entry.kind for entry in match.log.in_order()] == ["enter"]
