"""The projector is legible from eight metres, and names and reasons are never cut off."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accessible import assert_accessible
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    closed_round,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.web.standings.test_standings_page import parse_cell
from tournaments.event import rounds
from tournaments.event.desk import announcements
from tournaments.event.results import store_current_standings
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)

SCREENS = [(1920, 1080), (1280, 720), (1024, 768)]
LONG = ["W" * 40, "Wolfgang Amadeus Maximilian Mommsenberg", "Дарина Щербаківська"]
FIND_CUT_NAMES = """() => {
  const main = document.querySelector("main").getBoundingClientRect();
  const shown = document.querySelector(".page.is-shown");
  const texts = [...shown.querySelectorAll("li > :not(.who, .change), .who > *, h2, .join p, .join img")];
  const boxes = texts.map((text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return [text.textContent.trim(), range.getBoundingClientRect()];
  }).filter(([, box]) => box.width > 1);
  const out = boxes.filter(([, box]) => box.left < main.left - 1 || box.right > main.right + 1 ||
    box.top < main.top - 8 || box.bottom > main.bottom + 8).map(([text]) => text);
  const over = boxes.flatMap(([one, a], index) => boxes.slice(index + 1).filter(([, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > a.height / 4).map(([other]) => [one, other]));
  return [...out, ...over];
}"""
TEXT_SIZES = """
[...document.querySelectorAll('body *')].filter(e => e.checkVisibility())
  .filter(e => !e.closest('.visually-hidden'))
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .map(e => parseFloat(getComputedStyle(e).fontSize))
"""


def busy_tournament() -> Tournament:
    """Return a tournament with many long names and all kinds of projector pages."""
    names = [f"Çağla Hohenstein-{number}" for number in range(20)]
    tournament = tournament_with([*names, *LONG, "Bo"], name="A name " * 11)
    play_round(running_round(tournament))
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    announcements.announce(
        tournament_id=tournament.pk, text="Soup is served " * 9, user=None, now=NOW
    )
    return tournament


def show_projector(screen: Page, tournament: Tournament, size: tuple[int, int]) -> None:
    screen.set_viewport_size({"width": size[0], "height": size[1]})
    screen.goto(f"/t/{tournament.address}/projector/")
    expect(screen.locator(".page.is-shown")).to_have_count(1)
    screen.evaluate("document.fonts.ready")


def test_projector_of_a_full_night_fits_and_is_legible_on_any_screen(
    laptop: Page,
) -> None:
    tournament = busy_tournament()
    for size in SCREENS:
        show_projector(laptop, tournament, size)
        pages = laptop.locator(".page").count()
        assert pages > 4
        names_shown = []
        for _page in range(pages):
            assert laptop.evaluate(FIND_CUT_NAMES) == []
            if size == SCREENS[0]:
                assert min(laptop.evaluate(TEXT_SIZES)) >= 36
            names_shown += laptop.locator(
                ".page.is-shown .name, .seats.is-shown li > span"
            ).all_inner_texts()
            laptop.keyboard.press("ArrowRight")
        for name in LONG:
            assert names_shown.count(name) == 2, "among the seats and in the standings"
        assert laptop.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert_accessible(laptop)
    # On a phone it is one scrolling page.
    laptop.set_viewport_size({"width": 320, "height": 568})
    laptop.reload()
    expect(laptop.locator(".ranks .name").last).to_be_visible()
    assert laptop.evaluate("document.documentElement.scrollWidth") <= 320
    assert min(laptop.evaluate(TEXT_SIZES)) >= 16


def test_projector_shows_rounds_that_add_up_and_every_reason_of_forty_players(
    laptop: Page,
) -> None:
    names = [f"Wilhelmine Hohenstein-{number}" for number in range(40)]
    tournament = tournament_with(names, rounds_planned=7)
    for _round in range(7):
        closed_round(tournament)
    standings = store_current_standings(tournament_id=tournament.pk, now=NOW)
    tied = [row.names for row in standings.rows_with_names() if row.is_tied_with_next]
    assert tied
    show_projector(laptop, tournament, SCREENS[0])
    reasons = {}
    for _page in range(laptop.locator(".page").count()):
        assert laptop.evaluate(FIND_CUT_NAMES) == []
        for line in laptop.locator(".ranks.is-shown li:not(.heads)").all():
            name = line.locator(".name").inner_text()
            reasons[name] = line.locator(".reason").inner_text()
            cells = line.locator(".cell").all_inner_texts()
            assert len(cells) >= 4
            points = line.locator("b").inner_text()
            assert sum(map(parse_cell, cells)) == parse_cell(points)
        laptop.keyboard.press("ArrowRight")
    assert len(reasons) == 40
    assert [name for name in tied if not reasons[name]] == []
    assert laptop.locator(".heads").first.inner_text().startswith("Earlier")


def test_qr_code_and_long_podium_names_are_legible_from_afar(
    laptop: Page,
) -> None:
    tournament = tournament_with([*LONG, "Bo"], rounds_planned=1)
    show_projector(laptop, tournament, SCREENS[0])
    expect(laptop.locator(".page.is-shown")).to_contain_text(tournament.code)
    assert min(laptop.evaluate(TEXT_SIZES)) >= 36
    round_ = running_round(tournament)
    play_round(round_)
    rounds.close(round_id=round_.pk, now=NOW)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    for size in SCREENS:
        show_projector(laptop, tournament, size)
        expect(laptop.locator(".page.is-shown h2")).to_contain_text("won")
        assert laptop.evaluate(FIND_CUT_NAMES) == []


def test_projector_pages_rotate_and_pause_on_space(
    new_phone: Callable[..., Page],
) -> None:
    tournament = tournament_with(8)
    round_ = running_round(tournament)
    play_table(round_.tables.select_related("match")[0], [9, 5, 3, 1])
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    screen = new_phone(reduced_motion="reduce")
    screen.clock.install()
    screen.goto(f"/t/{tournament.address}/projector/")
    current_page = screen.locator(".page.is-shown")
    expect(current_page).to_have_attribute("aria-label", "Who sits where")
    assert current_page.evaluate("e => getComputedStyle(e).animationName") == "none"
    screen.clock.run_for(12_500)
    expect(current_page).to_have_attribute("aria-label", "Standings")
    screen.keyboard.press("Space")
    screen.clock.run_for(30_000)
    expect(current_page).to_have_attribute("aria-label", "Standings")
    screen.keyboard.press("Space")
    screen.clock.run_for(12_500)
    expect(current_page).to_contain_text(tournament.code)
    expect(screen.locator(".pages .is-current")).to_have_count(1)


def test_projector_pages_all_appear_during_frequent_updates(
    new_phone: Callable[..., Page],
) -> None:
    tournament = tournament_with(8)
    round_ = running_round(tournament)
    first_table, second_table = round_.tables.select_related("match")
    play_table(first_table, [9, 5, 3, 1])
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    screen = new_phone(viewport={"width": 1280, "height": 720})
    screen.clock.install()
    screen.goto(f"/t/{tournament.address}/projector/")
    current_page = screen.locator(".page.is-shown")
    leader = screen.locator(".ranks .first").first
    expect(leader).to_have_count(1)
    before = leader.text_content()
    with screen.expect_response("**/projector/live/?*"):
        screen.clock.run_for(1000)
    play_table(second_table, [20, 1, 1, 1])
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    with screen.expect_response("**/projector/live/?*"):
        screen.clock.run_for(5000)
    # The seating page stays for its full time.
    expect(current_page).to_have_attribute("aria-label", "Who sits where")
    with screen.expect_navigation():
        screen.clock.run_for(6500)
    expect(current_page).to_have_attribute("aria-label", "Standings")
    assert leader.text_content() != before
    rounds.close(round_id=round_.pk, now=NOW, override="the room is closed")
    with screen.expect_navigation():
        screen.clock.run_for(11_000)
    expect(current_page).to_have_attribute("aria-label", "Standings")
    expect(screen.locator("h1 small")).to_contain_text("After round 1")
