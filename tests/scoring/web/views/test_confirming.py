"""Confirming at a friendly match: on one's own phone, on a shared one, and taking that back."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.confirmations import confirmed_seats
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match, import_record
from scoring.models import LogEntry, Match
from scoring.pages.sheet import load_sheet
from tests.factories import author, entered_match
from tests.factories.commands import correct_hand
from tests.factories.matches import NOW
from tests.factories.phones import deliver, entry

pytestmark = pytest.mark.django_db

ANN, BO, CY = 0, 1, 2
ONE_PHONE, OTHER_PHONE = "1" * 32, "2" * 32


@pytest.fixture
def over() -> Match:
    """Return a match of Ann, Bo and Cy that is over."""
    return entered_match([{"points": [9, 5, 3]}] * 3, "tricky_bid")


def sit(phone: Client, match: Match, name: str) -> str:
    """Let a phone take a seat, and return the sheet that it is led to."""
    at = f"{match.get_absolute_url()}sit/"
    return phone.post(at, {"name": name}, follow=True).content.decode()


def sheet(phone: Client, match: Match) -> str:
    return phone.get(match.get_absolute_url()).content.decode()


def said(match: Match, seat: int) -> dict[str, Any]:
    return {"seat": seat, "words": load_sheet(match).words}


def shared_phone(match: Match) -> Client:
    """Return a phone that has the sheet open, and is nobody's."""
    phone = Client()
    sheet(phone, match)
    return phone


def post(
    phone: Client, match: Match, body: dict[str, Any], verb: str = "confirm"
) -> str:
    """Return the sheet after a form was posted."""
    posted = {"key": str(uuid4()), "body": json.dumps(body)}
    at = f"{match.get_absolute_url()}{verb}/"
    return phone.post(at, posted, follow=True).content.decode()


def send(
    match: Match, body: dict[str, Any], kind: str = "confirm", **told: Any
) -> tuple[int, str]:
    """Return the status and the fault of what a phone kept and sends."""
    token = told.pop("token", None)
    sent = entry(kind, number=None, body=body, **told)
    status, answer = deliver(match.address, sent, token)
    return status, " ".join(fault["message"] for fault in answer["faults"])


def token_of(phone: Client, match: Match) -> str:
    token: str = phone.get(f"{match.get_absolute_url()}held.json").json()["token"]
    return token


def ways(match: Match) -> list[str]:
    return list(match.seats.order_by("index").values_list("confirmed_by", flat=True))


def withdrawal(match: Match, seat: int) -> dict[str, Any]:
    """Return what is said to take back the confirmation that counts for a seat."""
    log = list(match.log.in_order())
    counts = confirmed_seats(log, load_sheet(match).words)[seat]
    return {"seat": seat, "confirmation": str(counts.entry.key)}


def test_claimed_seat_is_confirmed_only_from_its_own_phone(over: Match) -> None:
    own, other = Client(), Client()
    sit(own, over, "Bo")
    shown = sheet(other, over)
    assert "Bo: looks right" not in shown
    assert "Bo confirms on their own phone." in shown
    assert "Ann: looks right" in shown
    assert "Bo confirms on their own phone." in post(other, over, said(over, BO))
    status, fault = send(over, said(over, BO))
    assert (status, fault) == (422, "Bo confirms on their own phone.")
    assert send(over, {**said(over, BO), "by": "own"})[0] == 422
    assert ways(over) == ["", "", ""]


@pytest.mark.parametrize("sends", [True, False])
def test_phone_of_a_seat_can_confirm(over: Match, *, sends: bool) -> None:
    own = Client()
    sit(own, over, "Bo")
    if sends:
        assert send(over, said(over, BO), token=token_of(own, over))[0] == 200
    else:
        post(own, over, said(over, BO))
    assert ways(over) == ["", "own", ""]
    assert over.log.get(kind=LogEntry.Kind.CONFIRM).made_by == "Bo"
    assert "on their own phone" in sheet(Client(), over)


def test_leaving_a_seat_revokes_its_token(over: Match) -> None:
    own, other = Client(), Client()
    sit(own, over, "Bo")
    token = token_of(own, over)
    sit(own, over, "")
    sit(other, over, "Bo")
    assert send(over, said(over, BO), token=token)[0] == 422
    assert send(over, said(over, BO), token=token_of(other, over))[0] == 200


def test_claimed_seat_cannot_be_claimed_on_another_phone(over: Match) -> None:
    own, other = Client(), Client()
    sit(own, over, "Bo")
    refused = sit(other, over, "Bo")
    assert "Bo has this seat on another phone" in refused
    assert "This phone belongs to Bo" not in refused
    assert "This phone belongs to Bo" in sit(own, over, "Bo")
    sit(own, over, "Cy")
    assert "This phone belongs to Bo" in sit(other, over, "Bo")


