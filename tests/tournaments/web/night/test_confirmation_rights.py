"""Confirmations come from a player's own phone, the table's phone or the director."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.matchlog.append import read_match
from scoring.matchlog.commands import MatchSnapshot
from scoring.models import LogEntry, Match
from scoring.models.matches import new_address
from scoring.pages import sheet as pages_sheet
from scoring.pages.sheet import load_sheet
from tests.factories.matches import NOW
from tests.factories.phones import deliver as deliver_entry
from tests.factories.phones import start
from tests.factories.tournaments import (
    UserFactory,
    director,
    enter_points,
    own_phone,
    play_round,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.night.test_scoring_rights import (
    card_of,
    deliver,
    match_of,
    phone_write_token,
)
from tests.tournaments.web.pages import at, submit, text
from tournaments.event import entries, rounds
from tournaments.event.desk.overview import read_desk
from tournaments.models import Entry, Role, Table

pytestmark = pytest.mark.django_db


def finished_table(
    writing: str = "card", quorum: str = "all", **settings: Any
) -> Table:
    """Return the only table of a round, with a finished match."""
    tournament = tournament_with(4, writing=writing, quorum=quorum, **settings)
    round_ = running_round(tournament)
    play_round(round_)
    return round_.tables.select_related("match").get()


def entry_at(table: Table, seat: int) -> Entry:
    return table.places.get(index=seat).entry


def name_at(table: Table, seat: int) -> str:
    return match_of(table).seats.get(index=seat).name


def scanned_phone(table: Table) -> Client:
    """Return a phone that has scanned the table's card."""
    phone = Client()
    phone.get(card_of(table))
    return phone


def confirmation(table: Table, seat: int, by: str | None = None) -> dict[str, Any]:
    body = {"seat": seat, "words": load_sheet(match_of(table)).checksum_words_line}
    return body if by is None else {**body, "by": by}


def confirmation_sources(table: Table) -> list[str]:
    seats = match_of(table).seats.order_by("index")
    return list(seats.values_list("confirmed_by", flat=True))


def send(phone: Client, table: Table, body: dict[str, Any], **fields: Any) -> int:
    """Return the response status of a confirmation queued on a phone."""
    match = match_of(table)
    token = fields.pop("token", None) or phone_write_token(phone, match)
    fields = {"kind": "confirm", **fields}
    return deliver(Client(), match, token, number=None, body=body, **fields)


def post(phone: Client, match: Match, body: dict[str, Any]) -> Any:
    form_data = {"key": str(uuid4()), "body": json.dumps(body)}
    return phone.post(f"{match.get_absolute_url()}confirm/", form_data)


