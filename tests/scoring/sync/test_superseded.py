"""What arrives after somebody else changed the hand: nothing is lost, nothing is hidden."""

import pytest
from django.test import Client

from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match, import_record
from scoring.matchlog.replay import FINDINGS, STAND, read_void_or_restore
from scoring.models import Match
from scoring.pages.sheet import load_sheet
from tests.factories import HAND, OTHER, entered_match, new_match
from tests.factories.commands import Kind, give
from tests.factories.matches import NOW
from tests.factories.phones import deliver, entry

pytestmark = pytest.mark.django_db


def page_of(match: Match, number: int = 1) -> str:
    """Return the page of a hand, which is there."""
    answer = Client().get(f"/m/{match.address}/hands/{number}/")
    assert answer.status_code == 200
    return answer.content.decode()


def kinds(match: Match) -> list[str]:
    return [one.kind for one in match.log.in_order()]


def choose(match: Match, version: int) -> None:
    """Let what is proposed at a version of the log count, as the page of the hand does."""
    proposed = match.log.get(version=version)
    wish = read_void_or_restore(proposed.body)
    give(
        Kind(wish or Kind.REPLACE),
        match_id=match.pk,
        number=proposed.hand_number,
        body=None if wish else proposed.body,
    )


def corrected() -> Match:
    """Return a match whose first hand one phone entered and another corrected."""
    match = new_match()
    deliver(match.address, entry(body=HAND, phone="a1"))
    deliver(match.address, entry("replace", body=OTHER, base=1, phone="b2"))
    return match


def test_voiding_a_meanwhile_corrected_hand_asks_first() -> None:
    match = corrected()
    status, said = deliver(match.address, entry("void", base=1, phone="a1"))
    assert (status, said["number"]) == (409, 1)
    hand = replay_match(match).hands[0]
    assert (hand.state, hand.raw) == ("played", OTHER)
    page = page_of(match)
    assert 'data-entry-kind="void"' in page
    assert "This hand is void and doesn’t count." in page
    choose(match, 3)
    assert kinds(match) == ["enter", "replace", "conflict", "void"]
    assert replay_match(match).hands[0].proposals == ()
    assert import_record(export_match(match), now=NOW) == match
    assert rebuild_match(match_id=match.pk, check=True) == []


def test_choice_from_a_phone_covers_only_versions_it_has_seen() -> None:
    match = new_match()
    unseen = {**HAND, "points": [121, 120, 120]}
    for body in (HAND, OTHER, unseen):
        deliver(match.address, entry(body=body))
    assert deliver(match.address, entry("keep", base=2))[0] == 200
    assert [one.body for one in replay_match(match).hands[0].proposals] == [unseen]
    settled = entry("keep", base=2, body={FINDINGS: STAND})
    assert deliver(match.address, settled)[0] == 200
    assert len(replay_match(match).hands[0].proposals) == 1
    assert 'name="base" value="5"' in page_of(match)
    assert deliver(match.address, entry("keep", base=5))[0] == 200
    assert replay_match(match).hands[0].proposals == ()


def test_choice_without_scripts_covers_only_versions_on_the_page() -> None:
    match = new_match()
    for body in (HAND, OTHER, {**HAND, "points": [121, 120, 120]}):
        deliver(match.address, entry(body=body))
    kept = {"kind": "keep", "body": "", "base": "2"}
    Client().post(f"/m/{match.address}/hands/1/choose/", kept)
    assert len(replay_match(match).hands[0].proposals) == 1


def test_checksum_words_differ_for_equal_scores_with_another_winner() -> None:
    candy, spies = {"candy": 1}, {"spy": 2}
    sheets = []
    for treats in ([candy, spies, {}], [spies, candy, {}]):
        deal = {"tokens": [8, 8, 2], "treats": treats, "grid_left": 10}
        sheets.append(load_sheet(entered_match([deal], "tricks_and_treats", 3)))
    assert sheets[0].state.totals == sheets[1].state.totals
    assert sheets[0].state.winners != sheets[1].state.winners
    assert sheets[0].result_words != sheets[1].result_words
