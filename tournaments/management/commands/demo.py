"""`manage.py demo`: a season of matches, and a club with two tournaments."""

from datetime import datetime, timedelta
from random import Random
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from scoring.management.commands.demo import Command as PlaySeason
from scoring.models import Match, Player
from scoring.operations import Author, enter_hand, folded_match
from scoring.playing import play_hand
from scoring.playing.season import NAMES
from tournaments.models import Club, Entry, Round, Tournament
from tournaments.operations import drawing, entries, rounds
from tournaments.operations.results import compute_standings

CLUB = "demo-club"
A_ROUND = timedelta(minutes=50)
FINISHED, RUNNING = "demswss2", "demnght2"
"""Codes of the two tournaments, so that guides can name them."""


class Command(PlaySeason):
    """Play a season by chance, with a club night in it, and store it."""

    help = "Stores 24 players, a season of matches, and a club with two tournaments."

    def handle(self, *args: Any, **options: Any) -> None:
        """Store everything or nothing, and say how much it was."""
        there = Club.objects.filter(slug=CLUB)
        before = there.exists()
        super().handle(*args, **options)
        if there.exists() and not before:
            self.stdout.write(f"A club night is running: /t/{RUNNING}/")

    @transaction.atomic
    def store(self, seed: int) -> list[Match]:
        """Return the matches of the season, stored together with the club."""
        matches = super().store(seed)
        if not Club.objects.filter(slug=CLUB).exists():
            store_club(Random(seed), timezone.now())
        return matches


def store_club(rng: Random, now: datetime) -> Club:
    """Return the demo club with a finished Swiss event and a running planned night."""
    club = Club.objects.create(name="Demo Club", slug=CLUB, created_at=now)
    finished = Tournament(
        name="October Swiss",
        code=FINISHED,
        format=Tournament.Format.SWISS,
        starts_at=now - timedelta(weeks=4),
        rounds_planned=3,
    )
    running = Tournament(
        name="November night",
        code=RUNNING,
        starts_at=now - timedelta(minutes=75),
        rounds_planned=4,
    )
    people = {one.name.casefold(): one for one in Player.objects.order_by("-pk")}
    for tournament, players in ((finished, 16), (running, 13)):
        tournament.club = club
        tournament.game = "tricky_bid"
        tournament.points = "linear"
        tournament.quorum = Tournament.Quorum.NONE
        tournament.save()
        entries.enter(
            tournament_id=tournament.pk,
            names=NAMES[:players],
            now=now,
            state=Entry.State.PRESENT,
            people=people,
        )
    for number in range(3):
        begun = finished.starts_at + number * A_ROUND
        play_round(_next_round(finished, begun), rng, begun)
    Tournament.objects.filter(pk=finished.pk).update(phase=Tournament.Phase.FINISHED)
    play_round(_next_round(running, running.starts_at), rng, running.starts_at)
    begun = now - timedelta(minutes=20)
    play_round(_next_round(running, begun), rng, begun, hands=2)
    for tournament in (finished, running):
        compute_standings(tournament_id=tournament.pk, now=now)
    return club


def _next_round(tournament: Tournament, now: datetime) -> Round:
    """Draw where nothing is drawn, and start the next round."""
    waiting = tournament.rounds.filter(state=Round.State.DRAWN).order_by("number")
    if not waiting.exists():
        drawing.draw(tournament_id=tournament.pk)
    one = waiting[0]
    rounds.publish(round_id=one.pk)
    return rounds.start(round_id=one.pk, now=now)


def play_round(
    one: Round, rng: Random, begun: datetime, *, hands: int | None = None
) -> None:
    """Play the matches of a round by chance, to the end or for a few hands."""
    for table in one.tables.select_related("match"):
        assert table.match is not None
        _play(table.match, rng, begun, hands)
    if hands is None:
        rounds.close(round_id=one.pk, now=begun + A_ROUND)


def _play(match: Match, rng: Random, begun: datetime, hands: int | None) -> None:
    state = folded_match(match).state
    now = begun
    while not state.finished and (hands is None or state.number < hands):
        now += timedelta(seconds=rng.randint(300, 540))
        enter_hand(
            match_id=match.pk,
            key=UUID(int=rng.getrandbits(128), version=4),
            number=state.number + 1,
            raw=play_hand(state, rng),
            author=Author(now=now, made_by="Demo"),
        )
        state = folded_match(match).state
