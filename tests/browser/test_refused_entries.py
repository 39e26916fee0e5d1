"""What is refused, late or stuck has a way out, and holds up nothing that could go on."""

from functools import partial
from random import Random
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Route, expect

from scoring.matchlog.append import replay_match
from scoring.models import Match
from scoring.rules import GAMES
from tests.browser.offline import (
    asking,
    enter_points,
    fill_points,
    go_on_alone,
    open_without_rules,
    see_mark,
    see_one_waiting,
    type_points,
    until,
    until_everything_is_sent,
    until_it_can_go_on_alone,
    until_it_is_held,
    until_true,
)
from tests.browser.tapping import double_tap, tap
from tests.browser.test_tricks import next_hand, open_tricks
from tests.factories import author, entered_match, new_match
from tests.factories.commands import correct_hand as correct_on_server
from tests.factories.commands import enter_hand as enter_on_server

pytestmark = pytest.mark.django_db(transaction=True)

SLEPT = """() => {
  const transaction = IDBDatabase.prototype.transaction;
  IDBDatabase.prototype.transaction = function (...args) {
    if (this !== IDBDatabase.lost && IDBDatabase.lost) return transaction.apply(this, args);
    IDBDatabase.lost = this;
    throw new DOMException("The database connection is closing.", "InvalidStateError");
  };
}"""
"""A phone that has slept: its connection to what it keeps is lost, and a new one works."""


def match_of_four(points: list[int]) -> Match:
    return entered_match([{"points": points}], "tricky_bid", 4, multiple=9)


def kinds_of(match: Match) -> list[str]:
    return [entry.kind for entry in match.log.in_order()]


def lose_network_unscored(page: Page, match: Match) -> None:
    """Open the sheet on a phone that cannot score, and let the network go."""
    open_without_rules(page, match.get_absolute_url())
    until_it_is_held(page, match.address)
    until(page, "caches.match(location.pathname + 'hands/new/').then(Boolean)")
    page.context.set_offline(True)


def enter_one_that_cannot_be_and_one_after_it(page: Page) -> Match:
    """Enter two hands before any rule has seen them; return the match that refused one."""
    match = new_match("tricky_bid", 4, multiple=9)
    lose_network_unscored(page, match)
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
    lose_network_unscored(pub_phone, match)
    pub_phone.get_by_role("link", name="Enter hand 1").click()
    expect(pub_phone.get_by_role("button", name="Save hand 1")).to_be_visible()
    fill_points(pub_phone, (1, 1, 1, 1))
    double_tap(pub_phone, "Save hand 1")
    expect(pub_phone.get_by_role("heading", name="Hand 2")).to_be_visible()
    pub_phone.wait_for_timeout(1000)
    expect(pub_phone.get_by_role("heading", name="Hand 2")).to_be_visible()
    see_one_waiting(pub_phone)
    expect(pub_phone.locator("[data-input-error]")).to_be_hidden()
    pub_phone.fill("[name=points_0]", "5")
    pub_phone.get_by_role("button", name="Save hand 2").click()
    expect(pub_phone.locator("[data-input-error]")).to_contain_text("still missing")
    expect(pub_phone.locator("[name=points_1]")).to_be_focused()
    see_one_waiting(pub_phone)
    pub_phone.context.set_offline(False)
    until_everything_is_sent(pub_phone)
    assert kinds_of(match) == ["enter"]


def leave_a_refused_hand(page: Page) -> Match:
    """Let a hand be refused, and load the page again before its form is back; return its match."""
    match = new_match("tricky_bid", 4, multiple=9)
    page.goto(f"{match.get_absolute_url()}hands/new/")
    expect(page.locator("[data-tray]")).to_be_visible()
    fill_points(page, (900, 5, 3, 1))
    page.route("**/hands/new/", answer_reads)
    page.get_by_role("button", name="Save hand 1").click()
    refused = "(app) => app.queuedEntries().then(([one]) => one?.state === 'refused')"
    until(page, asking(refused))
    # The page asks whether it may be left while something waits.
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.unroute("**/hands/new/")
    return match


