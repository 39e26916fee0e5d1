"""A director seeds round 1 and chooses other tables, on a phone."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.club import sign_in_director
from tests.factories.tournaments import tournament_with
from tournaments.event.draw import read_seating

pytestmark = pytest.mark.django_db(transaction=True)


def test_director_seeds_round_1_and_draws_other_tables_with_one_tap(
    pub_phone: Page,
) -> None:
    names = [f"Player {number:02}" for number in range(1, 18)]
    night = tournament_with(names, format="swiss")
    sign_in_director(pub_phone, night.club)
    pub_phone.goto(f"{night.get_absolute_url()}desk/")
    pub_phone.get_by_role("link", name="Seeding of round 1: by lot").click()
    number = pub_phone.get_by_label("Player 17")
    expect(number).to_be_hidden()
    pub_phone.get_by_label("Round 1 is seeded").select_option("by hand")
    pub_phone.get_by_label("Seeds are dealt").select_option("similar strength together")
    for rank, name in enumerate(names[-5:], start=1):
        pub_phone.get_by_label(name).fill(str(rank))
    pub_phone.get_by_role("button", name="Save seeding").click()
    expect(pub_phone.get_by_text("Seeding saved.")).to_be_visible()
    pub_phone.get_by_role("button", name="5 + 4 + 4 + 4").click()
    expect(pub_phone.get_by_text("Round 1 is drawn.")).to_be_visible()
    pub_phone.get_by_text("Draw details").click()
    expect(pub_phone.get_by_text("Seeded by hand, similar strength")).to_be_visible()
    by_pk = dict(night.entries.values_list("pk", "name"))
    tables = read_seating(night.rounds.get())
    assert sorted(map(len, tables)) == [4, 4, 4, 5]
    assert sorted(by_pk[entry] for entry in tables[0]) == names[-5:]
