"""Recording a hand trick by trick: keys stay in place, and few taps are needed."""

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.games.registry import table_game
from scoring.matchlog.append import replay_match
from scoring.models import Match
from scoring.rules import GAMES
from tests.browser.accessible import box_of
from tests.browser.offline import until_true
from tests.browser.playing import go_by_menu, tap_choice
from tests.browser.tapping import COUNTS_TAPS, expect_pieces, fill, tap
from tests.browser.test_sizes import LANDSCAPE, enlarge_text
from tests.browser.test_tricks import BY_TRICKS, next_hand, open_tricks
from tests.factories import author, entered_match, new_match
from tests.factories.commands import enter_hand
from tests.scoring.web.views.test_recording import hand_with_revoke

pytestmark = pytest.mark.django_db(transaction=True)

WATCH_KEYS = """
  () => {
    globalThis.places = {};
    globalThis.moved = [];
    const look = () => {
      for (const key of document.querySelectorAll("[data-keys] button")) {
        if (!key.checkVisibility({ visibilityProperty: true })) continue;
        const { x, y } = key.getBoundingClientRect();
        const name = `${key.closest("[data-second-keys]")?.dataset.secondKeys ?? "first"} ${key.textContent.trim()}`;
        const before = (places[name] ??= [x, y]);
        if (before[0] !== x || before[1] !== y) moved.push([name, before, [x, y]]);
      }
    };
    const each = () => (look(), requestAnimationFrame(each));
    addEventListener("click", look, true);
    each();
  }
"""
"""Records the position of each key, at every frame and before every tap."""
IS_LANE_VISIBLE = """
  () => {
    const lane = document.querySelector(".play .race").getBoundingClientRect();
    const keys = [...document.querySelectorAll("[data-keys] button")];
    const seen = keys.filter((key) => key.checkVisibility({ visibilityProperty: true }));
    return lane.top >= 0 && seen.every((key) => lane.bottom <= key.getBoundingClientRect().top);
  }
"""
"""Returns whether the lane of the bid is fully visible above the keys."""
MOST_TAPS_PER_PIECE = {"tricky": 20 / (4 * 2), "tricky_dice": 2, "tricky_bid": 2}
"""Most taps per piece."""


def key(page: Page, selector: str) -> Locator:
    return page.locator(f"[data-keys] {selector}")


@pytest.mark.parametrize("game", BY_TRICKS)
def test_keys_stay_in_place_with_bid_and_outcome_visible(
    new_phone: Callable[..., Page], game: str
) -> None:
    phone, match = new_phone(viewport={"width": 360, "height": 800}), new_match(game, 4)
    raw = next_hand(replay_match(match).state, Random(7))
    phone.add_init_script(COUNTS_TAPS)
    open_tricks(phone, match, raw)
    phone.evaluate(WATCH_KEYS)
    pieces = GAMES[game].list_pieces(raw)
    # Stop in the middle of tricks, with the keys of a suit open.
    stops = (3, 9, 19) if game != "tricky_bid" else ()
    for first, last in pairwise((0, *stops)):
        tap(phone, game, pieces[first:last], 4, after=first)
        # A notice of unsent entries covers the lane until they are sent.
        until_true(lambda: bool(phone.evaluate(IS_LANE_VISIBLE)))
        lane = phone.get_by_role("list", name="Progress towards the bid")
        expect(lane).to_contain_text(" more to make ")
    tapped = max(stops, default=0)
    tap(phone, game, pieces[tapped:], 4, after=tapped)
    expect(phone.locator("#preview .seat-line")).to_have_count(4)
    assert 0 < phone.evaluate("taps") <= len(pieces) * MOST_TAPS_PER_PIECE[game]
    # Wait for late previews.
    phone.wait_for_timeout(500)
    assert phone.evaluate("moved") == []
    positions: dict[str, list[float]] = phone.evaluate("places")
    assert min(y for _x, y in positions.values()) >= 800 * 0.4, (
        "within reach of a thumb"
    )
    assert len(positions) > 15
    lines = [box_of(line) for line in phone.locator("#preview .seat-line").all()]
    keys = box_of(phone.locator(".pieces"))
    assert all(line.bottom <= keys.top for line in lines)


