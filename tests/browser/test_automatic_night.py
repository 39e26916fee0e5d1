"""A night on autopilot: each person has a phone, and no one directs.

NIGHT_ROUNDS is the number of rounds before the final.
"""

import os
from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.offline import until_true
from tests.browser.playing import tap_entry
from tests.browser.test_my_night import open_night
from tests.factories.tournaments import NAMES, TournamentFactory, enter_points
from tournaments.event import entries, rounds
from tournaments.event.results import standings_differences
from tournaments.models import AutoStep, Entry, Place, Round, Table, Tournament
from tricky_site.beat import start_beat_without_broker
from tricky_site.celery import app

pytestmark = pytest.mark.django_db(transaction=True)

Kind = AutoStep.Kind
ROUNDS = int(os.environ.get("NIGHT_ROUNDS", "1"))
PLAYERS, FINALISTS = 7, 4
POINTS = (20, 12, 5, 1, 0)
POLL_SECONDS = 60
"""Seconds in which all pages on a busy machine have polled."""


@pytest.fixture
def beat(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run due steps each second in this process, as a site without a broker does."""
    monkeypatch.setitem(app.conf.beat_schedule["nights"], "schedule", 1)
    service = start_beat_without_broker()
    assert service is not None
    yield
    service.stop(wait=True)


class Room:
    def __init__(self, tournament: Tournament, phones: dict[str, Page]) -> None:
        self.tournament = tournament
        self.phones = phones

    def expect_text(self, name: str, text: str) -> None:
        """Expect a text at the top of a player's page, without a reload."""
        page = self.phones[name]
        expect(page.locator("#night")).to_contain_text(text)

    def wait_for(self, kind: Kind, number: int) -> None:
        """Wait until a step of a round is announced, and until it is done.

        Announced steps are made due at once, repeatedly: the beat announces a step again
        if the start of the night changes at the same time.
        """
        steps = self.tournament.auto_steps.filter(kind=kind, number=number)
        done = steps.filter(state="done")
        until_true(steps.exists, f"nobody announced {kind}", POLL_SECONDS)
        Tournament.objects.update(starts_at=timezone.now())

        def is_done() -> bool:
            now = timezone.now()
            later = steps.held_or_announced().filter(due_at__gt=now)
            if later.exists():
                later.update(due_at=now)
            return done.exists()

        until_true(is_done, f"nobody did {kind}", POLL_SECONDS)

    def expect_seats(self, number: int) -> None:
        """Expect that each phone shows the seat of its owner, or that they sit out."""
        places = Place.objects.filter(round__tournament=self.tournament)
        round_places = places.filter(round__number=number)
        tables = dict(round_places.values_list("entry__name", "table__number"))
        for name in self.phones:
            text = "The final is only for players who advanced."
            if name in tables:
                text = f"you’re at table {tables[name]}."
            self.expect_text(name, text)

    def play(self, number: int) -> None:
        """Play a round; at the first table, the first hand is tapped on a phone."""
        round_ = self.tournament.rounds.get(number=number)
        for table in round_.tables.select_related("match").order_by("number"):
            players = list(table.places.order_by("index").values_list("entry__name"))
            phone = self.phones[players[table.number % len(players)][0]]
            if table.number == 1:
                tap_first_hand(phone, len(players))
            play_on(table, len(players))
            phone.goto(f"/t/{self.tournament.address}/me/")
            phone.get_by_role("link", name="Check the result").tap()
            phone.get_by_role("button", name="Confirm as").tap()
            expect(phone.locator("main")).to_contain_text("own phone")
            phone.goto(f"/t/{self.tournament.address}/me/")


def tap_first_hand(phone: Page, seats: int) -> None:
    phone.get_by_role("link", name="Open scorepad").tap()
    phone.get_by_role("link", name="Enter hand 1").tap()
    tap_entry(phone, "tricky_bid", {"points": list(POINTS[:seats])})
    phone.get_by_role("button", name="Save hand 1").tap()
    expect(phone.locator("tr[data-hand='1']")).to_be_attached()


def play_on(table: Table, seats: int) -> None:
    assert table.match is not None
    table.match.refresh_from_db()
    for _hand in range(table.match.hands_played, seats):
        enter_points(table.match, POINTS[:seats])


def enter_and_check_in(phone: Page, tournament: Tournament, name: str) -> None:
    phone.goto(f"/t/{tournament.address}/join/")
    phone.get_by_label("Your name").fill(name)
    phone.get_by_role("button", name="Join").tap()
    phone.get_by_role("button", name="I’m here").tap()
    expect(phone.locator("#night")).to_contain_text("You’re checked in.")


@pytest.mark.long(60)
@pytest.mark.rare
def test_phones_play_a_night_to_its_final_standings_without_a_desk(
    new_phone: Callable[..., Page], beat: None
) -> None:
    tournament: Tournament = TournamentFactory.create(
        starts_at=timezone.now() + timedelta(minutes=30),
        autopilot="run",
        rounds_planned=ROUNDS,
        final_size=FINALISTS,
        quorum="one",
        writing="own",
        listing="listed",
    )
    phones = {name: new_phone() for name in NAMES[:PLAYERS]}
    for name in NAMES[:2]:
        enter_and_check_in(phones[name], tournament, name)
    other_names = NAMES[2:PLAYERS]
    entries.add_entries(
        tournament_id=tournament.pk,
        names=other_names,
        now=timezone.now(),
        state=Entry.State.PRESENT,
    )
    for entry in tournament.entries.filter(name__in=other_names):
        open_night(phones[entry.name], entry)
    room = Room(tournament, phones)
    room.expect_text(NAMES[0], "Round 1: seating appears in")
    for number in range(1, ROUNDS + 1):
        room.wait_for(Kind.SEAT, number)
        room.expect_seats(number)
        room.expect_text(NAMES[0], f"Round {number} starts in")
        room.wait_for(Kind.START, number)
        room.play(number)
        room.wait_for(Kind.CLOSE, number)
    room.expect_text(NAMES[0], "Seating for the final appears in")
    final_round = ROUNDS + 1
    room.wait_for(Kind.CUT, final_round)
    room.expect_seats(final_round)
    room.wait_for(Kind.START, final_round)
    room.play(final_round)
    room.wait_for(Kind.CLOSE, final_round)
    room.wait_for(Kind.FINISH, final_round)
    final_standings = tournament.standings.filter(frozen_as=rounds.FINAL).get()
    for line in final_standings.rows_with_names():
        text = f"You’re {ordinal(line.rank)} of {PLAYERS}."
        room.expect_text(line.entry.name, "You won!" if line.rank == 1 else text)
    assert standings_differences(tournament) == []
    assert not Round.objects.exclude(state="closed").exists()
