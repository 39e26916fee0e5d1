"""Confirm a friendly match on your own or a shared phone, and withdraw the confirmation."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.confirmations import confirmations_by_seat
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match, get_or_import_match
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
    """A finished match of Ann, Bo and Cy."""

    def __init__(self, match: Match) -> None:
        self.match, self.url = match, match.get_absolute_url()

    def sheet(self, phone: Client) -> str:
        return phone.get(self.url).content.decode()

    def post(self, phone: Client, verb: str, **fields: object) -> str:
        """Post a form; return the sheet."""
        data = {"key": str(uuid4()), **fields}
        return phone.post(f"{self.url}{verb}/", data, follow=True).content.decode()

    def sit(self, phone: Client, name: str) -> str:
        return self.post(phone, "sit", name=name)

    def token(self, phone: Client) -> str:
        token: str = phone.get(f"{self.url}held.json").json()["token"]
        return token

    def confirmation(self, seat: int) -> dict[str, Any]:
        return {"seat": seat, "words": load_sheet(self.match).checksum_words_line}

    def withdrawal(self, seat: int) -> dict[str, Any]:
        """Return the body that withdraws the current confirmation of a seat."""
        log, words = (
            list(self.match.log.in_order()),
            load_sheet(self.match).checksum_words_line,
        )
        current = confirmations_by_seat(log, words)[seat]
        return {"seat": seat, "confirmation": str(current.entry.key)}

    def send(
        self, kind: str, body: dict[str, Any], **entry_fields: Any
    ) -> tuple[int, str]:
        """Send an entry as a phone does; return the status and the fault messages."""
        token = entry_fields.pop("token", None)
        payload = entry(kind, number=None, body=body, **entry_fields)
        status, answer = deliver(self.match.address, payload, token)
        return status, " ".join(fault["message"] for fault in answer["faults"])

    def confirm(self, seat: int, **entry_fields: Any) -> int:
        return self.send("confirm", self.confirmation(seat), **entry_fields)[0]

    def withdraw(self, body: dict[str, Any], **entry_fields: Any) -> int:
        return self.send("withdraw", body, **entry_fields)[0]

    @property
    def sources(self) -> list[str]:
        seats = self.match.seats.order_by("index")
        return list(seats.values_list("confirmed_by", flat=True))


@pytest.fixture
def table() -> Table:
    return Table(entered_match([{"points": [9, 5, 3]}] * 3, "tricky_bid"))


def test_claimed_seat_is_confirmed_only_from_its_own_phone(table: Table) -> None:
    own_phone, other_phone = Client(), Client()
    table.sit(own_phone, "Bo")
    sheet = table.sheet(other_phone)
    assert "Looks right to Bo" not in sheet
    assert "Bo confirms on their own phone." in sheet
    assert "Looks right to Ann" in sheet
    body = table.confirmation(BO)
    refusal = "Bo needs to confirm on their own phone."
    assert refusal in table.post(other_phone, "confirm", body=json.dumps(body))
    assert table.send("confirm", body) == (422, refusal)
    assert table.send("confirm", {**body, "by": "own"})[0] == 422
    assert table.sources == ["", "", ""]


@pytest.mark.parametrize("is_sent_as_entry", [True, False])
def test_phone_of_a_seat_can_confirm(table: Table, *, is_sent_as_entry: bool) -> None:
    own_phone = Client()
    table.sit(own_phone, "Bo")
    if is_sent_as_entry:
        assert table.confirm(BO, token=table.token(own_phone)) == 200
    else:
        table.post(own_phone, "confirm", body=json.dumps(table.confirmation(BO)))
    assert table.sources == ["", "own", ""]
    assert table.match.log.get(kind=LogEntry.Kind.CONFIRM).made_by == "Bo"
    assert "on their own phone" in table.sheet(Client())


def test_leaving_a_seat_revokes_its_token(table: Table) -> None:
    own_phone, other_phone = Client(), Client()
    table.sit(own_phone, "Bo")
    token = table.token(own_phone)
    table.sit(own_phone, "")
    table.sit(other_phone, "Bo")
    assert table.confirm(BO, token=token) == 422
    assert table.confirm(BO, token=table.token(other_phone)) == 200


def test_claimed_seat_cannot_be_claimed_on_another_phone(table: Table) -> None:
    own_phone, other_phone = Client(), Client()
    table.sit(own_phone, "Bo")
    refusal_page = table.sit(other_phone, "Bo")
    assert "Bo has this seat on another phone" in refusal_page
    assert "This phone belongs to Bo" not in refusal_page
    assert "This phone belongs to Bo" in table.sit(own_phone, "Bo")
    table.sit(own_phone, "Cy")
    assert "This phone belongs to Bo" in table.sit(other_phone, "Bo")


def test_substitute_does_not_inherit_the_seats_phone(table: Table) -> None:
    own_phone = Client()
    table.sit(own_phone, "Bo")
    token = table.token(own_phone)
    change = {"seat": BO, "name": "Zoe", "reason": "other", "from_hand": 2}
    table.post(Client(), "seats", **change)
    assert table.confirm(BO, token=token) == 200
    assert table.sources == ["", "table", ""]


def test_only_the_confirming_screen_offers_to_withdraw(table: Table) -> None:
    shared_phone = Client()
    table.sheet(shared_phone)
    table.post(shared_phone, "confirm", body=json.dumps(table.confirmation(CY)))
    assert table.sources == ["", "", "table"]
    shared_sheet, other_sheet = table.sheet(shared_phone), table.sheet(Client())
    assert "confirmed on this phone for Cy" in shared_sheet
    assert "confirmed on another phone" not in shared_sheet
    assert "confirmed on another phone" in other_sheet
    assert "Withdraw" in shared_sheet
    withdrawal, other_phone = json.dumps(table.withdrawal(CY)), Client()
    table.sheet(other_phone)
    assert "can withdraw this" in table.post(other_phone, "withdraw", body=withdrawal)
    assert table.sources == ["", "", "table"]
    assert "Looks right to Cy" in table.post(shared_phone, "withdraw", body=withdrawal)
    assert table.sources == ["", "", ""]


def test_only_the_confirming_phone_can_withdraw(table: Table) -> None:
    table.confirm(CY, phone=ONE_PHONE)
    withdrawal = table.withdrawal(CY)
    assert table.send("withdraw", withdrawal, phone=OTHER_PHONE) == (
        422,
        "Only Cy’s own phone or the phone that confirmed can withdraw this confirmation.",
    )
    assert table.withdraw(withdrawal) == 422
    assert table.sources == ["", "", "table"]
    assert table.withdraw(withdrawal, phone=ONE_PHONE) == 200
    assert table.sources == ["", "", ""]
    assert "Looks right to Cy" in table.sheet(Client())


def test_only_the_seats_new_phone_can_withdraw_its_confirmation(table: Table) -> None:
    table.confirm(BO, phone=ONE_PHONE)
    own_phone = Client()
    assert "Withdraw" in table.sit(own_phone, "Bo")
    token = table.token(own_phone)
    assert table.withdraw(table.withdrawal(BO), token=token) == 200
    assert table.sources == ["", "", ""]
    assert table.confirm(BO, phone=ONE_PHONE) == 422
    table.confirm(BO, token=token, phone=ONE_PHONE)
    withdrawal = table.withdrawal(BO)
    assert table.withdraw(withdrawal, phone=ONE_PHONE) == 422
    assert table.withdraw(withdrawal, token=token) == 200


def test_own_confirmation_replaces_that_of_another_phone(table: Table) -> None:
    own_phone = Client()
    table.sit(own_phone, "Bo")
    token = table.token(own_phone)
    table.sit(own_phone, "")
    table.confirm(BO, phone=ONE_PHONE)
    earlier_withdrawal = table.withdrawal(BO)
    table.sit(own_phone, "Bo")
    assert table.confirm(BO, token=token) == 200
    assert table.sources == ["", "own", ""]
    assert table.withdraw(earlier_withdrawal, phone=ONE_PHONE) == 200
    assert table.sources == ["", "own", ""]


def test_withdrawing_twice_is_harmless(table: Table) -> None:
    table.confirm(CY, phone=ONE_PHONE)
    withdrawal, key = table.withdrawal(CY), str(uuid4())
    for _again in range(2):
        assert table.withdraw(withdrawal, phone=ONE_PHONE, key=key) == 200
    assert table.match.log.filter(kind=LogEntry.Kind.WITHDRAW).count() == 1
    table.confirm(CY, phone=OTHER_PHONE)
    assert table.withdraw(withdrawal, phone=ONE_PHONE) == 200
    assert table.sources == ["", "", "table"]


def test_correction_invalidates_confirmations(table: Table) -> None:
    confirmation = table.confirmation(BO)
    for points, source in ([9, 5, 3], "table"), ([9, 5, 2], ""), ([9, 5, 3], ""):
        raw = {"points": points}
        correct_hand(match_id=table.match.pk, number=1, raw=raw, author=author())
        if source:
            table.send("confirm", confirmation)
        assert table.sources == ["", source, ""]
    assert table.confirmation(BO) == confirmation
    assert table.confirm(BO) == 200
    assert table.sources == ["", "table", ""]


def test_closed_match_keeps_its_confirmations_and_seats(table: Table) -> None:
    table.sit(Client(), "Bo")
    table.confirm(CY, phone=ONE_PHONE)
    withdrawal = table.withdrawal(CY)
    Match.objects.filter(pk=table.match.pk).update(closed=True)
    assert table.withdraw(withdrawal, phone=ONE_PHONE) == 410
    table.post(Client(), "free", seat=BO)
    assert table.match.seats.get(index=BO).holder != ""
    sheet = table.sheet(Client())
    assert "Withdraw" not in sheet
    assert "Free Bo’s seat" not in sheet


def test_confirmations_are_derived_from_the_log(table: Table) -> None:
    for seat in (ANN, BO, CY):
        table.confirm(seat, phone=ONE_PHONE)
    table.withdraw(table.withdrawal(BO), phone=ONE_PHONE)
    assert rebuild_match(match_id=table.match.pk, check_only=True) == []
    text = export_match(table.match).replace(str(table.match.key), str(uuid4()))
    imported_table = Table(get_or_import_match(text, now=NOW))
    assert imported_table.sources == ["table", "", "table"]


def test_scoring_phone_can_free_the_seat_of_a_dead_phone(table: Table) -> None:
    dead_phone, scoring_phone = Client(), Client()
    table.sit(dead_phone, "Bo")
    assert "Free Bo’s seat" in table.sheet(scoring_phone)
    assert "Bo’s seat is free" in table.post(scoring_phone, "free", seat=BO)
    assert "Free Bo’s seat" not in table.sheet(scoring_phone)
    for seat in (CY, BO):
        body = json.dumps(table.confirmation(seat))
        assert "Confirmed." in table.post(scoring_phone, "confirm", body=body)
    assert table.sources == ["", "table", "table"]
    names = table.match.seats.order_by("index").values_list("name", flat=True)
    assert list(names) == ["Ann", "Bo", "Cy"]


def test_phone_is_notified_that_its_seat_was_freed(table: Table) -> None:
    own_phone, scoring_phone = Client(), Client()
    table.sit(own_phone, "Bo")
    token, seen_version = table.token(own_phone), table.match.log.count()
    table.post(scoring_phone, "free", seat=BO)
    live_response = own_phone.get(f"{table.url}live/", {"v": str(seen_version)})
    for page in (live_response.content.decode(), table.sheet(own_phone)):
        assert "Bo’s seat was freed on another phone." in page
    assert "This phone belongs to Bo" not in table.sheet(own_phone)
    assert "was freed" not in table.sheet(scoring_phone)
    reclaimed_sheet = table.sit(own_phone, "Bo")
    assert "This phone belongs to Bo" in reclaimed_sheet
    assert "was freed" not in reclaimed_sheet
    assert table.confirm(BO, token=token) == 200


@pytest.mark.parametrize("is_moved", [True, False])
def test_confirmation_stays_once_no_phone_has_its_seat(
    table: Table, *, is_moved: bool
) -> None:
    own_phone, other_phone = Client(), Client()
    table.sit(own_phone, "Bo")
    table.post(own_phone, "confirm", body=json.dumps(table.confirmation(BO)))
    token = table.token(own_phone)
    if is_moved:
        text = export_match(table.match)
        assert table.match.seats.get(index=BO).holder not in text
        text = text.replace(str(table.match.key), str(uuid4()))
        table = Table(get_or_import_match(text, now=NOW))
        assert not table.match.seats.exclude(holder="").exists()
    else:
        table.post(other_phone, "free", seat=BO)
    assert table.sources == ["", "own", ""]
    sheet = table.sheet(other_phone)
    assert "on their own phone" in sheet
    assert "No phone is using Bo’s seat now." in sheet
    withdrawal = table.withdrawal(BO)
    assert table.withdraw(withdrawal, phone=ONE_PHONE) == 422
    if is_moved:
        assert table.withdraw(withdrawal, token=token) != 200
    assert "This phone belongs to Bo" in table.sit(other_phone, "Bo")
    assert "No phone is using" not in table.sheet(other_phone)
