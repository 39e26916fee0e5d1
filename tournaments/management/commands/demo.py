"""`manage.py demo`: a season of matches, and a club with two tournaments."""

from collections.abc import Sequence
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
from tournaments.operations.history import derive_history
from tournaments.operations.results import compute_standings
from tournaments.operations.snapshots import take_snapshots

CLUB = "demo-club"
A_ROUND = timedelta(minutes=50)
FINISHED, RUNNING = "demswss2", "demnght2"
"""Codes of the two tournaments, so that guides can name them."""
EVENINGS, WEEKS_APART = 6, 6
GAMES_BEFORE = ("tricky_bid", "tricky_bid", "tricky_dice")


class Command(PlaySeason):
    """Play a season by chance, with a club night in it, and store it."""

    help = "Stores 24 players, a season of matches, and a club with two tournaments."

    def handle(self, *args: Any, **options: Any) -> None:
        """Store everything or nothing, and say how much it was."""
        there = Club.objects.filter(slug=CLUB)
        before = there.exists()
        super().handle(*args, **options)
        if there.exists() and not before:
            running = Tournament.objects.get(code=RUNNING)
            where = running.get_absolute_url()
            self.stdout.write(f"A club night is running: {where}, code {RUNNING}")

    @transaction.atomic
    def store(self, seed: int) -> list[Match]:
        """Return the matches of the season, stored together with the club."""
        matches = super().store(seed)
        if not Club.objects.filter(slug=CLUB).exists():
            store_club(Random(seed), timezone.now())
        return matches


def store_club(rng: Random, now: datetime) -> Club:
    """Return the demo club: a finished Swiss event, a running night, evenings before."""
    club = Club.objects.create(name="Demo Club", slug=CLUB, created_at=now)
    for weeks in range(EVENINGS * WEEKS_APART, 4, -WEEKS_APART):
        evening = Tournament(
            name="Club evening", game=rng.choice(GAMES_BEFORE), rounds_planned=2
        )
        _hold(club, evening, rng.sample(NAMES, 16), now - timedelta(weeks=weeks), rng)
    swiss = Tournament(
        name="October Swiss",
        code=FINISHED,
        format=Tournament.Format.SWISS,
        game="tricky_bid",
        rounds_planned=3,
    )
    _hold(club, swiss, NAMES[:16], now - timedelta(weeks=4), rng)
    running = Tournament(
        name="November night", code=RUNNING, game="tricky_bid", rounds_planned=4
    )
    _open(club, running, NAMES[:13], now - timedelta(minutes=75))
    play_round(_next_round(running, running.starts_at), rng, running.starts_at)
    begun = now - timedelta(minutes=20)
    play_round(_next_round(running, begun), rng, begun, hands=2)
    compute_standings(tournament_id=running.pk, now=now)
    derive_history(club_id=club.pk, now=now)
    take_snapshots(club_id=club.pk, now=now)
    return club


def _open(
    club: Club, tournament: Tournament, names: Sequence[str], starts_at: datetime
) -> None:
    tournament.club, tournament.starts_at = club, starts_at
    tournament.points = "linear"
    tournament.quorum = Tournament.Quorum.NONE
    tournament.save()
    people = {one.name.casefold(): one for one in Player.objects.order_by("-pk")}
    entries.enter(
        tournament_id=tournament.pk,
        names=names,
        now=starts_at,
        state=Entry.State.PRESENT,
        people=people,
    )


def _hold(
    club: Club,
    tournament: Tournament,
    names: Sequence[str],
    starts_at: datetime,
    rng: Random,
) -> None:
    """Play a tournament to its end on a day that is past."""
    _open(club, tournament, names, starts_at)
    for number in range(tournament.rounds_planned):
        begun = starts_at + number * A_ROUND
        play_round(_next_round(tournament, begun), rng, begun)
    end = starts_at + tournament.rounds_planned * A_ROUND
    rounds.finish(tournament_id=tournament.pk, now=end)


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
