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


class Table:
    """Ann, Bo and Cy at a match that is over."""

    def __init__(self, match: Match) -> None:
        self.match, self.url = match, match.get_absolute_url()

    def sheet(self, phone: Client) -> str:
        return phone.get(self.url).content.decode()

    def post(self, phone: Client, verb: str, **fields: object) -> str:
        """Return the sheet after a form was posted."""
        sent = {"key": str(uuid4()), **fields}
        return phone.post(f"{self.url}{verb}/", sent, follow=True).content.decode()

    def sit(self, phone: Client, name: str) -> str:
        return self.post(phone, "sit", name=name)

    def token(self, phone: Client) -> str:
        token: str = phone.get(f"{self.url}held.json").json()["token"]
        return token

    def confirmation(self, seat: int) -> dict[str, Any]:
        return {"seat": seat, "words": load_sheet(self.match).result_words}

    def withdrawal(self, seat: int) -> dict[str, Any]:
        """Return what is said to take back the confirmation that counts for a seat."""
        log, words = (
            list(self.match.log.in_order()),
            load_sheet(self.match).result_words,
        )
        counts = confirmations_by_seat(log, words)[seat]
        return {"seat": seat, "confirmation": str(counts.entry.key)}

    def send(self, kind: str, body: dict[str, Any], **told: Any) -> tuple[int, str]:
        """Return the status and the fault of what a phone kept and sends."""
        token = told.pop("token", None)
        sent = entry(kind, number=None, body=body, **told)
        status, answer = deliver(self.match.address, sent, token)
        return status, " ".join(fault["message"] for fault in answer["faults"])

    def confirm(self, seat: int, **told: Any) -> int:
        return self.send("confirm", self.confirmation(seat), **told)[0]

    def withdraw(self, body: dict[str, Any], **told: Any) -> int:
        return self.send("withdraw", body, **told)[0]

    @property
    def sources(self) -> list[str]:
        seats = self.match.seats.order_by("index")
        return list(seats.values_list("confirmed_by", flat=True))


@pytest.fixture
def table() -> Table:
    return Table(entered_match([{"points": [9, 5, 3]}] * 3, "tricky_bid"))


def test_claimed_seat_is_confirmed_only_from_its_own_phone(table: Table) -> None:
    own, other = Client(), Client()
    table.sit(own, "Bo")
    shown = table.sheet(other)
    assert "Looks right to Bo" not in shown
    assert "Bo confirms on their own phone." in shown
    assert "Looks right to Ann" in shown
    body = table.confirmation(BO)
    refused = "Bo needs to confirm on their own phone."
    assert refused in table.post(other, "confirm", body=json.dumps(body))
    assert table.send("confirm", body) == (422, refused)
    assert table.send("confirm", {**body, "by": "own"})[0] == 422
    assert table.sources == ["", "", ""]


@pytest.mark.parametrize("sends", [True, False])
def test_phone_of_a_seat_can_confirm(table: Table, *, sends: bool) -> None:
    own = Client()
    table.sit(own, "Bo")
    if sends:
        assert table.confirm(BO, token=table.token(own)) == 200
    else:
        table.post(own, "confirm", body=json.dumps(table.confirmation(BO)))
    assert table.sources == ["", "own", ""]
    assert table.match.log.get(kind=LogEntry.Kind.CONFIRM).made_by == "Bo"
    assert "on their own phone" in table.sheet(Client())


def test_leaving_a_seat_revokes_its_token(table: Table) -> None:
    own, other = Client(), Client()
    table.sit(own, "Bo")
    token = table.token(own)
    table.sit(own, "")
    table.sit(other, "Bo")
    assert table.confirm(BO, token=token) == 422
    assert table.confirm(BO, token=table.token(other)) == 200


def test_claimed_seat_cannot_be_claimed_on_another_phone(table: Table) -> None:
    own, other = Client(), Client()
    table.sit(own, "Bo")
    refused = table.sit(other, "Bo")
    assert "Bo has this seat on another phone" in refused
    assert "This phone belongs to Bo" not in refused
    assert "This phone belongs to Bo" in table.sit(own, "Bo")
    table.sit(own, "Cy")
    assert "This phone belongs to Bo" in table.sit(other, "Bo")


