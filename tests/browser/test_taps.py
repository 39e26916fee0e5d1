"""The number of taps for a hand, and their reach for a thumb."""

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.models import Match
from scoring.templatetags.parts import number
from tests.browser.accessible import assert_accessible, box_of
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db(transaction=True)

REACH_TOP = 844 * 0.4
"""Top of the lower 60 % of the screen."""

FIND_CUT_NUMBERS = "(inputs) => inputs.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.value)"
"""Returns numbers that are cut off."""


class Pad:
    """The entry page of a match, with a count of taps."""

    def __init__(self, page: Page, match: Match) -> None:
        self.page = page
        self.taps = 0
        page.goto(f"/m/{match.address}/hands/new/")

    def tap(self, target: Locator, *, least_size: tuple[int, int] = (48, 48)) -> None:
        """Tap an element; assert that it is large enough and within reach without scrolling."""
        expect(target).to_be_visible()
        box = box_of(target)
        width, height = least_size
        assert box.width >= width, f"{target} is {box.width} px wide"
        assert box.height >= height, f"{target} is {box.height} px high"
        assert box.top >= REACH_TOP, f"{target} is too high up: {box.top}"
        assert box.bottom <= 844, f"{target} is below the screen"
        target.tap()
        self.taps += 1

    def chip(self, name: str, value: object) -> None:
        inputs = self.page.locator(f'[data-tray] [name="{name}"][value="{value}"]')
        self.tap(inputs.locator("xpath=.."))

    def type(self, number: int) -> None:
        for digit in str(number):
            key = self.page.locator(f'[data-key="{digit}"]')
            self.tap(key, least_size=(64, 56))

    def key(self, value: object) -> None:
        self.tap(self.page.locator(f'[data-numbers] [data-value="{value}"]'))

    def move_on(self) -> None:
        self.tap(self.page.locator('[data-tray] [data-key="next"]:visible'))

    def press(self, label: str) -> None:
        self.tap(self.page.get_by_role("button", name=label, exact=True))

    def save(self, number: int = 1) -> None:
        button = self.page.get_by_role(
            "button", name=re.compile(rf"^Save \w+ {number}$")
        )
        self.tap(button, least_size=(200, 56))
        expect(self.page.locator(".totals .num").first).to_be_visible()


def totals(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".totals .num").all_inner_texts()]


def play_tricky(pad: Pad, points: Sequence[int]) -> None:
    pad.chip("bidder", 1)
    pad.type(156)
    pad.chip("trump", 7)
    for seat_points in points:
        pad.type(seat_points)


@pytest.mark.parametrize(
    ("game", "keys", "taps", "expected_totals"),
    [
        (
            "tricky_dice",
            "bidder=1 bid=6 partner=3 2 3 1 4 die_tricks_1=1 die_tricks_2=1 die_tricks_3=2",
            *(12, ["4", "15", "4", "15"]),
        ),
        ("tricky_bid", "31 > 17 > 0 > 22 >", 13, ["31", "17", "0", "22"]),
        (
            "db2t",
            "inciter=0 2 2 5 6 6 6 1 3 4 2 4 5 tier=pair",
            15,
            ["0", "1", "0", "0"],
        ),
    ],
    ids=["tricky_dice", "tricky_bid", "db2t"],
)
def test_hand_takes_few_taps(
    phone: Page, game: str, keys: str, taps: int, expected_totals: list[str]
) -> None:
    pad = Pad(phone, new_match(game, 4))
    for key in keys.split():
        name, _equals, choice = key.partition("=")
        if choice:
            pad.chip(name, choice)
        elif key == ">":
            pad.move_on()
        elif game == "tricky_bid":
            pad.type(int(key))
        else:
            pad.key(key)
    pad.save()
    assert pad.taps <= taps
    assert totals(phone) == expected_totals


