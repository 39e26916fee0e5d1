"""A whole club night: thirteen players, six phones, three rounds."""

from collections.abc import Callable

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from tests.browser.club import PASSWORD
from tests.browser.playing import tap_entry, type_number
from tests.factories.tournaments import NAMES, play_table
from tournaments.event.results import standings_differences
from tournaments.event.rights import card_secret
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def sign_up(laptop: Page) -> None:
    laptop.goto("/clubs/")
    laptop.get_by_role("link", name="Create account").click()
    laptop.locator('[name="email"]').fill("di@example.org")
    laptop.locator('[name="password1"]').fill(PASSWORD)
    laptop.locator("main").get_by_role("button", name="Create account").click()
    expect(laptop.get_by_role("heading", name="Your clubs")).to_be_visible()


def set_up_tournament(laptop: Page) -> Tournament:
    laptop.locator('[name="name"]').fill("Thursday Club")
    laptop.get_by_role("button", name="Start club").click()
    laptop.get_by_role("link", name="New tournament").click()
    laptop.locator('[name="name"]').fill("November")
    laptop.locator('[name="game"]').select_option("tricky_bid")
    laptop.locator('[name="rounds_planned"]').fill("3")
    laptop.get_by_role("button", name="Create tournament").click()
    laptop.get_by_role("link", name="Players", exact=True).click()
    laptop.locator('textarea[name="names"]').fill("\n".join(NAMES[:13]))
    laptop.locator('[name="here"][type="checkbox"]').check()
    laptop.get_by_role("button", name="Add", exact=True).click()
    expect(laptop.locator(".entries > li")).to_have_count(13)
    laptop.locator(".back-link").click()
    return Tournament.objects.get()


def draw_and_start(laptop: Page, button: str) -> None:
    # The list of pending actions also has buttons to draw again, with reasons in their names.
    laptop.get_by_role("button", name=button, exact=True).click()
    laptop.get_by_role("button", name="Publish the seating").click()
    laptop.get_by_role("button", name="Start the round").click()
    expect(laptop.get_by_role("button", name="Close the round")).to_be_visible()


def add_present_player(laptop: Page, name: str) -> None:
    laptop.get_by_role("link", name="Players", exact=True).click()
    laptop.locator('textarea[name="names"]').fill(name)
    laptop.locator('[name="here"][type="checkbox"]').check()
    laptop.get_by_role("button", name="Add", exact=True).click()
    expect(laptop.locator(".entries")).to_contain_text(name)
    laptop.locator(".back-link").click()


def mark_as_left(laptop: Page, name: str) -> None:
    laptop.get_by_role("link", name="Players", exact=True).click()
    laptop.get_by_label(f"More for {name}", exact=True).click()
    laptop.get_by_role("button", name=f"Mark as gone: {name}").click()
    laptop.locator(".back-link").click()


def scan_card(phone: Page, tournament: Tournament, table: int) -> None:
    secret = card_secret(tournament.club, table)
    phone.goto(f"/c/{tournament.club.slug}/table/{table}/?secret={secret}")


def play_at(phone: Page, tournament: Tournament, number: int, table: int) -> None:
    """Find a table on the page of a round, and enter its whole match."""
    scan_card(phone, tournament, table)
    phone.goto(f"/t/{tournament.address}/rounds/{number}/")
    phone.get_by_role("link", name=f"Table {table}", exact=True).tap()
    expect(phone.get_by_role("heading", name="Players at this table")).to_be_visible()
    seats = phone.locator("ol.places li").count()
    phone.get_by_role("link", name="Open scorepad").tap()
    for hand in range(1, seats + 1):
        phone.get_by_role("link", name=f"Enter hand {hand}").tap()
        points = [(7 * table + 5 * hand + 3 * seat) % 20 for seat in range(seats)]
        tap_entry(phone, "tricky_bid", {"points": points})
        phone.get_by_role("button", name=f"Save hand {hand}").tap()
        saved = phone.locator('.sheet tbody th a[href*="/hands/"]')
        expect(saved).to_have_count(hand)


