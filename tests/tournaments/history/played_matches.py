"""Random tournaments, played bid by bid and trick by trick, and their records."""

import json
from random import Random
from uuid import uuid4

from scoring.games.random_match import generate_hand
from scoring.matchlog.append import replay_match
from scoring.matchlog.records import export_match
from scoring.models import Match
from scoring.rules import MatchRecord, read_record
from tests.factories.commands import author, enter_hand, void_hand
from tests.factories.matches import NOW
from tests.factories.tournaments import match_of, running_round, tournament_with
from tournaments.event import rounds
from tournaments.models import Club, Tournament

OPTIONS = {"tricky": {"target": 3000}, "tricky_dice": {"target": 60}}
AUTHOR = author(may_change_closed=True)


def play_random_match(match: Match, rng: Random, share: float = 0.6) -> None:
    """Play a match to its end; record this share of its hands trick by trick."""
    while not match.finished:
        state = replay_match(match).state
        raw = generate_hand(state, rng, tricks=rng.random() < share)
        number = match.log.filter(kind="enter").count() + 1
        enter_hand(
            match_id=match.pk, key=uuid4(), number=number, raw=raw, author=AUTHOR
        )
        if rng.random() < 0.1 and "tricks" in raw:
            void_hand(match_id=match.pk, key=uuid4(), number=number, author=AUTHOR)
        match.refresh_from_db()


def random_tournament(
    club: Club, game: str, names: list[str], rng: Random
) -> Tournament:
    tournament = tournament_with(
        names,
        club=club,
        game=game,
        rounds_planned=1,
        options=OPTIONS.get(game, {}),
    )
    round_ = running_round(tournament)
    for table in round_.tables.select_related("match"):
        play_random_match(match_of(table), rng)
    rounds.close(round_id=round_.pk, now=NOW)
    return rounds.finish(tournament_id=tournament.pk, now=NOW)


def records_of(club: Club) -> list[MatchRecord]:
    """Return the records of a club's matches, as they are exported."""
    matches = Match.objects.filter(table__round__tournament__club=club)
    records = []
    for match in matches.order_by("pk"):
        document = json.loads(export_match(match))
        document.get("meta", {}).pop("log", None)
        records.append(read_record(document))
    return records
