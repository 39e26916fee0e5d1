"""Players and matches for tests."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

import factory
from factory.declarations import Sequence as Counted

from scoring.matchlog.settling import mark_unfinished_matches_as_counting
from scoring.matchlog.starting import start_match
from scoring.models import Match, Player
from tests.factories.commands import NOW as NOW
from tests.factories.commands import author as author
from tests.factories.commands import enter_hand

HAND = {"contract": {"bidder": 1, "bid": 96, "trump": 7}, "points": [140, 120, 101]}
OTHER = {"contract": {"bidder": 0, "bid": 120, "trump": 2}, "points": [140, 120, 101]}
WON = {**HAND, "contract": {"bidder": 1, "bid": 96, "trump": 20}}
"""Hands of Tricky for three players: one, a different one, and one that reaches 1000 points."""
NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")


class PlayerFactory(factory.django.DjangoModelFactory[Player]):
    name = Counted(lambda number: f"Player {number}")
    created_at = NOW

    class Meta:
        model = Player


def new_match(game: str = "tricky", seats: int = 3, **options: Any) -> Match:
    return start_match(
        key=uuid4(), game=game, names=NAMES[:seats], now=NOW, options=options
    )


def entered_match(
    hands: Sequence[Mapping[str, Any]],
    game: str = "tricky",
    seats: int = 3,
    **options: Any,
) -> Match:
    match = new_match(game, seats, **options)
    for number, raw in enumerate(hands, start=1):
        enter_hand(
            match_id=match.pk, key=uuid4(), number=number, raw=raw, author=author()
        )
    match.refresh_from_db()
    return match


def settled_match(
    hands: Sequence[Mapping[str, Any]],
    game: str = "tricky",
    seats: int = 3,
    **options: Any,
) -> Match:
    """Return a match that counts with these hands, even if it is unfinished."""
    match = entered_match(hands, game, seats, **options)
    mark_unfinished_matches_as_counting(Match.objects.filter(pk=match.pk))
    match.refresh_from_db()
    return match
