"""A player sits out a round on their own phone, and a director seats teammates together."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.club import sign_in_director
from tests.factories.matches import NOW
from tests.factories.tournaments import TournamentFactory, running_round
from tournaments.event import draw as drawing
from tournaments.event.entries import add_entries
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db(transaction=True)
NAMES = ["Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hana", "Ida"]


def night_of(names: list[str], **settings: object) -> Tournament:
    night: Tournament = TournamentFactory.create(format="swiss", **settings)
    add_entries(tournament_id=night.pk, names=names, now=NOW, state=Entry.State.PRESENT)
    return night


def test_player_sits_out_a_round_and_plays_it_after_all(
    laptop: Page, new_phone: Callable[..., Page]
) -> None:
    night = night_of(NAMES, rounds_planned=3, least_size=3, most_size=5)
    address = f"/t/{night.address}"
    phone = new_phone()
    phone.goto(f"{address}/join/")
    phone.get_by_label("Your name").fill("Ann")
    phone.get_by_role("button", name="Join").tap()
    expect(phone.locator("h1")).to_have_text("Ann, you’re in.")
    night.entries.filter(name="Ann").update(state=Entry.State.PRESENT)
    running_round(night)
    phone.goto(f"{address}/me/")
    phone.locator("#sit-out summary").tap()
    phone.get_by_role("button", name="Sit out round 2").tap()
    dialog = phone.get_by_role("dialog", name="Sit out round 2?")
    dialog.get_by_role("button", name="Sit out round 2").tap()
    expect(phone.locator("main")).to_contain_text("You’re sitting out round 2.")
    sign_in_director(laptop, night.club)
    laptop.goto(f"{address}/desk/")
    note = laptop.get_by_text("Sitting out later on request: Ann (round 2).")
    expect(note).to_be_visible()
    phone.locator("#sit-out summary").tap()
    phone.get_by_role("button", name="Play round 2 after all").tap()
    expect(phone.locator("main")).to_contain_text("You’re playing round 2.")
    expect(note).to_be_hidden()


def test_swap_asks_in_a_dialog_before_teammates_share_a_table(laptop: Page) -> None:
    night = night_of(NAMES, team_size=2, rounds_planned=1)
    night.entries.filter(name__in=["Bo", "Cy"]).update(team="1")
    [round_] = drawing.draw(tournament_id=night.pk)
    bo, cy = (round_.places.get(entry__name=name) for name in ("Bo", "Cy"))
    other = cy.table.places.exclude(pk=cy.pk).select_related("entry")[0]
    sign_in_director(laptop, night.club)
    laptop.goto(f"/t/{night.address}/desk/")
    laptop.get_by_text("Swap two players", exact=True).click()
    laptop.get_by_label("First player").select_option(value=str(bo.entry_id))
    laptop.get_by_label("Second player").select_option(value=str(other.entry_id))
    laptop.get_by_role("button", name="Swap seats").click()
    dialog = laptop.get_by_role("dialog", name="Seat them at one table?")
    expect(dialog).to_contain_text("Bo and Cy are on the same team.")
    dialog.get_by_role("button", name="Seat anyway").click()
    expect(laptop.locator("main")).to_contain_text("Seats swapped.")
    assert cy.table.places.filter(entry__name="Bo").exists()
