"""The pad works offline, and no entry is lost."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils.translation import gettext, override
from playwright.sync_api import BrowserType, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Match
from tests.browser.offline import (
    PAGES_SEND_ALONE,
    correct_hand,
    enter_points,
    expect_badge,
    expect_one_waiting,
    go_offline_with,
    keep_signalling_online,
    open_hands,
    open_without_rules,
    read_check_words,
    server_check_words,
    start_match,
    type_points,
    until,
    until_true,
    wait_until_offline_ready,
    wait_until_sent,
    wait_until_started,
)
from tests.browser.playing import choose, fill_new_match, go_by_menu, tap_entry
from tests.factories import entered_match, new_match
from tests.factories.tournaments import ClubFactory
from tournaments.models import Club

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Ann", "Bo", "Cy", "Di")
BID = {"bidder": 1, "bid": 96, "trump": 7}


@pytest.mark.rare
@pytest.mark.long(15)
def test_lowest_total_wins_offline_with_points_below_zero(pub_phone: Page) -> None:
    pub_phone.goto("/")
    wait_until_started(pub_phone)
    pub_phone.context.set_offline(True)
    pub_phone.get_by_role("link", name="New match").click()
    start = fill_new_match(pub_phone, "any_game", NAMES[:3])
    pub_phone.fill("[name=title]", "Hearts")
    pub_phone.check("[name=lowest_wins]")
    start.click()
    pub_phone.get_by_role("link", name="Enter hand 1").click()
    for keys in ("8", "15±", "3"):
        for key in keys:
            name = "Change sign" if key == "±" else key
            pub_phone.get_by_role("button", name=name, exact=True).click()
        pub_phone.locator("[data-key=next]:visible").click()
    expect(pub_phone.locator("#preview")).to_contain_text("scored −15")
    pub_phone.get_by_role("button", name="Save hand 1").click()
    expect_badge(pub_phone, 1, "only on this phone")
    expect(pub_phone.get_by_role("heading", name="Hearts")).to_be_visible()
    expect(pub_phone.locator(".cloth")).to_contain_text("Bo leads by 18.")
    pub_phone.get_by_text("End the match").click()
    pub_phone.get_by_role("button", name="End match now").click()
    expect(pub_phone.locator(".cloth")).to_contain_text("Bo won")
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    match = Match.objects.get()
    assert match.options == {"title": "Hearts", "lowest_wins": True}
    assert match.finished
    assert totals_of(match) == [("Ann", 8), ("Bo", -15), ("Cy", 3)]


@pytest.mark.long(30)
def test_offline_evening_is_sent_when_the_network_returns(
    pub_phone: Page,
) -> None:
    pub_phone.goto("/")
    wait_until_started(pub_phone)
    pub_phone.context.set_offline(True)
    pub_phone.get_by_role("link", name="New match").click()
    start_match(pub_phone, "tricky_bid", NAMES)
    assert code_width(pub_phone) > 100
    refuse_in_form(pub_phone)
    for number, points in enumerate([(9, 5, 3, 1), (5, 5, 5, 3)], start=1):
        enter_points(pub_phone, number, points)
        expect_badge(pub_phone, number, "only on this phone")
    pub_phone.reload()
    wait_until_offline_ready(pub_phone)
    enter_points(pub_phone, 3, (0, 0, 9, 9))
    correct_hand(pub_phone, 2, (6, 6, 3, 3))
    pub_phone.get_by_role("link", name="Back to the sheet").click()
    enter_points(pub_phone, 4, (1, 2, 3, 4))
    expect(pub_phone.locator(".cloth")).to_contain_text("won")
    result, sheet = read_check_words(pub_phone), pub_phone.url
    reasons = reasons_of(pub_phone, 3)
    pub_phone.get_by_role("link", name="Back to the sheet").click()
    pub_phone.get_by_role("button", name="Rotate and play again").click()
    enter_points(pub_phone, 1, (4, 3, 2, 1))
    assert not Match.objects.exists()
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    match, rematch = Match.objects.order_by("pk")
    assert match.address in sheet
    assert rematch.address in pub_phone.url
    assert totals_of(rematch) == [("Bo", 4), ("Cy", 3), ("Di", 2), ("Ann", 1)]
    assert [entry.kind for entry in match.log.in_order()] == [
        *("enter", "enter", "enter", "replace", "enter")
    ]
    assert (match.finished, server_check_words(match)) == (True, result)
    assert totals_of(match) == [("Ann", 16), ("Bo", 13), ("Cy", 18), ("Di", 17)]
    assert rebuild_match(match_id=match.pk, check_only=True) == []
    pub_phone.goto(sheet)
    expect_badge(pub_phone, 4, "saved on the server")
    assert reasons_of(pub_phone, 3) == reasons


@pytest.mark.rare
@pytest.mark.long(15)
def test_offline_phone_stays_in_german(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(loses_network=True, locale="de-DE")
    phone.goto("/")
    wait_until_offline_ready(phone)
    assert [address.split("/")[-1][:3] for address in list_packs(phone)] == ["de-"]
    phone.context.set_offline(True)
    phone.get_by_role("link", name="Neue Partie").click()
    choose(phone, "game", "tricky")
    for seat, name in enumerate(NAMES[:3]):
        phone.fill(f"[name=name_{seat}]", name)
    phone.get_by_role("button", name=translate_to_german("Start match")).click()
    phone.locator("a.primary[href$='/hands/new/']").click()
    expect(phone.locator("html")).to_have_attribute("lang", "de")
    tap_entry(phone, "tricky", {"contract": BID, "points": [140, 120, 101]})
    phone.get_by_role("button", name="Spiel 1 speichern").click()
    expect_badge(phone, 1, translate_to_german("only on this phone"))
    open_hands(phone)
    phone.locator("tr[data-hand='1'] a").click()
    expect(phone.locator("ul.lines")).to_contain_text("Trumpf")
    phone.get_by_role("link", name=translate_to_german("Back to the sheet")).click()
    expect_badge(phone, 1, translate_to_german("only on this phone"))
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("lang", "de")
    expect_badge(phone, 1, translate_to_german("only on this phone"))
    phone.context.set_offline(False)
    wait_until_sent(phone)
    assert Match.objects.get().log.get().kind == "enter"


def refuse_in_form(phone: Page) -> None:
    """Save a hand that the rules refuse: it stays in the form with the reason."""
    type_points(phone, 1, (900, 5, 3, 1))
    expect(phone.get_by_text("are worth at most").first).to_be_visible()
    expect(phone.locator("[name=points_0]")).to_have_value("900")
    phone.get_by_role("link", name="Back to the sheet").click()


def translate_to_german(text: str) -> str:
    with override("de"):
        return str(gettext(text))


def list_packs(page: Page) -> list[str]:
    names: list[str] = page.evaluate(LIST_PACKS)
    return names


LIST_PACKS = """async () => {
  const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const requests = (await Promise.all(caches_.map((cache) => cache.keys()))).flat();
  return requests.map(({ url }) => url).filter((url) => /pad.pack.[^?]+$/.test(url));
}"""


def reasons_of(page: Page, number: int) -> str:
    open_hands(page)
    page.locator(f"tr[data-hand='{number}'] a").click()
    expect(page.locator("h1")).to_have_text(f"Hand {number}")
    reasons = page.locator("ul.lines").inner_text()
    assert "Ann" in reasons
    return reasons


def totals_of(match: Match) -> list[tuple[str, int]]:
    return list(match.seats.order_by("index").values_list("name", "total"))


def code_width(page: Page) -> int:
    code = page.locator(".share img")
    natural_width = "code => code.decode().then(() => code.naturalWidth)"
    return int(code.evaluate(natural_width))


SNAPSHOTS = """caches.open('tricky-memory').then((kept) => kept.keys())
    .then((all) => all.filter(({ url }) => !url.includes("&start=")))"""
"""The complete snapshots of Python's memory."""


