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
from scoring.matchlog.commands import LoggedMatch
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
    write_token,
)
from tests.tournaments.web.pages import at, submit, text
from tournaments.event import entries, rounds
from tournaments.event.desk.overview import read_desk
from tournaments.models import Entry, Role, Table

pytestmark = pytest.mark.django_db


def done_table(writing: str = "card", quorum: str = "all", **settings: Any) -> Table:
    """Return the one table of a round, whose match is over."""
    tournament = tournament_with(4, writing=writing, quorum=quorum, **settings)
    round_ = running_round(tournament)
    play_round(round_)
    return round_.tables.select_related("match").get()


def entry_at(table: Table, seat: int) -> Entry:
    return table.places.get(index=seat).entry


def name_at(table: Table, seat: int) -> str:
    return match_of(table).seats.get(index=seat).name


def at_table(table: Table) -> Client:
    """Return a phone that has scanned the card of the table."""
    phone = Client()
    phone.get(card_of(table))
    return phone


def confirmation(table: Table, seat: int, by: str | None = None) -> dict[str, Any]:
    body = {"seat": seat, "words": load_sheet(match_of(table)).result_words}
    return body if by is None else {**body, "by": by}


def ways(table: Table) -> list[str]:
    seats = match_of(table).seats.order_by("index")
    return list(seats.values_list("confirmed_by", flat=True))


def send(phone: Client, table: Table, body: dict[str, Any], **fields: Any) -> int:
    """Return the response status of a confirmation queued on a phone."""
    match = match_of(table)
    token = fields.pop("token", None) or write_token(phone, match)
    fields = {"kind": "confirm", **fields}
    return deliver(Client(), match, token, number=None, body=body, **fields)


def post(phone: Client, match: Match, body: dict[str, Any]) -> Any:
    posted = {"key": str(uuid4()), "body": json.dumps(body)}
    return phone.post(f"{match.get_absolute_url()}confirm/", posted)


