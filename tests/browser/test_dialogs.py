"""Questions as dialogs over the page that leads to them, and tabs of the players' pages."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.accessible import assert_accessible
from tests.browser.club import sign_in_director
from tests.factories import HAND, entered_match
from tests.factories.history import counted_tournament
from tests.factories.tournaments import running_round, tournament_with
from tournaments.models import Round, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def open_desk(phone: Page) -> Tournament:
    tournament = tournament_with(4)
    running_round(tournament)
    sign_in_director(phone, tournament.club)
    phone.goto(f"/t/{tournament.address}/desk/")
    phone.get_by_text("Cancel this round").tap()
    phone.get_by_role("button", name="Undo the draw").tap()
    return tournament


def test_question_opens_over_the_desk_and_every_way_back_closes_it(phone: Page) -> None:
    tournament = open_desk(phone)
    dialog = phone.get_by_role("dialog", name="Round 1: undo the draw?")
    undo = phone.locator("details button", has_text="Undo the draw")
    ways_back = (
        lambda: phone.keyboard.press("Escape"),
        phone.go_back,
        lambda: dialog.get_by_role("link", name="Cancel").tap(),
        lambda: phone.mouse.click(200, 40),
    )
    are_taps_accepted = "(e) => Promise.all(e.getAnimations().map((each) => each.finished)).then(() => true)"
    for go_back in ways_back:
        expect(dialog).to_be_visible()
        expect(dialog.get_by_role("link", name="Cancel")).to_be_focused()
        dialog.evaluate(are_taps_accepted)
        go_back()
        expect(dialog).to_be_hidden()
        expect(undo).to_be_focused()
        assert phone.url.endswith("/desk/")
        undo.tap()
    assert_accessible(phone)
    dialog.get_by_role("button", name="Undo the draw").tap()
    expect(phone.get_by_text("No rounds drawn yet.")).to_be_visible()
    expect(dialog).to_be_hidden()
    assert not Round.objects.filter(tournament=tournament, state="running").exists()


def test_question_is_a_page_without_scripts(phone_without_javascript: Page) -> None:
    phone = phone_without_javascript
    tournament = open_desk(phone)
    expect(phone.get_by_role("heading", name="Round 1: undo the draw?")).to_be_visible()
    phone.get_by_role("link", name="Cancel").tap()
    phone.wait_for_url(f"**/t/{tournament.address}/desk/")


def test_refused_answer_stays_in_the_dialog(phone: Page) -> None:
    tournament = counted_tournament("2026-03-06", ["Ann", "Bo", "Cy"])
    sign_in_director(phone, tournament.club)
    player = tournament.entries.get(name="Ann").player
    phone.goto(f"/clubs/{tournament.club.slug}/players/{player.pk}/")
    menu = phone.locator(".page-menu > summary")
    menu.tap()
    phone.get_by_role("link", name="Erase name").tap()
    dialog = phone.get_by_role("dialog", name="Erase name")
    field = dialog.get_by_label("The name, exactly as shown")
    expect(field).to_be_focused()
    field.fill("Anna")
    dialog.get_by_role("button", name="Erase for good").tap()
    expect(dialog.get_by_text("That isn’t the name.")).to_be_visible()
    expect(field).to_have_value("Anna")
    expect(field).to_be_focused()
    assert_accessible(phone)
    phone.keyboard.press("Escape")
    expect(menu).to_be_focused()
    menu.tap()
    phone.get_by_role("link", name="Erase name").tap()
    field.fill("Ann")
    dialog.get_by_role("button", name="Erase for good").tap()
    expect(phone.get_by_text("Name erased.")).to_be_visible()
    expect(dialog).to_be_hidden()


def test_void_hand_is_asked_in_a_dialog(phone: Page) -> None:
    match = entered_match([HAND])
    phone.goto(f"{match.get_absolute_url()}hands/1/")
    phone.get_by_role("button", name="Void this hand").tap()
    dialog = phone.get_by_role("dialog", name="Void hand 1")
    expect(dialog).to_be_visible()
    expect(phone.locator("form[aria-busy]")).to_have_count(0)
    assert_accessible(phone)
    dialog.get_by_role("button", name="Void hand").tap()
    expect(phone.get_by_text("Hand 1 is void.").first).to_be_visible()
    expect(dialog).to_be_hidden()
    assert [entry.kind for entry in match.log.in_order()][-1] == "void"


def test_tabs_of_a_player_and_a_season_show_one_thing_each(phone: Page) -> None:
    tournament = counted_tournament("2026-03-06", ["Ann", "Bo", "Cy"])
    player = tournament.entries.get(name="Ann").player
    phone.goto(f"/clubs/{tournament.club.slug}/players/{player.pk}/")
    headings = {
        "Form": "Tournaments",
        "Head to head": "Against",
        "Records": "By game",
    }
    for tab, heading in headings.items():
        phone.locator(".tabs").get_by_role("link", name=tab).tap()
        current = phone.locator(".tabs [aria-current=page]")
        expect(current).to_have_text(tab)
        for other in headings.values():
            shown = phone.locator("main").get_by_text(other, exact=True)
            expect(shown).to_have_count(int(other == heading))
        assert_accessible(phone)
    phone.goto(f"/clubs/{tournament.club.slug}/leaderboards/all/")
    pages = phone.get_by_role("navigation", name="Season pages")
    for tab in ("Head to head", "Records", "Ranking"):
        pages.get_by_role("link", name=tab).tap()
        expect(pages.locator("[aria-current=page]")).to_have_text(tab)


def test_action_whose_answer_is_lost_is_not_sent_again(
    new_phone: Callable[..., Page],
) -> None:
    phone = new_phone(loses_network=True, is_new=True, service_workers="block")
    tournament = tournament_with(4, minutes=45)
    round_ = running_round(tournament)
    before = Round.objects.get(pk=round_.pk).ends_at
    assert before is not None
    sign_in_director(phone, tournament.club)
    phone.goto(f"/t/{tournament.address}/desk/")

    def lose_answer(route: Route) -> None:
        route.fetch(max_redirects=0)
        route.abort()

    phone.route("**/rounds/1/longer/", lose_answer)
    with phone.expect_event("load"):
        phone.get_by_role("button", name="+5 min").tap()
    expect(phone.get_by_role("button", name="+5 min")).to_be_visible()
    assert Round.objects.get(pk=round_.pk).ends_at == before + timedelta(minutes=5)
