"""`manage.py demo`: a season of matches, and a club with two tournaments."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import chain, count
from random import Random
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.db import transaction
from django.utils import timezone

from scoring.games.demo_season import NAMES
from scoring.games.random_match import generate_hand
from scoring.games.registry import table_games
from scoring.management.commands.demo import Command as PlaySeason
from scoring.management.commands.demo import (
    delete_demo_matches_and_players,
    find_season_match_ids,
)
from scoring.matchlog.append import append, read_match
from scoring.matchlog.commands import Command as MatchCommand
from scoring.matchlog.commands import CommandAuthor
from scoring.models import LogEntry, Match, Player
from tournaments.event import draw as drawing
from tournaments.event import entries, rounds
from tournaments.event.results import store_current_standings
from tournaments.history.derivation import derive_history
from tournaments.models import (
    Bye,
    Club,
    Entry,
    Penalty,
    Place,
    Round,
    Standings,
    Table,
    Tournament,
)
from tournaments.models.clubs import DEMO

ROUND_LENGTH = timedelta(minutes=50)
FINISHED, RUNNING = "demswss2", "demnght2"
"""Codes of the two tournaments, so that guides can name them."""
EVENINGS, WEEKS_BETWEEN = 6, 6
CODES = [f"demeven{number}" for number in range(2, 2 + EVENINGS)]
"""Codes of the evenings."""
ALL_CODES = [FINISHED, RUNNING, *CODES]


def weighted_demo_games() -> list[str]:
    """Return the games in the proportions in which the club plays them, its favourite first."""
    favourites = sorted(table_games(), key=lambda game: -game.demo_evenings)
    return [game.id for game in favourites for _evening in range(game.demo_evenings)]


class Command(PlaySeason):
    """Play a random season with a club night in it, and store it."""

    help = "Create 24 players, a season of matches, and a club with two tournaments."

    def handle(self, *args: Any, **options: Any) -> None:
        demo_clubs = Club.objects.filter(is_demo=True)
        had_demo = demo_clubs.exists()
        super().handle(*args, **options)
        if demo_clubs.exists() and not had_demo:
            running = Tournament.objects.get(code=RUNNING)
            url = running.get_absolute_url()
            self.stdout.write(f"A club night is running: {url}, code {RUNNING}")

    @transaction.atomic
    def remove_demo_data(self, seed: int) -> int:
        """Remove the season with this seed and the club; return how many matches they had.

        A club with other tournaments stays with these, and is no longer a demo.
        """
        demo = Tournament.objects.filter(code__in=ALL_CODES, club__is_demo=True)
        tables = Table.objects.filter(round__tournament__in=demo, match__isnull=False)
        matches = list(tables.values_list("match", flat=True))
        Standings.objects.filter(tournament__in=demo).delete()
        Place.objects.filter(round__tournament__in=demo).delete()
        Bye.objects.filter(round__tournament__in=demo).delete()
        Penalty.objects.filter(tournament__in=demo).delete()
        demo.delete()
        Club.objects.filter(is_demo=True, tournaments=None).delete()
        Club.objects.filter(is_demo=True).update(is_demo=False)
        return delete_demo_matches_and_players([*matches, *find_season_match_ids(seed)])

    @transaction.atomic
    def store_demo_data(self, seed: int) -> list[Match]:
        """Return the matches of the season, stored together with the club."""
        matches = super().store_demo_data(seed)
        if not Club.objects.filter(is_demo=True).exists():
            store_demo_club_with_tournaments(Random(seed), timezone.now())
        return matches


def store_demo_club_with_tournaments(rng: Random, now: datetime) -> Club:
    """Store the demo club: a finished Swiss event, a running night, earlier evenings.

    Raises CommandError if a tournament of another club has one of their codes.
    """
    conflicting = (
        Tournament.objects.filter(code__in=ALL_CODES).select_related("club").first()
    )
    if conflicting is not None:
        raise CommandError(
            f"The club “{conflicting.club}” has a tournament with the code {conflicting.code}, which the "
            "demo needs. Nothing was stored."
        )
    slugs = chain([DEMO], (f"{DEMO}-{number}" for number in count(2)))
    free = (slug for slug in slugs if not Club.objects.filter(slug=slug).exists())
    club = Club.objects.create(
        name="Demo Club", slug=next(free), created_at=now, is_demo=True
    )
    games = weighted_demo_games()
    evenings = range(EVENINGS * WEEKS_BETWEEN, 4, -WEEKS_BETWEEN)
    for code, weeks in zip(CODES, evenings, strict=True):
        evening = Tournament(
            name="Club night", code=code, game=rng.choice(games), rounds_planned=2
        )
        _play_tournament(
            club, evening, rng.sample(NAMES, 16), now - timedelta(weeks=weeks), rng
        )
    swiss = Tournament(
        name="October Swiss",
        code=FINISHED,
        format=Tournament.Format.SWISS,
        game=games[0],
        rounds_planned=3,
    )
    _play_tournament(club, swiss, NAMES[:16], now - timedelta(weeks=4), rng)
    running = Tournament(
        name="November night", code=RUNNING, game=games[0], rounds_planned=4
    )
    _store_with_entries(club, running, NAMES[:13], now - timedelta(minutes=75))
    _play_next_round(running, rng, running.starts_at)
    second_start = now - timedelta(minutes=20)
    second_round = _start_next_round(running, second_start)
    _play_hands(second_round, rng, second_start, most_at_each_table=2)
    store_current_standings(tournament_id=running.pk, now=now)
    derive_history(club_id=club.pk, now=now)
    return club


def _store_with_entries(
    club: Club, tournament: Tournament, names: Sequence[str], starts_at: datetime
) -> None:
    tournament.club, tournament.starts_at = club, starts_at
    tournament.points = "linear"
    tournament.quorum = Tournament.Quorum.NONE
    # Visitors of the demo have no card to scan.
    tournament.writing = Tournament.Writing.OPEN
    tournament.save()
    people = {
        player.name.casefold(): player for player in Player.objects.order_by("-pk")
    }
    entries.add_entries(
        tournament_id=tournament.pk,
        names=names,
        now=starts_at,
        state=Entry.State.PRESENT,
        people=people,
    )


def _play_tournament(
    club: Club,
    tournament: Tournament,
    names: Sequence[str],
    starts_at: datetime,
    rng: Random,
) -> None:
    _store_with_entries(club, tournament, names, starts_at)
    for number in range(tournament.rounds_planned):
        _play_next_round(tournament, rng, starts_at + number * ROUND_LENGTH)
    end = starts_at + tournament.rounds_planned * ROUND_LENGTH
    rounds.finish(tournament_id=tournament.pk, now=end)


def _start_next_round(tournament: Tournament, now: datetime) -> Round:
    """Start the next round, which is drawn first if none is waiting."""
    waiting = tournament.rounds.filter(state=Round.State.DRAWN).order_by("number")
    if not waiting.exists():
        drawing.draw(tournament_id=tournament.pk, now=now)
    round_ = waiting[0]
    rounds.publish(round_id=round_.pk, now=now)
    return rounds.start(round_id=round_.pk, now=now)


def _play_next_round(tournament: Tournament, rng: Random, started_at: datetime) -> None:
    """Start the next round, play its matches to the end, and close it."""
    round_ = _start_next_round(tournament, started_at)
    _play_hands(round_, rng, started_at)
    rounds.close(round_id=round_.pk, now=started_at + ROUND_LENGTH)


def _play_hands(
    round_: Round,
    rng: Random,
    started_at: datetime,
    *,
    most_at_each_table: int | None = None,
) -> None:
    """Play the matches of a round at random; to the end if `most_at_each_table` is None."""
    for table in round_.tables.select_related("match"):
        assert table.match is not None
        logged, now = read_match(table.match), started_at
        while not logged.replayed.state.finished and (
            most_at_each_table is None
            or logged.replayed.state.number < most_at_each_table
        ):
            now += timedelta(seconds=rng.randint(300, 540))
            hand = MatchCommand(
                key=UUID(int=rng.getrandbits(128), version=4),
                kind=LogEntry.Kind.ENTER,
                author=CommandAuthor(name="Demo"),
                number=logged.replayed.state.number + 1,
                body=generate_hand(logged.replayed.state, rng),
            )
            logged = append(
                hand, address=table.match.address, now=now, logged=logged
            ).logged