def test_substitute_does_not_inherit_the_seats_phone(over: Match) -> None:
    own = Client()
    sit(own, over, "Bo")
    token = token_of(own, over)
    change = {"seat": BO, "name": "Zoe", "reason": "other", "from_hand": 2}
    change["key"] = str(uuid4())
    Client().post(f"{over.get_absolute_url()}seats/", change)
    assert send(over, said(over, BO), token=token)[0] == 200
    assert ways(over) == ["", "table", ""]


def test_only_the_confirming_screen_offers_to_withdraw(over: Match) -> None:
    shared = shared_phone(over)
    post(shared, over, said(over, CY))
    assert ways(over) == ["", "", "table"]
    here, elsewhere = sheet(shared, over), sheet(Client(), over)
    assert "confirmed on this phone for Cy" in here
    assert "confirmed on another phone" not in here
    assert "confirmed on another phone" in elsewhere
    assert "Withdraw" in here
    back = withdrawal(over, CY)
    assert "can withdraw this" in post(shared_phone(over), over, back, "withdraw")
    assert ways(over) == ["", "", "table"]
    assert "Cy: looks right" in post(shared, over, back, "withdraw")
    assert ways(over) == ["", "", ""]


def test_only_the_confirming_phone_can_withdraw(over: Match) -> None:
    send(over, said(over, CY), phone=ONE_PHONE)
    back = withdrawal(over, CY)
    status, fault = send(over, back, "withdraw", phone=OTHER_PHONE)
    assert status == 422
    assert fault == "Only Cy’s own phone or the phone that confirmed can withdraw this."
    assert send(over, back, "withdraw")[0] == 422
    assert ways(over) == ["", "", "table"]
    assert send(over, back, "withdraw", phone=ONE_PHONE)[0] == 200
    assert ways(over) == ["", "", ""]
    assert "Cy: looks right" in sheet(Client(), over)


def test_only_the_seats_new_phone_can_withdraw_its_confirmation(
    over: Match,
) -> None:
    send(over, said(over, BO), phone=ONE_PHONE)
    own = Client()
    assert "Withdraw" in sit(own, over, "Bo")
    token = token_of(own, over)
    assert send(over, withdrawal(over, BO), "withdraw", token=token)[0] == 200
    assert ways(over) == ["", "", ""]
    assert send(over, said(over, BO), phone=ONE_PHONE)[0] == 422
    send(over, said(over, BO), token=token, phone=ONE_PHONE)
    back = withdrawal(over, BO)
    assert send(over, back, "withdraw", phone=ONE_PHONE)[0] == 422
    assert send(over, back, "withdraw", token=token)[0] == 200


def test_own_confirmation_replaces_that_of_another_phone(over: Match) -> None:
    own = Client()
    token = sit(own, over, "Bo") and token_of(own, over)
    sit(own, over, "")
    send(over, said(over, BO), phone=ONE_PHONE)
    earlier = withdrawal(over, BO)
    sit(own, over, "Bo")
    assert send(over, said(over, BO), token=token)[0] == 200
    assert ways(over) == ["", "own", ""]
    assert send(over, earlier, "withdraw", phone=ONE_PHONE)[0] == 200
    assert ways(over) == ["", "own", ""]


def test_withdrawing_twice_is_harmless(over: Match) -> None:
    send(over, said(over, CY), phone=ONE_PHONE)
    back, key = withdrawal(over, CY), str(uuid4())
    for _again in range(2):
        assert send(over, back, "withdraw", phone=ONE_PHONE, key=key)[0] == 200
    assert over.log.filter(kind=LogEntry.Kind.WITHDRAW).count() == 1
    send(over, said(over, CY), phone=OTHER_PHONE)
    assert send(over, back, "withdraw", phone=ONE_PHONE)[0] == 200
    assert ways(over) == ["", "", "table"]


@pytest.mark.parametrize(
    "body", [{}, {"seat": 7, "confirmation": ""}, {"seat": True, "confirmation": ""}]
)
def test_withdrawal_without_a_seat_changes_nothing(over: Match, body: Any) -> None:
    assert send(over, body, "withdraw", phone=ONE_PHONE)[0] == 422


def test_correction_invalidates_confirmations(over: Match) -> None:
    confirmed = said(over, BO)
    for points, counts in ([9, 5, 3], "table"), ([9, 5, 2], ""), ([9, 5, 3], ""):
        correct_hand(
            match_id=over.pk, number=1, raw={"points": points}, author=author()
        )
        if counts:
            send(over, confirmed)
        assert ways(over) == ["", counts, ""]
    assert load_sheet(over).words == confirmed["words"]
    assert send(over, said(over, BO))[0] == 200
    assert ways(over) == ["", "table", ""]