def start_kind(phone: Page) -> str | None:
    """Return how the phone's server started: "started" anew or "resumed" from a snapshot."""
    return phone.locator("html").get_attribute("data-ready")


CORRUPT_SNAPSHOT = """async (spoilt) => {
  const kept = await caches.open("tricky-memory");
  const pieces = (await kept.keys()).filter(({ url }) => url.includes("&start="));
  const last = pieces.at(-1);
  const piece = await (await kept.match(last)).blob();
  const parts = { cut: [piece.slice(0, piece.size / 2)], "too long": [piece, piece], empty: [] };
  await kept.put(last, new Response(new Blob(parts[spoilt])));
}"""


@pytest.mark.rare
def test_start_resumes_the_memory_snapshot_unless_corrupt(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(loses_network=True, is_new=True)
    phone.goto("/")
    wait_until_started(phone)
    assert start_kind(phone) == "started"
    until(phone, f"{SNAPSHOTS}.then(({{ length }}) => length)")
    phone.reload()
    wait_until_offline_ready(phone)
    assert start_kind(phone) == "resumed"
    for damage in ("cut", "too long", "empty"):
        phone.evaluate(CORRUPT_SNAPSHOT, damage)
        phone.reload()
        wait_until_offline_ready(phone)
        assert start_kind(phone) == "started"
        until(phone, f"{SNAPSHOTS}.then(({{ length }}) => length)")
    phone.context.set_offline(True)
    phone.get_by_role("link", name="New match").click()
    start_match(phone, "tricky_bid", NAMES)
    enter_points(phone, 1, (9, 5, 3, 1))


def test_last_requested_page_wins_over_late_responses(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 4)
    pub_phone.goto(match.get_absolute_url())
    until(pub_phone, "Boolean(navigator.serviceWorker.controller)")
    held_routes: list[Route] = []
    pub_phone.route(
        "**/how-to-play/tricky_bid/", lambda route: held_routes.append(route)
    )
    with pub_phone.expect_request("**/how-to-play/tricky_bid/"):
        go_by_menu(pub_phone, "How to play")
    pub_phone.get_by_role("link", name="Enter hand 1").click()
    expect(pub_phone.get_by_role("button", name="Save hand 1")).to_be_visible()
    with pub_phone.expect_response("**/how-to-play/tricky_bid/"):
        held_routes[0].continue_()
    pub_phone.wait_for_timeout(300)
    expect(pub_phone.get_by_role("button", name="Save hand 1")).to_be_visible()
    assert pub_phone.url.endswith("/hands/new/")


def test_two_phones_entering_one_hand_must_choose_a_version(
    pub_phone: Page, second_phone: Page
) -> None:
    match = new_match("tricky_bid", 4)
    go_offline_with(pub_phone, match)
    enter_points(pub_phone, 1, (9, 5, 3, 1))
    enter_points(pub_phone, 2, (8, 1, 0, 0))
    second_phone.goto(match.get_absolute_url())
    enter_points(second_phone, 1, (9, 5, 1, 3))
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    second_phone.reload()
    second_phone.get_by_role("link", name="entered twice").click()
    expect(second_phone.get_by_text("Points: Ann 9, Bo 5, Cy 3, Di 1")).to_have_count(2)
    versions = second_phone.locator(".versions")
    versions.get_by_role("button", name="Use this version").nth(1).click()
    expect(versions).to_have_count(0)
    assert replay_match(match).state.totals == (17, 6, 3, 1)
    second_phone.get_by_role("link", name="Back to the sheet").click()
    assert read_check_words(second_phone) == server_check_words(match)


def test_background_sync_sends_queued_entries(
    new_phone: Callable[..., Page], live_server: LiveServer
) -> None:
    match = new_match("tricky_bid", 4)
    pub_phone = new_phone(loses_network=True, sends_without_a_page=True)
    go_offline_with(pub_phone, match)
    for number in (1, 2):
        enter_points(pub_phone, number, (number, 5, 3, 1))
    new_page = pub_phone.context.new_page()
    pub_phone.close(run_before_unload=False)
    assert not match.log.exists()
    # From here on the browser may send at any time.
    new_page.context.set_offline(False)
    new_page.goto("/healthz")
    _dispatch_sync(new_page, live_server.url)
    until_true(lambda: match.log.count() == 2)
    assert [entry.hand_number for entry in match.log.in_order()] == [1, 2]
    new_page.goto(match.get_absolute_url())
    expect(new_page.locator("tr[data-hand='2']")).to_be_visible()
    expect_badge(new_page, 2, "saved on the server")


def _dispatch_sync(page: Page, origin: str) -> None:
    """Dispatch the sync event, as the browser does when the network is back."""
    session = page.context.new_cdp_session(page)
    ids: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: ids.extend(
            registration["registrationId"] for registration in event["registrations"]
        ),
    )
    session.send("ServiceWorker.enable")
    until_true(lambda: bool(page.evaluate("1") and ids))
    session.send(
        "ServiceWorker.dispatchSyncEvent",
        {
            "origin": origin,
            "registrationId": ids[0],
            "tag": "tricky-outbox",
            "lastChance": False,
        },
    )