def test_substitute_does_not_inherit_the_seats_phone(table: Table) -> None:
    own = Client()
    table.sit(own, "Bo")
    token = table.token(own)
    change = {"seat": BO, "name": "Zoe", "reason": "other", "from_hand": 2}
    table.post(Client(), "seats", **change)
    assert table.confirm(BO, token=token) == 200
    assert table.sources == ["", "table", ""]


def test_only_the_confirming_screen_offers_to_withdraw(table: Table) -> None:
    shared = Client()
    table.sheet(shared)
    table.post(shared, "confirm", body=json.dumps(table.confirmation(CY)))
    assert table.sources == ["", "", "table"]
    here, elsewhere = table.sheet(shared), table.sheet(Client())
    assert "confirmed on this phone for Cy" in here
    assert "confirmed on another phone" not in here
    assert "confirmed on another phone" in elsewhere
    assert "Withdraw" in here
    back, other = json.dumps(table.withdrawal(CY)), Client()
    table.sheet(other)
    assert "can withdraw this" in table.post(other, "withdraw", body=back)
    assert table.sources == ["", "", "table"]
    assert "Looks right to Cy" in table.post(shared, "withdraw", body=back)
    assert table.sources == ["", "", ""]


def test_only_the_confirming_phone_can_withdraw(table: Table) -> None:
    table.confirm(CY, phone=ONE_PHONE)
    back = table.withdrawal(CY)
    assert table.send("withdraw", back, phone=OTHER_PHONE) == (
        422,
        "Only Cy’s own phone or the phone that confirmed can withdraw this confirmation.",
    )
    assert table.withdraw(back) == 422
    assert table.sources == ["", "", "table"]
    assert table.withdraw(back, phone=ONE_PHONE) == 200
    assert table.sources == ["", "", ""]
    assert "Looks right to Cy" in table.sheet(Client())


def test_only_the_seats_new_phone_can_withdraw_its_confirmation(table: Table) -> None:
    table.confirm(BO, phone=ONE_PHONE)
    own = Client()
    assert "Withdraw" in table.sit(own, "Bo")
    token = table.token(own)
    assert table.withdraw(table.withdrawal(BO), token=token) == 200
    assert table.sources == ["", "", ""]
    assert table.confirm(BO, phone=ONE_PHONE) == 422
    table.confirm(BO, token=token, phone=ONE_PHONE)
    back = table.withdrawal(BO)
    assert table.withdraw(back, phone=ONE_PHONE) == 422
    assert table.withdraw(back, token=token) == 200


def test_own_confirmation_replaces_that_of_another_phone(table: Table) -> None:
    own = Client()
    table.sit(own, "Bo")
    token = table.token(own)
    table.sit(own, "")
    table.confirm(BO, phone=ONE_PHONE)
    earlier = table.withdrawal(BO)
    table.sit(own, "Bo")
    assert table.confirm(BO, token=token) == 200
    assert table.sources == ["", "own", ""]
    assert table.withdraw(earlier, phone=ONE_PHONE) == 200
    assert table.sources == ["", "own", ""]


def test_withdrawing_twice_is_harmless(table: Table) -> None:
    table.confirm(CY, phone=ONE_PHONE)
    back, key = table.withdrawal(CY), str(uuid4())
    for _again in range(2):
        assert table.withdraw(back, phone=ONE_PHONE, key=key) == 200
    assert table.match.log.filter(kind=LogEntry.Kind.WITHDRAW).count() == 1
    table.confirm(CY, phone=OTHER_PHONE)
    assert table.withdraw(back, phone=ONE_PHONE) == 200
    assert table.sources == ["", "", "table"]