def test_keys_stay_in_place_in_landscape_despite_news(
    new_phone: Callable[..., Page],
) -> None:
    phone, match = new_phone(viewport=LANDSCAPE), new_match("tricky_dice", 4)
    raw = next_hand(replay_match(match).state, Random(7))
    open_tricks(phone, match, raw)
    phone.evaluate(WATCH_KEYS)
    enter_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author("Bo"))
    news = phone.locator('[data-news="saved"]')
    expect(news).to_contain_text("Bo saved hand 1")
    until_true(lambda: bool(phone.evaluate("Object.keys(places).length > 8")))
    highest = "Math.min(...Object.values(places).map(([, y]) => y))"
    assert box_of(news).bottom <= phone.evaluate(highest)
    tap(phone, "tricky_dice", GAMES["tricky_dice"].list_pieces(raw), 4)
    phone.wait_for_timeout(500)
    assert phone.evaluate("moved") == []
    save = box_of(phone.get_by_role("button", name="Save hand 1"))
    assert save.bottom <= LANDSCAPE["height"]


def test_large_text_keeps_keys_in_place_and_outcome_above_save(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(viewport={"width": 320, "height": 844})
    match = new_match("tricky_dice", 4)
    phone.goto("/")
    enlarge_text(phone)
    raw = next_hand(replay_match(match).state, Random(7))
    open_tricks(phone, match, raw)
    phone.evaluate(WATCH_KEYS)
    *pieces, last = GAMES["tricky_dice"].list_pieces(raw)
    # One by one, because tables have different heights in the middle of tricks.
    tap(phone, "tricky_dice", pieces, 1)
    phone.wait_for_timeout(500)
    assert phone.evaluate("moved") == []
    assert phone.evaluate("Object.keys(places).length") > 15
    # With a complete hand only the keys for saving and undo are left.
    tap(phone, "tricky_dice", [last], 1, after=len(pieces))
    save = phone.get_by_role("button", name="Save hand 1")
    expect(save).to_be_visible()
    outcome = phone.locator(".trick .preview .lines")
    expect(outcome).to_be_visible()
    table_box, outcome_box, save_box = (
        box_of(element) for element in (phone.locator(".trick-table"), outcome, save)
    )
    assert table_box.bottom <= outcome_box.top
    # Only the folded tricks and bids are between them.
    gap = save_box.top - outcome_box.bottom
    assert 0 <= gap < 300


def test_dice_keys_stay_in_place_while_a_contest_is_saved(
    phone: Page,
) -> None:
    match = new_match("db2t", 3)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    phone.locator('[name="dice_0_0"]').tap()
    expect(phone.locator("[data-numbers] button")).to_have_count(6)
    phone.evaluate(WATCH_KEYS.replace("[data-keys]", "[data-numbers]"))
    for number, face in enumerate("225666134"):
        die_field = phone.locator(f'[name="dice_{number // 3}_{number % 3}"]')
        expect(die_field).to_have_attribute("aria-current", "step")
        phone.locator(f'[data-numbers] [data-value="{face}"]').tap()
        if number == 5:
            until_true(lambda: match.log.exists(), "nothing was kept", patience=20)
    expect(phone.locator("#preview")).to_contain_text("3 of 3 have rolled")
    assert phone.evaluate("moved") == []


def test_auction_survives_switching_pages_and_a_reload(
    phone: Page,
) -> None:
    match = new_match("tricky", 3)
    phone.goto(f"/m/{match.address}/hands/new/bids/")
    phone.get_by_role("link", name="95", exact=True).tap()
    for call_count in (1, 2):
        expect(phone.locator(".calls td > *")).to_have_count(call_count)
        phone.get_by_role("link", name="Pass").tap()
    phone.get_by_role("link", name="Continue to contract").tap()
    # Wait for the pad, which takes long on a busy machine.
    expect(phone.locator("[data-tray]")).to_be_visible()
    bids = phone.locator("[name=bids]").input_value()
    assert bids.count(":") == 3
    phone.locator("#id_points_0").fill("41")
    phone.get_by_role("link", name="Trick by trick").tap()
    expect(phone.get_by_text("Still needed: Trump")).to_be_visible()
    phone.locator('.chip:has([name=trump][value="7"])').tap()
    expect(phone.locator("[data-keys]")).to_be_visible()
    expect(phone.locator("[name=bids]")).to_have_value(bids)
    expect(phone.locator("[name=bid]")).to_have_value("95")
    phone.reload()
    expect(phone.locator("[data-keys]")).to_be_visible()
    expect(phone.locator("[name=bids]")).to_have_value(bids)
    go_by_menu(phone, "Enter totals instead")
    expect(phone.locator("form.entry")).to_be_visible()
    expect(phone.locator("#id_points_0")).to_have_value("41")
    phone.go_back()
    expect(phone.locator("[data-keys]")).to_be_visible()
    expect(phone.locator("[name=bid]")).to_have_value("95")
    go_by_menu(phone, "Enter totals instead")
    expect(phone.locator("#id_points_0")).to_be_visible()
    phone.get_by_role("link", name="Bid by bid").tap()
    expect(phone.get_by_role("link", name="Continue to contract")).to_be_visible()


def test_only_valid_partners_and_die_tricks_are_offered(
    phone: Page,
) -> None:
    phone.goto(f"{new_match('tricky_dice', 4).get_absolute_url()}hands/new/")
    tap_choice(phone, "bidder", 1)
    tap_choice(phone, "bid", 6)
    own_chip, other_chip = (
        phone.locator(f'.chip:has([name=partner][value="{seat}"])') for seat in (1, 3)
    )
    phone.locator("[data-step=partner]").tap()
    expect(other_chip).to_be_visible()
    expect(own_chip).to_be_hidden()
    tap_choice(phone, "partner", 3)
    tap_choice(phone, "bidder", 3)
    expect(phone.locator("[name=partner]:checked")).to_have_count(0)
    expect(phone.locator("[data-step=partner] output")).to_be_empty()
    phone.locator("[data-step=partner]").tap()
    expect(own_chip).to_be_visible()
    expect(other_chip).to_be_hidden()
    contract = {"bidder": 3, "tricks": 6, "partner": 1}
    fill(phone, "tricky_dice", {"contract": contract, "tricks_won": [0, 1, 2, 7]})
    phone.locator("[data-step=die_tricks]").tap()
    counts = [
        phone.locator(f".chip:visible [name=die_tricks_{seat}]").count()
        for seat in range(4)
    ]
    assert counts == [1, 2, 3, 3]


def test_solo_recorded_by_tricks_asks_for_no_partner(phone: Page) -> None:
    phone.goto(f"{new_match('tricky_dice', 4).get_absolute_url()}hands/new/tricks/")
    tap_choice(phone, "bidder", 1)
    expect(phone.locator(".chip:has([name=partner][value='1'])")).to_be_hidden()
    tap_choice(phone, "partner", 3)
    tap_choice(phone, "bid", "solo")
    expect(phone.get_by_role("group", name="Partner")).to_be_hidden()
    expect(phone.locator("[name=partner]:checked")).to_have_count(0)
    expect(phone.get_by_text("Still needed:")).not_to_contain_text("Partner")
    tap_choice(phone, "bid", 6)
    expect(phone.get_by_role("group", name="Partner")).to_be_visible()


def test_discarding_is_offered_to_players_able_to_follow(phone: Page) -> None:
    match = new_match("db2t", 4)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    actors = [{"dice": [2, 2, 3]}, {"dice": [1, 1, 5]}, {"dice": [1, 3, 6]}, None]
    fill(phone, "db2t", {"inciter": 0, "tier": "pair", "actors": actors})
    phone.get_by_text("Someone discarded but could have followed").click()
    expect(phone.locator("[data-discarders] .chip:visible")).to_have_text(["Bo"])


def test_phones_recording_the_same_hand_see_each_other(
    phone: Page, second_phone: Page
) -> None:
    match = entered_match([{"points": [9, 5, 3]}], "tricky_bid")
    raw = next_hand(replay_match(match).state, Random(3))
    pieces = GAMES["tricky_bid"].list_pieces(raw)
    for page in (phone, second_phone):
        open_tricks(page, match, raw)
    for piece in pieces[:7]:
        group_key = key(second_phone, f'[data-group="{piece[0]}"]')
        if not key(second_phone, f'[data-piece="{piece}"]').is_visible():
            group_key.click()
        key(second_phone, f'[data-piece="{piece}"]').evaluate("(key) => key.click()")
    expect_pieces(second_phone, 7)
    news = phone.locator('[data-news="begun"]')
    expect(news).to_contain_text("is entering hand 2 too")


def test_refusal_of_a_recorded_hand_is_fully_visible_above_the_keys(
    phone: Page,
) -> None:
    match, raw = new_match("tricky_dice", 4), hand_with_revoke()
    open_tricks(phone, match, raw)
    tap(phone, "tricky_dice", GAMES["tricky_dice"].list_pieces(raw), 4)
    finding = phone.locator("#preview .refusal").first
    expect(finding).to_be_in_viewport(ratio=1)
    box, keys = box_of(finding), box_of(phone.locator(".pieces"))
    assert box.bottom <= keys.top


def test_wrong_card_of_an_old_hand_is_changed_in_place(phone: Page) -> None:
    match = new_match("tricky_dice", 4)
    raw = record_hand(match, 3)
    phone.goto(f"/m/{match.address}/hands/1/")
    trick = raw["tricks"][4]
    phone.get_by_role("link", name="Change trick 5").tap()
    card_field = phone.locator(f'input[value="{trick[1]}"]')
    card_field.tap()
    used_pieces = {piece for t in raw["tricks"] for piece in t}
    star = "*" if trick[1].endswith("*") else ""
    new_card = next(
        f"{rank}{suit}{star}"
        for suit in "SHDC"
        for rank in "23456789TJQKA"
        if not used_pieces & {f"{rank}{suit}", f"{rank}{suit}*"}
    )
    if not key(phone, f'[data-piece="{new_card}"]').is_visible():
        key(phone, f'[data-group="{new_card[1:]}"]').tap()
        phone.wait_for_timeout(450)
    key(phone, f'[data-piece="{new_card}"]').tap()
    expect(card_field).to_have_value(new_card)
    # It is shown as a picture, not in the notation of records.
    card_name = table_game("tricky_dice").pieces.describe_piece(new_card)  # type: ignore[union-attr]
    card_picture = phone.locator("[data-piece-overlay] .piece")
    expect(card_picture.filter(has_text=card_name)).to_be_visible()
    phone.get_by_role("button", name="Preview changes").tap()
    phone.get_by_role("button", name="Correct hand 1").tap()
    expect(phone.locator("h1")).to_have_text("Hand 1")
    hand = replay_match(match).hands[0]
    assert new_card in {p for t in hand.raw["tricks"] for p in t}
    assert hand.state == "played"
    assert [entry.kind for entry in match.log.in_order()] == ["enter", "replace"]


def record_hand(match: Match, seed: int) -> dict[str, Any]:
    raw = next_hand(replay_match(match).state, Random(seed))
    enter_hand(match_id=match.pk, key=uuid4(), number=1, raw=raw, author=author())
    return raw