def test_all_passed_and_bidder_exclude_each_other(
    phone: Page,
) -> None:
    match = new_match("tricky", 4)
    pad = Pad(phone, match)
    passed = phone.locator('[name="passed_out"]')
    bidder = phone.locator('[name="bidder"]:checked')
    pad.chip("bidder", 1)
    phone.get_by_role("button", name="Bidder").click()
    pad.tap(phone.locator("label", has_text="Everyone passed"))
    expect(bidder).to_have_count(0)
    expect(passed).to_be_checked()
    phone.get_by_role("button", name="Bidder").click()
    pad.chip("bidder", 2)
    expect(bidder).to_have_count(1)
    expect(passed).not_to_be_checked()
    phone.get_by_role("button", name="Bidder").click()
    pad.tap(phone.locator("label", has_text="Everyone passed"))
    expect(phone.locator("#preview")).to_contain_text("no one opened")
    expect(phone.locator("#preview .refusal")).to_have_count(0)
    pad.save()
    assert totals(phone) == [number(-20)] * 4


def test_a_contract_of_tricky_is_saved_before_the_points(phone: Page) -> None:
    match = new_match("tricky", 4)
    pad = Pad(phone, match)
    contract = phone.get_by_role("button", name="Save contract")
    expect(contract).to_be_hidden()
    play_tricky(pad, [])
    pad.tap(contract)
    expect(phone.locator("#sheet")).to_contain_text("Bo plays for 156 with trump 7")
    second_pad = Pad(phone, match)
    for seat_points in (100, 171, 120, 143):
        second_pad.type(seat_points)
    expect(phone.locator("#preview")).to_contain_text("156 × 7")
    assert phone.locator(".player-numbers input").evaluate_all(FIND_CUT_NUMBERS) == []
    second_pad.save()
    assert (pad.taps, second_pad.taps) == (6, 13)
    assert totals(phone) == ["100", number(1092), "120", "143"]


def test_tricky_bid_tally_adds_up_and_gives_way_to_a_typed_sum(phone: Page) -> None:
    match = new_match("tricky_bid", 4)
    pad = Pad(phone, match)
    by_tricks = phone.get_by_text("Add up the antes instead")
    by_tricks.tap()
    for trick in range(8):
        pad.tap(phone.locator(f'[data-winners] [data-seat="{trick % 3}"]'))
        for ante in (11, 3) if trick % 2 else (6,):
            pad.tap(phone.locator(f'[data-antes] [data-value="{ante}"]'))
    expect(phone.locator(".balance")).to_have_text("Ann 26 · Bo 34 · Cy 20 · Di 0")
    pad.save()
    assert pad.taps <= 22
    assert totals(phone) == ["26", "34", "20", "0"]
    pad = Pad(phone, match)
    by_tricks.tap()
    pad.tap(phone.locator('[data-winners] [data-seat="1"]'))
    pad.tap(phone.locator('[data-antes] [data-value="7"]'))
    expect(phone.locator(".balance")).to_have_text("Ann 0 · Bo 7 · Cy 0 · Di 0")
    by_tricks.tap()
    for seat_points in (30, 20, 10, 5):
        pad.type(seat_points)
        if phone.locator("[data-tray]").is_visible():
            pad.move_on()
    expect(phone.locator(".balance")).to_contain_text("Total: 65 points")
    pad.save(2)
    assert totals(phone) == ["56", "54", "30", "5"]


def test_a_deal_of_tricks_and_treats_takes_fourteen_taps(phone: Page) -> None:
    treats_each = [{"candy": 1}, {"spy": 1}, {}, {}]
    first_deal = {"tokens": [3, 2, 2, 2], "treats": treats_each, "grid_left": 66}
    pad = Pad(phone, entered_match([first_deal], "tricks_and_treats", 4))
    treats = [["ghost", "candy"], [], ["thief"], ["swap", "candy"]]
    for claimed, kinds in zip((5, 3, 4, 2), treats, strict=True):
        for kind in kinds:
            pad.tap(phone.locator(f'[data-kind="{kind}"]'))
        pad.key(claimed)
    pad.type(45)
    pad.save(2)
    assert pad.taps <= 14
    assert totals(phone) == ["13", "6", "7", "7"]