def test_bidding_page_names_no_first_bidder_while_a_hand_waits_to_be_sent(
    pub_phone: Page,
) -> None:
    match = new_match("tricky", 3)
    # The server is reachable, but accepts no entries.
    pub_phone.route("**/entries/", lambda route: route.fulfill(status=503))
    open_without_rules(pub_phone, f"{match.get_absolute_url()}hands/new/")
    contract = {"bidder": 1, "bid": 96, "trump": 7}
    tap_entry(pub_phone, "tricky", {"contract": contract, "points": [100, 160, 101]})
    pub_phone.get_by_role("button", name="Save hand 1").click()
    expect_one_waiting(pub_phone)
    first_bidder = pub_phone.get_by_text("Ann bids")
    for page in ("", "hands/new/", "hands/new/bids/"):
        pub_phone.goto(f"{match.get_absolute_url()}{page}")
        expect(pub_phone.locator("[data-next-turn]")).to_have_count(0)
        if not page:
            # Longer than the polling interval of a sheet.
            pub_phone.wait_for_timeout(2_000)
        expect(first_bidder).to_have_count(0)
    explanation = pub_phone.get_by_text("once the last hand is scored")
    expect(explanation).to_be_visible()
    pub_phone.unroute("**/entries/")
    keep_signalling_online(pub_phone)
    wait_until_sent(pub_phone)
    pub_phone.get_by_role("link", name="Try again").click()
    expect(pub_phone.get_by_text("Bo must bid 90 or more")).to_be_visible()
    expect(explanation).to_be_hidden()


