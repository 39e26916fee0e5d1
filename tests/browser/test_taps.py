"""How many taps a hand takes, and whether a thumb can reach them."""

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Locator, Page, expect

from scoring.models import Match
from scoring.templatetags.numbers import number
from tests.browser.accessible import assert_accessible
from tests.factories import entered_match, new_match
from tests.factories.tournaments import running_round, tournament_with

pytestmark = pytest.mark.django_db(transaction=True)

LOWER = 844 * 0.4
"""Where the lower 60 % of the screen begins."""

CUT = "(inputs) => inputs.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.value)"
"""Numbers that are not read whole."""


class Pad:
    """The entry page of a match, and how often it was tapped."""

    def __init__(self, page: Page, match: Match) -> None:
        """Open the form for the next hand."""
        self.page = page
        self.taps = 0
        page.goto(f"/m/{match.address}/hands/new/")

    def tap(self, target: Locator, *, least: tuple[int, int] = (48, 48)) -> None:
        """Tap something that is large enough and within reach, without scrolling."""
        expect(target).to_be_visible()
        box = target.bounding_box()
        assert box is not None
        width, height = least
        assert box["width"] >= width, f"{target} is {box['width']} px wide"
        assert box["height"] >= height, f"{target} is {box['height']} px high"
        assert box["y"] >= LOWER, f"{target} is too high up: {box['y']}"
        assert box["y"] + box["height"] <= 844, f"{target} is below the screen"
        target.tap()
        self.taps += 1

    def chip(self, name: str, value: object) -> None:
        """Tap a choice of the panel that is open."""
        inputs = self.page.locator(f'[data-tray] [name="{name}"][value="{value}"]')
        self.tap(inputs.locator("xpath=.."))

    def type(self, number: int) -> None:
        """Tap the digits of a number."""
        for digit in str(number):
            key = self.page.locator(f'[data-key="{digit}"]')
            self.tap(key, least=(64, 56))

    def key(self, value: object) -> None:
        """Tap a number of the grid."""
        self.tap(self.page.locator(f'[data-numbers] [data-value="{value}"]'))

    def move_on(self) -> None:
        """Tap the key that leads to the next step."""
        self.tap(self.page.locator('[data-tray] [data-key="next"]:visible'))

    def press(self, words: str) -> None:
        """Tap a button by its words."""
        self.tap(self.page.get_by_role("button", name=words, exact=True))

    def save(self, number: int = 1) -> None:
        """Save the hand and see the sheet."""
        button = self.page.get_by_role("button", name=f"Save hand {number}")
        self.tap(button, least=(200, 56))
        expect(self.page.locator(".totals .num").first).to_be_visible()


def totals(page: Page) -> list[str]:
    return [text.strip() for text in page.locator(".totals .num").all_inner_texts()]


def play_tricky(pad: Pad, points: Sequence[int]) -> None:
    pad.chip("bidder", 1)
    pad.type(156)
    pad.chip("trump", 7)
    for taken in points:
        pad.type(taken)