def test_confirmation_of_a_closed_match_cannot_be_withdrawn(over: Match) -> None:
    send(over, said(over, CY), phone=ONE_PHONE)
    back = withdrawal(over, CY)
    Match.objects.filter(pk=over.pk).update(closed=True)
    assert send(over, back, "withdraw", phone=ONE_PHONE)[0] == 410
    assert "Withdraw" not in sheet(Client(), over)


def test_confirmations_are_derived_from_the_log(over: Match) -> None:
    for seat in (ANN, BO, CY):
        send(over, said(over, seat), phone=ONE_PHONE)
    send(over, withdrawal(over, BO), "withdraw", phone=ONE_PHONE)
    assert rebuild_match(match_id=over.pk, check=True) == []
    text = export_match(over).replace(str(over.key), str(uuid4()))
    assert ways(import_record(text, now=NOW)) == ["table", "", "table"]


def free(phone: Client, match: Match, seat: int) -> str:
    """Let a phone free a seat, and return the sheet that it is led to."""
    at = f"{match.get_absolute_url()}free/"
    return phone.post(
        at, {"seat": seat, "key": str(uuid4())}, follow=True
    ).content.decode()


def test_scoring_phone_can_free_the_seat_of_a_dead_phone(over: Match) -> None:
    dead, writing = Client(), Client()
    sit(dead, over, "Bo")
    assert "Free Bo’s seat" in sheet(writing, over)
    assert "Bo’s seat is free" in free(writing, over, BO)
    assert "Free Bo’s seat" not in sheet(writing, over)
    assert "Bo: looks right" in post(writing, over, said(over, CY))
    post(writing, over, said(over, BO))
    assert ways(over) == ["", "table", "table"]
    assert list(over.seats.order_by("index").values_list("name", flat=True)) == [
        "Ann",
        "Bo",
        "Cy",
    ]


def test_phone_is_notified_that_its_seat_was_freed(over: Match) -> None:
    own, writing = Client(), Client()
    sit(own, over, "Bo")
    token, seen = token_of(own, over), over.log.count()
    free(writing, over, BO)
    live = own.get(f"{over.get_absolute_url()}live/", {"v": str(seen)})
    for shown in (live.content.decode(), sheet(own, over)):
        assert "Bo’s seat was freed on another phone." in shown
    assert "This phone belongs to Bo" not in sheet(own, over)
    assert "was freed" not in sheet(writing, over)
    again = sit(own, over, "Bo")
    assert "This phone belongs to Bo" in again
    assert "was freed" not in again
    assert send(over, said(over, BO), token=token)[0] == 200


def test_confirmation_survives_the_freeing_of_its_seat(over: Match) -> None:
    own, writing = Client(), Client()
    sit(own, over, "Bo")
    post(own, over, said(over, BO))
    shown = free(writing, over, BO)
    assert ways(over) == ["", "own", ""]
    assert "on their own phone" in shown
    assert "No phone has Bo’s seat now." in shown
    assert send(over, withdrawal(over, BO), "withdraw", phone=ONE_PHONE)[0] == 422
    sit(writing, over, "Bo")
    assert "No phone has" not in sheet(writing, over)


def test_seats_of_a_moved_match_can_be_claimed_again(over: Match) -> None:
    own = Client()
    sit(own, over, "Bo")
    post(own, over, said(over, BO))
    token = token_of(own, over)
    text = export_match(over)
    assert over.seats.get(index=BO).holder not in text
    moved = import_record(text.replace(str(over.key), str(uuid4())), now=NOW)
    assert not moved.seats.exclude(holder="").exists()
    assert ways(moved) == ["", "own", ""]
    phone = Client()
    shown = sheet(phone, moved)
    assert "on their own phone" in shown
    assert "No phone has Bo’s seat now." in shown
    assert send(moved, withdrawal(moved, BO), "withdraw", token=token)[0] != 200
    assert "This phone belongs to Bo" in sit(phone, moved, "Bo")
    assert "No phone has" not in sheet(phone, moved)


def test_seats_of_a_closed_match_cannot_be_freed(over: Match) -> None:
    sit(Client(), over, "Bo")
    Match.objects.filter(pk=over.pk).update(closed=True)
    free(Client(), over, BO)
    assert over.seats.get(index=BO).holder != ""
    assert "Free Bo’s seat" not in sheet(Client(), over)