PREVIEW_PLACEHOLDER = (
    "getComputedStyle(document.querySelector('#preview'), '::before').content"
)


TYPE = """([name, value]) => {
    const input = document.querySelector(`[name="${name}"]`);
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
}"""


def test_stale_preview_is_hidden_offline(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 4)
    open_without_rules(pub_phone, f"{match.get_absolute_url()}hands/new/")
    for seat, points in enumerate((9, 5, 3, 1)):
        pub_phone.evaluate(TYPE, [f"points_{seat}", str(points)])
    first = pub_phone.locator("#preview .points").first
    expect(first).to_contain_text("9")
    pub_phone.context.set_offline(True)
    pub_phone.evaluate(TYPE, ["points_0", "8"])
    pub_phone.evaluate(TYPE, ["points_1", "6"])
    until(
        pub_phone,
        f"{PREVIEW_PLACEHOLDER}.includes('once this phone is ready to score')",
        20,
    )
    expect(first).to_be_hidden()
    pub_phone.context.set_offline(False)
    expect(first).to_contain_text("8")
    expect(first).to_be_visible()


@pytest.mark.rare
def test_phone_resumes_after_being_switched_off(
    live_server: LiveServer,
    tmp_path: Path,
    chromium_type: BrowserType,
    chromium_path: str,
) -> None:
    match = new_match("tricky_bid", 4)

    def start_browser() -> Page:
        context = chromium_type.launch_persistent_context(
            str(tmp_path),
            executable_path=chromium_path,
            args=["--no-sandbox"],
            base_url=live_server.url,
            viewport={"width": 390, "height": 844},
        )
        context.set_default_timeout(20_000)
        context.add_init_script(PAGES_SEND_ALONE)
        return context.pages[0]

    phone = start_browser()
    phone.goto(match.get_absolute_url())
    wait_until_offline_ready(phone)
    phone.context.set_offline(True)
    enter_points(phone, 1, (9, 5, 3, 1))
    phone.context.close()
    phone = start_browser()
    phone.context.set_offline(True)
    phone.goto(match.get_absolute_url())
    expect_one_waiting(phone)
    wait_until_offline_ready(phone)
    enter_points(phone, 2, (1, 1, 1, 1))
    phone.context.set_offline(False)
    wait_until_sent(phone)
    phone.context.close()
    assert replay_match(match).state.totals == (10, 6, 4, 2)


