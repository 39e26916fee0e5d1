"""Public pages of a tournament are read-only; phones at the table and directors can score."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.append import COMMAND_HANDLERS
from scoring.models import Match
from tests.factories.matches import NOW
from tests.factories.phones import entry
from tests.factories.tournaments import (
    member,
    own_phone,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import text
from tournaments.event.results import store_current_standings
from tournaments.event.rights import card_secret, renew_cards
from tournaments.event.setup.lifecycle import save_and_apply_settings
from tournaments.models import Role, Round, Table, Tournament

pytestmark = pytest.mark.django_db

HAND = {"points": [9, 5, 3, 1]}


def running_table(writing: str = "card", **settings: Any) -> Table:
    """Return the first table of a running round."""
    tournament = tournament_with(8, writing=writing, **settings)
    round_ = running_round(tournament)
    return round_.tables.select_related("match").order_by("number")[0]


def match_of(table: Table) -> Match:
    assert table.match is not None
    table.match.refresh_from_db()
    return table.match


def table_url(table: Table) -> str:
    tournament = table.round.tournament
    return f"/t/{tournament.address}/rounds/{table.round.number}/tables/{table.number}/"


def card_of(table: Table, secret: str | None = None) -> str:
    """Return the URL on the card of a table."""
    club = table.round.tournament.club
    card_code = card_secret(club, table.number) if secret is None else secret
    return f"/c/{club.slug}/table/{table.number}/?{urlencode({'secret': card_code})}"


def phone_write_token(client: Client, match: Match) -> str:
    token: str = client.get(f"{match.get_absolute_url()}held.json").json()["token"]
    return token


def deliver(client: Client, match: Match, token: str, **fields: Any) -> int:
    """Send an entry from a phone, a hand by default; return the status of the response."""
    return client.post(
        f"{match.get_absolute_url()}entries/",
        json.dumps(entry(**{"body": HAND, **fields})),
        content_type="application/json",
        headers={"X-Seat-Token": token},
    ).status_code


def posts_of(table: Table) -> dict[str, dict[str, str]]:
    """Return everything that a browser can post about a table, by URL."""
    sheet = match_of(table).get_absolute_url()
    points = {f"points_{seat}": str(value) for seat, value in enumerate(HAND["points"])}
    confirmation = {"body": json.dumps({"seat": 0, "words": "one two three"})}
    return {
        f"{sheet}hands/new/": {"number": "1", **points},
        f"{sheet}hands/1/correct/": {"number": "1", "confirm": "1", **points},
        f"{sheet}hands/1/void/": {"reason": "mistyped", "confirm": "1"},
        f"{sheet}seats/": {"seat": "0", "name": "Zoe"},
        f"{sheet}confirm/": confirmation,
        f"{table_url(table)}agree/": {"place": str(table.places.all()[0].pk)},
        f"{table_url(table)}dispute/": {},
        f"{table_url(table)}call/": {},
        f"{table_url(table)}choose/": {"game": "tricky"},
    }


def state_of(table: Table) -> tuple[Any, ...]:
    """Return the state of a table that scoring can change."""
    table = Table.objects.get(pk=table.pk)
    seats = match_of(table).seats.order_by("index").values_list("name", flat=True)
    return match_of(table).version, table.called_at, table.disputed, list(seats)


def is_by_account(client: Client, match: Match) -> bool:
    is_account: bool = client.get(f"{match.get_absolute_url()}held.json").json()[
        "by_account"
    ]
    return is_account


def test_scanned_card_stays_valid_after_sign_out() -> None:
    table = running_table()
    match, director = match_of(table), signed_in(table.round.tournament.club)
    assert phone_write_token(director, match)
    assert is_by_account(director, match)
    director.get(card_of(table))
    assert not is_by_account(director, match)
    director.post("/accounts/logout/")
    token = phone_write_token(director, match)
    # Queued entries are sent without cookies.
    assert deliver(Client(), match, token) == 200
    player = Client()
    player.get(card_of(table))
    assert phone_write_token(player, match)
    assert not is_by_account(player, match)
    assert not is_by_account(Client(), match)


def test_visitor_cannot_score_at_a_table_by_any_request() -> None:
    table = running_table()
    director, match = signed_in(table.round.tournament.club), match_of(table)
    assert deliver(director, match, phone_write_token(director, match)) == 200
    state_before, stranger = state_of(table), Client()
    assert phone_write_token(stranger, match) == ""
    for url in (table_url(table), match.get_absolute_url()):
        page = text(stranger, url)
        assert "You’re watching this table" in page
        assert "Call the director" not in page
        assert "Enter hand" not in page
    for token in ("", "0" * 32):
        for name, kind in COMMAND_HANDLERS.items():
            body = {"kind": name, "number": 1 if kind.has_hand else None}
            expected = 401 if kind.is_from_phones else 400
            assert deliver(stranger, match, token, **body) == expected, name
    for url, form_data in posts_of(table).items():
        response = stranger.post(url, form_data)
        assert response.status_code == 403, url
        assert "scan the table card" in response.content.decode(), url
    assert state_of(table) == state_before


def stranger_phone(_table: Table) -> Client:
    return Client()


def scanned_phone(table: Table) -> Client:
    phone = Client()
    assert phone.get(card_of(table))["Location"] == match_of(table).get_absolute_url()
    return phone


def guessing_phone(table: Table) -> Client:
    phone = Client()
    for guess in ("0" * 32, "x", match_of(table).address, "é" * 40):
        phone.get(card_of(table, guess))
        phone.get(f"{match_of(table).get_absolute_url()}?secret={guess}")
    return phone


def seated_phone(table: Table) -> Client:
    return own_phone(table.places.all()[0].entry)


def viewer_phone(table: Table) -> Client:
    return signed_in(table.round.tournament.club, Role.VIEWER)


def scorer_phone(table: Table) -> Client:
    return signed_in(table.round.tournament.club, Role.SCORER)


@pytest.mark.parametrize(
    ("writing", "phone", "tables"),
    [
        *(
            ("card", phone, "none")
            for phone in (stranger_phone, guessing_phone, viewer_phone)
        ),
        *(("card", phone, "own") for phone in (scanned_phone, seated_phone)),
        *(
            ("own", phone, "none")
            for phone in (stranger_phone, scanned_phone, viewer_phone)
        ),
        ("own", seated_phone, "own"),
        *((writing, scorer_phone, "all") for writing in ("card", "own")),
        ("open", stranger_phone, "all"),
    ],
)
def test_phone_scores_at_its_own_table(
    writing: str, phone: Callable[[Table], Client], tables: str
) -> None:
    table = running_table(writing)
    other = table.round.tables.exclude(pk=table.pk).select_related("match").get()
    client = phone(table)
    for requested, can_write in ((table, tables != "none"), (other, tables == "all")):
        match = match_of(requested)
        token = phone_write_token(client, match)
        assert bool(token) == can_write
        assert (deliver(Client(), match, token) == 200) == can_write
        call_status = client.post(f"{table_url(requested)}call/").status_code
        assert call_status == (302 if can_write else 403)
        has_link = "Enter hand 2" in text(client, match.get_absolute_url())
        assert has_link == can_write


def test_round_card_opens_its_table_and_only_directors_print_it() -> None:
    table = running_table()
    tournament = table.round.tournament
    cards_url = f"/t/{tournament.address}/rounds/1/cards/"
    visitor, scorer = Client(), signed_in(tournament.club, Role.SCORER)
    codes = [
        client.get(cards_url).content.decode().split('class="qr"')[1][:2000]
        for client in (visitor, scorer)
    ]
    assert codes[0] != codes[1]
    assert "These codes are view-only" in text(visitor, cards_url)
    secret = urlencode({"secret": card_secret(tournament.club, table.number)})
    phone = Client()
    response = phone.get(f"{table_url(table)}?{secret}")
    assert response["Location"] == table_url(table)
    assert phone.post(f"{table_url(table)}call/").status_code == 302


def test_phone_at_the_table_shares_scoring_rights_by_code() -> None:
    table = running_table()
    match = match_of(table)
    phone, stranger = Client(), Client()
    phone.get(card_of(table))
    code_url = f"{match.get_absolute_url()}qr.svg"
    assert phone.get(code_url).content != stranger.get(code_url).content
    second = Client()
    second.get(f"{match.get_absolute_url()}?secret={match.secret}")
    assert deliver(second, match, phone_write_token(second, match)) == 200


def test_revoked_cards_open_no_table_and_show_a_message() -> None:
    table = running_table()
    club = table.round.tournament.club
    phone, old_card_url = Client(), card_of(table)
    phone.get(old_card_url)
    old_token = phone_write_token(phone, match_of(table))
    renew_cards(club_id=club.pk)
    match = match_of(table)
    assert deliver(phone, match, old_token) == 401
    assert phone_write_token(phone, match) == ""
    page = phone.get(old_card_url, follow=True).content.decode()
    assert "This card has an old code" in page
    club.refresh_from_db()
    phone.get(card_of(table, card_secret(club, table.number)))
    assert deliver(phone, match, phone_write_token(phone, match)) == 200


def test_entry_setting_applies_to_running_tables() -> None:
    table = running_table("open")
    tournament = table.round.tournament
    phone = Client()
    token = phone_write_token(phone, match_of(table))
    for writing in (Tournament.Writing.CARD, Tournament.Writing.OWN_PHONES):
        tournament.writing = writing
        save_and_apply_settings(tournament=tournament, fields=["writing"])
        match = match_of(table)
        assert deliver(phone, match, token) == 401
        phone.get(card_of(table))
        assert bool(phone_write_token(phone, match)) == (
            writing == Tournament.Writing.CARD
        )
    tournament.writing = Tournament.Writing.OPEN
    save_and_apply_settings(tournament=tournament, fields=["writing"])
    assert (
        deliver(Client(), match_of(table), phone_write_token(Client(), match_of(table)))
        == 200
    )


def test_director_corrections_at_a_running_table_bear_their_name() -> None:
    table = running_table()
    match = match_of(table)
    scorer, phone = Client(), Client()
    user = member(table.round.tournament.club, Role.SCORER)
    scorer.force_login(user)
    phone.get(card_of(table))
    assert deliver(phone, match, phone_write_token(phone, match)) == 200
    sheet = match.get_absolute_url()
    void = {"key": str(uuid4()), "reason": "mistyped"}
    for client, is_queued in ((phone, True), (scorer, False)):
        # A phone that queues an entry sends it without an account.
        correcting = client.get(f"{sheet}hands/1/correct/")
        voiding = client.post(f"{sheet}hands/1/void/", void)
        for page in (correcting, voiding):
            assert ("data-entry-kind" in page.content.decode()) == is_queued
    scorer.post(f"{sheet}hands/1/void/", {**void, "confirm": "1"})
    made_by = match_of(table).log.in_order().values_list("made_by", flat=True)
    assert list(made_by) == ["someone at the table", user.public_name]


def test_card_opens_the_match_else_the_table_else_the_club() -> None:
    table = running_table()
    club = table.round.tournament.club
    assert Client().get(card_of(table, ""))["Location"].startswith("/m/")
    Match.objects.filter(pk=match_of(table).pk).update(finished=True)
    assert Client().get(card_of(table))["Location"] == table_url(table)
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    response = Client().get(card_of(table), follow=True)
    assert response.redirect_chain[-1][0] == club.get_absolute_url()
    assert "No match at table" in response.content.decode()


def test_public_pages_never_expose_secrets() -> None:
    table = running_table()
    tournament = table.round.tournament
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    match = match_of(table)
    base, sheet = tournament.get_absolute_url(), match.get_absolute_url()
    stranger = Client()
    paths = [
        tournament.club.get_absolute_url(), base, f"{base}live/", f"{base}qr.svg",
        f"{base}join/", f"{base}projector/", f"{base}projector/live/",
        f"{base}rounds/1/", f"{base}rounds/1/?seats", f"{base}rounds/1/cards/",
        f"{base}rounds/1/wall/", table_url(table), sheet, f"{sheet}live/",
        f"{sheet}qr.svg", f"{sheet}held.json", f"{sheet}record.json",
        f"{sheet}hands/new/", f"{sheet}board/", f"{sheet}seats/",
    ]  # fmt: skip
    secret = card_secret(tournament.club, table.number)
    assert match.secret == secret
    for path in paths:
        response = stranger.get(path)
        assert secret not in response.content.decode(), path
