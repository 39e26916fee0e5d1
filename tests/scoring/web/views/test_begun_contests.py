"""DB2T contests saved before they are complete, on their pages and from phones."""

from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.games.random_match import generate_hand
from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match, get_or_import_match
from scoring.models import Match
from tests.factories import new_match
from tests.factories.matches import NOW
from tests.factories.phones import deliver, entry

pytestmark = pytest.mark.django_db

FIRST_ROLL = {"inciter": "1", "dice_1_0": "2", "dice_1_1": "2", "dice_1_2": "5"}
PARTIAL = {**FIRST_ROLL, "dice_2_2": "6", "rerolls_1": "2"}
REMAINING_FIELDS = {"dice_2_0": "6", "dice_2_1": "6", "dice_2_2": "6", "tier": "pair"}

BO_ACTOR = {"dice": [2, 2, 5], "declared": None}
PARTIAL_BODY = {
    "inciter": 1,
    "actors": [None, BO_ACTOR, {"dice": [None, None, 6], "declared": None}],
    "rerolls": [0, 2, 0],
}


def form_fields(fields: dict[str, str]) -> dict[str, str]:
    return {**fields, "key": str(uuid4()), "number": "1"}


def new_hand_url(match: Match) -> str:
    return f"{match.get_absolute_url()}hands/new/"


def test_partial_contest_is_saved_shown_again_and_completed() -> None:
    match, client = new_match("db2t"), Client()
    response = client.post(
        new_hand_url(match), form_fields(PARTIAL) | {"contract_only": "1"}
    )
    assert response.status_code == 302
    sheet = client.get(match.get_absolute_url()).content.decode()
    assert "Bo begins. 1 of 3 has rolled." in sheet
    assert "Continue contest 1" in sheet
    page = client.get(new_hand_url(match))
    form = page.context["form"]
    values = {name: str(form[name].value()) for name in PARTIAL}
    assert values == PARTIAL
    assert 'data-offered-tiers="pair high"' in page.content.decode()
    complete_fields = PARTIAL | REMAINING_FIELDS
    assert (
        client.post(new_hand_url(match), form_fields(complete_fields)).status_code
        == 302
    )
    hand = replay_match(match).hands[0]
    assert [step.kind for step in hand.history] == ["contract", "enter"]
    assert hand.scored is not None
    assert hand.scored.scores == (0, 0, 1)
    assert "rerolls" not in hand.raw
    last = match.log.last()
    assert last is not None
    assert last.reason == "re-rolls: Bo 2"
    hand_page = client.get(f"{match.get_absolute_url()}hands/1/").content.decode()
    assert "Dice: Bo 2 2 5, Cy – – 6" in hand_page
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_match_with_a_partial_contest_survives_export_and_import() -> None:
    """A phone that continues the match offline needs this."""
    match = new_match("db2t")
    raw = generate_hand(replay_match(match).state, Random(4), tricks=False)
    raw.pop("ended", None)
    deliver(match.address, entry(body=raw))
    deliver(match.address, entry("contract", number=2, body=PARTIAL_BODY))
    imported = get_or_import_match(
        export_match(Match.objects.get(pk=match.pk)), now=NOW
    )
    pending = replay_match(imported).pending_hand
    assert pending is not None
    assert pending.raw == match.log.get(version=2).body


def test_partial_contest_keeps_agreed_trump_and_difficulty() -> None:
    match = new_match("db2t", 3, trump="prial", difficulty=True)
    fields = FIRST_ROLL | {"trump": "prial", "difficulty": "on"}
    Client().post(new_hand_url(match), form_fields(fields) | {"contract_only": "1"})
    form = Client().get(new_hand_url(match)).context["form"]
    assert (form["trump"].value(), form["difficulty"].value()) == ("prial", True)
    changed_fields = {**fields, "trump": ""}
    Client().post(
        new_hand_url(match), form_fields(changed_fields) | {"contract_only": "1"}
    )
    form = Client().get(new_hand_url(match)).context["form"]
    assert form["trump"].value() == ""


@pytest.mark.parametrize("body", [{}, {"inciter": 1}, {"inciter": 1, "tier": "pair"}])
def test_sheet_describes_a_partial_contest(body: dict[str, Any]) -> None:
    match = new_match("db2t")
    assert deliver(match.address, entry("contract", body=body))[0] == 200
    sheet = Client().get(match.get_absolute_url()).content.decode()
    assert ("Bo begins" in sheet) == ("inciter" in body)
    assert ("with pair" in sheet) == ("tier" in body)
    assert Client().get(f"{match.get_absolute_url()}hands/1/").status_code == 200
    assert Client().get(new_hand_url(match)).status_code == 200
