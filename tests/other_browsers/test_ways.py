"""The main tasks of a table, in every installed browser."""

import json
from random import Random
from typing import Any

import pytest

from scoring.games.random_match import generate_hand
from scoring.games.registry import table_game
from scoring.matchlog.append import replay_match
from scoring.models import Match
from scoring.rules import GAMES
from tests.browser.offline import until_true
from tests.browser.tapping import FILL_FORM, TAP_PIECES, first_key
from tests.browser.test_tricks import next_hand
from tests.factories import entered_match, new_match
from tests.factories.tournaments import play_round, running_round, tournament_with
from tests.other_browsers.phone import Phone
from tests.proxy import Proxy
from tests.scoring.games.tricks_and_treats.test_board_log import board

pytestmark = pytest.mark.django_db(transaction=True)
IS_HAND_ON_SHEET = "document.querySelector('.sheet tbody tr') !== null"
HAVE_SCRIPTS_LOADED = (
    "document.querySelector('form.entry [data-pad]').inputMode === 'none'"
)
"""The scripts of a form have loaded; no user is quick enough to fill it before."""
IS_SLOT_OPEN = "document.querySelector('form.entry [aria-current=step]') !== null"
ARE_KEYS_SHOWN = "document.querySelector('[data-tray]:not([hidden]) button') !== null"


def fill(phone: Phone, game: str, raw: dict[str, Any]) -> None:
    values = table_game(game).entry_form.initial_values(raw)
    phone.until(f"({FILL_FORM})({json.dumps(values)}) ?? true")


def count_hands(match: Match) -> int:
    return len(replay_match(match).hands)


def wait_for_hand(match: Match, number: int = 1) -> None:
    """Wait until the server has this many hands: the phone may show them earlier."""
    until_true(lambda: count_hands(match) == number, f"hand {number} never came")


@pytest.mark.parametrize("game", sorted(GAMES))
def test_first_scorepad_from_the_sheet_accepts_a_hand(phone: Phone, game: str) -> None:
    match = new_match(game, 4)
    raw = generate_hand(replay_match(match).state, Random(5), tricks=False)
    phone.go(match.get_absolute_url())
    phone.tap(table_game(game).hand_text("enter", 1))
    phone.until(IS_SLOT_OPEN)
    phone.until(ARE_KEYS_SHOWN)
    fill(phone, game, raw)
    phone.tap(table_game(game).hand_text("save", 1))
    phone.until(IS_HAND_ON_SHEET)
    wait_for_hand(match)


def test_a_hand_is_recorded_trick_by_trick(phone: Phone) -> None:
    game, match = "tricky", new_match("tricky", 4)
    raw = next_hand(replay_match(match).state, Random(7))
    phone.go(f"{match.get_absolute_url()}hands/new/tricks/")
    phone.until("document.querySelector('form.trick [data-typed-field]').hidden")
    fill(phone, game, raw)
    phone.until("document.querySelector('[data-keys] button').getClientRects().length")
    pieces = GAMES[game].list_pieces(raw)
    for count, piece in enumerate(pieces, start=1):
        tapped = json.dumps([[piece, first_key(game, piece)]])
        phone.evaluate(f"({TAP_PIECES})({tapped}) ?? true")
        phone.until(
            f"document.querySelector('[data-play]')?.dataset.pieceCount === '{count}'"
        )
    phone.tap("Save hand 1")
    phone.until(IS_HAND_ON_SHEET)
    wait_for_hand(match)
    assert replay_match(match).hands[0].raw["tricks"] == raw["tricks"]


def test_number_keys_and_next_key_work(phone: Phone) -> None:
    match = new_match("tricky_bid", 3)
    phone.go(f"{match.get_absolute_url()}hands/new/")
    phone.until(IS_SLOT_OPEN)
    for digit in ("1", "2"):
        phone.tap(css=f"[data-tray] button[data-key='{digit}']")
    phone.until("document.querySelector('[name=points_0]').value === '12'")
    phone.tap("Next")
    phone.until("document.querySelector('[name=points_1]').matches('[aria-current]')")


def test_a_hand_is_corrected(phone: Phone) -> None:
    match = entered_match([{"points": [9, 5, 3]}], "tricky_bid")
    phone.go(f"{match.get_absolute_url()}hands/1/")
    phone.tap("Correct this hand")
    phone.until(HAVE_SCRIPTS_LOADED)
    fill(phone, "tricky_bid", {"points": [8, 6, 3]})
    phone.tap("Preview changes")
    phone.tap("Correct hand 1")
    phone.expect_text("corrected")
    until_true(lambda: replay_match(match).state.totals == (8, 6, 3))


def test_a_refused_hand_stays_in_its_form_with_the_reason(phone: Phone) -> None:
    match = new_match("tricky_bid", 3)
    phone.go(f"{match.get_absolute_url()}hands/new/")
    phone.until(IS_SLOT_OPEN)
    fill(phone, "tricky_bid", {"points": [90, 90, 90]})
    phone.tap("Save hand 1")
    # The preview also shows the reason, but not as an alert.
    phone.until("document.querySelector('form.entry .refusal[role=alert]') !== null")
    phone.until("document.querySelector('[name=points_2]').value === '90'")
    assert count_hands(match) == 0


def test_hand_is_stored_offline_and_sent_later(phone: Phone, wire: Proxy) -> None:
    match = new_match("tricky_bid", 3)
    phone.go(f"{match.get_absolute_url()}hands/new/")
    phone.until(IS_SLOT_OPEN)
    wire.refuse()
    fill(phone, "tricky_bid", {"points": [9, 5, 3]})
    phone.tap("Save hand 1")
    phone.expect_text("waiting to sync")
    assert count_hands(match) == 0
    wire.restore()
    wait_for_hand(match)
    assert replay_match(match).state.totals == (9, 5, 3)


def test_board_accepts_a_trick(phone: Phone) -> None:
    match = new_match("tricks_and_treats", 3)
    phone.go(match.get_absolute_url())
    phone.tap("Play on the board")
    phone.tap("Set up the board")
    phone.expect_text("The player with")
    phone.tap("Enter trick 1")
    for card in (cards := board(match).deck[10:13]):
        phone.tap(css=f"[data-keys] [data-group='{card[0]}']")
        phone.tap(css=f"[data-keys] [data-piece='{card}']")
    phone.until(f"document.querySelector('[name=plays]').value === '{' '.join(cards)}'")
    phone.tap("Ann")
    phone.tap("Play this trick")
    phone.expect_text("won the trick")
    until_true(lambda: match.log.count() == 2)


def test_standings_and_a_table_lead_to_its_scorepad(phone: Phone) -> None:
    tournament = tournament_with(8)
    play_round(running_round(tournament))
    phone.go(tournament.get_absolute_url())
    phone.until("document.querySelectorAll('.standings tbody tr').length === 8")
    phone.go(f"{tournament.get_absolute_url()}rounds/1/tables/1/")
    phone.tap("Open sheet")
    phone.until(IS_HAND_ON_SHEET)
