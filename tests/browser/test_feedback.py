"""Feedback while a hand is entered, and drafts that survive."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from scoring.matchlog.append import replay_match
from scoring.models import Match
from tests.browser.accessible import box_of
from tests.browser.offline import (
    enter_points,
    wait_until_offline_ready,
    wait_until_sent,
)
from tests.browser.playing import type_number
from tests.browser.tapping import fill
from tests.browser.test_taps import Pad, totals
from tests.factories import entered_match, new_match

pytestmark = pytest.mark.django_db(transaction=True)

COVERED_LINKS = """() => {
  const line = document.querySelector("#save-status p").getBoundingClientRect();
  return [...document.querySelectorAll(".bar a, .page-menu > summary, main a, main button")].filter((way) => {
    const { left, right, top, bottom } = way.getBoundingClientRect();
    return left < line.right && right > line.left && top < line.bottom && bottom > line.top;
  }).map((way) => way.outerHTML);
}"""
"""The links and buttons of a page that the save message covers."""
UNUSUAL = {
    "contract": {"bidder": 0, "tricks": 4, "partner": 2},
    "tricks_won": [4, 3, 2, 1],
}
"""A hand of Tricky Dice that takes ten tricks, none of them with a die."""


def test_open_form_shows_that_another_phone_saved_its_hand(
    phone: Page, second_phone: Page
) -> None:
    match = new_match("tricky_bid", 4)
    pad = Pad(phone, match)
    pad.type(4)
    expect(phone.locator("#news [data-version]")).to_be_attached()
    enter_hand(second_phone, match, 1)
    news = phone.locator('[data-news="saved"]')
    expect(news).to_contain_text("Someone at the table saved hand 1")
    expect(news).to_be_visible()
    expect(phone.locator("#id_points_0")).to_have_value("4")
    news.get_by_role("link", name="View hand").tap()
    expect(phone.locator("h1")).to_have_text("Hand 1")


def test_form_shows_one_current_error(phone: Page) -> None:
    match = new_match("tricky_bid", 4)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    fill(phone, "tricky_bid", {"points": [500, 10, 10, 10]})
    phone.get_by_role("button", name="Save").tap()
    refusal = phone.locator("form.entry > .refusal")
    expect(refusal).to_contain_text("The points add up to 530")
    fill(phone, "tricky_bid", {"points": [30, 20, 10, None]})
    expect(phone.locator("#preview")).to_contain_text("Total: 60 points")
    expect(refusal).to_have_count(0)


def test_open_form_names_the_new_scorer_and_can_take_over_again(
    phone: Page, second_phone: Page
) -> None:
    match = entered_match([{"points": [9, 5, 3, 1]}], "tricky_bid", 4)
    enter_hand(phone, match, 2)
    phone.get_by_role("link", name="Enter hand 3").tap()
    expect(phone.locator("form.entry")).to_be_visible()
    # The saved hand is not restored into the next one.
    expect(phone.locator("#id_points_0")).to_have_value("")
    second_phone.goto(match.get_absolute_url())
    expect(second_phone.get_by_role("link", name="Enter hand 3")).to_have_count(0)
    second_phone.get_by_role("button", name="Take over scoring").tap()
    expect(second_phone.get_by_role("button", name="Save hand 3")).to_be_visible()
    news = phone.locator('[data-news="pen"]')
    expect(news).to_contain_text("is now scoring on another phone")
    news.get_by_role("button", name="Score here again").tap()
    expect(news).to_have_count(0)
    assert [entry.kind for entry in match.log.in_order()].count("pen") == 2


def test_taking_over_asks_once_even_if_the_server_does_not_know_yet(
    phone: Page, second_phone: Page
) -> None:
    match = entered_match([{"points": [9, 5, 3, 1]}], "tricky_bid", 4)
    enter_hand(phone, match, 2)
    second_phone.route("**/entries/", lambda route: route.abort("aborted"))
    second_phone.goto(match.get_absolute_url())
    second_phone.get_by_role("button", name="Take over scoring").tap()
    expect(second_phone.get_by_role("button", name="Save hand 3")).to_be_visible()
    second_phone.get_by_role("link", name="Back to the sheet").tap()
    expect(second_phone.get_by_role("link", name="Enter hand 3")).to_be_visible()
    expect(second_phone.get_by_role("button", name="Take over scoring")).to_be_hidden()


def enter_hand(page: Page, match: Match, number: int) -> None:
    page.goto(match.get_absolute_url())
    enter_points(page, number, (9, 5, 3, 1))


def test_draft_hand_survives_a_reload(phone: Page) -> None:
    pad = Pad(phone, new_match("tricky", 4))
    pad.chip("bidder", 1)
    pad.type(98)
    pad.move_on()
    entered = {"bidder": "1", "bid": "98"}
    # Wait until the page shows all taps.
    for name, value in entered.items():
        expect(value_field(phone, name)).to_have_value(value)
    phone.reload()
    expect(phone.get_by_text("Your entry was restored.")).to_be_visible()
    for name, value in entered.items():
        expect(value_field(phone, name)).to_have_value(value)
    phone.get_by_role("button", name="Start over").tap()
    expect(phone.locator("[data-draft-notice]")).to_be_hidden()
    assert [read_values(phone, name) for name in entered] == [[]] * len(entered)
    first_step = current_step(phone)
    phone.reload()
    expect(phone.locator("form.entry [aria-current]").first).to_be_visible()
    assert first_step == current_step(phone)
    assert [read_values(phone, name) for name in entered] == [[]] * len(entered)


def test_refused_hand_survives_a_reload(phone: Page) -> None:
    match = new_match("tricky", 4)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    contract = {"bidder": 1, "bid": 140, "trump": 5}
    fill(phone, "tricky", {"contract": contract, "points": [10, 11, 12, 13]})
    phone.get_by_role("button", name="Save hand 1").tap()
    # The preview and the message above the page appear before the form's.
    refusal = phone.get_by_role("alert")
    expect(refusal.get_by_text("at least 26 too few")).to_be_visible()
    phone.reload()
    expect(phone.get_by_text("Your entry was restored.")).to_be_visible()
    expect(value_field(phone, "bidder")).to_have_value("1")
    expect(phone.locator("[name=bid]")).to_have_value("140")
    for seat in range(4):
        field = phone.locator(f"[name=points_{seat}]")
        expect(field).to_have_value(str(10 + seat))


def current_step(phone: Page) -> str:
    """Return the field that the keys fill, or the open choice."""
    step = phone.locator('form.entry [aria-current="step"]')
    return str(step.evaluate("step => step.name || step.dataset.step"))


def value_field(phone: Page, name: str) -> Locator:
    """Return the field of this name; of choices the selected one."""
    return phone.locator(f'[name="{name}"]:is(:checked, :not([type="radio"]))')


def read_values(phone: Page, name: str) -> list[str]:
    fields = value_field(phone, name).all()
    return [value for field in fields if (value := field.input_value())]


def test_draft_hand_survives_an_offline_reload(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(loses_network=True, is_ready=False)
    match = new_match("tricky_bid", 4)
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    phone.goto(match.get_absolute_url())
    phone.evaluate("navigator.serviceWorker.ready")
    phone.goto(f"{match.get_absolute_url()}hands/new/")
    phone.goto(match.get_absolute_url())
    enter_points(phone, 1, (9, 5, 3, 1))
    phone.context.set_offline(True)
    phone.get_by_role("link", name="Enter hand 2").tap()
    expect(phone.locator("h1")).to_have_text("Hand 2")
    type_number(phone, "points_0", 7)
    phone.reload()
    expect(phone.get_by_text("Your entry was restored.")).to_be_visible()
    expect(phone.locator("#id_points_0")).to_have_value("7")
    expect(phone.locator("h1")).to_have_text("Hand 2")


def test_saved_hand_shows_delivery_and_ten_seconds_of_undo(
    phone: Page,
) -> None:
    phone.clock.install()
    match = entered_match([{"points": [9, 5, 3, 1]}], "tricky_bid", 4)
    phone.goto(match.get_absolute_url())
    enter_points(phone, 2, (1, 2, 3, 4))
    expect(phone.locator('tr[data-hand="2"].is-new')).to_be_visible()
    saved = phone.locator("#save-status")
    expect(saved).to_contain_text("Hand 2 is saved.")
    undo = saved.get_by_role("button", name="Undo")
    box = box_of(undo)
    assert box.height >= 48
    for width in (320, 390):
        phone.set_viewport_size({"width": width, "height": 700})
        assert phone.evaluate(COVERED_LINKS) == []
    undo.tap()
    expect(saved).to_contain_text("Hand 2 was undone.")
    assert [entry.kind for entry in match.log.in_order()][-1] == "void"
    saved.get_by_role("button", name="Restore").tap()
    expect(saved).to_contain_text("Hand 2 counts again.")
    expect(phone.locator('tr[data-hand="2"]:not(.void)')).to_have_count(1)
    assert totals(phone) == ["10", "7", "6", "5"]
    enter_points(phone, 3, (1, 2, 3, 4))
    expect(undo).to_be_visible()
    phone.clock.pause_at(phone.evaluate("Date.now()") / 1000 + 1)
    phone.clock.run_for(5_000)
    expect(undo).to_be_visible()
    phone.clock.run_for(10_000)
    expect(undo).to_be_hidden()
    phone.clock.resume()
    # Scores of a hand link to the same page as its number.
    phone.locator('tr[data-hand="1"] td').nth(2).tap()
    expect(phone.locator("h1")).to_have_text("Hand 1")


@pytest.mark.rare
def test_undo_offline_restores_the_filled_form(pub_phone: Page) -> None:
    match = entered_match([{"points": [9, 5, 3, 1]}], "tricky_bid", 4)
    pub_phone.goto(match.get_absolute_url())
    wait_until_offline_ready(pub_phone)
    pub_phone.context.set_offline(True)
    enter_points(pub_phone, 2, (1, 2, 3, 4))
    pub_phone.locator("#save-status").get_by_role("button", name="Undo").tap()
    expect(pub_phone.locator("h1")).to_have_text("Correct hand 2")
    for seat, points in enumerate("1234"):
        expect(pub_phone.locator(f"#id_points_{seat}")).to_have_value(points)
    type_number(pub_phone, "points_0", 8)
    pub_phone.get_by_role("button", name="Preview changes").tap()
    pub_phone.get_by_role("button", name="Correct hand 2").tap()
    expect(pub_phone.locator("h1")).to_have_text("Hand 2")
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    kinds = [entry.kind for entry in match.log.in_order()]
    assert kinds == ["enter", "enter", "void", "replace"]
    assert replay_match(match).state.totals == (17, 7, 6, 5)


def test_unusual_hand_needs_one_confirmation_of_the_last_tap(phone: Page) -> None:
    match = new_match("tricky_dice", 4)
    question = "Did no one take a trick with a die?"
    questions: list[str] = []

    def answer(dialog: Dialog) -> None:
        """Dismiss the first dialog and accept later ones."""
        questions.append(dialog.message)
        if len(questions) == 1:
            dialog.dismiss()
        else:
            dialog.accept()

    phone.on("dialog", answer)
    phone.goto(f"/m/{match.address}/hands/new/")
    fill(phone, "tricky_dice", UNUSUAL)
    # At once, before the preview with the question arrives.
    save = phone.get_by_role("button", name="Save hand 1")
    save.tap()
    expect(phone.locator("[data-question]")).to_have_text(question)
    expect(phone.locator("form[aria-busy]")).to_have_count(0)
    assert not match.log.exists()
    save.tap()
    expect(phone.locator('tr[data-hand="1"]')).to_be_visible()
    assert questions == [question] * 2
    phone.goto(f"/m/{match.address}/hands/new/")
    fill(phone, "tricky_dice", UNUSUAL)
    expect(phone.locator("[data-question]")).to_be_visible()
    phone.route("**/preview/", lambda _route: None)
    fill(phone, "tricky_dice", {**UNUSUAL, "die_tricks": [4, 0, 0, 0]})
    phone.get_by_role("button", name="Save hand 2").tap()
    expect(phone.locator('tr[data-hand="2"]')).to_be_visible()
    assert len(questions) == 2


def test_saved_hand_gives_the_signal_chosen_on_this_phone(phone: Page) -> None:
    phone.add_init_script(
        "navigator.vibrate = (pattern) => document.documentElement.dataset.pulses = pattern"
    )
    match = new_match("tricky_bid", 4)
    enter_hand(phone, match, 1)
    expect(phone.locator("html")).to_have_attribute("data-pulses", "15")
    phone.goto("/you/")
    phone.get_by_text("Nothing", exact=True).tap()
    phone.reload()
    expect(phone.get_by_label("Nothing", exact=True)).to_be_checked()
    enter_hand(phone, match, 2)
    expect(phone.get_by_role("button", name="Undo")).to_be_visible()
    expect(phone.locator("html")).not_to_have_attribute("data-pulses", "15")


def test_enter_goes_to_the_next_player_and_then_starts_the_match(phone: Page) -> None:
    phone.goto("/matches/new/?game=tricky_bid")
    phone.locator('[name="name_0"]').focus()
    for name in ("Ann", "Bo", "Cy", "Di"):
        phone.keyboard.type(name)
        phone.keyboard.press("Enter")
    expect(phone.locator('[name="name_4"]')).to_be_focused()
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("link", name="Enter hand 1")).to_be_visible()
