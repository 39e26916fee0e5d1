"""The public pages of a tournament are for reading: who may write was there, or directs."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.test import Client

from scoring.matchlog.append import COMMAND_KINDS
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
from tournaments.event.results import compute_standings
from tournaments.event.rights import card_secret, renew_cards
from tournaments.event.setup.lifecycle import save_settings
from tournaments.models import Role, Round, Table, Tournament

pytestmark = pytest.mark.django_db

HAND = {"points": [9, 5, 3, 1]}


def table_of_a_night(writing: str = "card", **settings: Any) -> Table:
    """Return the first table of a running round."""
    tournament = tournament_with(8, writing=writing, **settings)
    round_ = running_round(tournament)
    return round_.tables.select_related("match").order_by("number")[0]


def match_of(table: Table) -> Match:
    assert table.match is not None
    table.match.refresh_from_db()
    return table.match


def page_of(table: Table) -> str:
    tournament = table.round.tournament
    return f"/t/{tournament.address}/rounds/{table.round.number}/tables/{table.number}/"


def card_of(table: Table, secret: str | None = None) -> str:
    """Return where the card leads that lies on a table of the club."""
    club = table.round.tournament.club
    shown = card_secret(club, table.number) if secret is None else secret
    return f"/c/{club.slug}/table/{table.number}/?{urlencode({'secret': shown})}"


def write_token(client: Client, match: Match) -> str:
    token: str = client.get(f"{match.get_absolute_url()}held.json").json()["token"]
    return token


def deliver(client: Client, match: Match, token: str, **told: Any) -> int:
    """Return the status of the answer to a hand that a phone delivers."""
    return client.post(
        f"{match.get_absolute_url()}entries/",
        json.dumps(entry(**{"body": HAND, **told})),
        content_type="application/json",
        headers={"X-Seat-Token": token},
    ).status_code


def posts_of(table: Table) -> dict[str, dict[str, str]]:
    """Return everything that a browser could post about a table."""
    sheet = match_of(table).get_absolute_url()
    points = {f"points_{seat}": str(worth) for seat, worth in enumerate(HAND["points"])}
    words = {"body": json.dumps({"seat": 0, "words": "one two three"})}
    return {
        f"{sheet}hands/new/": {"number": "1", **points},
        f"{sheet}hands/1/correct/": {"number": "1", "confirm": "1", **points},
        f"{sheet}hands/1/void/": {"reason": "mistyped", "confirm": "1"},
        f"{sheet}seats/": {"seat": "0", "name": "Zoe"},
        f"{sheet}confirm/": words,
        f"{page_of(table)}agree/": {"place": str(table.places.all()[0].pk)},
        f"{page_of(table)}dispute/": {},
        f"{page_of(table)}call/": {},
        f"{page_of(table)}choose/": {"game": "tricky"},
    }


def state_of(table: Table) -> tuple[Any, ...]:
    """Return what somebody who writes changes."""
    table = Table.objects.get(pk=table.pk)
    seats = match_of(table).seats.order_by("index").values_list("name", flat=True)
    return match_of(table).version, table.called_at, table.disputed, list(seats)


def is_by_account(client: Client, match: Match) -> bool:
    by: bool = client.get(f"{match.get_absolute_url()}held.json").json()["by_account"]
    return by


def test_scanned_card_stays_valid_after_sign_out() -> None:
    table = table_of_a_night()
    match, director = match_of(table), signed_in(table.round.tournament.club)
    assert write_token(director, match)
    assert is_by_account(director, match)
    director.get(card_of(table))
    assert not is_by_account(director, match)
    director.post("/accounts/logout/")
    token = write_token(director, match)
    # No cookie is sent along with what slept on a phone.
    assert deliver(Client(), match, token) == 200
    player = Client()
    player.get(card_of(table))
    assert write_token(player, match)
    assert not is_by_account(player, match)
    assert not is_by_account(Client(), match)


def test_visitor_cannot_score_at_a_table_by_any_request() -> None:
    table = table_of_a_night()
    director, match = signed_in(table.round.tournament.club), match_of(table)
    assert deliver(director, match, write_token(director, match)) == 200
    before, stranger = state_of(table), Client()
    assert write_token(stranger, match) == ""
    for address in (page_of(table), match.get_absolute_url()):
        page = text(stranger, address)
        assert "You’re watching this table" in page
        assert "Call the director" not in page
        assert "Enter hand" not in page
    for token in ("", "0" * 32):
        for name, kind in COMMAND_KINDS.items():
            body = {"kind": name, "number": 1 if kind.has_hand else None}
            expected = 401 if kind.is_from_phones else 400
            assert deliver(stranger, match, token, **body) == expected, name
    for url, posted in posts_of(table).items():
        answer = stranger.post(url, posted)
        assert answer.status_code == 403, url
        assert "scan the table card" in answer.content.decode(), url
    assert state_of(table) == before


def stranger(_table: Table) -> Client:
    return Client()


def scanning(table: Table) -> Client:
    phone = Client()
    assert phone.get(card_of(table))["Location"] == match_of(table).get_absolute_url()
    return phone


def guessing(table: Table) -> Client:
    phone = Client()
    for guess in ("0" * 32, "x", match_of(table).address, "é" * 40):
        phone.get(card_of(table, guess))
        phone.get(f"{match_of(table).get_absolute_url()}?secret={guess}")
    return phone


def seated(table: Table) -> Client:
    return own_phone(table.places.all()[0].entry)


def viewer(table: Table) -> Client:
    return signed_in(table.round.tournament.club, Role.VIEWER)


def scorer(table: Table) -> Client:
    return signed_in(table.round.tournament.club, Role.SCORER)


@pytest.mark.parametrize(
    ("writing", "phone", "tables"),
    [
        *(("card", phone, "none") for phone in (stranger, guessing, viewer)),
        *(("card", phone, "own") for phone in (scanning, seated)),
        *(("own", phone, "none") for phone in (stranger, scanning, viewer)),
        ("own", seated, "own"),
        *((writing, scorer, "all") for writing in ("card", "own")),
        ("open", stranger, "all"),
    ],
)
def test_phone_scores_at_its_own_table(
    writing: str, phone: Callable[[Table], Client], tables: str
) -> None:
    table = table_of_a_night(writing)
    other = table.round.tables.exclude(pk=table.pk).select_related("match").get()
    client = phone(table)
    for requested, writes in ((table, tables != "none"), (other, tables == "all")):
        match = match_of(requested)
        token = write_token(client, match)
        assert bool(token) == writes
        assert (deliver(Client(), match, token) == 200) == writes
        called = client.post(f"{page_of(requested)}call/").status_code
        assert called == (302 if writes else 403)
        offers = "Enter hand 2" in text(client, match.get_absolute_url())
        assert offers == writes


def test_round_card_opens_its_table_and_only_directors_print_it() -> None:
    table = table_of_a_night()
    tournament = table.round.tournament
    printed = f"/t/{tournament.address}/rounds/1/cards/"
    anybody, scorer = Client(), signed_in(tournament.club, Role.SCORER)
    codes = [
        client.get(printed).content.decode().split('class="qr"')[1][:2000]
        for client in (anybody, scorer)
    ]
    assert codes[0] != codes[1]
    assert "These codes are view-only" in text(anybody, printed)
    secret = urlencode({"secret": card_secret(tournament.club, table.number)})
    phone = Client()
    answer = phone.get(f"{page_of(table)}?{secret}")
    assert answer["Location"] == page_of(table)
    assert phone.post(f"{page_of(table)}call/").status_code == 302


def test_phone_at_the_table_shares_scoring_rights_by_code() -> None:
    table = table_of_a_night()
    match = match_of(table)
    phone, stranger = Client(), Client()
    phone.get(card_of(table))
    code = f"{match.get_absolute_url()}qr.svg"
    assert phone.get(code).content != stranger.get(code).content
    second = Client()
    second.get(f"{match.get_absolute_url()}?secret={match.secret}")
    assert deliver(second, match, write_token(second, match)) == 200


def test_revoked_cards_open_no_table_and_show_a_message() -> None:
    table = table_of_a_night()
    club = table.round.tournament.club
    phone, old = Client(), card_of(table)
    phone.get(old)
    stale = write_token(phone, match_of(table))
    renew_cards(club_id=club.pk)
    match = match_of(table)
    assert deliver(phone, match, stale) == 401
    assert write_token(phone, match) == ""
    page = phone.get(old, follow=True).content.decode()
    assert "This card has an old code" in page
    club.refresh_from_db()
    phone.get(card_of(table, card_secret(club, table.number)))
    assert deliver(phone, match, write_token(phone, match)) == 200


def test_entry_setting_applies_to_running_tables() -> None:
    table = table_of_a_night("open")
    tournament = table.round.tournament
    phone = Client()
    linked = write_token(phone, match_of(table))
    for writing in (Tournament.Writing.CARD, Tournament.Writing.OWN_PHONES):
        tournament.writing = writing
        save_settings(tournament=tournament, fields=["writing"])
        match = match_of(table)
        assert deliver(phone, match, linked) == 401
        phone.get(card_of(table))
        assert bool(write_token(phone, match)) == (writing == Tournament.Writing.CARD)
    tournament.writing = Tournament.Writing.OPEN
    save_settings(tournament=tournament, fields=["writing"])
    assert (
        deliver(Client(), match_of(table), write_token(Client(), match_of(table)))
        == 200
    )


def test_director_corrections_at_a_running_table_bear_their_name() -> None:
    table = table_of_a_night()
    match = match_of(table)
    scorer, phone = Client(), Client()
    user = member(table.round.tournament.club, Role.SCORER)
    scorer.force_login(user)
    phone.get(card_of(table))
    assert deliver(phone, match, write_token(phone, match)) == 200
    sheet = match.get_absolute_url()
    void = {"key": str(uuid4()), "reason": "mistyped"}
    for client, keeps in ((phone, True), (scorer, False)):
        # A phone that keeps it delivers it without an account.
        correcting = client.get(f"{sheet}hands/1/correct/")
        voiding = client.post(f"{sheet}hands/1/void/", void)
        for page in (correcting, voiding):
            assert ("data-entry-kind" in page.content.decode()) == keeps
    scorer.post(f"{sheet}hands/1/void/", {**void, "confirm": "1"})
    made_by = match_of(table).log.in_order().values_list("made_by", flat=True)
    assert list(made_by) == ["someone at the table", user.public_name]


def test_card_opens_the_match_else_the_table_else_the_club() -> None:
    table = table_of_a_night()
    club = table.round.tournament.club
    assert Client().get(card_of(table, ""))["Location"].startswith("/m/")
    Match.objects.filter(pk=match_of(table).pk).update(finished=True)
    assert Client().get(card_of(table))["Location"] == page_of(table)
    Round.objects.filter(pk=table.round_id).update(state=Round.State.CLOSED)
    answer = Client().get(card_of(table), follow=True)
    assert answer.redirect_chain[-1][0] == club.get_absolute_url()
    assert "No match at table" in answer.content.decode()


def test_public_pages_never_expose_secrets() -> None:
    table = table_of_a_night()
    tournament = table.round.tournament
    compute_standings(tournament_id=tournament.pk, now=NOW)
    match = match_of(table)
    base, sheet = tournament.get_absolute_url(), match.get_absolute_url()
    stranger = Client()
    paths = [
        tournament.club.get_absolute_url(), base, f"{base}live/", f"{base}qr.svg",
        f"{base}join/", f"{base}projector/", f"{base}projector/live/",
        f"{base}rounds/1/", f"{base}rounds/1/?seats", f"{base}rounds/1/cards/",
        f"{base}rounds/1/wall/", page_of(table), sheet, f"{sheet}live/",
        f"{sheet}qr.svg", f"{sheet}held.json", f"{sheet}record.json",
        f"{sheet}hands/new/", f"{sheet}board/", f"{sheet}seats/",
    ]  # fmt: skip
    secret = card_secret(tournament.club, table.number)
    assert match.secret == secret
    for path in paths:
        answer = stranger.get(path)
        assert secret not in answer.content.decode(), path