@pytest.mark.parametrize("asked", ["", "live/?v=0"])
def test_sheet_read_during_the_last_save_shows_the_previous_state(
    monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    one = running_round(tournament_with(4))
    match = match_of(one.tables.get())
    for _hand in range(3):
        enter_points(match, [9, 5, 3, 1])

    def read_after_last_hand(match: Match, **options: Any) -> LoggedMatch:
        enter_points(Match.objects.get(pk=match.pk), [9, 5, 3, 1])
        monkeypatch.undo()
        return read_match(match, **options)

    monkeypatch.setattr(pages_sheet, "read_match", read_after_last_hand)
    address = f"{match.get_absolute_url()}{asked}"
    assert "Enter hand 4" in text(Client(), address)
    assert "Open table" in text(Client(), address)


def nobody(_table: Table) -> Client:
    """Let the seat be held by no phone."""
    return Client()


def own(table: Table) -> Client:
    return own_phone(entry_at(table, 1))


def joined(table: Table) -> Client:
    """Return the phone by which the player entered, as the server knows it."""
    entry = entry_at(table, 1)
    Entry.objects.filter(pk=entry.pk).update(on_phone=True)
    return own_phone(entry)


def account(table: Table) -> Client:
    """Return a phone on which the account is signed in that has claimed the player's name."""
    entry, phone, user = entry_at(table, 1), Client(), UserFactory.create()
    entry.tournament.club.claims.create(
        user=user, player=entry.player, made_at=NOW, confirmed_at=timezone.now()
    )
    phone.force_login(user)
    phone.get("/")
    return phone


def card(table: Table) -> Client:
    """Return a phone that has scanned the table's card, and whose owner took a seat."""
    phone = at_table(table)
    at_sheet = f"{match_of(table).get_absolute_url()}sit/"
    phone.post(at_sheet, {"name": name_at(table, 1)})
    return phone


def let_go(table: Table) -> Client:
    phone = joined(table)
    phone.post(at("me_action", table.round.tournament, "forget"))
    return phone


def scorer(table: Table) -> Client:
    return signed_in(table.round.tournament.club, Role.SCORER)


Phone = Callable[[Table], Client]
AGREEMENTS: list[tuple[Phone, Phone | None, Any, str]] = [
    (nobody, own, "own", "own"),
    *(
        (nobody, lambda table: own_phone(entry_at(table, 2)), by, "")
        for by in (None, "own", "somebody", 7, ["own"])
    ),
    (nobody, at_table, "table", "table"),
    *((nobody, at_table, by, "") for by in (None, "own", "director")),
    (joined, None, "own", "own"),
    (joined, at_table, "table", ""),
    (joined, card, "own", ""),
    (joined, scorer, "table", ""),
    (joined, scorer, None, "director"),
    (account, None, "own", "own"),
    (account, at_table, "table", ""),
    (card, None, "own", "own"),
    (card, at_table, "table", ""),
    (let_go, at_table, "table", "table"),
]
"""Who has the seat, whose phone agrees for it, by which way, and what is stored of that."""


@pytest.mark.parametrize("sends", [True, False], ids=["sent later", "form"])
@pytest.mark.parametrize(("holder", "says", "by", "way"), AGREEMENTS)
def test_seat_is_confirmed_by_its_phone_else_table_phone_or_director(
    holder: Phone, says: Phone | None, by: Any, way: str, *, sends: bool
) -> None:
    table = done_table()
    holding = holder(table)
    phone = says(table) if says else holding
    body = (
        confirmation(table, 1) if by is None else {**confirmation(table, 1), "by": by}
    )
    # What a phone sends later bears no account.
    if sends and says is not scorer:
        assert send(phone, table, body) == (200 if way else 422)
    else:
        post(phone, match_of(table), body)
    assert ways(table) == ["", way, "", ""]


@pytest.mark.parametrize("holder", [joined, account, card])
def test_table_phone_is_not_passed_to_players_with_own_phones(holder: Phone) -> None:
    table = done_table()
    own, shared, match = holder(table), at_table(table), match_of(table)
    name = name_at(table, 1)
    for page in (match.get_absolute_url(), at("table", table.round.tournament, 1, 1)):
        shown = text(shared, page)
        assert f"Pass the phone to {name}" not in shown
        assert f"{name} confirms on their own phone." in shown
        assert f"Pass the phone to {name_at(table, 0)}" in shown
        assert f"Confirm as {name}" in text(own, page)
    assert shared.get(f"{match.get_absolute_url()}agree/1/").status_code == 302


@pytest.mark.parametrize("writing", ["own", "open"])
def test_own_phone_can_confirm_under_any_entry_setting(writing: str) -> None:
    table = done_table(writing)
    post(own(table), match_of(table), confirmation(table, 1, "own"))
    assert ways(table) == ["", "own", "", ""]
    entry = match_of(table).log.get(kind=LogEntry.Kind.CONFIRM)
    assert entry.made_by == name_at(table, 1)


@pytest.mark.parametrize("sends", [True, False])
def test_table_phone_confirms_for_each_player_after_passing_it(*, sends: bool) -> None:
    table = done_table()
    phone, match = at_table(table), match_of(table)
    for seat in range(4):
        sheet = text(phone, match.get_absolute_url())
        assert f"Pass the phone to {name_at(table, seat)}" in sheet
        page = text(phone, f"{match.get_absolute_url()}agree/{seat}/")
        assert f"{name_at(table, seat)}, is this right?" in page
        assert load_sheet(match).result_words in page
        if sends:
            assert send(phone, table, confirmation(table, seat, "table")) == 200
        else:
            post(phone, match, confirmation(table, seat, "table"))
    assert ways(table) == ["table"] * 4
    sheet = text(phone, match.get_absolute_url())
    assert "Confirmed" in sheet
    assert "Check words" in sheet
    assert "Pass the phone" not in sheet


@pytest.mark.parametrize("writing", ["card", "own", "open"])
def test_other_phones_cannot_confirm(writing: str) -> None:
    table = done_table(writing, quorum="one")
    stranger, match = Client(), match_of(table)
    sheet = text(stranger, match.get_absolute_url())
    assert "Pass the phone" not in sheet
    assert "I agree" not in sheet
    assert stranger.get(f"{match.get_absolute_url()}agree/0/").status_code == 403
    before, refused = match.version, (401, 422)
    for by in (None, "own", "table", "director"):
        post(stranger, match, confirmation(table, 0, by))
        token = write_token(stranger, match) or "0" * 32
        body = confirmation(table, 0, by)
        assert send(stranger, table, body, token=token) in refused
        place = table.places.get(index=0).pk
        say = at("table_action", table.round.tournament, 1, 1, "agree")
        stranger.post(say, {"place": place, "words": load_sheet(match).result_words})
    stranger.post(f"{match.get_absolute_url()}sit/", {"name": name_at(table, 1)})
    token = write_token(stranger, match) or "0" * 32
    body = confirmation(table, 1, "own")
    assert send(stranger, table, body, token=token) in refused
    assert match_of(table).version == before
    assert not match.seats.exclude(holder="").exists()
    assert ways(table) == [""] * 4


def test_phone_token_is_valid_for_one_seat_of_one_match() -> None:
    table, other = done_table(), done_table()
    token = write_token(own_phone(entry_at(table, 1)), match_of(table))
    for seat in (0, 2, 3):
        assert (
            send(Client(), table, confirmation(table, seat, "own"), token=token) == 422
        )
    assert send(Client(), other, confirmation(other, 1, "own"), token=token) == 401


def test_page_sheet_and_desk_show_how_each_player_confirmed() -> None:
    table = done_table()
    tournament = table.round.tournament
    scorer = signed_in(tournament.club, Role.SCORER)
    send(own_phone(entry_at(table, 0)), table, confirmation(table, 0, "own"))
    send(at_table(table), table, confirmation(table, 1, "table"))
    post(scorer, match_of(table), confirmation(table, 2))
    sheet = match_of(table).get_absolute_url()
    for page in (sheet, at("table", tournament, 1, 1), at("desk", tournament)):
        shown = text(scorer, page)
        for words in (
            "on their own phone",
            "on a shared phone",
            f"The director confirmed for {name_at(table, 2)}.",
        ):
            assert shown.count(words) == 1, (page, words)
    (view,) = read_desk(tournament, NOW).tables
    assert view.confirmed_count == 3


def test_confirmation_prompt_disappears_at_quorum() -> None:
    table = done_table(quorum="one")
    phone, match = at_table(table), match_of(table)
    assert "Is this right?" in text(phone, match.get_absolute_url())
    send(own_phone(entry_at(table, 2)), table, confirmation(table, 2, "own"))
    for page in (match.get_absolute_url(), at("table", table.round.tournament, 1, 1)):
        for client in (phone, own_phone(entry_at(table, 0))):
            shown = text(client, page)
            assert "I agree" not in shown
            assert "Pass the phone" not in shown
            assert "is this right" not in shown.lower()
    assert phone.get(f"{match.get_absolute_url()}agree/0/").status_code == 302


@pytest.mark.parametrize("writing", ["own", "open"])
def test_replaced_player_cannot_score_confirm_or_see_the_page(
    writing: str,
) -> None:
    table = done_table(writing)
    tournament, match = table.round.tournament, match_of(table)
    replaced = own_phone(entry_at(table, 1))
    replaced.get(card_of(table))
    token = write_token(replaced, match)
    entries.substitute(entry_id=entry_at(table, 1).pk, name="Zoe", now=NOW)
    page = text(replaced, at("me", tournament))
    assert "Zoe is playing for you" in page
    assert "HX-Refresh" in replaced.get(at("me_live", tournament)).headers
    before = match_of(table).version
    assert send(replaced, table, confirmation(table, 1, "own"), token=token) in (
        401,
        422,
    )
    for by in ("own", "table"):
        post(replaced, match, confirmation(table, 1, by))
    assert match_of(table).version == before
    if writing != "open":
        assert write_token(replaced, match) == ""
        answer = replaced.post(at("table_action", tournament, 1, 1, "call"))
        assert answer.status_code == 403
        assert "Zoe is playing for you now" in answer.content.decode()
    zoe = own_phone(entry_at(table, 1))
    assert send(zoe, table, confirmation(table, 1, "own")) == 200


def test_confirmation_is_withdrawn_by_its_player_or_a_director() -> None:
    table = done_table(quorum="one")
    tournament, sheet = table.round.tournament, match_of(table).get_absolute_url()
    own, other = own_phone(entry_at(table, 1)), own_phone(entry_at(table, 0))
    scorer = signed_in(tournament.club, Role.SCORER)

    def agree() -> dict[str, Any]:
        assert send(at_table(table), table, confirmation(table, 1, "table")) == 200
        assert not Table.objects.unconfirmed(tournament.quorum).exists()
        confirmed = match_of(table).log.filter(kind=LogEntry.Kind.CONFIRM).latest("pk")
        return {"seat": 1, "confirmation": str(confirmed.key)}

    back = agree()
    for page in (sheet, at("table", tournament, 1, 1)):
        assert "Withdraw" in text(own, page)
    assert send(other, table, back, kind="withdraw") == 422
    assert send(own, table, back, kind="withdraw") == 200
    assert f"Confirm as {name_at(table, 1)}" in text(own, sheet)
    assert Table.objects.unconfirmed(tournament.quorum).get() == table
    posted = {"key": str(uuid4()), "body": json.dumps(agree())}
    scorer.post(f"{sheet}withdraw/", posted)
    assert ways(table) == [""] * 4


def test_correcting_a_confirmed_hand_warns_of_reconfirmation() -> None:
    table = done_table(quorum="one")
    match, tournament = match_of(table), table.round.tournament
    client = director(tournament)
    again = "The result has to be confirmed again."
    url = reverse("scoring:hand_correct", args=[match.address, 2])

    def says_so(points: int) -> list[bool]:
        """Correct a hand, and return whether the preview and the next page say so."""
        hand = {"points_0": points, **{f"points_{seat}": seat for seat in (1, 2, 3)}}
        sure = {"confirm": "1", "reason": "counted again"}
        return [
            again in submit(client, url, **hand, **sent, key=str(uuid4()))
            for sent in ({}, sure)
        ]

    assert says_so(0) == [False, False]
    client.post(at("desk_table_action", tournament, 1, 1, "agree"))
    assert says_so(5) == [True, True]


def test_tournament_table_offers_the_next_step_and_no_rematch() -> None:
    tournament = tournament_with(4, writing="card", quorum="none", rounds_planned=2)
    first = running_round(tournament)
    play_round(first)
    table = first.tables.select_related("match").get()
    match, anybody = match_of(table), Client()
    sheet = match.get_absolute_url()
    assert "Rematch" not in text(anybody, sheet)
    assert anybody.post(f"{sheet}rematch/")["Location"] == sheet
    rematch = start(rematch_of=match.address)
    status, answer = deliver_entry(new_address(), rematch, token="")
    assert status == 422
    assert "no rematch in a tournament" in answer["faults"][0]["message"]
    assert Match.objects.count() == 1
    notices, live = f"{sheet}live/?v=0.other", at("table_live", tournament, 1, 1)
    assert "This table is done" in text(anybody, notices)
    rounds.close(round_id=first.pk, now=NOW)
    for page in (sheet, notices, live):
        assert "Round 1 is over" in text(anybody, page)
    second = running_round(tournament)
    assert "Round 2 has started: who sits where" in text(anybody, notices)
    place = second.places.get(entry=entry_at(table, 2))
    mine = own_phone(entry_at(table, 2))
    seat = f"you’re at table {place.table.number}, seat {place.index + 1}."
    for page in (sheet, notices, live):
        assert seat in text(mine, page)
        assert 'role="timer"' not in text(mine, page)


def test_returning_player_regains_their_phone() -> None:
    table = done_table("own")
    entry = entry_at(table, 1)
    phone, name = own_phone(entry), entry.name
    for other in ("Zoe", name):
        entries.substitute(entry_id=entry.pk, name=other, now=NOW)
    assert "is playing for you" not in text(phone, at("me", table.round.tournament))
    assert write_token(phone, match_of(table)) != ""
