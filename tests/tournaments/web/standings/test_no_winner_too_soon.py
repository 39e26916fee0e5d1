"""Nothing that a night leads to names its winner before its result is final.

Followed are all links of the desk, of a player's own page and of the club; read are feeds,
calendars, files, pictures, programs' answers, webhooks, notices and letters as well.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from scoring.matchlog.commands import Author
from tests.factories.hooks import hook_of
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    member,
    own_phone,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.test_every_link import ways_from
from tests.tournaments.event.test_leagues import begin
from tests.tournaments.web.pages import at
from tests.tournaments.web.standings.test_names_of_finals import Reader
from tournaments.event import draw as drawing
from tournaments.event import results, rounds
from tournaments.event.outlook import store_outlook
from tournaments.event.push.kinds import NoticeKind
from tournaments.event.results import count_standings
from tournaments.history.derivation import derive_history
from tournaments.models import HookEvent, Role, Subscription, Table, Tournament
from tournaments.web.notifications.texts import notices_of
from tournaments.web.sharing.metadata import about_club, about_tournament

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

OF_ONE_TABLE = re.compile(r"^/m/|/rounds/\d+/tables/|/matches/")
"""Addresses about one table, whose result can be final while that of the night is not."""
OF_NO_NIGHT = ("/how-to-play/", "/api/v1/openapi", "/api/v1/reference")
"""Rules and descriptions, which have winners of their own."""


def night(**settings: Any) -> Tournament:
    tournament = tournament_with(8, rounds_planned=1, quorum="all", **settings)
    hook_of(tournament.club)
    for entry in tournament.entries.all():
        Subscription.objects.create(
            tournament=tournament,
            entry=entry,
            endpoint=f"https://push.example/{entry.pk}",
            made_at=NOW,
        )
    return tournament


def unconfirmed() -> Tournament:
    tournament = night()
    play_round(running_round(tournament))
    return tournament


def disputed() -> Tournament:
    tournament = unconfirmed()
    one = tournament.rounds.get()
    first, *others = one.tables.order_by("number")
    results.dispute(table_id=first.pk, now=NOW)
    for table in others:
        results.confirm_for_table(table_id=table.pk, author=Author(name="Di"), now=NOW)
    return tournament


def closed_disputed() -> Tournament:
    tournament = disputed()
    rounds.close(round_id=tournament.rounds.get().pk, now=NOW, override="It was late.")
    return tournament


def open_round() -> Tournament:
    tournament = night()
    first, *_others = running_round(tournament).tables.select_related("match")
    play_table(first, [20, 12, 5, 1])
    results.confirm_for_table(table_id=first.pk, author=Author(name="Di"), now=NOW)
    return tournament


def before_the_final(final_size: int = 4) -> Tournament:
    tournament = night(final_size=final_size)
    one = running_round(tournament)
    play_round(one)
    results.confirm_for_round(round_id=one.pk, author=Author(name="Di"), now=NOW)
    rounds.close(round_id=one.pk, now=NOW)
    return tournament


def level_cut() -> Tournament:
    return before_the_final(final_size=3)


def in_the_final() -> Tournament:
    tournament = before_the_final()
    (final,) = drawing.cut(tournament_id=tournament.pk, size=4, now=NOW)
    rounds.publish(round_id=final.pk)
    rounds.start(round_id=final.pk, now=NOW)
    play_round(final)
    return tournament


def open_league() -> Tournament:
    tournament = night(format="league")
    names = list(tournament.entries.values_list("name", flat=True))[:3]
    play_table(begin(tournament, names), [9, 5, 1])
    return tournament


def finished() -> Tournament:
    tournament = unconfirmed()
    one = tournament.rounds.get()
    play = Author(name="Di")
    results.confirm_for_round(round_id=one.pk, author=play, now=NOW)
    rounds.close(round_id=one.pk, now=NOW)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    return tournament


def reopened() -> Tournament:
    tournament = finished()
    count_standings(tournament_id=tournament.pk, now=NOW)
    derive_history(club_id=tournament.club_id, now=NOW)
    rounds.reopen(tournament_id=tournament.pk)
    return tournament


def claims_in(tournament: Tournament, texts: dict[str, str]) -> dict[str, str]:
    """Return where somebody is said to have won, or to be first for good, with the words."""
    names = "|".join(map(re.escape, tournament.entries.values_list("name", flat=True)))
    claim = re.compile(
        rf"\b(?:{names})\b,? (?:has |have )?won\b|\bYou (?:have )?won\b"
        rf"|\b(?:{names}) is first\b|champion(?!s will)|\b1st for certain"
        rf"|has won, whatever|won {re.escape(tournament.name)}",
        re.IGNORECASE,
    )
    found = {address: claim.search(text) for address, text in texts.items()}
    return {
        address: texts[address][max(0, hit.start() - 60) : hit.end() + 60]
        for address, hit in found.items()
        if hit
    }


def said_of(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Yield everything that is said of a night, by where."""
    count_standings(tournament_id=tournament.pk, now=NOW)
    store_outlook(tournament_id=tournament.pk)
    derive_history(club_id=tournament.club_id, now=NOW)
    tournament = Tournament.objects.select_related("club").get(pk=tournament.pk)
    director = Reader("en")
    director.force_login(member(tournament.club, Role.DIRECTOR))
    first = Table.objects.filter(round__tournament=tournament).earliest("pk")
    player = Reader("en")
    player.cookies.update(own_phone(first.places.get(index=0).entry).cookies)
    stranger = Reader("en")
    for reader, page in (
        (director, at("desk", tournament)),
        (player, at("me", tournament)),
        (stranger, tournament.club.get_absolute_url()),
    ):
        ways_from(page, reader)
        for name in ("club_calendar", "club_results", "badge"):
            reader.get(reverse(f"tournaments:{name}", args=[tournament.club.slug]))
        for path in ("", "/standings", "/rounds", "/tables/standings.csv"):
            reader.get(f"/api/v1/tournaments/{tournament.address}{path}")
        for path in ("/tournaments", "/leaderboards/all", "/statistics", "/records"):
            reader.get(f"/api/v1/clubs/{tournament.club.slug}{path}")
        reader.get(at("projector", tournament))
        yield from (
            (address, text)
            for address, text in reader.texts.items()
            if not address.startswith(OF_NO_NIGHT)
        )
    yield "shared", about_tournament(tournament).description
    yield "shared of the club", about_club(tournament.club, NOW.date()).description
    for event in HookEvent.objects.filter(club=tournament.club):
        yield f"webhook {event.pk}", " ".join([event.title, *event.lines])
        yield f"webhook {event.pk} JSON", str(event.content)
    tables = Table.objects.filter(round__tournament=tournament)
    for kind in (NoticeKind.OVER, NoticeKind.CALLED, NoticeKind.DISPUTED):
        for table in tables:
            for notice in notices_of(kind, table.pk, NOW):
                yield f"notice {kind}", str(notice)
    for letter in mail.outbox:
        yield f"letter {letter.subject}", f"{letter.subject} {letter.body}"


