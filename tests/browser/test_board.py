"""The board on the phone: played by taps, followed, undone, and used offline."""

import re

import pytest
from playwright.sync_api import Dialog, Page, expect

from scoring.models import Match
from scoring.rules.tricks_and_treats import GAME
from scoring.rules.tricks_and_treats.board import Board
from tests.browser.accessible import assert_accessible, box_of
from tests.browser.offline import (
    expect_one_waiting,
    go_offline_with,
    until_true,
    wait_until_offline_ready,
    wait_until_sent,
    wait_until_stored,
)
from tests.browser.tapping import tap_by_name
from tests.factories import author, new_match
from tests.factories.commands import correct_hand, restore_hand, void_hand
from tests.scoring.games.tricks_and_treats.test_board_log import (
    board,
    laid_match,
    play,
    play_deal,
)

pytestmark = pytest.mark.django_db(transaction=True)

SUITS = {"P": "pumpkin", "G": "ghost", "B": "bat", "C": "cat", "W": "witch"}


def open_trick(page: Page) -> None:
    """Open the keys of the current trick, if they are closed."""
    if not page.locator(".enter[open]").count():
        page.get_by_text("Enter trick").click()


def tap_trick(page: Page, cards: list[str], leader: str = "") -> None:
    """Tap the cards of a trick, and play it."""
    open_trick(page)
    if leader:
        page.locator("form.trick .chip").get_by_text(leader, exact=True).click()
    expect(page.locator("[data-keys]")).to_be_visible()
    tap_by_name(page, [key for card in cards for key in (SUITS[card[0]], card[1:])])
    expect(page.locator("#preview")).to_contain_text("wins.")
    page.get_by_role("button", name="Play this trick").click()
    expect(page.locator(".lead")).to_contain_text("won the trick")


def turn_token(page: Page) -> None:
    page.get_by_role("button", name="turns over a token").click()
    expect(page.locator(".lead")).to_contain_text("leads")


def shown_cards(page: Page) -> list[str]:
    return page.locator("td.face-up .token > [aria-hidden]:not(svg)").all_inner_texts()


def visible_faces(board: Board) -> list[str]:
    return [cell.face for cell in board.visible_cells if cell.face]


