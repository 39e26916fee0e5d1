"""A whole club night: thirteen players, six phones, three rounds."""

from collections.abc import Callable

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from tests.browser.club import (
    agree_at,
    draw_and_start,
    enter_here,
    let_leave,
    play_at,
    set_up,
    sign_up,
)
from tests.browser.playing import type_number
from tests.factories.tournaments import NAMES, play_table
from tournaments.event.results import standings_differences
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def play_round(phones: list[Page], tournament: Tournament, number: int) -> None:
    """Let a phone tap a table, after the second round none; three others agree.

    What the other tables tap is stored.
    """
    stored = tournament.rounds.get(number=number).tables
    for table in range(1, 5):
        if table == 1 and number < 3:
            play_at(phones[0], tournament, number, table)
        else:
            play_table(stored.get(number=table), [20, 12, 5, 1, 0])
        agree_at(phones[3 + table % 3], tournament, number, table)


def close_round(laptop: Page) -> None:
    laptop.reload()
    laptop.get_by_role("button", name="Close the round").click()
    expect(laptop.get_by_role("button", name="Close the round")).to_have_count(0)


def correct_first_hand(phone: Page) -> None:
    """Correct hand 1 of the match on the phone: who came last wins by far."""
    phone.get_by_role("link", name="To the sheet").tap()
    phone.get_by_text("All hands").tap()
    phone.locator('.sheet tbody th a[href$="/hands/1/"]').tap()
    phone.get_by_role("link", name="Correct this hand").tap()
    type_number(phone, "points_3", 250)
    phone.get_by_role("button", name="See what changes").tap()


@pytest.mark.long(35)
@pytest.mark.rare
def test_a_director_and_six_phones_run_a_night_of_three_rounds(
    laptop: Page, new_phone: Callable[..., Page]
) -> None:
    phones = [new_phone() for _phone in range(6)]
    sign_up(laptop)
    tournament = set_up(laptop)
    draw_and_start(laptop, "Draw")
    play_round(phones, tournament, 1)
    close_round(laptop)
    # One goes home, one comes late: the rounds that are left are drawn again.
    let_leave(laptop, NAMES[0])
    enter_here(laptop, "Zoe")
    draw_and_start(laptop, "Draw again")
    play_round(phones, tournament, 2)
    close_round(laptop)
    laptop.get_by_role("button", name="Publish the seating").click()
    seated = laptop.locator(".tables").inner_text()
    assert "Zoe" in seated
    assert NAMES[0] not in seated
    phones[5].goto(f"/t/{tournament.address}/")
    top = phones[5].locator(".standings tbody tr").first.inner_text()
    phones[0].goto(f"/t/{tournament.address}/rounds/2/tables/1/")
    correct_first_hand(phones[0])
    told = phones[0].locator("main")
    expect(told).to_contain_text(" becomes ")
    expect(told).to_contain_text("Round 3: the seating is published and stays")
    phones[0].get_by_role("button", name="Correct hand 1").tap()
    expect(phones[5].locator(".standings tbody tr").first).not_to_have_text(
        top, timeout=10_000
    )
    laptop.reload()
    assert laptop.locator(".tables").inner_text() == seated
    laptop.get_by_role("button", name="Start the round").click()
    play_round(phones, tournament, 3)
    close_round(laptop)
    laptop.get_by_role("button", name="Finish the tournament").first.click()
    laptop.get_by_role("button", name="Yes").click()
    expect(laptop.get_by_role("link", name="Final standings")).to_be_visible()
    phones[5].goto(f"/t/{tournament.address}/")
    expect(phones[5].locator(".standings tbody tr")).to_have_count(14)
    assert standings_differences(tournament) == []
    call_command("rebuild", check=True)