def test_correction_invalidates_confirmations(table: Table) -> None:
    confirmed = table.confirmation(BO)
    for points, counts in ([9, 5, 3], "table"), ([9, 5, 2], ""), ([9, 5, 3], ""):
        raw = {"points": points}
        correct_hand(match_id=table.match.pk, number=1, raw=raw, author=author())
        if counts:
            table.send("confirm", confirmed)
        assert table.sources == ["", counts, ""]
    assert table.confirmation(BO) == confirmed
    assert table.confirm(BO) == 200
    assert table.sources == ["", "table", ""]


def test_closed_match_keeps_its_confirmations_and_seats(table: Table) -> None:
    table.sit(Client(), "Bo")
    table.confirm(CY, phone=ONE_PHONE)
    back = table.withdrawal(CY)
    Match.objects.filter(pk=table.match.pk).update(closed=True)
    assert table.withdraw(back, phone=ONE_PHONE) == 410
    table.post(Client(), "free", seat=BO)
    assert table.match.seats.get(index=BO).holder != ""
    shown = table.sheet(Client())
    assert "Withdraw" not in shown
    assert "Free Bo’s seat" not in shown


def test_confirmations_are_derived_from_the_log(table: Table) -> None:
    for seat in (ANN, BO, CY):
        table.confirm(seat, phone=ONE_PHONE)
    table.withdraw(table.withdrawal(BO), phone=ONE_PHONE)
    assert rebuild_match(match_id=table.match.pk, check=True) == []
    text = export_match(table.match).replace(str(table.match.key), str(uuid4()))
    again = Table(import_record(text, now=NOW))
    assert again.sources == ["table", "", "table"]


def test_scoring_phone_can_free_the_seat_of_a_dead_phone(table: Table) -> None:
    dead, writing = Client(), Client()
    table.sit(dead, "Bo")
    assert "Free Bo’s seat" in table.sheet(writing)
    assert "Bo’s seat is free" in table.post(writing, "free", seat=BO)
    assert "Free Bo’s seat" not in table.sheet(writing)
    for seat in (CY, BO):
        body = json.dumps(table.confirmation(seat))
        assert "Confirmed." in table.post(writing, "confirm", body=body)
    assert table.sources == ["", "table", "table"]
    names = table.match.seats.order_by("index").values_list("name", flat=True)
    assert list(names) == ["Ann", "Bo", "Cy"]


def test_phone_is_notified_that_its_seat_was_freed(table: Table) -> None:
    own, writing = Client(), Client()
    table.sit(own, "Bo")
    token, seen = table.token(own), table.match.log.count()
    table.post(writing, "free", seat=BO)
    live = own.get(f"{table.url}live/", {"v": str(seen)})
    for shown in (live.content.decode(), table.sheet(own)):
        assert "Bo’s seat was freed on another phone." in shown
    assert "This phone belongs to Bo" not in table.sheet(own)
    assert "was freed" not in table.sheet(writing)
    again = table.sit(own, "Bo")
    assert "This phone belongs to Bo" in again
    assert "was freed" not in again
    assert table.confirm(BO, token=token) == 200


@pytest.mark.parametrize("moves", [True, False])
def test_confirmation_stays_once_no_phone_has_its_seat(
    table: Table, *, moves: bool
) -> None:
    own, phone = Client(), Client()
    table.sit(own, "Bo")
    table.post(own, "confirm", body=json.dumps(table.confirmation(BO)))
    token = table.token(own)
    if moves:
        text = export_match(table.match)
        assert table.match.seats.get(index=BO).holder not in text
        text = text.replace(str(table.match.key), str(uuid4()))
        table = Table(import_record(text, now=NOW))
        assert not table.match.seats.exclude(holder="").exists()
    else:
        table.post(phone, "free", seat=BO)
    assert table.sources == ["", "own", ""]
    shown = table.sheet(phone)
    assert "on their own phone" in shown
    assert "No phone is using Bo’s seat now." in shown
    back = table.withdrawal(BO)
    assert table.withdraw(back, phone=ONE_PHONE) == 422
    if moves:
        assert table.withdraw(back, token=token) != 200
    assert "This phone belongs to Bo" in table.sit(phone, "Bo")
    assert "No phone is using" not in table.sheet(phone)
