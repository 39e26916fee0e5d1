"""Recording a hand trick by trick by taps; the phone knows the next player, the winner and the score."""

import os
import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.games.random_match import generate_hand
from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match
from scoring.models import Match
from scoring.rules import GAMES, MatchState, score_record
from scoring.rules.tricky_dice.tricks import SEATS
from scoring.templatetags.parts import number as shown_number
from tests.browser.offline import (
    expect_one_waiting,
    go_offline_with,
    open_page,
    until_true,
    wait_until_sent,
    wait_until_stored,
)
from tests.browser.playing import go_by_menu
from tests.browser.tapping import (
    TAP_PIECES,
    expect_pieces,
    fill,
    first_key,
    tap,
    tap_by_name,
)
from tests.factories import new_match

pytestmark = pytest.mark.django_db(transaction=True)

PIECES = {"tricky": 2, "tricky_dice": 1, "tricky_bid": 2}
"""Pieces that each player adds to a trick, antes included."""
BY_TRICKS = [
    pytest.param(game, marks=() if game == "tricky_dice" else pytest.mark.rare)
    for game in PIECES
]
"""The games that are recorded trick by trick; one of them in every run."""
MATCHES_EACH = int(os.environ.get("MATCHES_EACH", "1"))
"""Random matches of each game; by hand there may be more."""
MATCHES: list[tuple[str, int, dict[str, Any]]] = [
    ("tricky", 2, {"target": 250}),
    ("tricky_dice", SEATS, {"target": 12}),
    ("tricky_bid", 2, {}),
]


def next_hand(state: MatchState, rng: Random) -> dict[str, Any]:
    """Return a random hand whose tricks are recorded, without its auction."""
    while True:
        raw = generate_hand(state, rng, tricks=True)
        if not {"passed_out", "dealer", "first_bidder"} & raw.keys():
            raw.pop("bids", None)
            return raw


def open_tricks(page: Page, match: Match, raw: dict[str, Any]) -> None:
    page.goto(f"{match.get_absolute_url()}hands/new/tricks/")
    if "contract" in raw:
        fill(page, match.game, raw)
    expect(page.locator("[data-keys]")).to_be_visible()


def test_undo_restores_the_recorded_hand_with_its_pieces(phone: Page) -> None:
    match = new_match("tricky_dice", 4)
    raw = next_hand(replay_match(match).state, Random(7))
    pieces = GAMES["tricky_dice"].list_pieces(raw)
    open_tricks(phone, match, raw)
    tap(phone, "tricky_dice", pieces, PIECES["tricky_dice"] * 4)
    phone.get_by_role("button", name="Save hand 1").tap()
    phone.locator("#save-status").get_by_role("button", name="Undo").tap()
    expect(phone.locator("h1")).to_have_text("Correct hand 1")
    expect(phone.locator("[name=played]")).to_have_value(" ".join(pieces))
    phone.get_by_role("button", name="Preview changes").tap()
    phone.get_by_role("button", name="Correct hand 1").tap()
    expect(phone.locator("h1")).to_have_text("Hand 1")
    [hand] = replay_match(match).hands
    assert (hand.state, hand.raw["tricks"]) == ("played", raw["tricks"])