def answer_reads(route: Route) -> None:
    if route.request.method == "GET":
        route.continue_()


def test_refused_hand_fills_its_form_even_after_a_reload(
    phone: Page,
) -> None:
    match = leave_a_refused_hand(phone)
    until_true(
        lambda: Match.objects.get(pk=match.pk).unsent_entry_count == 1, "not told"
    )
    phone.get_by_role("button", name="Correct entry").click()
    expect(phone.get_by_role("alert")).to_contain_text("are worth at most")
    for seat, worth in enumerate(("900", "5", "3", "1")):
        expect(phone.locator(f"[name=points_{seat}]")).to_have_value(worth)
    phone.fill("[name=points_0]", "9")
    phone.get_by_role("button", name="Save hand 1").click()
    until_everything_is_sent(phone)
    assert kinds_of(match) == ["enter"]
    assert replay_match(match).state.totals == (9, 5, 3, 1)
    until_true(
        lambda: not Match.objects.get(pk=match.pk).unsent_entry_count, "not told"
    )


def test_refused_hand_is_corrected_before_the_following_one(
    pub_phone: Page,
) -> None:
    match = enter_one_that_cannot_be_and_one_after_it(pub_phone)
    pub_phone.get_by_role("button", name="Correct entry").click()
    expect(pub_phone.get_by_role("heading", name="Hand 1")).to_be_visible()
    # The form says why, and it alone.
    expect(pub_phone.get_by_role("alert")).to_contain_text("are worth at most")
    expect(pub_phone.locator("#queue-status")).not_to_contain_text("refused")
    expect(pub_phone.locator("[name=points_1]")).to_have_value("5")
    pub_phone.fill("[name=points_0]", "9")
    pub_phone.get_by_role("button", name="Save hand 1").click()
    until_everything_is_sent(pub_phone)
    assert kinds_of(match) == ["enter", "enter"]
    assert replay_match(match).state.totals == (10, 6, 4, 2)


@pytest.mark.rare
def test_deleted_hand_is_reentered_before_waiting_ones(
    pub_phone: Page,
) -> None:
    match = enter_one_that_cannot_be_and_one_after_it(pub_phone)
    pub_phone.on("dialog", lambda dialog: dialog.accept())
    pub_phone.get_by_role("button", name="Delete entry").click()
    expect(pub_phone.locator("#queue-status")).to_contain_text("Enter hand 1 first")
    pub_phone.goto(match.get_absolute_url())
    enter_points(pub_phone, 1, (9, 5, 3, 1))
    until_everything_is_sent(pub_phone)
    assert kinds_of(match) == ["enter", "enter"]
    assert replay_match(match).state.totals == (10, 6, 4, 2)


@pytest.mark.rare
def test_phone_knows_its_hand_if_the_network_fails_right_after_sending(
    pub_phone: Page,
) -> None:
    match = match_of_four([9, 5, 3, 1])
    pub_phone.goto(match.get_absolute_url())
    until_it_can_go_on_alone(pub_phone)
    until_it_is_held(pub_phone, match.address)
    pub_phone.route("**/held.json", lambda route: route.abort())
    enter_points(pub_phone, 2, (1, 1, 1, 1))
    until_everything_is_sent(pub_phone)
    pub_phone.context.set_offline(True)
    pub_phone.reload()
    until_it_can_go_on_alone(pub_phone)
    see_mark(pub_phone, 2, "saved on the server")
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
        # Asking the page lets Playwright answer what is routed meanwhile.
        is_there = bool(pub_phone.evaluate("true"))
        return is_there and kinds_of(other) == ["enter", "enter"]

    until_true(is_sent, "held up", 20)
    until(pub_phone, "document.documentElement.dataset.queuedEntries === '1'")
    pub_phone.unroute(f"**/m/{stuck.address}/entries/")
    until_everything_is_sent(pub_phone, 60)
    assert kinds_of(stuck) == ["enter", "enter"]


