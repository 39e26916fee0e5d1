"""The command `demo`: a season that stands up to the rules."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from random import Random

import pytest
from django.core.management import call_command
from django.utils import timezone

from scoring.games.demo_season import NAMES, play_season
from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.models import LogEntry, Match, Player
from scoring.rules import GAMES

NOW = datetime(2026, 3, 5, 20, 30, tzinfo=UTC)


def demo(*arguments: str) -> str:
    printed = StringIO()
    call_command("demo", *arguments, stdout=printed)
    return printed.getvalue()


@pytest.mark.one_database
@pytest.mark.long(2)
@pytest.mark.django_db
def test_a_season_is_stored_as_the_rules_have_it() -> None:
    assert demo().startswith(f"Stored {len(NAMES)} players")
    assert Player.objects.count() == len(NAMES) == 24
    matches = Match.objects.all()
    assert {match.game for match in matches} == GAMES.keys()
    assert matches.filter(finished=False).exists()
    assert matches.count() > 40
    assert any(replay_match(match).pending for match in matches)
    assert LogEntry.objects.filter(kind=LogEntry.Kind.REPLACE).exists()
    assert not LogEntry.objects.filter(made_at__gt=timezone.now()).exists()
    for match in matches:
        assert rebuild_match(match_id=match.pk, check=True) == []


@pytest.mark.one_database
@pytest.mark.long(2)
@pytest.mark.django_db
def test_a_season_is_stored_once() -> None:
    demo("--seed", "7")
    stored = Match.objects.count()
    assert "already" in demo("--seed", "7")
    assert "already" in demo("--if-empty")
    assert (Match.objects.count(), Player.objects.count()) == (stored, 24)
    demo("--seed", "8")
    assert Player.objects.count() == 48


@pytest.mark.parametrize("seed", range(5))
def test_a_season_is_the_same_for_the_same_seed(seed: int) -> None:
    season = list(play_season(NOW, Random(seed)))
    assert season == list(play_season(NOW, Random(seed)))
    assert season[0].started_at < NOW - timedelta(weeks=10)
    for table in season:
        assert len(set(table.names)) == len(table.names)
        moments = [written.made_at for written in table.log]
        assert moments == sorted(moments)
        assert table.started_at <= moments[0]
        assert moments[-1] <= NOW