def test_db2t_player_allowed_to_declare_trump_is_asked_and_wins(
    phone: Page,
) -> None:
    pad = Pad(phone, new_match("db2t", 3, trump="prial"))
    pad.chip("inciter", 0)
    for face in "234345111":
        pad.key(face)
    pad.chip("tier", "straight")
    expect(phone.locator(".balance")).to_contain_text("Cy may declare trump.")
    expect(phone.get_by_text("Ann declares trump")).to_be_hidden()
    phone.locator('.chip:has([name="plays_trump_2"])').tap()
    expect(phone.locator("#preview")).to_contain_text(
        "Of those who declared trump, Cy has the highest sum"
    )
    pad.save()
    assert totals(phone) == ["0", "0", "1"]


def test_hand_can_be_entered_with_keyboard_only(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky_bid", 4))
    for keys in ("31\n", "17\n", "0\n", "22\n"):
        phone.keyboard.type(keys)
    expect(phone.get_by_role("button", name="Save hand 1")).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.locator(".totals .num").first).to_be_visible()
    assert totals(phone) == ["31", "17", "0", "22"]
    assert pad.taps == 0


def test_choices_work_with_keyboard_only(phone: Page) -> None:
    for open_key, leave_key in (("Enter", "Enter"), ("ArrowDown", "Tab")):
        Pad(phone, new_match("db2t", 3))
        slot = phone.locator('[data-step="inciter"]')
        expect(slot).to_be_focused()
        phone.keyboard.press(open_key)
        expect(phone.locator('[name="inciter"][value="0"]')).to_be_focused()
        phone.keyboard.press("ArrowRight")
        expect(phone.locator('[name="inciter"][value="1"]')).to_be_checked()
        phone.keyboard.press("ArrowLeft")
        expect(phone.locator('[name="inciter"][value="0"]')).to_be_checked()
        phone.keyboard.press(leave_key)
        expect(phone.locator('[name="dice_0_0"]')).to_be_focused()
        phone.keyboard.press("Shift+Tab")
        expect(slot).to_be_focused()


def test_next_key_after_each_number_skips_no_player(
    phone: Page,
) -> None:
    pad = Pad(phone, new_match("tricky", 4))
    pad.chip("bidder", 1)
    pad.type(156)
    trump = phone.locator('[data-step="trump"]')
    expect(trump).to_have_attribute("aria-current", "step")
    pad.chip("trump", 7)
    for seat_points in (100, 171, 95, 143):
        pad.type(seat_points)
        if phone.locator("[data-tray]").is_visible():
            pad.move_on()
    expect(phone.locator("[data-tray]")).to_be_hidden()
    points = [phone.locator(f'[name="points_{seat}"]') for seat in range(4)]
    assert [field.input_value() for field in points] == ["100", "171", "95", "143"]
    # Tab on a keyboard does the same.
    points[0].focus()
    for number_typed in ("101", "71", "095", "144"):
        phone.keyboard.press("ControlOrMeta+a")
        phone.keyboard.type(number_typed)
        phone.keyboard.press("Tab")
    assert [field.input_value() for field in points] == ["101", "71", "095", "144"]