@pytest.mark.parametrize(("game", "seats", "options"), MATCHES)
@pytest.mark.long(10)
@pytest.mark.rare
def test_matches_recorded_by_tricks_score_like_the_command(
    phone: Page, game: str, seats: int, options: dict[str, Any]
) -> None:
    for seed in range(MATCHES_EACH):
        match, rng = new_match(game, seats, **options), Random(seed)
        while not (state := replay_match(match).state).finished:
            raw = next_hand(state, rng)
            open_tricks(phone, match, raw)
            tap(phone, game, GAMES[game].list_pieces(raw), PIECES[game] * seats)
            phone.get_by_role("button", name="Save hand").click()
            number = replay_match(match).state.number
            expect(phone.locator(f"tr[data-hand='{number or 1}']")).to_be_attached()
            expect(phone).to_have_url(f"{match.get_absolute_url()}")
        totals_shown = phone.locator(".totals .num").all_text_contents()
        scored = score_record(export_match(Match.objects.get(pk=match.pk)))
        assert scored["finished"]
        totals = scored["hands"][-1]["totals"]
        assert totals_shown == list(map(shown_number, totals))
        recorded = [hand.raw for hand in replay_match(match).hands]
        assert all("tricks" in raw for raw in recorded)
        assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_interrupted_hand_continues_on_another_phone_with_sums(
    phone: Page, second_phone: Page
) -> None:
    match = new_match("tricky", 3)
    raw = next_hand(replay_match(match).state, Random(3))
    pieces = GAMES["tricky"].list_pieces(raw)
    open_tricks(phone, match, raw)
    tap(phone, "tricky", pieces[:12], 6)
    phone.get_by_role("button", name="Undo").click()
    expect_pieces(phone, 11)
    phone.get_by_role("button", name="Finish later").click()
    expect(phone.locator(".lead")).to_contain_text("Trick 2 is being played.")
    second_phone.goto(match.get_absolute_url())
    expect(second_phone.get_by_text("Continue hand 1")).to_be_attached()
    second_phone.get_by_role("button", name="Take over scoring").click()
    expect_pieces(second_phone, 11)
    tap(second_phone, "tricky", pieces[11:12], 6, after=11)
    expect(second_phone.locator(".won")).to_contain_text("Trick 2")
    go_by_menu(second_phone, "Enter totals instead")
    expect(second_phone.get_by_role("button", name="Save hand 1")).to_be_visible()
    sums = {"contract": raw["contract"], "points": [100, 100, 100]}
    fill(second_phone, "tricky", sums)
    second_phone.get_by_role("button", name="Save hand 1").click()
    expect(second_phone.locator("tr[data-hand='1']")).to_be_visible()
    hand = replay_match(match).hands[0]
    assert hand.raw["points"] == [100, 100, 100]
    assert any("played" in (entry.body or {}) for entry in hand.history)