def test_board_is_set_up_played_and_followed_by_taps(
    phone: Page, second_phone: Page
) -> None:
    match = new_match(GAME.id)
    phone.goto(match.get_absolute_url())
    phone.get_by_role("link", name="Play on the board").click()
    second_phone.goto(f"{match.get_absolute_url()}board/")
    phone.get_by_role("button", name="Set up the board").click()
    expect(second_phone.get_by_text("The player with").first).to_be_visible()
    assert_accessible(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    box = box_of(phone.locator(".grid-of-tokens td.face-down").last)
    assert min(box.width, box.height) >= 40
    cards = list(board(match).deck[10:13])
    tap_trick(phone, cards, leader="Bo")
    expect(second_phone.locator(".lead")).to_contain_text("won the trick")
    turn_token(phone)
    state = board(match)
    assert shown_cards(phone) == visible_faces(state)
    phone.get_by_role("button", name=re.compile("^Undo")).click()
    expect(phone.get_by_text("The last action was undone.")).to_be_visible()
    # The other phone plays on with the keys of the updated board.
    expect(second_phone.get_by_text("The last action was undone.")).to_be_visible()
    turn_token(second_phone)
    assert board(match) == state
    unplayed = [card for card in state.deck if card not in state.played_cards]
    tap_trick(second_phone, unplayed[:3])


def test_board_works_offline(pub_phone: Page) -> None:
    match = new_match(GAME.id)
    go_offline_with(pub_phone, match)
    pub_phone.get_by_role("link", name="Play on the board").click()
    pub_phone.get_by_role("button", name="Set up the board").click()
    lead = pub_phone.locator(".lead")
    expect(lead).to_contain_text("The player with")
    tap_trick(pub_phone, ["P1", "G2", "W3"], leader="Cy")
    # The rules also apply offline.
    turn_token(pub_phone)
    open_trick(pub_phone)
    # Wait for the keys before typing.
    expect(pub_phone.locator("[data-keys]")).to_be_visible()
    pub_phone.locator("[name=plays]").fill("P1 P2 P4")
    pub_phone.get_by_role("button", name="Play this trick").click()
    expect(pub_phone.get_by_role("alert").first).to_contain_text(
        "pumpkin 1 was already played"
    )
    valid_cards = ["P2", "P4", "P5"]
    pub_phone.locator("[name=plays]").fill("")
    tap_trick(pub_phone, valid_cards)
    cards = shown_cards(pub_phone)
    assert not match.log.exists()
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    assert [entry.kind for entry in match.log.in_order()] == ["board"] * 4
    assert visible_faces(board(match)) == cards, "the same board on the server"


def enter_sums(page: Page) -> None:
    for number in ("1", "2", "3"):
        page.locator(".tray [data-numbers] button").get_by_text(
            number, exact=True
        ).click()
    page.locator("[name=grid_left]").fill("60")
    expect(page.locator("#preview .lines")).to_be_visible()


def test_sums_of_a_deal_on_the_board_are_saved_after_confirmation(phone: Page) -> None:
    match = laid_match()
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    expect(phone.get_by_text("playing this deal on the board")).to_be_visible()
    enter_sums(phone)
    questions: list[str] = []

    def decline(dialog: Dialog) -> None:
        questions.append(dialog.message)
        dialog.dismiss()

    phone.once("dialog", decline)
    phone.get_by_role("button", name="Save deal 1").click()
    expect(phone.locator("[name=grid_left]")).to_have_value("60")
    assert "the match continues without the board" in questions[0]
    assert match.log.count() == 1
    unsaved = phone.get_by_role("alert").filter(has_text="Not saved.")
    expect(unsaved).to_have_text("Not saved. Tick “Enter totals instead” first.")
    expect(unsaved).to_be_in_viewport(ratio=1)
    expect(phone.locator("[name=instead_of_board]")).to_be_focused()
    assert_accessible(phone)
    phone.once("dialog", lambda dialog: dialog.accept())
    phone.get_by_role("button", name="Save deal 1").click()
    expect(phone).to_have_url(re.compile(rf"{match.get_absolute_url()}$"))
    assert match.log.filter(kind="enter").count() == 1


def test_board_pauses_on_the_other_phone_until_the_sums_are_void(
    phone: Page, second_phone: Page
) -> None:
    match = laid_match()
    phone.goto(f"{match.get_absolute_url()}board/")
    open_trick(phone)
    second_phone.goto(f"{match.get_absolute_url()}hands/new/")
    enter_sums(second_phone)
    second_phone.once("dialog", lambda dialog: dialog.accept())
    second_phone.get_by_role("button", name="Save deal 1").click()
    expect(phone.get_by_text("entered totals for deal 1")).to_be_visible()
    expect(phone.locator("#board-heading")).to_have_text("The board")
    expect(phone.get_by_role("link", name="Enter deal 2")).to_be_visible()
    expect(phone.get_by_text("Play this trick")).to_have_count(0)
    expect(second_phone.get_by_role("link", name="Enter deal 2")).to_be_visible()
    expect(second_phone.get_by_text("on the board")).to_have_count(0)
    assert_accessible(phone)
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    void_hand(match_id=match.pk, number=1, author=author())
    expect(phone.locator("#board-heading")).to_have_text("Deal 1, trick 1 of 20")
    restore_hand(match_id=match.pk, number=1, author=author())
    expect(phone.locator("#board-heading")).to_have_text("The board")
    void_hand(match_id=match.pk, number=1, author=author())
    expect(phone.locator("#board-heading")).to_have_text("Deal 1, trick 1 of 20")
    tap_trick(phone, list(board(match).deck[:3]), leader="Cy")
    link = second_phone.get_by_role("link", name="Deal 1, trick 1 of 20 · Continue")
    expect(link).to_be_visible()


def test_tapped_cards_remain_while_an_earlier_deal_is_corrected(
    phone: Page,
) -> None:
    match = laid_match()
    play_deal(match)
    phone.goto(f"{match.get_absolute_url()}board/")
    open_trick(phone)
    tap_by_name(phone, ["witch", "7"])
    deal = board(match).deals[0].raw_deal
    corrected = {**deal, "tokens": [deal["tokens"][0] + 1, *deal["tokens"][1:]]}
    raw = {**corrected, "grid_left": deal["grid_left"] - 1}
    correct_hand(match_id=match.pk, number=1, raw=raw, author=author())
    points = phone.locator(".holdings td .num").first
    expect(points).to_have_text(str(board(match).totals[0] + 1))
    expect(phone.locator("[name=plays]")).to_have_value("W7")
    tap_by_name(phone, ["witch", "8"])
    expect(phone.locator("[name=plays]")).to_have_value("W7 W8")


def test_sums_saved_before_the_board_are_corrected_in_their_form(
    pub_phone: Page,
) -> None:
    match = new_match(GAME.id)
    pub_phone.goto(f"{match.get_absolute_url()}hands/new/")
    wait_until_stored(pub_phone, match.address)
    enter_sums(pub_phone)
    pub_phone.context.set_offline(True)
    play(match, "begin")
    pub_phone.get_by_role("button", name="Save deal 1").click()
    expect_one_waiting(pub_phone)
    pub_phone.context.set_offline(False)
    refusal = pub_phone.locator("#queue-status .refusal")
    expect(refusal).to_contain_text("playing this deal on the board")
    refusal.get_by_role("button", name="Correct entry").click()
    expect(pub_phone.locator("[name=grid_left]")).to_have_value("60")
    pub_phone.locator("[name=instead_of_board]").check()
    pub_phone.get_by_role("button", name="Save deal 1").click()
    wait_until_sent(pub_phone)
    assert [entry.kind for entry in match.log.in_order()] == ["board", "enter"]


def count_unsent(match: Match) -> int:
    match.refresh_from_db()
    return match.unsent_entry_count


def test_board_shows_what_another_phone_did_first(
    pub_phone: Page,
) -> None:
    match = laid_match()
    pub_phone.goto(f"{match.get_absolute_url()}board/")
    wait_until_offline_ready(pub_phone)
    wait_until_stored(pub_phone, match.address)
    pub_phone.context.set_offline(True)
    pub_phone.evaluate("dispatchEvent(new Event('online'))")
    tap_trick(pub_phone, ["P1", "P2", "P3"], leader="Ann")
    play(match, "trick", leader=0, plays=["P4", "P5", "P6"])
    pub_phone.context.set_offline(False)
    refusal = pub_phone.locator("#queue-status .refusal")
    expect(refusal).to_contain_text("Someone played on")
    assert count_unsent(match) == 1
    pub_phone.on("dialog", lambda dialog: dialog.accept())
    refusal.get_by_role("button", name="Delete entry").click()
    expect(refusal).to_have_count(0)
    until_true(lambda: count_unsent(match) == 0)
    expect(pub_phone.get_by_text("won the trick with P6").first).to_be_visible()