def test_impossible_numbers_are_rejected_while_typing(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky", 4))
    message = phone.locator("[data-input-error]")
    next_key = phone.locator('[data-tray] [data-key="next"]:visible')
    bid, trump = phone.locator('[name="bid"]'), phone.locator('[data-step="trump"]')
    seats = [phone.locator(f'[name="points_{seat}"]') for seat in range(4)]
    pad.chip("bidder", 1)
    # The bid has just opened automatically.
    pad.move_on()
    expect(bid).to_have_attribute("aria-current", "step")
    pad.type(95)
    expect(message).to_be_hidden()
    pad.move_on()
    expect(message).to_have_text("At least 120")
    expect(bid).to_have_attribute("aria-current", "step")
    bid.press("ControlOrMeta+a")
    phone.keyboard.type("119")
    expect(bid).to_have_attribute("aria-current", "step")
    expect(phone.locator('[data-fault="bid"]')).to_contain_text("120")
    expect(bid).to_have_attribute("aria-invalid", "true")
    pad.type(125)
    expect(bid).to_have_value("125")
    expect(trump).to_have_attribute("aria-current", "step")
    pad.chip("trump", 7)
    expect(next_key).to_have_text("Next: Bo")
    pad.type(999)
    expect(message).to_have_text("At most 720")
    pad.move_on()
    expect(seats[0]).to_have_attribute("aria-current", "step")
    expect(seats[0]).to_have_value("999")
    for _digit in range(3):
        phone.get_by_role("button", name="Delete").tap()
    pad.type(500)
    expect(seats[1]).to_have_attribute("aria-current", "step")
    expect(message).to_be_hidden()
    # A sum above the limit doesn't block: another number may be corrected.
    pad.type(300)
    expect(message).to_have_text("Points: 800. At most 720")
    expect(seats[2]).to_have_attribute("aria-current", "step")
    seats[0].tap()
    pad.type(200)
    expect(seats[1]).to_have_attribute("aria-current", "step")
    expect(message).to_be_hidden()
    seats[3].tap()
    expect(next_key).to_have_text("Done")


def test_a_hand_is_corrected_on_the_same_pad(phone: Page) -> None:
    contract = {"bidder": 1, "bid": 156, "trump": 7}
    hand = {"contract": contract, "points": [100, 171, 120, 143]}
    match = entered_match([hand], "tricky", 4)
    phone.goto(f"/m/{match.address}/hands/1/correct/")
    expect(phone.locator("[data-tray]")).to_be_hidden()
    phone.locator('[name="points_1"]').tap()
    for digit in "117":
        phone.locator(f'[data-key="{digit}"]').tap()
    expect(phone.locator('[name="points_1"]')).to_have_value("117")
    for digit in "121":
        phone.locator(f'[data-key="{digit}"]').tap()
    expect(phone.locator('[name="points_2"]')).to_have_value("121")
    phone.get_by_role("button", name="Preview changes").tap()
    bidder = phone.locator(".score-changes").first.locator("tbody tr").nth(1)
    expect(bidder.locator("td")).to_have_text([number(1092), "0"])
    # There is no gap between the bar and the changes.
    bar = box_of(phone.locator(".bar"))
    cloth = box_of(phone.locator("main > .cloth"))
    assert bar.bottom == cloth.top
    assert_accessible(phone)
    phone.get_by_role("button", name="Correct hand 1").tap()
    expect(phone.locator("#save-status")).to_contain_text("Hand 1 corrected.")


FIND_OVERLAPS = """(lines) => {
  const texts = [...lines.querySelectorAll(".seat-line > :is(b, .points, .total)")];
  const boxes = texts.map((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    const drawn = range.getBoundingClientRect(), box = text.getBoundingClientRect();
    const isShortened = getComputedStyle(text).overflow === "hidden";
    return { words: text.textContent, left: box.left, right: isShortened ? box.right : drawn.right, top: box.top, bottom: box.bottom };
  });
  const isOn = (one, other) =>
    one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const right = lines.getBoundingClientRect().right + 1;
  return boxes.filter((one) => one.right > right || boxes.some((other) => one !== other && isOn(one, other)))
    .map(({ words }) => words);
}"""
"""Returns texts of players that overlap others or are cut off."""


def test_preview_of_points_does_not_overlap_above_the_keypad(phone: Page) -> None:
    names = ("Maximiliane", "Bartholomew", "Konstantin", "Wilhelmina")
    points = [100, 171, 120, 143]
    contract = {"bidder": 1, "bid": 156, "trump": 7}
    match = entered_match([{"contract": contract, "points": points}], "tricky", 4)
    for seat, name in zip(match.seats.order_by("index"), names, strict=True):
        seat.name = name
        seat.save()
    pad = Pad(phone, match)
    play_tricky(pad, points)
    phone.locator("[name=points_0]").tap()
    lines = phone.locator("#preview .lines")
    expect(lines.locator(".total")).to_have_count(len(names))
    expect(phone.locator("[data-tray]")).to_be_visible()
    assert lines.evaluate(FIND_OVERLAPS) == []