def test_unscored_last_hand_leads_to_the_result_once_sent(
    pub_phone: Page,
) -> None:
    no_treats: dict[str, Any] = {"treats": [{}, {}, {}, {}]}
    deals = [
        {**no_treats, "tokens": [4, 4, 4, 3], "grid_left": left}
        for left in (57, 42, 27)
    ]
    match = entered_match(deals, "tricks_and_treats", 4)
    open_without_rules(pub_phone, match.get_absolute_url())
    pub_phone.goto(f"{match.get_absolute_url()}hands/new/")
    pub_phone.context.set_offline(True)
    treats = [{"compass": 1}, {"ghost": 1}, {"candy": 1}, {}]
    last_deal = {"treats": treats, "tokens": [4, 4, 4, 3], "grid_left": 9}
    tap_entry(pub_phone, "tricks_and_treats", last_deal)
    until(
        pub_phone,
        f"{PREVIEW_PLACEHOLDER}.includes('once this phone is ready to score')",
        20,
    )
    expect(pub_phone.locator("#preview .lines")).not_to_be_visible()
    pub_phone.get_by_role("button", name="Save deal 4").click()
    expect(pub_phone.get_by_role("button", name="Save deal 5")).to_be_visible()
    expect(pub_phone.locator("#queue-status")).to_contain_text("waiting to sync")
    pub_phone.context.set_offline(False)
    expect(pub_phone.locator("#save-status")).to_contain_text("Hand 4 is saved.")
    expect(pub_phone).to_have_url(re.compile(f"{match.get_absolute_url()}$"))
    assert replay_match(match).is_over


def test_treats_of_an_unscored_hand_carry_over_to_the_next(
    pub_phone: Page,
) -> None:
    match = new_match("tricks_and_treats", 4)
    open_without_rules(pub_phone, match.get_absolute_url())
    pub_phone.goto(f"{match.get_absolute_url()}hands/new/")
    pub_phone.context.set_offline(True)
    deals: list[dict[str, Any]] = [
        {
            "tokens": [2, 3, 2, 2],
            "treats": [{}, {}, {}, {"compass": 1}],
            "grid_left": 63,
        },
        {
            "tokens": [2, 2, 1, 4],
            "treats": [{"ghost": 1}, {}, {}, {"compass": 1}],
            "grid_left": 44,
        },
    ]
    for number, deal in enumerate(deals, start=1):
        save = pub_phone.get_by_role("button", name=f"Save deal {number}")
        expect(save).to_be_visible()
        tap_entry(pub_phone, "tricks_and_treats", deal)
        save.click()
    expect(pub_phone.get_by_role("button", name="Save deal 3")).to_be_visible()
    treats = pub_phone.locator(".treat:visible")
    expect(treats).to_have_text(["ghost", "compass"])
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    sent_treats = [hand.raw["treats"] for hand in replay_match(match).hands]
    assert sent_treats == [deal["treats"] for deal in deals]


def test_server_pages_show_at_once_that_they_need_a_network(
    pub_phone: Page,
) -> None:
    pub_phone.goto("/")
    until(pub_phone, "Boolean(navigator.serviceWorker.controller)")
    until(pub_phone, "caches.match('/pad/', { ignoreVary: true }).then(Boolean)")
    club: Club = ClubFactory.create()
    pub_phone.context.set_offline(True)
    for page in (
        reverse("tournaments:clubs"),
        reverse("tournaments:leaderboard", args=[club.slug, "all"]),
        reverse("tournaments:table", args=["A" * 22, 1, 1]),
        reverse("account_login"),
        reverse("api_reference"),
    ):
        pub_phone.goto(page)
        alert = pub_phone.get_by_role("alert")
        expect(alert).to_have_text(
            "This page needs a connection. It opens automatically when you’re back online."
        )
        expect(pub_phone.get_by_text("is starting")).to_have_count(0)
    pub_phone.goto(club.get_absolute_url())
    pub_phone.context.set_offline(False)
    expect(pub_phone.get_by_role("heading", name=club.name).first).to_be_visible()
