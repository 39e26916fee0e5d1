"""Pages of matches: entries, corrections, choices, wrong methods and missing matches."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Match
from scoring.web.redirects import nearest_parent_path
from tests.factories import HAND, OTHER, author, entered_match, new_match
from tests.factories.commands import correct_hand

pytestmark = pytest.mark.django_db

NEW_MATCH = {
    "key": "8a2f6c4e-6a0e-4d3b-9d6b-0d3e5a1c7f10",
    "game": "tricky",
    "name_0": "Ann",
    "name_1": "Bo",
    "name_2": "Cy",
}
ENTRY = {
    "key": "0e9d8c7b-1111-4222-8333-444455556666",
    "number": "1",
    "base": "0",
    "bidder": "1",
    "bid": "96",
    "trump": "7",
    "points_0": "140",
    "points_1": "120",
    "points_2": "101",
}


def match_url(name: str, match: Match, *numbers: int) -> str:
    return reverse(f"scoring:{name}", args=[match.address, *numbers])


def page_text(response: Any) -> str:
    decoded: str = response.content.decode()
    return decoded


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"name_1": "", "name_2": ""}, "is for 2 to 5 players"),
        ({"name_1": "aNN"}, "already has a seat"),
        ({"game": "whist"}, "whist"),
        ({"target": "0.5"}, "whole number"),
        ({"name_0": "A" * 41}, "40"),
    ],
)
def test_invalid_match_keeps_its_input(
    client: Client, changes: dict[str, str], expected: str
) -> None:
    page = page_text(
        client.post(reverse("scoring:match_new"), {**NEW_MATCH, **changes})
    )
    assert expected in page
    assert 'value="Ann' in page or "A" * 41 in page
    assert not Match.objects.exists()


def test_entered_hand_appears_on_the_sheet(client: Client) -> None:
    match = new_match()
    response = client.post(match_url("hand_new", match), ENTRY)
    assert response.status_code == 302
    assert "672" in page_text(client.get(match_url("match", match)))
    repeated_response = client.post(match_url("hand_new", match), ENTRY)
    assert repeated_response.status_code == 302
    assert match.log.count() == 1


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"bid": "lots"}, "Enter digits only"),
        ({"points_0": ""}, "Enter a number"),
        ({"points_0": "1", "points_1": "1", "points_2": "1"}, "at least 51 too few"),
        ({"bidder": ""}, "seat"),
        ({"bid": "9" * 5_000}, "Enter digits only"),
    ],
)
def test_refused_hand_is_explained_and_keeps_its_input(
    client: Client, changes: dict[str, str], expected: str
) -> None:
    match = new_match()
    page = page_text(client.post(match_url("hand_new", match), {**ENTRY, **changes}))
    assert expected in page
    assert 'value="101"' in page or 'value="1"' in page
    assert not match.log.exists()


def test_second_version_of_a_hand_opens_the_choice(client: Client) -> None:
    match = entered_match([HAND])
    other_version = {**ENTRY, "key": str(uuid4()), "bid": "99"}
    for _twice in range(2):
        response = client.post(match_url("hand_new", match), other_version)
        assert (response.status_code, response["Location"]) == (
            302,
            match_url("hand", match, 1),
        )
    page = page_text(client.get(match_url("hand", match, 1)))
    assert "Use this version" in page
    assert "<mark>96</mark>" in page
    assert "<mark>99</mark>" in page
    assert "<mark>Bo</mark>" not in page
    assert "There are two versions of hand 1." in page
    assert [entry.kind for entry in match.log.in_order()] == ["enter", "conflict"]
    assert match.seats.get(index=1).total == 672
    chosen_body = match.log.get(version=2).body
    fields = {"kind": "replace", "body": json.dumps(chosen_body), "base": "2"}
    response = client.post(
        match_url("hand_choose", match, 1), {**fields, "key": str(uuid4())}
    )
    assert response["Location"] == match_url("hand", match, 1)
    assert match.seats.get(index=1).total == 693
    assert "Use this version" not in page_text(client.get(match_url("hand", match, 1)))


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"kind": "enter", "body": "{}"},
        {"kind": "replace", "body": "[]"},
        {"kind": "replace", "body": "[" * 100000},
    ],
)
def test_rejects_unknown_version_choice(client: Client, fields: dict[str, str]) -> None:
    match = entered_match([HAND])
    assert client.post(match_url("hand_choose", match, 1), fields).status_code == 400
    assert match.log.count() == 1


def test_followers_receive_only_changes(client: Client) -> None:
    match = entered_match([HAND])
    live_url = match_url("match_live", match)
    assert client.get(live_url, {"v": "1"}).status_code == 204
    assert "672" in page_text(client.get(live_url, {"v": "0"}))
    for nonsense in ("", "x", "9" * 40, "²"):
        assert client.get(live_url, {"v": nonsense}).status_code == 200


def test_a_correction_is_shown_and_confirmed(client: Client) -> None:
    match = entered_match([HAND])
    correct_url = match_url("hand_correct", match, 1)
    assert 'value="96"' in page_text(client.get(correct_url))
    fields = {**ENTRY, "base": "1", "trump": "10"}
    page = page_text(client.post(correct_url, fields))
    assert "960" in page
    assert match.log.count() == 1
    response = client.post(
        correct_url, {**fields, "confirm": "1", "reason": "mistyped"}
    )
    assert response.status_code == 302
    assert match.seats.get(index=1).total == 960
    assert "mistyped" in page_text(client.get(match_url("hand", match, 1)))


def test_a_hand_is_voided_and_restored_with_a_reason(client: Client) -> None:
    match = entered_match([HAND])
    changes = client.post(match_url("hand_void", match, 1)).context["changes"]
    assert changes.summary == "Hand 1 no longer counts."
    assert (changes.rows[1].total_before, changes.rows[1].total_after) == (672, 0)
    assert match.log.count() == 1
    confirmation = {"confirm": "1", "reason": "wrong player"}
    client.post(match_url("hand_void", match, 1), confirmation)
    assert match.seats.get(index=1).total == 0
    assert "void" in page_text(client.get(match_url("hand", match, 1)))
    changes = client.post(match_url("hand_restore", match, 1)).context["changes"]
    assert (changes.summary, changes.rows[1].total_after) == ("Hand 1 counts.", 672)
    client.post(match_url("hand_restore", match, 1), confirmation)
    assert match.seats.get(index=1).total == 672


def test_history_names_the_claimer_of_a_seat(client: Client) -> None:
    match = new_match()
    client.post(match_url("match_take_seat", match), {"name": "Bo"})
    client.post(match_url("match_take_seat", match), {"name": "Nobody"})
    client.post(match_url("hand_new", match), ENTRY)
    assert match.log.get().made_by == "Bo"


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("hand_void", [1]),
        ("hand_restore", [1]),
        ("match_rematch", []),
        ("match_detach_phone", []),
        ("hand_preview", []),
    ],
)
def test_get_changes_nothing_and_leads_browsers_to_a_page(
    client: Client, name: str, numbers: list[int]
) -> None:
    match = entered_match([HAND])
    url = match_url(name, match, *numbers)
    assert client.get(url).status_code == 405
    page = client.get(url, follow=True, headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert page.redirect_chain
    assert page.request["PATH_INFO"].startswith(match.get_absolute_url())
    assert match.log.count() == 1
    missing_url = reverse(f"scoring:{name}", args=["nowhere", *numbers])
    assert client.post(missing_url).status_code == 404


@pytest.mark.parametrize(
    ("path", "parent"),
    [
        ("/m/abc/hands/2/restore/", "/m/abc/hands/2/"),
        (f"/t/{'a' * 22}/desk/finish/", f"/t/{'a' * 22}/desk/"),
        ("/nowhere/at/all/", "/"),
    ],
)
def test_parent_page_is_the_nearest_existing_one(path: str, parent: str) -> None:
    assert nearest_parent_path(path) == parent


def test_query_count_does_not_grow_with_hands(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    for hand_count in (3, 30):
        match = entered_match([{"passed_out": True}] * hand_count)
        client.get(match_url("match", match))
        for name in ("match", "hand_new", "match_live"):
            with django_assert_max_num_queries(8):
                client.get(match_url(name, match))


def test_tied_winners_share_the_win() -> None:
    match = new_match("tricky_bid", 2)
    fields = {"key": ENTRY["key"], "points_0": "9", "points_1": "9"}
    Client().post(match_url("hand_new", match), fields | {"number": "1"})
    preview = page_text(
        Client().post(match_url("hand_preview", match), fields | {"number": "2"})
    )
    assert "This ends the match. Ann and Bo share the win." in preview


def test_match_is_not_over_while_a_choice_is_open(client: Client) -> None:
    match = entered_match([{"points": [9, 2]}], "tricky_bid", 2)
    hand = {"points_0": "5", "points_1": "0", "base": "1"}
    for changes in ({}, {"points_1": "90"}):
        fields = {**hand, **changes, "key": str(uuid4()), "number": "2"}
        client.post(match_url("hand_new", match), fields)
    match.refresh_from_db()
    assert not match.finished
    assert not match.seats.filter(won=True).exists()
    sheet = page_text(client.get(match.get_absolute_url()))
    assert "Choose version for hand 2" in sheet
    assert "Rematch" not in sheet
    third_hand = {**hand, "key": str(uuid4()), "number": "3"}
    refusal_page = page_text(client.post(match_url("hand_new", match), third_hand))
    assert "Hand 2 was entered twice. Choose which version counts." in refusal_page
    conflicting_body = json.dumps(match.log.get(kind="conflict").body)
    fields = {
        "kind": "replace",
        "body": conflicting_body,
        "base": "3",
        "key": str(uuid4()),
    }
    client.post(match_url("hand_choose", match, 2), fields)
    decided = Match.objects.get()
    assert decided.finished
    assert decided.seats.get(won=True).index == 1
    assert "Rematch" in page_text(client.get(match.get_absolute_url()))


def test_a_preview_shows_hand_and_totals(client: Client) -> None:
    match = entered_match([{"points": [9, 5, 3]}], "tricky_bid")
    fields = {"key": str(uuid4()), "points_0": "8", "points_1": "6", "points_2": "3"}
    changes = client.post(match_url("hand_correct", match, 1), fields).context[
        "changes"
    ]
    assert changes.summary == "Ann gets 8, not 9. Bo gets 6, not 5."
    assert [(row.name, row.total_after) for row in changes.changed_totals] == [
        ("Ann", 8),
        ("Bo", 6),
    ]
    assert changes.unchanged == "No change for Cy. The ranking stays the same."


@pytest.mark.parametrize("first", ["keep", "replace"])
def test_page_of_a_second_choice_mentions_the_first(client: Client, first: str) -> None:
    match = entered_match([HAND])
    other_version = {**ENTRY, "key": str(uuid4()), "bid": "99"}
    client.post(match_url("hand_new", match), other_version)
    proposed_body = json.dumps(match.log.get(version=2).body)
    choices = [("keep", "null"), ("replace", proposed_body)]
    for kind, body in sorted(choices, key=lambda choice: choice[0] != first):
        fields = {"kind": kind, "body": body, "base": "2", "key": str(uuid4())}
        client.post(match_url("hand_choose", match, 1), fields)
    page = page_text(client.get(match_url("hand", match, 1)))
    message = "Someone chose a version of hand 1, then another one arrived."
    assert message in page
    assert "Use this version" in page


def test_says_that_a_correction_will_wait_for_a_choice(client: Client) -> None:
    match = entered_match([HAND])
    correct_hand(match_id=match.pk, number=1, raw=OTHER, author=author())
    page = page_text(
        client.post(match_url("hand_correct", match, 1), {**ENTRY, "base": "1"})
    )
    assert "Someone else changed this hand too" in page
    assert "The totals stay the same." not in page