OPEN_NIGHTS = (
    *(unconfirmed, disputed, closed_disputed, open_round, open_league, reopened),
    *(before_the_final, level_cut, in_the_final),
)


@pytest.mark.parametrize("play", OPEN_NIGHTS, ids=lambda play: play.__name__)
def test_nothing_names_the_winner_of_an_open_night(
    play: Callable[[], Tournament],
) -> None:
    tournament = play()
    texts = {
        address: text
        for address, text in said_of(tournament)
        if not OF_ONE_TABLE.search(address)
    }
    assert len(texts) > 40
    assert claims_in(tournament, texts) == {}


@pytest.mark.parametrize("play", [unconfirmed, open_league])
def test_nothing_names_the_winner_of_an_unconfirmed_table(
    play: Callable[[], Tournament],
) -> None:
    tournament = play()
    texts = dict(said_of(tournament))
    for table in Table.objects.filter(match__finished=True):
        assert table.match is not None
        path = f"/api/v1/matches/{table.match.address}"
        texts[path] = Client().get(path).content.decode()
        assert table.match.get_absolute_url() in texts
    assert claims_in(tournament, texts) == {}
    for address, text in texts.items():
        if address.startswith(("/api/", "webhook")):
            assert not re.search("['\"]won['\"]: (True|true)", text), address


def test_own_page_says_that_every_place_is_open() -> None:
    tournament = unconfirmed()
    texts = dict(said_of(tournament))
    assert "Every place is still open" in texts[at("me", tournament)]
    assert "between 1st and 8th" not in " ".join(texts.values())


def test_pages_feeds_and_what_is_shared_name_the_winners_of_a_finished_night() -> None:
    tournament = finished()
    texts = dict(said_of(tournament))
    found = claims_in(tournament, texts)
    club = tournament.club
    for address in (
        tournament.get_absolute_url(),
        club.get_absolute_url(),
        reverse("tournaments:club_results", args=[club.slug]),
        at("projector", tournament),
        at("desk", tournament),
        "shared",
    ):
        assert address in found, address
