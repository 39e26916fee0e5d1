"""Refused, late and stuck entries can be resolved, and block nothing else."""

from functools import partial
from random import Random
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Route, expect

from scoring.matchlog.append import replay_match
from scoring.models import Match
from scoring.rules import GAMES
from tests.browser.offline import (
    app_script,
    enter_points,
    expect_badge,
    expect_one_waiting,
    fill_points,
    go_offline_with,
    open_without_rules,
    type_points,
    until,
    until_true,
    wait_until_offline_ready,
    wait_until_sent,
    wait_until_stored,
)
from tests.browser.tapping import double_tap, tap
from tests.browser.test_tricks import next_hand, open_tricks
from tests.factories import author, entered_match, new_match
from tests.factories.commands import correct_hand as correct_on_server
from tests.factories.commands import enter_hand as enter_on_server

pytestmark = pytest.mark.django_db(transaction=True)

LOSE_CONNECTION = """() => {
  const transaction = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (...args) {
    if (this !== IDBDatabase.lost && IDBDatabase.lost) return transaction.apply(this, args);
    IDBDatabase.lost = this;
    throw new DOMException("The database connection is closing.", "InvalidStateError");
  };
}"""
"""A phone after sleep: its database connection is lost, and a new one works."""


def match_of_four(points: list[int]) -> Match:
    return entered_match([{"points": points}], "tricky_bid", 4, multiple=9)


def kinds_of(match: Match) -> list[str]:
    return [entry.kind for entry in match.log.in_order()]


def go_offline_without_rules(page: Page, match: Match) -> None:
    """Open the sheet on a phone that cannot score, and go offline."""
    open_without_rules(page, match.get_absolute_url())
    wait_until_stored(page, match.address)
    until(page, "caches.match(location.pathname + 'hands/new/').then(Boolean)")
    page.context.set_offline(True)


