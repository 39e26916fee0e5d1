"""A night of fixed partners: a phone registers with a partner, the desk draws the others."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.club import sign_in_director
from tests.factories.matches import NOW
from tests.factories.tournaments import TournamentFactory, play_and_close
from tournaments.event.entries import add_entries
from tournaments.event.results import store_current_standings
from tournaments.models import Entry

pytestmark = pytest.mark.django_db(transaction=True)


def test_pairs_register_are_drawn_apart_and_ranked(
    laptop: Page, new_phone: Callable[..., Page]
) -> None:
    night = TournamentFactory.create(rounds_planned=1, team_size=2)
    address = f"/t/{night.address}"
    names = ["Bo", "Cy", "Di", "Ed", "Flo", "Gus"]
    add_entries(tournament_id=night.pk, names=names, now=NOW, state=Entry.State.PRESENT)
    phone = new_phone()
    phone.goto(f"{address}/join/")
    phone.get_by_label("Your name").fill("Ann")
    phone.get_by_label("Your partner’s name").fill("Bo")
    phone.get_by_role("button", name="Join").tap()
    expect(phone.locator("h1")).to_have_text("Ann, you’re in.")
    phone.goto(f"{address}/me/")
    expect(phone.locator("main")).to_contain_text("Your team: Bo and Ann")
    sign_in_director(laptop, night.club)
    laptop.goto(f"{address}/desk/")
    expect(laptop.locator("#desk-now")).to_contain_text("5 players have no team.")
    laptop.get_by_role("link", name="Teams").click()
    laptop.get_by_label("Cy", exact=True).fill("Foxes")
    laptop.get_by_label("Di", exact=True).fill("Foxes")
    laptop.get_by_role("button", name="Save teams").click()
    expect(laptop.locator("main")).to_contain_text("2 complete teams of 2")
    laptop.get_by_role("button", name="Draw teams at random").click()
    expect(laptop.locator("main")).to_contain_text("3 complete teams of 2")
    expect(laptop.locator("main")).to_contain_text("1 of 2 players")
    add_entries(
        tournament_id=night.pk, names=["Ann", "Hal"], now=NOW, state=Entry.State.PRESENT
    )
    laptop.reload()
    laptop.get_by_role("button", name="Draw teams at random").click()
    expect(laptop.locator("main")).to_contain_text("4 complete teams of 2")
    laptop.goto(f"{address}/desk/")
    laptop.get_by_role("button", name="Draw", exact=True).click()
    laptop.get_by_role("button", name="Publish the seating").click()
    laptop.get_by_role("button", name="Start the round").click()
    expect(laptop.get_by_role("button", name="Close the round")).to_be_visible()
    round_ = night.rounds.get()
    for table in round_.tables.all():
        teams = [place.entry.team for place in table.places.select_related("entry")]
        assert len(set(teams)) == len(teams) == 4
    play_and_close(round_)
    store_current_standings(tournament_id=night.pk, now=NOW)
    phone.goto(f"{address}/")
    teams_table = phone.locator("table", has=phone.get_by_role("heading", name="Teams"))
    expect(teams_table.locator("tbody tr")).to_have_count(4)
    expect(teams_table).to_contain_text("Bo and Ann")
    expect(teams_table).to_contain_text("Foxes")
