"""Scores and keys stand out as WCAG's level AAA asks: 7 to 1, or 4.5 to 1 where they are large."""

from random import Random

import pytest
from playwright.sync_api import Page, expect

from scoring.games.random_match import play_hand
from scoring.matchlog.append import replay_match
from scoring.models import Match
from scoring.rules import GAMES
from tests.factories import author, new_match
from tests.factories.commands import NOW, enter_hand, void_hand
from tests.factories.tournaments import play_round, running_round, tournament_with
from tournaments.event.results import compute_standings

pytestmark = pytest.mark.django_db(transaction=True)

SCORES = ".totals .num, .sheet td, .sheet tbody th"
ENTERED = "form.entry :is(input[type=text], output)"
KEYS = ".dock :is(button, .chip)"
KEYS_OF_TRICKS = "[data-keys] button"
FAINT = """(selector) => {
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const paint = (colour, share = 1) => {
    pen.globalAlpha = share;
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
  };
  const luminance = () => {
    const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data].map((part) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const around = (element) => (element ? [...around(element.parentElement), getComputedStyle(element)] : []);
  const isWritten = (element) => (element.matches("[type=text]") && element.value)
    || [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const isOn = (element) => !element.closest(":disabled, label:has(:disabled), svg");
  const look = (element) => {
    const styles = around(element);
    const own = styles.at(-1);
    paint("white");
    for (const { backgroundColor } of styles) paint(backgroundColor);
    const ground = luminance();
    paint(own.color, styles.reduce((share, { opacity }) => share * opacity, 1));
    const [dark, light] = [ground, luminance()].sort((one, other) => one - other);
    const size = parseFloat(own.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && own.fontWeight >= 700);
    const text = element.matches("[type=text]") ? element.value : element.textContent.trim();
    return { text, colour: own.color, contrast: (light + 0.05) / (dark + 0.05), least: isLarge ? 4.5 : 7 };
  };
  const written = [...document.querySelectorAll(selector)]
    .flatMap((element) => [element, ...element.querySelectorAll("*")])
    .filter((element) => isWritten(element) && isOn(element)).map(look);
  return {
    seen: written.length,
    faint: written.filter(({ contrast, least }) => contrast < least)
      .map(({ text, colour, contrast, least }) => `${text}: ${contrast.toFixed(2)} of ${least}, ${colour}`),
  };
}"""
"""What is written in what a selector finds, and what of it is too like its ground."""


def assert_strong(page: Page, selector: str) -> None:
    """Fail where something that is written there is faint, in the light or in the dark."""
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found = page.evaluate(FAINT, selector)
        assert found["seen"], f"nothing is written in {selector}"
        assert not found["faint"], "\n".join([theme, *sorted(set(found["faint"]))])


def played(game: str, hands: int = 3) -> Match:
    """Return a match of four in which hands were played by chance, the last of them void."""
    match = new_match(game, 4)
    rng = Random(2)
    for number in range(1, hands + 1):
        raw = play_hand(replay_match(match).state, rng, tricks=False)
        enter_hand(match_id=match.pk, number=number, raw=raw, author=author())
    void_hand(match_id=match.pk, number=hands, author=author())
    return match


@pytest.mark.long(3)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_scores_and_keys_of_a_game_stand_out(phone: Page, game: str) -> None:
    at = played(game).get_absolute_url()
    phone.goto(at)
    assert_strong(phone, SCORES)
    phone.goto(f"{at}hands/1/correct/")
    expect(phone.locator("html")).to_contain_class("js")
    assert_strong(phone, ENTERED)
    for step in phone.locator("[data-step], [data-pad]:not([data-pad=none])").all():
        step.evaluate("step => { step.focus(); step.click(); }")
        assert_strong(phone, KEYS)


@pytest.mark.parametrize("game", ["tricky", "tricky_dice", "tricky_bid"])
def test_keys_of_a_trick_stand_out(phone: Page, game: str) -> None:
    phone.goto(f"{played(game).get_absolute_url()}hands/new/tricks/")
    assert_strong(phone, KEYS_OF_TRICKS)


def test_scores_of_a_tournament_and_of_its_tables_stand_out(phone: Page) -> None:
    tournament = tournament_with(8)
    play_round(running_round(tournament))
    compute_standings(tournament_id=tournament.pk, now=NOW)
    for page, scores in (
        ("", ".standings td"),
        ("rounds/1/tables/1/", "main .num"),
        ("projector/", ".ranks .num"),
    ):
        phone.goto(tournament.get_absolute_url() + page)
        assert_strong(phone, scores)
