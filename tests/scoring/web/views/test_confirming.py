"""Confirming at a friendly match: on one's own phone, on a shared one, and taking that back."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.confirmations import confirmations_by_seat
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
def finished_match() -> Match:
    """Return a match of Ann, Bo and Cy that is over."""
    return entered_match([{"points": [9, 5, 3]}] * 3, "tricky_bid")


def take_seat(phone: Client, match: Match, name: str) -> str:
    """Let a phone take a seat, and return the sheet that it is led to."""
    at = f"{match.get_absolute_url()}sit/"
    return phone.post(at, {"name": name}, follow=True).content.decode()


def sheet(phone: Client, match: Match) -> str:
    return phone.get(match.get_absolute_url()).content.decode()


def confirmation_body(match: Match, seat: int) -> dict[str, Any]:
    return {"seat": seat, "words": load_sheet(match).result_words}


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


def seat_token(phone: Client, match: Match) -> str:
    token: str = phone.get(f"{match.get_absolute_url()}held.json").json()["token"]
    return token


def confirmation_sources(match: Match) -> list[str]:
    return list(match.seats.order_by("index").values_list("confirmed_by", flat=True))


def withdrawal(match: Match, seat: int) -> dict[str, Any]:
    """Return what is said to take back the confirmation that counts for a seat."""
    log = list(match.log.in_order())
    counts = confirmations_by_seat(log, load_sheet(match).result_words)[seat]
    return {"seat": seat, "confirmation": str(counts.entry.key)}


def test_claimed_seat_is_confirmed_only_from_its_own_phone(
    finished_match: Match,
) -> None:
    own, other = Client(), Client()
    take_seat(own, finished_match, "Bo")
    shown = sheet(other, finished_match)
    assert "Looks right to Bo" not in shown
    assert "Bo confirms on their own phone." in shown
    assert "Looks right to Ann" in shown
    assert "Bo needs to confirm on their own phone." in post(
        other, finished_match, confirmation_body(finished_match, BO)
    )
    status, fault = send(finished_match, confirmation_body(finished_match, BO))
    assert (status, fault) == (422, "Bo needs to confirm on their own phone.")
    assert (
        send(finished_match, {**confirmation_body(finished_match, BO), "by": "own"})[0]
        == 422
    )
    assert confirmation_sources(finished_match) == ["", "", ""]


@pytest.mark.parametrize("sends", [True, False])
def test_phone_of_a_seat_can_confirm(finished_match: Match, *, sends: bool) -> None:
    own = Client()
    take_seat(own, finished_match, "Bo")
    if sends:
        assert (
            send(
                finished_match,
                confirmation_body(finished_match, BO),
                token=seat_token(own, finished_match),
            )[0]
            == 200
        )
    else:
        post(own, finished_match, confirmation_body(finished_match, BO))
    assert confirmation_sources(finished_match) == ["", "own", ""]
    assert finished_match.log.get(kind=LogEntry.Kind.CONFIRM).made_by == "Bo"
    assert "on their own phone" in sheet(Client(), finished_match)


def test_leaving_a_seat_revokes_its_token(finished_match: Match) -> None:
    own, other = Client(), Client()
    take_seat(own, finished_match, "Bo")
    token = seat_token(own, finished_match)
    take_seat(own, finished_match, "")
    take_seat(other, finished_match, "Bo")
    assert (
        send(finished_match, confirmation_body(finished_match, BO), token=token)[0]
        == 422
    )
    assert (
        send(
            finished_match,
            confirmation_body(finished_match, BO),
            token=seat_token(other, finished_match),
        )[0]
        == 200
    )


def test_claimed_seat_cannot_be_claimed_on_another_phone(finished_match: Match) -> None:
    own, other = Client(), Client()
    take_seat(own, finished_match, "Bo")
    refused = take_seat(other, finished_match, "Bo")
    assert "Bo has this seat on another phone" in refused
    assert "This phone belongs to Bo" not in refused
    assert "This phone belongs to Bo" in take_seat(own, finished_match, "Bo")
    take_seat(own, finished_match, "Cy")
    assert "This phone belongs to Bo" in take_seat(other, finished_match, "Bo")


def test_substitute_does_not_inherit_the_seats_phone(finished_match: Match) -> None:
    own = Client()
    take_seat(own, finished_match, "Bo")
    token = seat_token(own, finished_match)
    change = {"seat": BO, "name": "Zoe", "reason": "other", "from_hand": 2}
    change["key"] = str(uuid4())
    Client().post(f"{finished_match.get_absolute_url()}seats/", change)
    assert (
        send(finished_match, confirmation_body(finished_match, BO), token=token)[0]
        == 200
    )
    assert confirmation_sources(finished_match) == ["", "table", ""]


def test_only_the_confirming_screen_offers_to_withdraw(finished_match: Match) -> None:
    shared = shared_phone(finished_match)
    post(shared, finished_match, confirmation_body(finished_match, CY))
    assert confirmation_sources(finished_match) == ["", "", "table"]
    here, elsewhere = sheet(shared, finished_match), sheet(Client(), finished_match)
    assert "confirmed on this phone for Cy" in here
    assert "confirmed on another phone" not in here
    assert "confirmed on another phone" in elsewhere
    assert "Withdraw" in here
    back = withdrawal(finished_match, CY)
    assert "can withdraw this" in post(
        shared_phone(finished_match), finished_match, back, "withdraw"
    )
    assert confirmation_sources(finished_match) == ["", "", "table"]
    assert "Looks right to Cy" in post(shared, finished_match, back, "withdraw")
    assert confirmation_sources(finished_match) == ["", "", ""]


def test_only_the_confirming_phone_can_withdraw(finished_match: Match) -> None:
    send(finished_match, confirmation_body(finished_match, CY), phone=ONE_PHONE)
    back = withdrawal(finished_match, CY)
    status, fault = send(finished_match, back, "withdraw", phone=OTHER_PHONE)
    assert status == 422
    assert fault == (
        "Only Cy’s own phone or the phone that confirmed can withdraw this confirmation."
    )
    assert send(finished_match, back, "withdraw")[0] == 422
    assert confirmation_sources(finished_match) == ["", "", "table"]
    assert send(finished_match, back, "withdraw", phone=ONE_PHONE)[0] == 200
    assert confirmation_sources(finished_match) == ["", "", ""]
    assert "Looks right to Cy" in sheet(Client(), finished_match)


def test_only_the_seats_new_phone_can_withdraw_its_confirmation(
    finished_match: Match,
) -> None:
    send(finished_match, confirmation_body(finished_match, BO), phone=ONE_PHONE)
    own = Client()
    assert "Withdraw" in take_seat(own, finished_match, "Bo")
    token = seat_token(own, finished_match)
    assert (
        send(finished_match, withdrawal(finished_match, BO), "withdraw", token=token)[0]
        == 200
    )
    assert confirmation_sources(finished_match) == ["", "", ""]
    assert (
        send(finished_match, confirmation_body(finished_match, BO), phone=ONE_PHONE)[0]
        == 422
    )
    send(
        finished_match,
        confirmation_body(finished_match, BO),
        token=token,
        phone=ONE_PHONE,
    )
    back = withdrawal(finished_match, BO)
    assert send(finished_match, back, "withdraw", phone=ONE_PHONE)[0] == 422
    assert send(finished_match, back, "withdraw", token=token)[0] == 200


def test_own_confirmation_replaces_that_of_another_phone(finished_match: Match) -> None:
    own = Client()
    token = take_seat(own, finished_match, "Bo") and seat_token(own, finished_match)
    take_seat(own, finished_match, "")
    send(finished_match, confirmation_body(finished_match, BO), phone=ONE_PHONE)
    earlier = withdrawal(finished_match, BO)
    take_seat(own, finished_match, "Bo")
    assert (
        send(finished_match, confirmation_body(finished_match, BO), token=token)[0]
        == 200
    )
    assert confirmation_sources(finished_match) == ["", "own", ""]
    assert send(finished_match, earlier, "withdraw", phone=ONE_PHONE)[0] == 200
    assert confirmation_sources(finished_match) == ["", "own", ""]


def test_withdrawing_twice_is_harmless(finished_match: Match) -> None:
    send(finished_match, confirmation_body(finished_match, CY), phone=ONE_PHONE)
    back, key = withdrawal(finished_match, CY), str(uuid4())
    for _again in range(2):
        assert (
            send(finished_match, back, "withdraw", phone=ONE_PHONE, key=key)[0] == 200
        )
    assert finished_match.log.filter(kind=LogEntry.Kind.WITHDRAW).count() == 1
    send(finished_match, confirmation_body(finished_match, CY), phone=OTHER_PHONE)
    assert send(finished_match, back, "withdraw", phone=ONE_PHONE)[0] == 200
    assert confirmation_sources(finished_match) == ["", "", "table"]


@pytest.mark.parametrize(
    "body", [{}, {"seat": 7, "confirmation": ""}, {"seat": True, "confirmation": ""}]
)
def test_withdrawal_without_a_seat_changes_nothing(
    finished_match: Match, body: Any
) -> None:
    assert send(finished_match, body, "withdraw", phone=ONE_PHONE)[0] == 422


def test_correction_invalidates_confirmations(finished_match: Match) -> None:
    confirmed = confirmation_body(finished_match, BO)
    for points, counts in ([9, 5, 3], "table"), ([9, 5, 2], ""), ([9, 5, 3], ""):
        correct_hand(
            match_id=finished_match.pk,
            number=1,
            raw={"points": points},
            author=author(),
        )
        if counts:
            send(finished_match, confirmed)
        assert confirmation_sources(finished_match) == ["", counts, ""]
    assert load_sheet(finished_match).result_words == confirmed["words"]
    assert send(finished_match, confirmation_body(finished_match, BO))[0] == 200
    assert confirmation_sources(finished_match) == ["", "table", ""]


def test_confirmation_of_a_closed_match_cannot_be_withdrawn(
    finished_match: Match,
) -> None:
    send(finished_match, confirmation_body(finished_match, CY), phone=ONE_PHONE)
    back = withdrawal(finished_match, CY)
    Match.objects.filter(pk=finished_match.pk).update(closed=True)
    assert send(finished_match, back, "withdraw", phone=ONE_PHONE)[0] == 410
    assert "Withdraw" not in sheet(Client(), finished_match)


def test_confirmations_are_derived_from_the_log(finished_match: Match) -> None:
    for seat in (ANN, BO, CY):
        send(finished_match, confirmation_body(finished_match, seat), phone=ONE_PHONE)
    send(finished_match, withdrawal(finished_match, BO), "withdraw", phone=ONE_PHONE)
    assert rebuild_match(match_id=finished_match.pk, check=True) == []
    text = export_match(finished_match).replace(str(finished_match.key), str(uuid4()))
    assert confirmation_sources(import_record(text, now=NOW)) == ["table", "", "table"]


def free(phone: Client, match: Match, seat: int) -> str:
    """Let a phone free a seat, and return the sheet that it is led to."""
    at = f"{match.get_absolute_url()}free/"
    return phone.post(
        at, {"seat": seat, "key": str(uuid4())}, follow=True
    ).content.decode()


def test_scoring_phone_can_free_the_seat_of_a_dead_phone(finished_match: Match) -> None:
    dead, writing = Client(), Client()
    take_seat(dead, finished_match, "Bo")
    assert "Free Bo’s seat" in sheet(writing, finished_match)
    assert "Bo’s seat is free" in free(writing, finished_match, BO)
    assert "Free Bo’s seat" not in sheet(writing, finished_match)
    assert "Looks right to Bo" in post(
        writing, finished_match, confirmation_body(finished_match, CY)
    )
    post(writing, finished_match, confirmation_body(finished_match, BO))
    assert confirmation_sources(finished_match) == ["", "table", "table"]
    assert list(
        finished_match.seats.order_by("index").values_list("name", flat=True)
    ) == [
        "Ann",
        "Bo",
        "Cy",
    ]


def test_phone_is_notified_that_its_seat_was_freed(finished_match: Match) -> None:
    own, writing = Client(), Client()
    take_seat(own, finished_match, "Bo")
    token, seen = seat_token(own, finished_match), finished_match.log.count()
    free(writing, finished_match, BO)
    live = own.get(f"{finished_match.get_absolute_url()}live/", {"v": str(seen)})
    for shown in (live.content.decode(), sheet(own, finished_match)):
        assert "Bo’s seat was freed on another phone." in shown
    assert "This phone belongs to Bo" not in sheet(own, finished_match)
    assert "was freed" not in sheet(writing, finished_match)
    again = take_seat(own, finished_match, "Bo")
    assert "This phone belongs to Bo" in again
    assert "was freed" not in again
    assert (
        send(finished_match, confirmation_body(finished_match, BO), token=token)[0]
        == 200
    )


def test_confirmation_survives_the_freeing_of_its_seat(finished_match: Match) -> None:
    own, writing = Client(), Client()
    take_seat(own, finished_match, "Bo")
    post(own, finished_match, confirmation_body(finished_match, BO))
    shown = free(writing, finished_match, BO)
    assert confirmation_sources(finished_match) == ["", "own", ""]
    assert "on their own phone" in shown
    assert "No phone is using Bo’s seat now." in shown
    assert (
        send(
            finished_match, withdrawal(finished_match, BO), "withdraw", phone=ONE_PHONE
        )[0]
        == 422
    )
    take_seat(writing, finished_match, "Bo")
    assert "No phone has" not in sheet(writing, finished_match)


def test_seats_of_a_moved_match_can_be_claimed_again(finished_match: Match) -> None:
    own = Client()
    take_seat(own, finished_match, "Bo")
    post(own, finished_match, confirmation_body(finished_match, BO))
    token = seat_token(own, finished_match)
    text = export_match(finished_match)
    assert finished_match.seats.get(index=BO).holder not in text
    moved = import_record(text.replace(str(finished_match.key), str(uuid4())), now=NOW)
    assert not moved.seats.exclude(holder="").exists()
    assert confirmation_sources(moved) == ["", "own", ""]
    phone = Client()
    shown = sheet(phone, moved)
    assert "on their own phone" in shown
    assert "No phone is using Bo’s seat now." in shown
    assert send(moved, withdrawal(moved, BO), "withdraw", token=token)[0] != 200
    assert "This phone belongs to Bo" in take_seat(phone, moved, "Bo")
    assert "No phone has" not in sheet(phone, moved)


def test_seats_of_a_closed_match_cannot_be_freed(finished_match: Match) -> None:
    take_seat(Client(), finished_match, "Bo")
    Match.objects.filter(pk=finished_match.pk).update(closed=True)
    free(Client(), finished_match, BO)
    assert finished_match.seats.get(index=BO).holder != ""
    assert "Free Bo’s seat" not in sheet(Client(), finished_match)
