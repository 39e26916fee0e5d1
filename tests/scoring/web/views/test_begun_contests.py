"""A contest of DB2T that is interrupted, on its pages and as phones deliver it."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.games.random_match import generate_hand
from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match, import_record
from scoring.models import Match
from tests.factories import new_match
from tests.factories.matches import NOW
from tests.factories.phones import deliver, entry

pytestmark = pytest.mark.django_db

ROLLED = {"inciter": "1", "dice_1_0": "2", "dice_1_1": "2", "dice_1_2": "5"}
BEGUN = {**ROLLED, "dice_2_2": "6", "rerolls_1": "2"}
OTHERS = {"dice_2_0": "6", "dice_2_1": "6", "dice_2_2": "6", "tier": "pair"}

BO = {"dice": [2, 2, 5], "declared": None}
HALF = {
    "inciter": 1,
    "actors": [None, BO, {"dice": [None, None, 6], "declared": None}],
    "rerolls": [0, 2, 0],
}


def said(fields: dict[str, str]) -> dict[str, str]:
    return {**fields, "key": str(uuid4()), "number": "1"}


def page_of(match: Match) -> str:
    return f"{match.get_absolute_url()}hands/new/"


def test_partial_contest_is_saved_shown_again_and_completed() -> None:
    match, client = new_match("db2t"), Client()
    kept = client.post(page_of(match), said(BEGUN) | {"contract_only": "1"})
    assert kept.status_code == 302
    sheet = client.get(match.get_absolute_url()).content.decode()
    assert "Bo begins. 1 of 3 has rolled." in sheet
    assert "Continue contest 1" in sheet
    page = client.get(page_of(match))
    shown = page.context["form"]
    values = {name: str(shown[name].value()) for name in BEGUN}
    assert values == BEGUN
    assert 'data-offered-tiers="pair high"' in page.content.decode()
    whole = BEGUN | OTHERS
    assert client.post(page_of(match), said(whole)).status_code == 302
    hand = replay_match(match).hands[0]
    assert [step.kind for step in hand.history] == ["contract", "enter"]
    assert hand.scored is not None
    assert hand.scored.scores == (0, 0, 1)
    assert "rerolls" not in hand.raw
    last = match.log.last()
    assert last is not None
    assert last.reason == "re-rolls: Bo 2"
    told = client.get(f"{match.get_absolute_url()}hands/1/").content.decode()
    assert "Dice: Bo 2 2 5, Cy – – 6" in told
    assert rebuild_match(match_id=match.pk, check=True) == []


def test_match_with_a_partial_contest_survives_export_and_import() -> None:
    """So it is that a phone holds it, and goes on with it by itself."""
    match = new_match("db2t")
    raw = generate_hand(replay_match(match).state, Random(4), tricks=False)
    raw.pop("ended", None)
    deliver(match.address, entry(body=raw))
    deliver(match.address, entry("contract", number=2, body=HALF))
    again = import_record(export_match(Match.objects.get(pk=match.pk)), now=NOW)
    pending = replay_match(again).pending_hand
    assert pending is not None
    assert pending.raw == match.log.get(version=2).body


def test_partial_contest_keeps_agreed_trump_and_difficulty() -> None:
    match = new_match("db2t", 3, trump="prial", difficulty=True)
    begun = ROLLED | {"trump": "prial", "difficulty": "on"}
    Client().post(page_of(match), said(begun) | {"contract_only": "1"})
    shown = Client().get(page_of(match)).context["form"]
    assert (shown["trump"].value(), shown["difficulty"].value()) == ("prial", True)
    changed = {**begun, "trump": ""}
    Client().post(page_of(match), said(changed) | {"contract_only": "1"})
    shown = Client().get(page_of(match)).context["form"]
    assert shown["trump"].value() == ""


@pytest.mark.parametrize("known", [{}, {"inciter": 1}, {"inciter": 1, "tier": "pair"}])
def test_sheet_describes_a_partial_contest(known: dict[str, Any]) -> None:
    match = new_match("db2t")
    assert deliver(match.address, entry("contract", body=known))[0] == 200
    sheet = Client().get(match.get_absolute_url()).content.decode()
    assert ("Bo begins" in sheet) == ("inciter" in known)
    assert ("with pair" in sheet) == ("tier" in known)
    assert Client().get(f"{match.get_absolute_url()}hands/1/").status_code == 200
    assert Client().get(page_of(match)).status_code == 200
