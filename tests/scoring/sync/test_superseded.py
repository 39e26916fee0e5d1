"""Entries that arrive after someone else changed the hand are neither lost nor hidden."""

import pytest
from django.test import Client

from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match, get_or_import_match
from scoring.matchlog.replay import FINDINGS, STAND, get_conflicting_action
from scoring.models import Match
from scoring.pages.sheet import load_sheet
from tests.factories import HAND, OTHER, entered_match, new_match
from tests.factories.commands import Kind, give
from tests.factories.matches import NOW
from tests.factories.phones import deliver, entry

pytestmark = pytest.mark.django_db


def hand_page(match: Match, number: int = 1) -> str:
    """Return the page of a hand."""
    response = Client().get(f"/m/{match.address}/hands/{number}/")
    assert response.status_code == 200
    return response.content.decode()


def entry_kinds(match: Match) -> list[str]:
    return [logged.kind for logged in match.log.in_order()]


def choose(match: Match, version: int) -> None:
    """Choose the proposal at a version of the log, as the page of the hand does."""
    proposed = match.log.get(version=version)
    kind = get_conflicting_action(proposed.body)
    give(
        Kind(kind or Kind.REPLACE),
        match_id=match.pk,
        number=proposed.hand_number,
        body=None if kind else proposed.body,
    )


def corrected_match() -> Match:
    """Return a match whose first hand one phone entered and another corrected."""
    match = new_match()
    deliver(match.address, entry(body=HAND, phone="a1"))
    deliver(match.address, entry("replace", body=OTHER, base=1, phone="b2"))
    return match


def test_voiding_a_meanwhile_corrected_hand_asks_first() -> None:
    match = corrected_match()
    status, answer = deliver(match.address, entry("void", base=1, phone="a1"))
    assert (status, answer["number"]) == (409, 1)
    hand = replay_match(match).hands[0]
    assert (hand.state, hand.raw) == ("played", OTHER)
    page = hand_page(match)
    assert 'data-entry-kind="void"' in page
    assert "This hand is void and doesn’t count." in page
    choose(match, 3)
    assert entry_kinds(match) == ["enter", "replace", "conflict", "void"]
    assert replay_match(match).hands[0].proposals == ()
    assert get_or_import_match(export_match(match), now=NOW) == match
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_choice_from_a_phone_covers_only_versions_it_has_seen() -> None:
    match = new_match()
    unseen = {**HAND, "points": [121, 120, 120]}
    for body in (HAND, OTHER, unseen):
        deliver(match.address, entry(body=body))
    assert deliver(match.address, entry("keep", base=2))[0] == 200
    assert [proposal.body for proposal in replay_match(match).hands[0].proposals] == [
        unseen
    ]
    choice = entry("keep", base=2, body={FINDINGS: STAND})
    assert deliver(match.address, choice)[0] == 200
    assert len(replay_match(match).hands[0].proposals) == 1
    assert 'name="base" value="5"' in hand_page(match)
    assert deliver(match.address, entry("keep", base=5))[0] == 200
    assert replay_match(match).hands[0].proposals == ()


def test_choice_without_scripts_covers_only_versions_on_the_page() -> None:
    match = new_match()
    for body in (HAND, OTHER, {**HAND, "points": [121, 120, 120]}):
        deliver(match.address, entry(body=body))
    fields = {"kind": "keep", "body": "", "base": "2"}
    Client().post(f"/m/{match.address}/hands/1/choose/", fields)
    assert len(replay_match(match).hands[0].proposals) == 1


def test_checksum_words_differ_for_equal_scores_with_another_winner() -> None:
    candy, two_spies = {"candy": 1}, {"spy": 2}
    sheets = []
    for treats in ([candy, two_spies, {}], [two_spies, candy, {}]):
        deal = {"tokens": [8, 8, 2], "treats": treats, "grid_left": 10}
        sheets.append(load_sheet(entered_match([deal], "tricks_and_treats", 3)))
    assert sheets[0].state.totals == sheets[1].state.totals
    assert sheets[0].state.winners != sheets[1].state.winners
    assert sheets[0].checksum_words_line != sheets[1].checksum_words_line
