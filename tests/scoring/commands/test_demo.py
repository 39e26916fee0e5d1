"""The command `demo` stores a season that follows the rules."""

from datetime import UTC, datetime
from io import StringIO
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from scoring.games.demo_season import NAMES
from scoring.games.registry import table_games
from scoring.matchlog.append import replay_match
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.starting import start_match
from scoring.models import LogEntry, Match, Player
from scoring.models.log_triggers import trigger_names
from scoring.models.matches import demo_address
from tests.factories import HAND, settled_match
from tests.factories.tournaments import tournament_with
from tournaments.management.commands.demo import RUNNING
from tournaments.models import Club, Tournament
from tournaments.models.clubs import DEMO

NOW = datetime(2026, 3, 5, 20, 30, tzinfo=UTC)


def run_demo(*arguments: str) -> str:
    printed = StringIO()
    call_command("demo", *arguments, stdout=printed)
    return printed.getvalue()


@pytest.mark.one_database
@pytest.mark.long(2)
@pytest.mark.django_db
def test_demo_season_is_stored_once_and_follows_the_rules() -> None:
    assert run_demo().startswith(f"Stored {len(NAMES)} players")
    assert Player.objects.count() == len(NAMES) == 24
    matches = Match.objects.all()
    games = {game.id for game in table_games() if game.demo_table_sizes}
    assert {match.game for match in matches} == games
    assert matches.filter(finished=False).exists()
    assert matches.count() > 40
    demos = Match.objects.latest_demos().values_list("address", flat=True)
    assert set(demos) == set(map(demo_address, games))
    assert any(replay_match(match).pending_hand for match in matches)
    assert LogEntry.objects.filter(kind=LogEntry.Kind.REPLACE).exists()
    assert not LogEntry.objects.filter(made_at__gt=timezone.now()).exists()
    for match in matches:
        assert rebuild_match(match_id=match.pk, check_only=True) == []
    match_count = matches.count()
    assert "already" in run_demo()
    assert "already" in run_demo("--if-empty")
    assert (matches.count(), Player.objects.count()) == (match_count, len(NAMES))


def row_counts() -> dict[str, int]:
    """Count the rows of each model."""
    models = apps.get_models()
    counts = {model._meta.label: model._base_manager.count() for model in models}
    return {name: count for name, count in counts.items() if count}


@pytest.mark.long(5)
@pytest.mark.django_db(transaction=True)
def test_demo_leaves_other_data_at_its_addresses_alone() -> None:
    own_night = tournament_with(4)
    Club.objects.filter(pk=own_night.club_id).update(slug=DEMO)
    own_match = settled_match([HAND])
    address = demo_address("tricks_and_treats")
    Match.objects.filter(pk=own_match.pk).update(address=address)
    before = row_counts()
    run_demo()
    demo_club = Club.objects.get(is_demo=True)
    assert (demo_club.slug, demo_club.tournaments.exists()) == (f"{DEMO}-2", True)
    assert Match.objects.get(address=address) == own_match
    run_demo("--seed", "7")
    run_demo("--remove", "--seed", "7")
    run_demo("--remove")
    assert row_counts() == before
    assert rebuild_match(match_id=own_match.pk, check_only=True) == []
    assert trigger_names(connection) == {"log_never_changed", "log_never_deleted"}
    assert "Removed 0 matches" in run_demo("--remove")
    Tournament.objects.filter(pk=own_night.pk).update(code=RUNNING)
    with pytest.raises(CommandError, match=f"the code {RUNNING}"):
        run_demo()
    run_demo("--remove")
    assert row_counts() == before


@pytest.mark.long(3)
@pytest.mark.django_db(transaction=True)
def test_removing_the_demo_keeps_other_events_of_its_players() -> None:
    run_demo()
    ada = Player.objects.filter(name="Ada")
    club = Club.objects.get(slug=DEMO)
    night = tournament_with(4, club=club)
    match = start_match(
        key=uuid4(),
        game="tricky",
        names=["Ada", "Bo"],
        now=NOW,
        players={"Ada": ada.get()},
    )
    run_demo("--remove")
    assert not Club.objects.demo_without_members().exists()
    assert list(Tournament.objects.all()) == [night]
    assert list(Match.objects.all()) == [match]
    assert ada.exists()
    assert not Player.objects.filter(name="Vito").exists()
