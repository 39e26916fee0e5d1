"""A dispute in the browser: its reason, and the director's way from the desk to a settled result."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import assert_accessible
from tests.browser.club import sign_in_director, use_session
from tests.factories.tournaments import (
    own_phone,
    play_round,
    running_round,
    tournament_with,
)

pytestmark = pytest.mark.django_db(transaction=True)

COUNT_TAPS = """
  addEventListener("click", () => (sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1), true);
"""


def test_dispute_takes_two_taps_and_its_correction_three(
    new_phone: Callable[..., Page],
) -> None:
    tournament = tournament_with(4, quorum="all")
    play_round(running_round(tournament))
    phone, desk = new_phone(), new_phone()
    use_session(phone, own_phone(tournament.entries.get(number=1)))
    phone.goto(f"/t/{tournament.address}/rounds/1/tables/1/")
    phone.get_by_role("link", name="Something’s wrong").tap()
    assert_accessible(phone)
    phone.get_by_role("button", name="The points are wrong").tap()
    expect(phone.get_by_text("The director has been told.")).to_be_visible()

    sign_in_director(desk, tournament.club)
    desk.add_init_script(COUNT_TAPS)
    desk.goto(f"/t/{tournament.address}/desk/")
    expect(desk.locator(".tile")).to_contain_text("The points are wrong")
    desk.get_by_role("link", name="Correct hand 4", exact=True).tap()
    expect(desk.get_by_role("link", name="Correct hand 2", exact=True)).to_be_visible()
    desk.locator("[name=points_0]").fill("9")
    desk.get_by_role("button", name="Preview changes").tap()
    desk.get_by_role("button", name="Correct and settle").tap()
    expect(desk.locator(".tile.done")).to_be_visible()
    assert desk.evaluate("sessionStorage.taps") == "3"