def confirm_at(phone: Page, tournament: Tournament, number: int, table: int) -> None:
    scan_card(phone, tournament, table)
    phone.goto(f"/t/{tournament.address}/rounds/{number}/tables/{table}/")
    phone.get_by_role("link", name="Pass the phone to").first.tap()
    phone.get_by_role("button", name="Confirm as").tap()
    expect(phone.locator("main")).to_contain_text("confirmed on this phone for")


def play_round(phones: list[Page], tournament: Tournament, number: int) -> None:
    """Play a round and confirm all results on three phones.

    In rounds 1 and 2, a phone enters the match of table 1; all other results are stored directly.
    """
    tables = tournament.rounds.get(number=number).tables
    for table in range(1, 5):
        if table == 1 and number < 3:
            play_at(phones[0], tournament, number, table)
        else:
            play_table(tables.get(number=table), [20, 12, 5, 1, 0])
        confirm_at(phones[3 + table % 3], tournament, number, table)


def close_round(laptop: Page) -> None:
    laptop.reload()
    laptop.get_by_role("button", name="Close the round").click()
    expect(laptop.get_by_role("button", name="Close the round")).to_have_count(0)


def correct_first_hand(phone: Page) -> None:
    """Correct hand 1 of the match, so that the last player wins by far."""
    phone.get_by_role("link", name="Open sheet").tap()
    phone.get_by_text("All hands").tap()
    phone.locator('.sheet tbody th a[href$="/hands/1/"]').tap()
    phone.get_by_role("link", name="Correct this hand").tap()
    type_number(phone, "points_3", 250)
    phone.get_by_role("button", name="Preview changes").tap()


@pytest.mark.long(35)
@pytest.mark.rare
def test_director_and_six_phones_run_a_three_round_night(
    laptop: Page, new_phone: Callable[..., Page]
) -> None:
    phones = [new_phone() for _phone in range(6)]
    sign_up(laptop)
    tournament = set_up_tournament(laptop)
    draw_and_start(laptop, "Draw")
    play_round(phones, tournament, 1)
    close_round(laptop)
    # One player leaves, one comes late: the remaining rounds are drawn again.
    mark_as_left(laptop, NAMES[0])
    add_present_player(laptop, "Zoe")
    draw_and_start(laptop, "Draw again")
    play_round(phones, tournament, 2)
    close_round(laptop)
    laptop.get_by_role("button", name="Publish the seating").click()
    seating = laptop.locator(".tables").inner_text()
    assert "Zoe" in seating
    assert NAMES[0] not in seating
    phones[5].goto(f"/t/{tournament.address}/")
    first_row = phones[5].locator(".standings tbody tr").first.inner_text()
    phones[0].goto(f"/t/{tournament.address}/rounds/2/tables/1/")
    correct_first_hand(phones[0])
    main = phones[0].locator("main")
    expect(main).to_contain_text(" moves from rank ")
    expect(main).to_contain_text("Round 3: the seating is published and won’t change")
    phones[0].get_by_role("button", name="Correct hand 1").tap()
    expect(phones[5].locator(".standings tbody tr").first).not_to_have_text(first_row)
    laptop.reload()
    assert laptop.locator(".tables").inner_text() == seating
    laptop.get_by_role("button", name="Start the round").click()
    expect(laptop.get_by_role("button", name="Close the round")).to_be_visible()
    play_round(phones, tournament, 3)
    close_round(laptop)
    laptop.get_by_role("button", name="Finish the tournament").first.click()
    question = laptop.get_by_role("dialog", name="Finish the tournament?")
    question.get_by_role("button", name="Finish the tournament").click()
    expect(laptop.get_by_role("link", name="Final standings")).to_be_visible()
    phones[5].goto(f"/t/{tournament.address}/")
    expect(phones[5].locator(".standings tbody tr")).to_have_count(14)
    assert standings_differences(tournament) == []
    call_command("rebuild", check=True)