@pytest.mark.rare
def test_phone_stores_hands_after_sleep(pub_phone: Page) -> None:
    match = match_of_four([9, 5, 3, 1])
    go_on_alone(pub_phone, match)
    pub_phone.evaluate(SLEPT)
    enter_points(pub_phone, 2, (1, 1, 1, 1))
    see_mark(pub_phone, 2, "only on this phone")
    pub_phone.context.set_offline(False)
    until_everything_is_sent(pub_phone)
    assert kinds_of(match) == ["enter", "enter"]


def test_no_hand_is_offered_after_the_last_one_without_rules(
    pub_phone: Page,
) -> None:
    match = entered_match([{"points": [9, 5]}], "tricky_bid", 2)
    lose_network_unscored(pub_phone, match)
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
    missed, made = ([140, points, 101] for points in (20, 120))
    contract = {"bidder": 1, "bid": 96, "trump": 7}
    match = entered_match([{"contract": contract, "points": missed}], target=600)
    raw = next_hand(replay_match(match).state, Random(3))
    open_tricks(phone, match, raw)
    correct = partial(correct_on_server, match_id=match.pk, number=1, author=author())
    tap(phone, "tricky", GAMES["tricky"].list_pieces(raw)[:5], 6)
    correct(key=uuid4(), raw={"contract": contract, "points": made})
    # Whoever leaves the page lets it keep what was tapped.
    phone.get_by_role("link", name="Back to the sheet").click()
    refused = phone.locator("#queue-status .refusal")
    expect(refused).to_contain_text("The match is already over")
    # Nothing that is typed makes such a hand possible.
    expect(refused.get_by_role("button")).to_have_text(
        ["Send it again", "Delete entry"]
    )
    correct(key=uuid4(), raw={"contract": contract, "points": missed})
    enter_on_server(match_id=match.pk, key=uuid4(), number=2, raw=raw, author=author())
    # The sheet is open all the while: what was refused keeps no news from it.
    expect(phone.locator("tr[data-hand='2']")).to_be_attached()
    expect(refused).to_have_count(0)
    until_everything_is_sent(phone)


RULES_WAIT = """
  window.Worker = class extends Worker {
    postMessage(...message) {
      if (sessionStorage.getItem("rules-wait")) setTimeout(() => this.postMessage(...message), 50);
      else super.postMessage(...message);
    }
  };
"""
"""The phone's own server hears nothing while `rules-wait` is set."""


def test_impossible_hand_is_reported_offline_once_rules_load(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 4, multiple=9)
    pub_phone.goto(match.get_absolute_url())
    until_it_can_go_on_alone(pub_phone)
    until_it_is_held(pub_phone, match.address)
    until(pub_phone, "caches.match(location.pathname + 'hands/new/').then(Boolean)")
    pub_phone.context.set_offline(True)
    pub_phone.add_init_script(RULES_WAIT)
    pub_phone.evaluate("sessionStorage.setItem('rules-wait', 'yes')")
    pub_phone.goto(f"{match.get_absolute_url()}hands/new/")
    fill_points(pub_phone, (900, 5, 3, 1))
    pub_phone.get_by_role("button", name="Save hand 1").click()
    expect(pub_phone.locator("#queue-status")).to_contain_text("waiting to sync")
    pub_phone.evaluate("sessionStorage.removeItem('rules-wait')")
    until_it_can_go_on_alone(pub_phone)
    expect(pub_phone.locator("#queue-status")).to_contain_text("Hand 1 wasn’t accepted")
    pub_phone.get_by_role("button", name="Correct entry").click()
    expect(pub_phone.get_by_role("alert")).to_contain_text("are worth at most")
    pub_phone.fill("[name=points_0]", "9")
    pub_phone.get_by_role("button", name="Save hand 1").click()
    expect(pub_phone.locator("tr[data-hand='1']")).to_be_visible()
    pub_phone.context.set_offline(False)
    until_everything_is_sent(pub_phone)
    assert replay_match(match).state.totals == (9, 5, 3, 1)