@pytest.mark.parametrize("path", ["", "live/?v=0"])
def test_sheet_read_during_the_last_save_shows_the_previous_state(
    monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    round_ = running_round(tournament_with(4))
    match = match_of(round_.tables.get())
    for _hand in range(3):
        enter_points(match, [9, 5, 3, 1])

    def read_after_last_hand(match: Match, **options: Any) -> MatchSnapshot:
        enter_points(Match.objects.get(pk=match.pk), [9, 5, 3, 1])
        monkeypatch.undo()
        return read_match(match, **options)

    monkeypatch.setattr(pages_sheet, "read_match", read_after_last_hand)
    url = f"{match.get_absolute_url()}{path}"
    assert "Enter hand 4" in text(Client(), url)
    assert "Open table" in text(Client(), url)


def unregistered_phone(_table: Table) -> Client:
    """Return a phone that holds no seat."""
    return Client()


def players_phone(table: Table) -> Client:
    return own_phone(entry_at(table, 1))


def registered_phone(table: Table) -> Client:
    """Return the phone with which the player registered, according to the server."""
    entry = entry_at(table, 1)
    Entry.objects.filter(pk=entry.pk).update(on_phone=True)
    return own_phone(entry)


def phone_with_claim(table: Table) -> Client:
    """Return a phone whose account has claimed the player's name."""
    entry, phone, user = entry_at(table, 1), Client(), UserFactory.create()
    entry.tournament.club.claims.create(
        user=user, player=entry.player, made_at=NOW, confirmed_at=timezone.now()
    )
    phone.force_login(user)
    phone.get("/")
    return phone


def phone_with_seat(table: Table) -> Client:
    """Return a phone that has scanned the table's card and taken a seat."""
    phone = scanned_phone(table)
    seat_url = f"{match_of(table).get_absolute_url()}sit/"
    phone.post(seat_url, {"name": name_at(table, 1)})
    return phone


def forgotten_phone(table: Table) -> Client:
    phone = registered_phone(table)
    phone.post(at("me_action", table.round.tournament, "forget"))
    return phone


def scorer_phone(table: Table) -> Client:
    return signed_in(table.round.tournament.club, Role.SCORER)


PhoneFactory = Callable[[Table], Client]
CONFIRMATION_CASES: list[tuple[PhoneFactory, PhoneFactory | None, Any, str]] = [
    (unregistered_phone, players_phone, "own", "own"),
    *(
        (unregistered_phone, lambda table: own_phone(entry_at(table, 2)), by, "")
        for by in (None, "own", "somebody", 7, ["own"])
    ),
    (unregistered_phone, scanned_phone, "table", "table"),
    *((unregistered_phone, scanned_phone, by, "") for by in (None, "own", "director")),
    (registered_phone, None, "own", "own"),
    (registered_phone, scanned_phone, "table", ""),
    (registered_phone, phone_with_seat, "own", ""),
    (registered_phone, scorer_phone, "table", ""),
    (registered_phone, scorer_phone, None, "director"),
    (phone_with_claim, None, "own", "own"),
    (phone_with_claim, scanned_phone, "table", ""),
    (phone_with_seat, None, "own", "own"),
    (phone_with_seat, scanned_phone, "table", ""),
    (forgotten_phone, scanned_phone, "table", "table"),
]
"""The phone with the seat, the phone that confirms, the source it sends, and the stored source."""


@pytest.mark.parametrize("is_queued", [True, False], ids=["sent later", "form"])
@pytest.mark.parametrize(
    ("holder", "confirming_phone", "by", "expected"), CONFIRMATION_CASES
)
def test_seat_is_confirmed_by_its_phone_else_table_phone_or_director(
    holder: PhoneFactory,
    confirming_phone: PhoneFactory | None,
    by: Any,
    expected: str,
    *,
    is_queued: bool,
) -> None:
    table = finished_table()
    holder_phone = holder(table)
    phone = confirming_phone(table) if confirming_phone else holder_phone
    body = (
        confirmation(table, 1) if by is None else {**confirmation(table, 1), "by": by}
    )
    # Queued entries have no account.
    if is_queued and confirming_phone is not scorer_phone:
        assert send(phone, table, body) == (200 if expected else 422)
    else:
        post(phone, match_of(table), body)
    assert confirmation_sources(table) == ["", expected, "", ""]


@pytest.mark.parametrize(
    "holder", [registered_phone, phone_with_claim, phone_with_seat]
)
def test_table_phone_is_not_passed_to_players_with_own_phones(
    holder: PhoneFactory,
) -> None:
    table = finished_table()
    own, shared, match = holder(table), scanned_phone(table), match_of(table)
    name = name_at(table, 1)
    for url in (match.get_absolute_url(), at("table", table.round.tournament, 1, 1)):
        page = text(shared, url)
        assert f"Pass the phone to {name}" not in page
        assert f"{name} confirms on their own phone." in page
        assert f"Pass the phone to {name_at(table, 0)}" in page
        assert f"Confirm as {name}" in text(own, url)
    assert shared.get(f"{match.get_absolute_url()}agree/1/").status_code == 302


@pytest.mark.parametrize("writing", ["own", "open"])
def test_own_phone_can_confirm_under_any_entry_setting(writing: str) -> None:
    table = finished_table(writing)
    post(players_phone(table), match_of(table), confirmation(table, 1, "own"))
    assert confirmation_sources(table) == ["", "own", "", ""]
    entry = match_of(table).log.get(kind=LogEntry.Kind.CONFIRM)
    assert entry.made_by == name_at(table, 1)


@pytest.mark.parametrize("is_queued", [True, False])
def test_table_phone_confirms_for_each_player_after_passing_it(
    *, is_queued: bool
) -> None:
    table = finished_table()
    phone, match = scanned_phone(table), match_of(table)
    for seat in range(4):
        sheet = text(phone, match.get_absolute_url())
        assert f"Pass the phone to {name_at(table, seat)}" in sheet
        page = text(phone, f"{match.get_absolute_url()}agree/{seat}/")
        assert f"{name_at(table, seat)}, is this right?" in page
        assert load_sheet(match).checksum_words_line in page
        if is_queued:
            assert send(phone, table, confirmation(table, seat, "table")) == 200
        else:
            post(phone, match, confirmation(table, seat, "table"))
    assert confirmation_sources(table) == ["table"] * 4
    sheet = text(phone, match.get_absolute_url())
    assert "Confirmed" in sheet
    assert "Check words" in sheet
    assert "Pass the phone" not in sheet


@pytest.mark.parametrize("writing", ["card", "own", "open"])
def test_other_phones_cannot_confirm(writing: str) -> None:
    table = finished_table(writing, quorum="one")
    stranger, match = Client(), match_of(table)
    sheet = text(stranger, match.get_absolute_url())
    assert "Pass the phone" not in sheet
    assert "I agree" not in sheet
    assert stranger.get(f"{match.get_absolute_url()}agree/0/").status_code == 403
    version_before, refusal_statuses = match.version, (401, 422)
    for by in (None, "own", "table", "director"):
        post(stranger, match, confirmation(table, 0, by))
        token = phone_write_token(stranger, match) or "0" * 32
        body = confirmation(table, 0, by)
        assert send(stranger, table, body, token=token) in refusal_statuses
        place = table.places.get(index=0).pk
        confirm_url = at("table_action", table.round.tournament, 1, 1, "agree")
        stranger.post(
            confirm_url,
            {"place": place, "words": load_sheet(match).checksum_words_line},
        )
    stranger.post(f"{match.get_absolute_url()}sit/", {"name": name_at(table, 1)})
    token = phone_write_token(stranger, match) or "0" * 32
    body = confirmation(table, 1, "own")
    assert send(stranger, table, body, token=token) in refusal_statuses
    assert match_of(table).version == version_before
    assert not match.seats.exclude(holder="").exists()
    assert confirmation_sources(table) == [""] * 4


def test_phone_token_is_valid_for_one_seat_of_one_match() -> None:
    table, other = finished_table(), finished_table()
    token = phone_write_token(own_phone(entry_at(table, 1)), match_of(table))
    for seat in (0, 2, 3):
        assert (
            send(Client(), table, confirmation(table, seat, "own"), token=token) == 422
        )
    assert send(Client(), other, confirmation(other, 1, "own"), token=token) == 401


def test_page_sheet_and_desk_show_how_each_player_confirmed() -> None:
    table = finished_table()
    tournament = table.round.tournament
    scorer = signed_in(tournament.club, Role.SCORER)
    send(own_phone(entry_at(table, 0)), table, confirmation(table, 0, "own"))
    send(scanned_phone(table), table, confirmation(table, 1, "table"))
    post(scorer, match_of(table), confirmation(table, 2))
    sheet = match_of(table).get_absolute_url()
    for url in (sheet, at("table", tournament, 1, 1), at("desk", tournament)):
        page = text(scorer, url)
        for sentence in (
            "on their own phone",
            "on a shared phone",
            f"The director confirmed for {name_at(table, 2)}.",
        ):
            assert page.count(sentence) == 1, (url, sentence)
    (view,) = read_desk(tournament, NOW).tables
    assert view.confirmed_count == 3


def test_confirmation_prompt_disappears_at_quorum() -> None:
    table = finished_table(quorum="one")
    phone, match = scanned_phone(table), match_of(table)
    assert "Is this right?" in text(phone, match.get_absolute_url())
    send(own_phone(entry_at(table, 2)), table, confirmation(table, 2, "own"))
    for url in (match.get_absolute_url(), at("table", table.round.tournament, 1, 1)):
        for client in (phone, own_phone(entry_at(table, 0))):
            page = text(client, url)
            assert "I agree" not in page
            assert "Pass the phone" not in page
            assert "is this right" not in page.lower()
    assert phone.get(f"{match.get_absolute_url()}agree/0/").status_code == 302


@pytest.mark.parametrize("writing", ["own", "open"])
def test_replaced_player_cannot_score_confirm_or_see_the_page(
    writing: str,
) -> None:
    table = finished_table(writing)
    tournament, match = table.round.tournament, match_of(table)
    replaced_phone = own_phone(entry_at(table, 1))
    replaced_phone.get(card_of(table))
    token = phone_write_token(replaced_phone, match)
    entries.substitute_entry_player(entry_id=entry_at(table, 1).pk, name="Zoe", now=NOW)
    page = text(replaced_phone, at("me", tournament))
    assert "Zoe is playing for you" in page
    assert "HX-Refresh" in replaced_phone.get(at("me_live", tournament)).headers
    version_before = match_of(table).version
    assert send(replaced_phone, table, confirmation(table, 1, "own"), token=token) in (
        401,
        422,
    )
    for by in ("own", "table"):
        post(replaced_phone, match, confirmation(table, 1, by))
    assert match_of(table).version == version_before
    if writing != "open":
        assert phone_write_token(replaced_phone, match) == ""
        response = replaced_phone.post(at("table_action", tournament, 1, 1, "call"))
        assert response.status_code == 403
        assert "Zoe is playing for you now" in response.content.decode()
    zoe = own_phone(entry_at(table, 1))
    assert send(zoe, table, confirmation(table, 1, "own")) == 200


def test_confirmation_is_withdrawn_by_its_player_or_a_director() -> None:
    table = finished_table(quorum="one")
    tournament, sheet = table.round.tournament, match_of(table).get_absolute_url()
    own, other = own_phone(entry_at(table, 1)), own_phone(entry_at(table, 0))
    scorer = signed_in(tournament.club, Role.SCORER)

    def confirm() -> dict[str, Any]:
        assert send(scanned_phone(table), table, confirmation(table, 1, "table")) == 200
        assert not Table.objects.unconfirmed(tournament.quorum).exists()
        confirmed = match_of(table).log.filter(kind=LogEntry.Kind.CONFIRM).latest("pk")
        return {"seat": 1, "confirmation": str(confirmed.key)}

    withdrawal = confirm()
    for url in (sheet, at("table", tournament, 1, 1)):
        assert "Withdraw" in text(own, url)
    assert send(other, table, withdrawal, kind="withdraw") == 422
    assert send(own, table, withdrawal, kind="withdraw") == 200
    assert f"Confirm as {name_at(table, 1)}" in text(own, sheet)
    assert Table.objects.unconfirmed(tournament.quorum).get() == table
    form_data = {"key": str(uuid4()), "body": json.dumps(confirm())}
    scorer.post(f"{sheet}withdraw/", form_data)
    assert confirmation_sources(table) == [""] * 4


def test_correcting_a_confirmed_hand_warns_of_reconfirmation() -> None:
    table = finished_table(quorum="one")
    match, tournament = match_of(table), table.round.tournament
    client = director(tournament)
    warning = "The result has to be confirmed again."
    url = reverse("scoring:hand_correct", args=[match.address, 2])

    def warns(points: int) -> list[bool]:
        """Correct a hand; return whether the preview and the next page show the warning."""
        hand = {"points_0": points, **{f"points_{seat}": seat for seat in (1, 2, 3)}}
        confirmed_fields = {"confirm": "1", "reason": "counted again"}
        return [
            warning in submit(client, url, **hand, **extra_fields, key=str(uuid4()))
            for extra_fields in ({}, confirmed_fields)
        ]

    assert warns(0) == [False, False]
    client.post(at("desk_table_action", tournament, 1, 1, "agree"))
    assert warns(5) == [True, True]


def test_tournament_table_offers_the_next_step_and_no_rematch() -> None:
    tournament = tournament_with(4, writing="card", quorum="none", rounds_planned=2)
    first = running_round(tournament)
    play_round(first)
    table = first.tables.select_related("match").get()
    match, visitor = match_of(table), Client()
    sheet = match.get_absolute_url()
    assert "Rematch" not in text(visitor, sheet)
    assert visitor.post(f"{sheet}rematch/")["Location"] == sheet
    rematch = start(rematch_of=match.address)
    status, payload = deliver_entry(new_address(), rematch, token="")
    assert status == 422
    assert "no rematch in a tournament" in payload["faults"][0]["message"]
    assert Match.objects.count() == 1
    notices_url, live_url = (
        f"{sheet}live/?v=0.other",
        at("table_live", tournament, 1, 1),
    )
    assert "This table is done" in text(visitor, notices_url)
    rounds.close(round_id=first.pk, now=NOW)
    for url in (sheet, notices_url, live_url):
        assert "Round 1 is over" in text(visitor, url)
    second = running_round(tournament)
    assert "Round 2 has started: who sits where" in text(visitor, notices_url)
    place = second.places.get(entry=entry_at(table, 2))
    own_client = own_phone(entry_at(table, 2))
    seat = f"you’re at table {place.table.number}, seat {place.index + 1}."
    for url in (sheet, notices_url, live_url):
        assert seat in text(own_client, url)
        assert 'role="timer"' not in text(own_client, url)


def test_returning_player_regains_their_phone() -> None:
    table = finished_table("own")
    entry = entry_at(table, 1)
    phone, name = own_phone(entry), entry.name
    for substitute_name in ("Zoe", name):
        entries.substitute_entry_player(
            entry_id=entry.pk, name=substitute_name, now=NOW
        )
    assert "is playing for you" not in text(phone, at("me", table.round.tournament))
    assert phone_write_token(phone, match_of(table)) != ""