def enter_invalid_and_valid_hand(page: Page) -> Match:
    """Enter an invalid and a valid hand without the rules, and go online; return the match."""
    match = new_match("tricky_bid", 4, multiple=9)
    go_offline_without_rules(page, match)
    type_points(page, 1, (900, 5, 3, 1))
    expect(page.get_by_role("heading", name="Hand 2")).to_be_visible()
    fill_points(page, (1, 1, 1, 1))
    page.get_by_role("button", name="Save hand 2").click()
    expect(page.get_by_role("heading", name="Hand 3")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#queue-status")).to_contain_text("Hand 1 wasn’t accepted")
    assert kinds_of(match) == []
    return match


def test_second_save_tap_offline_enters_no_empty_hand(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 4)
    go_offline_without_rules(pub_phone, match)
    pub_phone.get_by_role("link", name="Enter hand 1").click()
    expect(pub_phone.get_by_role("button", name="Save hand 1")).to_be_visible()
    fill_points(pub_phone, (1, 1, 1, 1))
    double_tap(pub_phone, "Save hand 1")
    expect(pub_phone.get_by_role("heading", name="Hand 2")).to_be_visible()
    pub_phone.wait_for_timeout(1000)
    expect(pub_phone.get_by_role("heading", name="Hand 2")).to_be_visible()
    expect_one_waiting(pub_phone)
    expect(pub_phone.locator("[data-input-error]")).to_be_hidden()
    pub_phone.fill("[name=points_0]", "5")
    pub_phone.get_by_role("button", name="Save hand 2").click()
    expect(pub_phone.locator("[data-missing]")).to_have_text("Missing: Bo · Cy · Di")
    expect(pub_phone.locator("[name=points_1]")).to_be_focused()
    expect_one_waiting(pub_phone)
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    assert kinds_of(match) == ["enter"]


def reload_with_refused_hand(page: Page) -> Match:
    """Let a hand be refused, and reload the page before its form is shown again; return the match."""
    match = new_match("tricky_bid", 4, multiple=9)
    page.goto(f"{match.get_absolute_url()}hands/new/")
    expect(page.locator("[data-tray]")).to_be_visible()
    fill_points(page, (900, 5, 3, 1))
    page.route("**/hands/new/", answer_only_get)
    page.get_by_role("button", name="Save hand 1").click()
    is_refused = (
        "(app) => app.queuedEntries().then(([one]) => one?.state === 'refused')"
    )
    until(page, app_script(is_refused))
    # The page asks whether it may be left while something waits.
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.unroute("**/hands/new/")
    return match


def answer_only_get(route: Route) -> None:
    if route.request.method == "GET":
        route.continue_()


def test_refused_hand_fills_its_form_even_after_a_reload(
    phone: Page,
) -> None:
    match = reload_with_refused_hand(phone)
    until_true(
        lambda: Match.objects.get(pk=match.pk).unsent_entry_count == 1, "not told"
    )
    phone.get_by_role("button", name="Correct entry").click()
    expect(phone.get_by_role("alert")).to_contain_text("are worth at most")
    for seat, points in enumerate(("900", "5", "3", "1")):
        expect(phone.locator(f"[name=points_{seat}]")).to_have_value(points)
    phone.fill("[name=points_0]", "9")
    phone.get_by_role("button", name="Save hand 1").click()
    wait_until_sent(phone)
    assert kinds_of(match) == ["enter"]
    assert replay_match(match).state.totals == (9, 5, 3, 1)
    until_true(
        lambda: not Match.objects.get(pk=match.pk).unsent_entry_count, "not told"
    )


def test_refused_hand_is_corrected_before_the_following_one(
    pub_phone: Page,
) -> None:
    match = enter_invalid_and_valid_hand(pub_phone)
    pub_phone.get_by_role("button", name="Correct entry").click()
    expect(pub_phone.get_by_role("heading", name="Hand 1")).to_be_visible()
    # Only the form shows the reason.
    expect(pub_phone.get_by_role("alert")).to_contain_text("are worth at most")
    expect(pub_phone.locator("#queue-status")).not_to_contain_text("refused")
    expect(pub_phone.locator("[name=points_1]")).to_have_value("5")
    pub_phone.fill("[name=points_0]", "9")
    pub_phone.get_by_role("button", name="Save hand 1").click()
    wait_until_sent(pub_phone)
    assert kinds_of(match) == ["enter", "enter"]
    assert replay_match(match).state.totals == (10, 6, 4, 2)


@pytest.mark.rare
def test_deleted_hand_is_reentered_before_waiting_ones(
    pub_phone: Page,
) -> None:
    match = enter_invalid_and_valid_hand(pub_phone)
    pub_phone.on("dialog", lambda dialog: dialog.accept())
    pub_phone.get_by_role("button", name="Delete entry").click()
    expect(pub_phone.locator("#queue-status")).to_contain_text("Enter hand 1 first")
    pub_phone.goto(match.get_absolute_url())
    enter_points(pub_phone, 1, (9, 5, 3, 1))
    wait_until_sent(pub_phone)
    assert kinds_of(match) == ["enter", "enter"]
    assert replay_match(match).state.totals == (10, 6, 4, 2)


@pytest.mark.rare
def test_phone_knows_its_hand_if_the_network_fails_right_after_sending(
    pub_phone: Page,
) -> None:
    match = match_of_four([9, 5, 3, 1])
    pub_phone.goto(match.get_absolute_url())
    wait_until_offline_ready(pub_phone)
    wait_until_stored(pub_phone, match.address)
    pub_phone.route("**/held.json", lambda route: route.abort())
    enter_points(pub_phone, 2, (1, 1, 1, 1))
    wait_until_sent(pub_phone)
    pub_phone.context.set_offline(True)
    pub_phone.reload()
    wait_until_offline_ready(pub_phone)
    expect_badge(pub_phone, 2, "saved on the server")
    expect(pub_phone.get_by_role("link", name="Enter hand 3")).to_be_visible()


def test_entry_causing_a_server_error_blocks_no_other_match(
    pub_phone: Page,
) -> None:
    stuck, other = (match_of_four([9, 5, 3, 1]) for _ in range(2))
    pub_phone.route(
        f"**/m/{stuck.address}/entries/", lambda route: route.fulfill(status=500)
    )
    # The page asks whether it may be left while something waits.
    pub_phone.on("dialog", lambda dialog: dialog.accept())
    for match in (stuck, other):
        pub_phone.goto(match.get_absolute_url())
        type_points(pub_phone, 2, (1, 1, 1, 1))

    def is_sent() -> bool:
        # Evaluating lets Playwright handle routed requests.
        is_responding = bool(pub_phone.evaluate("true"))
        return is_responding and kinds_of(other) == ["enter", "enter"]

    until_true(is_sent, "held up", 20)
    until(pub_phone, "document.documentElement.dataset.queuedEntries === '1'")
    pub_phone.unroute(f"**/m/{stuck.address}/entries/")
    wait_until_sent(pub_phone, 60)
    assert kinds_of(stuck) == ["enter", "enter"]


@pytest.mark.rare
def test_phone_stores_hands_after_sleep(pub_phone: Page) -> None:
    match = match_of_four([9, 5, 3, 1])
    go_offline_with(pub_phone, match)
    pub_phone.evaluate(LOSE_CONNECTION)
    enter_points(pub_phone, 2, (1, 1, 1, 1))
    expect_badge(pub_phone, 2, "only on this phone")
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    assert kinds_of(match) == ["enter", "enter"]


def test_no_hand_is_offered_after_the_last_one_without_rules(
    pub_phone: Page,
) -> None:
    match = entered_match([{"points": [9, 5]}], "tricky_bid", 2)
    go_offline_without_rules(pub_phone, match)
    type_points(pub_phone, 2, (3, 2))
    expect(pub_phone.get_by_text("All hands are in.")).to_be_visible()
    expect(pub_phone.locator("tr[data-hand='2']")).to_be_visible()
    expect(pub_phone.locator("[data-new-hand-link]")).to_be_hidden()
    pub_phone.context.set_offline(False)
    expect(pub_phone.locator(".cloth h2")).to_contain_text("won")
    assert kinds_of(match) == ["enter", "enter"]


def test_refused_autosave_disappears_once_the_hand_exists(
    phone: Page,
) -> None:
    lost_points, won_points = ([140, points, 101] for points in (20, 120))
    contract = {"bidder": 1, "bid": 96, "trump": 7}
    match = entered_match([{"contract": contract, "points": lost_points}], target=600)
    raw = next_hand(replay_match(match).state, Random(3))
    open_tricks(phone, match, raw)
    correct_hand = partial(
        correct_on_server, match_id=match.pk, number=1, author=author()
    )
    tap(phone, "tricky", GAMES["tricky"].list_pieces(raw)[:5], 6)
    correct_hand(key=uuid4(), raw={"contract": contract, "points": won_points})
    # Leaving the page saves the taps.
    phone.get_by_role("link", name="Back to the sheet").click()
    refusal = phone.locator("#queue-status .refusal")
    expect(refusal).to_contain_text("The match is already over")
    # No correction could make this hand valid.
    expect(refusal.get_by_role("button")).to_have_text(
        ["Send it again", "Delete entry"]
    )
    correct_hand(key=uuid4(), raw={"contract": contract, "points": lost_points})
    enter_on_server(match_id=match.pk, key=uuid4(), number=2, raw=raw, author=author())
    # The open sheet still updates despite the refused entry.
    expect(phone.locator("tr[data-hand='2']")).to_be_attached()
    expect(refusal).to_have_count(0)
    wait_until_sent(phone)


DELAY_RULES = """
  window.Worker = class extends Worker {
    postMessage(...message) {
      if (sessionStorage.getItem("rules-wait")) setTimeout(() => this.postMessage(...message), 50);
      else super.postMessage(...message);
    }
  };
"""
"""The phone's own server gets no messages while `rules-wait` is set."""


def test_impossible_hand_is_reported_offline_once_rules_load(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 4, multiple=9)
    pub_phone.goto(match.get_absolute_url())
    wait_until_offline_ready(pub_phone)
    wait_until_stored(pub_phone, match.address)
    until(pub_phone, "caches.match(location.pathname + 'hands/new/').then(Boolean)")
    pub_phone.context.set_offline(True)
    pub_phone.add_init_script(DELAY_RULES)
    pub_phone.evaluate("sessionStorage.setItem('rules-wait', 'yes')")
    pub_phone.goto(f"{match.get_absolute_url()}hands/new/")
    fill_points(pub_phone, (900, 5, 3, 1))
    pub_phone.get_by_role("button", name="Save hand 1").click()
    expect(pub_phone.locator("#queue-status")).to_contain_text("waiting to sync")
    pub_phone.evaluate("sessionStorage.removeItem('rules-wait')")
    wait_until_offline_ready(pub_phone)
    expect(pub_phone.locator("#queue-status")).to_contain_text("Hand 1 wasn’t accepted")
    pub_phone.get_by_role("button", name="Correct entry").click()
    expect(pub_phone.get_by_role("alert")).to_contain_text("are worth at most")
    pub_phone.fill("[name=points_0]", "9")
    pub_phone.get_by_role("button", name="Save hand 1").click()
    expect(pub_phone.locator("tr[data-hand='1']")).to_be_visible()
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    assert replay_match(match).state.totals == (9, 5, 3, 1)