HIDE_PAGE = """() => {
  Object.defineProperty(document, "hidden", { get: () => true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_interrupted_trick_survives_a_reload_and_continues_on_another_phone(
    phone: Page, second_phone: Page
) -> None:
    match = new_match("tricky_bid", 3)
    open_tricks(phone, match, {})
    tap(phone, "tricky_bid", ["Y3", "Y6", "B11"], 1)
    phone.reload()
    expect_pieces(phone, 3)
    phone.evaluate(HIDE_PAGE)
    until_true(lambda: match.log.exists())
    second_phone.goto(match.get_absolute_url())
    expect(second_phone.locator(".lead")).to_contain_text("Trick 1 is being played.")
    second_phone.get_by_role("button", name="Take over scoring").click()
    for page in (phone, second_phone):
        expect_pieces(page, 3)
        expect(page.locator(".trick-table")).to_contain_text("yellow 6")
        expect(page.locator("[data-piece=B11]")).to_be_disabled()
    assert [entry.kind for entry in match.log.in_order()] == ["contract", "pen"]


def test_taps_are_shown_as_entered_offline_without_rules(
    pub_phone: Page,
) -> None:
    match = new_match("tricky_bid", 3)
    pub_phone.context.route(re.compile("pyodide"), lambda route: route.abort())
    open_tricks(pub_phone, match, {})
    tap(pub_phone, "tricky_bid", ["Y3", "Y6"], 1)
    pub_phone.context.set_offline(True)
    pub_phone.evaluate("dispatchEvent(new Event('online'))")
    expect(pub_phone.locator("html")).to_have_attribute("data-no-network", "")
    taps = [[piece, first_key("tricky_bid", piece)] for piece in ("B11", "B2")]
    pub_phone.evaluate(TAP_PIECES, taps)
    unsent_taps = pub_phone.locator("[data-unconfirmed-taps]")
    expect(unsent_taps).to_contain_text("Saved on this phone")
    expect(unsent_taps.locator("[data-tap-list]")).to_have_text("blue 11 · blue 2")
    expect(pub_phone.locator(".play .prompt")).to_be_hidden()
    pub_phone.context.set_offline(False)
    expect(unsent_taps).to_be_hidden()
    expect_pieces(pub_phone, 4)
    expect(pub_phone.locator(".play .prompt")).to_be_visible()


def test_auction_and_tricks_are_recorded_offline(
    pub_phone: Page,
) -> None:
    match, recorded = new_match("tricky", 3), new_match("tricky_dice", SEATS)
    raw = next_hand(replay_match(recorded).state, Random(5))
    pub_phone.goto(recorded.get_absolute_url())
    wait_until_stored(pub_phone, recorded.address)
    go_offline_with(pub_phone, match)
    enter_auction(pub_phone)
    go_by_menu(pub_phone, "How to play")
    expect(pub_phone.locator("h1")).to_contain_text("How to play Tricky")
    open_page(pub_phone, match.get_absolute_url())
    go_by_menu(pub_phone, "Who won this trick?")
    pub_phone.get_by_role("link", name="Tricky Bid").click()
    expect(pub_phone.get_by_text("Trump colour")).to_be_visible()
    pub_phone.get_by_text("green", exact=True).first.click()
    tap_by_name(pub_phone, ["pink", "15", "pink", "2", "pink", "4", "green", "1"])
    expect(pub_phone.locator("#preview")).to_contain_text("Player 4 wins.")
    open_page(pub_phone, recorded.get_absolute_url())
    pub_phone.get_by_role("link", name="Enter hand 1").click()
    expect(pub_phone.locator("form.entry")).to_be_visible()
    pub_phone.get_by_role("link", name="Trick by trick").tap()
    expect(pub_phone.get_by_text("Enter totals instead")).to_be_attached()
    fill(pub_phone, "tricky_dice", raw)
    expect(pub_phone.locator("[data-keys]")).to_be_visible()
    tap(pub_phone, "tricky_dice", GAMES["tricky_dice"].list_pieces(raw), 4)
    pub_phone.get_by_role("button", name="Save hand 1").click()
    expect(pub_phone.locator("tr[data-hand='1']")).to_be_visible()
    # However often its progress was saved, it is one entry.
    expect(pub_phone.locator("html")).not_to_have_attribute("data-queued-entries", "1")
    expect_one_waiting(pub_phone)
    totals = pub_phone.locator(".totals .num").all_inner_texts()
    pub_phone.context.set_offline(False)
    wait_until_sent(pub_phone)
    hand = replay_match(recorded).hands[0]
    assert hand.scored is not None
    assert (hand.raw["tricks"], list(map(shown_number, hand.scored.totals))) == (
        raw["tricks"],
        totals,
    )


def enter_auction(phone: Page) -> None:
    """Enter an auction from the sheet until the contract is in the form, and go back to the sheet."""
    phone.get_by_role("link", name="Enter hand 1").click()
    expect(phone.locator("form.entry")).to_be_visible()
    phone.get_by_role("link", name="Bid by bid").tap()
    phone.get_by_role("link", name="90", exact=True).click()
    expect(phone.locator(".calls")).to_contain_text("90")
    phone.get_by_label("Another bid").fill("97")
    phone.get_by_role("button", name="Bid").click()
    for name in ("Cy", "Ann"):
        expect(phone.get_by_role("status").last).to_contain_text(
            f"{name} must bid 100 or more"
        )
        phone.get_by_role("link", name="Pass", exact=True).click()
    phone.get_by_role("link", name="Continue to contract").click()
    expect(phone.locator("[name=bid]")).to_have_value("97")
    phone.get_by_role("link", name="Back to the sheet").click()
    expect(phone.get_by_role("link", name="Enter hand 1")).to_be_visible()


def test_trick_of_four_takes_two_taps_a_die_and_names_the_winner(phone: Page) -> None:
    phone.goto(new_match("tricky", 4).get_absolute_url())
    go_by_menu(phone, "Who won this trick?")
    expect(phone.locator("[name=players]:checked")).to_have_value("4")
    phone.get_by_text("7", exact=True).first.click()
    keys = "d20 7 d4 3 d8 7 d6 2 d12 7 d6 5 d4 1 d4 2"
    tap_by_name(phone, keys.split())
    expect(phone.locator("#preview")).to_contain_text("Player 3 wins.")
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator("#preview")).to_contain_text("Player 4, tap")
    phone.get_by_role("button", name="Next trick").click()
    expect(phone.get_by_label("Cards or dice in the order played")).to_have_value("")
