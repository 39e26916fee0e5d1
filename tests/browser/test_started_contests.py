"""An interrupted contest continues on any phone, and taps can be undone."""

import pytest
from playwright.sync_api import Page, expect

from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Match
from tests.browser.accessible import assert_accessible, box_of
from tests.browser.offline import (
    until_true,
)
from tests.browser.test_taps import Pad, totals
from tests.factories import new_match

pytestmark = pytest.mark.django_db(transaction=True)


SHOW_PREVIEW = """
  (preview, said) => {
    preview.innerHTML = said;
    preview.dispatchEvent(new CustomEvent("htmx:afterSwap", { bubbles: true }));
  }
"""


def read_dice(page: Page) -> str:
    """Return all dice on the pad, with a dot for each missing one."""
    return str(
        page.evaluate(
            "[...document.querySelectorAll('.face input')].map((one) => one.value || '.').join('')"
        )
    )


def tap_faces(pad: Pad, faces: str) -> None:
    for face in faces:
        pad.key(face)


def wait_for_log(match: Match, *kinds: str) -> None:
    until_true(
        lambda: [entry.kind for entry in match.log.in_order()] == list(kinds),
        f"{kinds} expected",
        patience=20,
    )


def test_contest_started_on_one_phone_continues_on_another(
    phone: Page, second_phone: Page
) -> None:
    match = new_match("db2t", 4)
    pad = Pad(phone, match)
    pad.chip("inciter", 1)
    tap_faces(pad, "225")
    wait_for_log(match, "contract")
    tap_faces(pad, "666")
    wait_for_log(match, "contract", "contract")
    second_phone.goto(match.get_absolute_url())
    expect(second_phone.locator(".lead")).to_have_text("Bo begins. 2 of 4 have rolled.")
    expect(second_phone.get_by_text("Continue contest 1")).to_be_attached()
    second_phone.get_by_role("button", name="Take over scoring").tap()
    die_field = second_phone.locator('[name="dice_3_0"]')
    expect(die_field).to_have_attribute("aria-current", "step")
    assert read_dice(second_phone) == "...225666..."
    second_pad = Pad(second_phone, match)
    tap_faces(second_pad, "134246")
    second_pad.press("Undo")
    # Clockwise, Ann rolls last.
    expect(second_phone.locator('[name="dice_0_2"]')).to_be_focused()
    assert read_dice(second_phone) == "24.225666134"
    second_pad.key(5)
    second_pad.chip("tier", "pair")
    expect(second_phone.locator("#preview")).to_contain_text("Cy has the highest sum")
    second_pad.save()
    assert totals(second_phone) == ["0", "0", "1", "0"]
    (hand,) = replay_match(match).hands
    assert hand.raw["actors"][0] == {"dice": [2, 4, 5], "declared": None}
    expect(phone.locator("h1")).to_have_text("Contest 1")
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_finish_later_saves_a_half_filled_row(phone: Page, second_phone: Page) -> None:
    match = new_match("db2t", 3)
    pad = Pad(phone, match)
    expect(phone.get_by_role("button", name="Finish later")).to_be_disabled()
    undo = phone.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    chip_boxes = [
        box_of(chip) for chip in phone.locator("[data-panel=inciter] .chip").all()
    ]
    pad.chip("inciter", 2)
    # Undo appears where no other key was.
    expect(undo).to_be_enabled()
    box = box_of(undo)
    assert len(chip_boxes) == 3
    assert all(chip_box.bottom <= box.top for chip_box in chip_boxes)
    pad.key(4)
    phone.get_by_text("Re-rolls used").tap()
    phone.locator('[name="rerolls_2"][value="2"]').locator("xpath=..").tap()
    pad.press("Finish later")
    expect(phone.locator(".lead")).to_have_text("Cy begins. 0 of 3 have rolled.")
    second_phone.goto(f"{match.get_absolute_url()}hands/new/")
    assert read_dice(second_phone) == "......4.."
    expect(second_phone.locator('[name="rerolls_2"][value="2"]')).to_be_checked()
    assert_accessible(second_phone)


def test_undo_reverts_one_step_at_a_time(phone: Page) -> None:
    pad = Pad(phone, new_match("db2t", 3))
    pad.chip("inciter", 0)
    # These dice have only one tier, so it is chosen automatically, and undone together with the die.
    tap_faces(pad, "125")
    high = phone.locator('[name="tier"][value="high"]')
    expect(high).to_be_checked()
    preview = phone.locator("#preview").inner_html()
    pad.press("Undo")
    assert read_dice(phone) == "12......."
    expect(high).not_to_be_checked()
    # A late preview of undone dice has no effect.
    expect(phone.locator("#preview [data-dice^='1 2 -']")).to_be_attached()
    phone.locator("#preview").evaluate(SHOW_PREVIEW, preview)
    expect(high).not_to_be_checked()
    pad.key(2)
    pad.move_on()
    pad.move_on()
    pad.key(6)
    phone.locator('[name="dice_0_0"]').tap()
    pad.key(3)
    assert read_dice(phone) == "322.6...."
    for remaining in ("122.6....", "122......", "12......."):
        pad.press("Undo")
        assert read_dice(phone) == remaining
    for remaining in ("1........", "........."):
        phone.get_by_role("button", name="Undo").press("Enter")
        assert read_dice(phone) == remaining
    pad.press("Undo")
    expect(phone.locator('[name="inciter"][value="0"]')).not_to_be_checked()
    expect(phone.get_by_role("button", name="Undo")).to_be_disabled()
    expect(phone.locator("[data-tray] [data-panel=inciter]")).to_be_visible()