def test_a_hand_of_tricky_takes_eighteen_taps(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky", 4))
    play_tricky(pad, [100, 171, 120, 143])
    expect(phone.locator("#preview")).to_contain_text("156 × 7")
    assert phone.locator(".taken input").evaluate_all(CUT) == []
    pad.save()
    assert pad.taps == 18
    assert totals(phone) == ["100", number(1092), "120", "143"]


@pytest.mark.rare
def test_five_players_of_tricky_are_within_reach(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky", 5))
    play_tricky(pad, [100, 171, 120, 143, 101])
    pad.save()
    assert pad.taps == 21


@pytest.mark.rare
def test_five_players_of_the_other_games_are_within_reach(phone: Page) -> None:
    bid = Pad(phone, new_match("tricky_bid", 5))
    for won in (31, 17, 12, 22, 11):
        bid.type(won)
        bid.move_on()
    bid.save()
    treats = Pad(phone, new_match("tricks_and_treats", 5))
    for claimed in (3, 2, 1, 2, 1):
        treats.key(claimed)
    treats.type(60)
    treats.save()
    contest = Pad(phone, new_match("db2t", 5))
    contest.chip("inciter", 0)
    for actor in ("225", "666", "134", "245", "136"):
        for face in actor:
            contest.key(face)
    contest.chip("tier", "pair")
    contest.save()
    assert bid.taps <= 16
    assert treats.taps <= 16
    assert contest.taps <= 18


def test_a_hand_of_tricky_that_was_passed_out_takes_two_taps(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky", 4))
    pad.tap(phone.locator("label", has_text="Everybody passed"))
    expect(phone.locator("#preview")).to_contain_text("nobody opened")
    expect(phone.locator("#preview .refusal")).to_have_count(0)
    pad.save()
    assert pad.taps == 2
    assert totals(phone) == [number(-20)] * 4


def test_everybody_passed_and_a_bidder_exclude_each_other_where_they_are_tapped(
    phone: Page,
) -> None:
    pad = Pad(phone, new_match("tricky", 4))
    passed = phone.locator('[name="passed_out"]')
    bidder = phone.locator('[name="bidder"]:checked')
    pad.chip("bidder", 1)
    phone.get_by_role("button", name="Bidder").click()
    pad.tap(phone.locator("label", has_text="Everybody passed"))
    expect(bidder).to_have_count(0)
    expect(passed).to_be_checked()
    phone.get_by_role("button", name="Bidder").click()
    pad.chip("bidder", 2)
    expect(bidder).to_have_count(1)
    expect(passed).not_to_be_checked()


def test_a_contract_of_tricky_is_saved_before_the_points(phone: Page) -> None:
    match = new_match("tricky", 4)
    pad = Pad(phone, match)
    contract = phone.get_by_role("button", name="Save contract")
    expect(contract).to_be_hidden()
    play_tricky(pad, [])
    pad.tap(contract)
    expect(phone.locator("#sheet")).to_contain_text("Bo plays 156, trump 7")
    after = Pad(phone, match)
    for taken in (100, 171, 120, 143):
        after.type(taken)
    after.save()
    assert (pad.taps, after.taps) == (6, 13)


def test_a_hand_of_tricky_dice_takes_twelve_taps(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky_dice", 4))
    pad.chip("bidder", 1)
    pad.chip("bid", 6)
    pad.chip("partner", 3)
    for won in (2, 3, 1, 4):
        pad.key(won)
    pad.chip("die_tricks_1", 1)
    pad.chip("die_tricks_2", 1)
    pad.chip("die_tricks_3", 2)
    expect(phone.locator("#preview")).to_contain_text("All 10 tricks")
    pad.save()
    assert pad.taps <= 12


def test_a_solo_of_tricky_dice_asks_for_no_partner(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky_dice", 4))
    pad.chip("suit", "H")
    pad.chip("rank", "8")
    pad.chip("bidder", 1)
    pad.chip("bid", "solo")
    for won in (1, 7, 1, 1):
        pad.key(won)
    # It asks what is unusual, which is a tap more.
    asked = "Did nobody take a trick with a die?"
    expect(phone.locator("[data-question]")).to_have_text(asked)
    phone.once("dialog", lambda dialog: dialog.accept())
    pad.save()
    assert pad.taps + 1 <= 11
    assert totals(phone)[1] == "17"


def test_a_round_of_tricky_bid_takes_thirteen_taps(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky_bid", 4))
    for won in (31, 17, 0, 22):
        pad.type(won)
        pad.move_on()
    pad.save()
    assert pad.taps <= 13
    assert totals(phone) == ["31", "17", "0", "22"]


def test_a_tally_of_tricky_bid_adds_up_by_itself(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky_bid", 4))
    phone.get_by_text("Tally trick by trick").tap()
    for trick in range(8):
        pad.tap(phone.locator(f'[data-winners] [data-seat="{trick % 3}"]'))
        for ante in (11, 3) if trick % 2 else (6,):
            pad.tap(phone.locator(f'[data-antes] [data-value="{ante}"]'))
    expect(phone.locator(".balance")).to_have_text("Ann 26 · Bo 34 · Cy 20 · Di 0")
    pad.save()
    assert pad.taps <= 22
    assert totals(phone) == ["26", "34", "20", "0"]


def test_a_sum_that_is_typed_after_a_tally_was_closed_is_the_sum(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky_bid", 3))
    phone.get_by_text("Tally trick by trick").tap()
    pad.tap(phone.locator('[data-winners] [data-seat="1"]'))
    pad.tap(phone.locator('[data-antes] [data-value="7"]'))
    expect(phone.locator(".balance")).to_have_text("Ann 0 · Bo 7 · Cy 0")
    phone.get_by_text("Tally trick by trick").tap()
    for taken in (30, 20, 10):
        pad.type(taken)
        if phone.locator("[data-tray]").is_visible():
            pad.move_on()
    expect(phone.locator(".balance")).to_contain_text("60 points in all")
    pad.save()
    assert totals(phone) == ["30", "20", "10"]


def test_a_trick_of_a_tally_that_nobody_took_is_asked_for(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky_bid", 3))
    phone.get_by_text("Tally trick by trick").tap()
    for trick in range(6):
        if trick != 3:
            pad.tap(phone.locator(f'[data-winners] [data-seat="{trick % 3}"]'))
        else:
            pad.move_on()
        pad.tap(phone.locator(f'[data-antes] [data-value="{trick}"]'))
    expect(phone.locator('[data-fault="antes_3"]')).to_have_text("Who won this trick?")


def test_a_deal_of_tricks_and_treats_takes_fourteen_taps(phone: Page) -> None:
    held = [{"candy": 1}, {"spy": 1}, {}, {}]
    first = {"tokens": [3, 2, 2, 2], "treats": held, "grid_left": 66}
    pad = Pad(phone, entered_match([first], "tricks_and_treats", 4))
    treats = [["ghost", "candy"], [], ["thief"], ["swap", "candy"]]
    for claimed, gained in zip((5, 3, 4, 2), treats, strict=True):
        for kind in gained:
            pad.tap(phone.locator(f'[data-kind="{kind}"]'))
        pad.key(claimed)
    pad.type(45)
    pad.save(2)
    assert pad.taps <= 14
    assert totals(phone) == ["13", "6", "7", "7"]


@pytest.mark.parametrize(
    ("dice", "tiers"),
    [
        ("225 666 134 245", 1),
        pytest.param("124 666 134 245", 0, marks=pytest.mark.rare),
    ],
)
def test_a_contest_of_db2t_takes_fifteen_taps(
    phone: Page, dice: str, tiers: int
) -> None:
    pad = Pad(phone, new_match("db2t", 4))
    pad.chip("inciter", 0)
    for actor in dice.split():
        for face in actor:
            pad.key(face)
    if tiers:
        pad.chip("tier", "pair")
    expect(phone.locator("#preview")).to_contain_text("Bo")
    pad.save()
    assert pad.taps <= 15
    assert totals(phone) == ["0", "1", "0", "0"]


def test_whoever_may_declare_trump_in_db2t_is_asked_and_wins_with_it(
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
    expect(phone.locator("#preview")).to_contain_text("Cy declared trump")
    pad.save()
    assert totals(phone) == ["0", "0", "1"]


def test_why_leads_to_the_clause_and_not_to_the_top_of_how_to_play(phone: Page) -> None:
    hand = {"contract": {"bidder": 1, "bid": 96, "trump": 7}, "points": [114, 41, 188]}
    match = entered_match([hand])
    phone.goto(f"{match.get_absolute_url()}hands/1/")
    phone.get_by_role("link", name="why?").first.tap()
    phone.wait_for_url("**/how-to-play/tricky/#tricky.score.set")
    expect(phone.locator('[id="tricky.score.set"]')).to_be_in_viewport()


def test_a_refusal_keeps_what_was_typed_and_stands_beside_it(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky", 4))
    pad.chip("bidder", 1)
    pad.type(119)
    expect(phone.locator('[data-fault="bid"]')).to_contain_text("120")
    expect(phone.locator('[name="bid"]')).to_have_attribute("aria-invalid", "true")
    expect(phone.locator('[name="bid"]')).to_have_value("119")


def test_a_hand_is_entered_with_a_keyboard_alone(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky_bid", 4))
    for typed in ("31\n", "17\n", "0\n", "22\n"):
        phone.keyboard.type(typed)
    expect(phone.get_by_role("button", name="Save hand 1")).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.locator(".totals .num").first).to_be_visible()
    assert totals(phone) == ["31", "17", "0", "22"]
    assert pad.taps == 0


@pytest.mark.parametrize("way", ["Enter", "Tab", "ArrowDown"])
def test_choices_are_reached_and_left_with_a_keyboard_alone(
    phone: Page, way: str
) -> None:
    Pad(phone, new_match("db2t", 3))
    slot = phone.locator('[data-step="inciter"]')
    expect(slot).to_be_focused()
    phone.keyboard.press(way)
    expect(phone.locator('[name="inciter"][value="0"]')).to_be_focused()
    phone.keyboard.press("ArrowRight")
    expect(phone.locator('[name="inciter"][value="1"]')).to_be_checked()
    phone.keyboard.press("ArrowLeft")
    expect(phone.locator('[name="inciter"][value="0"]')).to_be_checked()
    phone.keyboard.press("Enter" if way == "Enter" else "Tab")
    expect(phone.locator('[name="dice_0_0"]')).to_be_focused()
    phone.keyboard.press("Shift+Tab")
    expect(slot).to_be_focused()


def test_next_by_habit_after_every_number_puts_no_points_under_another_name(
    phone: Page,
) -> None:
    pad = Pad(phone, new_match("tricky", 4))
    pad.chip("bidder", 1)
    pad.type(156)
    trump = phone.locator('[data-step="trump"]')
    expect(trump).to_have_attribute("aria-current", "step")
    pad.chip("trump", 7)
    for taken in (100, 171, 95, 143):
        pad.type(taken)
        if phone.locator("[data-tray]").is_visible():
            pad.move_on()
    expect(phone.locator("[data-tray]")).to_be_hidden()
    points = [phone.locator(f'[name="points_{seat}"]') for seat in range(4)]
    assert [field.input_value() for field in points] == ["100", "171", "95", "143"]


@pytest.mark.parametrize(
    ("game", "keys", "fields"),
    [
        ("tricky_dice", "2314", [f"tricks_won_{seat}" for seat in range(4)]),
        (
            "db2t",
            "225666",
            [f"dice_{seat}_{die}" for seat in (0, 1) for die in range(3)],
        ),
    ],
)
def test_next_by_habit_after_every_key_of_a_number_does_the_same(
    phone: Page, game: str, keys: str, fields: list[str]
) -> None:
    pad = Pad(phone, new_match(game, 4))
    phone.locator(f'[name="{fields[0]}"]').tap()
    for name, value in zip(fields, keys, strict=True):
        opened = phone.locator(f'[name="{name}"]')
        expect(opened).to_have_attribute("aria-current", "step")
        pad.key(value)
        expect(opened).not_to_have_attribute("aria-current", "step")
        following = phone.locator('[data-tray] [data-key="next"]:visible')
        if following.count():
            following.tap()
    typed = [phone.locator(f'[name="{name}"]').input_value() for name in fields]
    assert typed == list(keys)


def test_tab_by_habit_after_every_number_does_the_same(phone: Page) -> None:
    Pad(phone, new_match("tricky", 4))
    phone.locator('[name="points_0"]').focus()
    for typed in ("100", "71", "095", "143"):
        phone.keyboard.type(typed)
        phone.keyboard.press("Tab")
    points = [phone.locator(f'[name="points_{seat}"]') for seat in range(4)]
    assert [field.input_value() for field in points] == ["100", "71", "095", "143"]


def test_a_number_that_cannot_be_is_refused_where_it_is_typed(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky", 4))
    points = phone.locator('[name="points_0"]')
    points.tap()
    pad.type(999)
    expect(phone.locator("[data-forbidden]")).to_have_text("At most 720")
    pad.move_on()
    expect(points).to_have_attribute("aria-current", "step")
    expect(points).to_have_value("999")
    for _digit in range(3):
        phone.get_by_role("button", name="Delete").tap()
    pad.type(171)
    expect(phone.locator('[name="points_1"]')).to_have_attribute("aria-current", "step")
    expect(phone.locator("[data-forbidden]")).to_be_hidden()


@pytest.mark.parametrize(
    ("game", "row", "keys", "words", "least"),
    [
        ("tricky", "points", (500, 300), "Points: 800. At most 720", 200),
        ("tricky_bid", "points", (300, 100), "Points: 400. At most 393", 200),
        ("tricky_dice", "tricks_won", (7, 5), "Tricks: 12. At most 10", 5),
        ("tricks_and_treats", "tokens", (9, 7), "Tokens: 16. At most 15", 8),
    ],
)
def test_row_beyond_its_total_is_named_at_once_and_stops_nobody(
    phone: Page, game: str, row: str, keys: tuple[int, int], words: str, least: int
) -> None:
    pad = Pad(phone, new_match(game, 4))
    seats = [phone.locator(f'[name="{row}_{seat}"]') for seat in range(3)]
    enter = pad.type if "points" in row else pad.key
    said = phone.locator("[data-forbidden]")
    seats[0].tap()
    enter(keys[0])
    expect(said).to_be_hidden()
    enter(keys[1])
    expect(said).to_have_text(words)
    expect(seats[2]).to_have_attribute("aria-current", "step")
    seats[0].tap()
    expect(said).to_have_text(words)
    enter(least)
    expect(seats[1]).to_have_attribute("aria-current", "step")
    expect(said).to_be_hidden()


def test_treats_of_all_players_beyond_their_number_are_named_at_once(
    phone: Page,
) -> None:
    pad = Pad(phone, new_match("tricks_and_treats", 4))
    ghost = phone.locator('[data-tray] [data-kind="ghost"]')
    said = phone.locator("[data-forbidden]")
    ghost.tap()
    ghost.tap()
    pad.key(1)
    expect(said).to_be_hidden()
    ghost.tap()
    expect(said).to_have_text("ghost: 3. At most 2")
    phone.locator(".treat:visible", has_text="ghost").first.tap()
    expect(said).to_be_hidden()


def test_a_bid_that_is_too_low_is_refused_where_it_is_typed_and_typed_over(
    phone: Page,
) -> None:
    pad = Pad(phone, new_match("tricky", 4))
    pad.chip("bidder", 1)
    bid = phone.locator('[name="bid"]')
    pad.type(95)
    expect(phone.locator("[data-forbidden]")).to_be_hidden()
    pad.move_on()
    expect(phone.locator("[data-forbidden]")).to_have_text("At least 120")
    expect(bid).to_have_attribute("aria-current", "step")
    bid.press("ControlOrMeta+a")
    phone.keyboard.type("119")
    expect(bid).to_have_attribute("aria-current", "step")
    pad.type(125)
    expect(bid).to_have_value("125")
    trump = phone.locator('[data-step="trump"]')
    expect(trump).to_have_attribute("aria-current", "step")


def test_a_keyboard_is_refused_letters_and_dice_that_do_not_exist(phone: Page) -> None:
    Pad(phone, new_match("tricky_bid", 4))
    points = phone.locator('[name="points_0"]')
    points.press_sequentially("1a2")
    expect(phone.locator("[data-forbidden]")).to_have_text("Digits only, please.")
    phone.keyboard.press("Enter")
    expect(points).to_have_attribute("aria-current", "step")
    Pad(phone, new_match("db2t", 4))
    die = phone.locator('[name="dice_0_0"]')
    for face, words in (("0", "At least 1"), ("7", "At most 6")):
        die.press_sequentially(face)
        expect(phone.locator("[data-forbidden]")).to_have_text(words)
        expect(die).to_have_attribute("aria-current", "step")
    phone.keyboard.type("6")
    expect(die).to_have_value("6")
    expect(phone.locator('[name="dice_0_1"]')).to_have_attribute("aria-current", "step")


def test_the_key_that_leads_on_leads_past_nothing_and_names_whom_it_leads_to(
    phone: Page,
) -> None:
    pad = Pad(phone, new_match("tricky", 4))
    pad.chip("bidder", 1)
    pad.move_on()
    bid = phone.locator('[name="bid"]')
    expect(bid).to_have_attribute("aria-current", "step")
    pad.move_on()
    expect(bid).not_to_have_attribute("aria-current", "step")
    key = phone.locator('[data-tray] [data-key="next"]:visible')
    phone.locator('[name="points_0"]').tap()
    expect(key).to_have_text("Next: Bo")
    phone.locator('[name="points_3"]').tap()
    expect(key).to_have_text("Done")


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
    phone.get_by_role("button", name="See what changes").tap()
    bidder = phone.locator(".becomes").first.locator("tbody tr").nth(1)
    expect(bidder.locator("td")).to_have_text([number(1092), "0"])
    # No stripe parts what changes from the bar.
    bar = phone.locator(".bar").bounding_box()
    cloth = phone.locator("main > .cloth").bounding_box()
    assert bar is not None
    assert cloth is not None
    assert bar["y"] + bar["height"] == cloth["y"]
    assert_accessible(phone)
    phone.get_by_role("button", name="Correct hand 1").tap()
    expect(phone.locator("#saved")).to_contain_text("Hand 1 is corrected.")


class Person:
    """Somebody who has never been here, and how often they have tapped since the home page."""

    def __init__(self, page: Page) -> None:
        """Open the home page."""
        self.page = page
        self.taps = 0
        page.goto("/")

    def tap(self, target: Locator) -> None:
        """Tap something."""
        target.tap()
        self.taps += 1

    def go(self, name: str) -> None:
        """Tap a link by the beginning of its words."""
        self.tap(self.page.get_by_role("link", name=re.compile(f"^{name}")).first)


def test_the_pad_of_a_first_match_is_seven_taps_and_four_names_away(
    phone: Page,
) -> None:
    person = Person(phone)
    person.go(r"Tricky\s+2 to 5")
    for seat, name in enumerate(("Ann", "Bo", "Cy", "Di")):
        person.tap(phone.locator(f'[name="name_{seat}"]'))
        phone.keyboard.type(name)
    person.tap(phone.get_by_role("button", name="Start the match"))
    person.go("Enter hand 1")
    expect(phone.locator("[data-tray]")).to_be_visible()
    assert person.taps == 7


def test_a_hand_is_understood_after_one_tap_and_corrected_after_eight(
    phone: Page,
) -> None:
    contract = {"bidder": 1, "bid": 156, "trump": 7}
    hand = {"contract": contract, "points": [100, 171, 120, 143]}
    match = entered_match([hand] * 3, "tricky", 4)
    person = Person(phone)
    phone.goto(match.get_absolute_url())
    person.tap(phone.locator('tr[data-hand="3"] th a'))
    expect(phone.locator(".made")).to_contain_text("made 156 with 171: 156 × 7")
    assert person.taps == 1
    person.go("Correct this hand")
    person.tap(phone.locator('[name="points_1"]'))
    for digit in "181":
        person.tap(phone.locator(f'[data-key="{digit}"]'))
    person.tap(phone.get_by_role("button", name="See what changes"))
    person.tap(phone.get_by_role("button", name="Correct hand 3"))
    expect(phone.locator(".made")).to_contain_text("made 156 with 181")
    assert person.taps == 8


def test_the_table_is_three_taps_and_a_code_away(phone: Page) -> None:
    night = tournament_with(["Ann", "Bo", "Cy", "Di"])
    running_round(night)
    person = Person(phone)
    person.go("Code")
    expect(phone.locator('[name="code"]')).to_be_focused()
    phone.keyboard.type(night.code)
    person.tap(phone.get_by_role("button", name="Go there"))
    person.go("Find your table")
    expect(phone.locator("main")).to_contain_text("Di")
    assert person.taps == 3


OVERLAPS = """(lines) => {
  const texts = [...lines.querySelectorAll(".of-seat > :is(b, .points, .total)")];
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
"""What a player gets that lies on something else, or is cut off."""


def test_what_each_player_gets_overlaps_nothing_above_the_keypad(phone: Page) -> None:
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
    assert lines.evaluate(OVERLAPS) == []
