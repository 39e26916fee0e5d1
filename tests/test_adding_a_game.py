"""A sixth game needs two small packages and one line; this one is played everywhere."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from uuid import uuid4
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django.utils.translation import gettext, override

from scoring.games.demo_season import generate_season
from scoring.games.random_match import generate_match
from scoring.games.registry import table_game
from scoring.matchlog.rebuild import rebuild_match
from scoring.matchlog.records import export_match, get_or_import_match
from scoring.models import Match
from scoring.offline.pack import build_pack
from scoring.rules import score_match, score_record
from scoring.rules.registry import PACKAGES, add_game, remove_game
from tests.factories import author, entered_match
from tests.factories.commands import enter_hand
from tests.factories.tournaments import running_round, tournament_with
from tournaments.event import rounds
from tournaments.event.results import store_current_standings
from tournaments.event.setup.proposals import expected_match_minutes
from tournaments.models import Round, Tournament

ROOT = Path(__file__).parent.parent
TOY = ROOT / "tests" / "toy_game"
GUIDE = ROOT / "docs" / "how-to" / "add-a-game.md"
WON_HANDS = (
    [{"points": [0, 9, 1]}] * 4 + [{"points": [0, 4, 6]}] + [{"points": [0, 10, 0]}]
)


@pytest.fixture
def fifty() -> Iterator[str]:
    """Add a sixth game; yield its ID."""
    game = add_game("tests.toy_game.rules")
    yield game.id
    remove_game(game.id)


def test_the_guide_walks_through_the_sixth_game() -> None:
    text = GUIDE.read_text()
    named_files = set(re.findall(r"`tests/toy_game/([\w/]+\.py)`", text))
    files = {path.relative_to(TOY).as_posix() for path in TOY.rglob("*.py")}
    assert named_files == files - {"__init__.py"}
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    source = "\n".join(path.read_text() for path in TOY.rglob("*.py"))
    for line in (line for block in blocks for line in block.splitlines()):
        assert line.strip() in source, line


@pytest.mark.parametrize("package", PACKAGES)
def test_every_game_has_the_shape_of_the_sixth(package: str) -> None:
    rules = ROOT / package.replace(".", "/")
    games = ROOT / package.replace(".rules.", ".games.").replace(".", "/")
    for path in TOY.rglob("*.py"):
        kind, _slash, name = path.relative_to(TOY).as_posix().partition("/")
        assert name == "" or ({"rules": rules, "games": games}[kind] / name).exists()


def test_it_is_played_by_chance_and_scored(fifty: str) -> None:
    record = generate_match(fifty, 3, None, Random(1))
    scored = score_match(record)
    assert scored.state.finished
    assert max(scored.state.totals) >= 50
    season = list(generate_season(timezone.now(), Random(3)))
    assert fifty in {table.game for table in season}


def test_its_examples_are_checked_in_every_build(fifty: str) -> None:
    assert set(table_game(fifty).worked_examples) == {"hand"}
    call_command("check")


@pytest.mark.django_db
def test_it_is_played_through_the_pages(fifty: str) -> None:
    phone = Client()
    assert "Fifty" in phone.get("/").content.decode()
    names = {"name_0": "Ann", "name_1": "Bo", "name_2": "Cy"}
    phone.post("/matches/new/", {"key": str(uuid4()), "game": fifty, **names})
    match = Match.objects.get(game=fifty)
    sheet = match.get_absolute_url()
    pad = phone.get(f"{sheet}hands/new/").content.decode()
    assert 'name="points_2"' in pad
    assert 'data-path="points[2]"' in pad
    key = {"key": str(uuid4()), "number": "1"}
    fields = {**key, "points_0": "6", "points_1": "4", "points_2": "1"}
    preview = phone.post(f"{sheet}preview/", fields).content.decode()
    assert "A hand has 10 points; 11 were entered." in preview
    fields["points_2"] = "0"
    assert "took 6" in phone.post(f"{sheet}preview/", fields).content.decode()
    phone.post(f"{sheet}hands/new/", fields)
    assert "Cy leads by 4." in phone.get(sheet).content.decode()
    hand_page = phone.get(f"{sheet}hands/1/").content.decode()
    assert "Points: Ann 6, Bo 4, Cy 0" in hand_page
    correction = {**fields, "points_0": "0", "points_2": "6", "key": str(uuid4())}
    page = phone.post(f"{sheet}hands/1/correct/", correction).content.decode()
    assert "What this changes" in page
    confirm = {"confirm": "1", "reason": "mistyped"}
    phone.post(f"{sheet}hands/1/correct/", {**correction, **confirm})
    assert "Ann leads by 4." in phone.get(sheet).content.decode()


@pytest.mark.django_db
def test_its_pages_exist(fifty: str) -> None:
    page = Client().get(f"/how-to-play/{fifty}/").content.decode()
    assert 'id="fifty.end"' in page
    assert "took 7" in page
    page = Client().get(f"/who-won/{fifty}/").content.decode()
    assert "Fifty is scored by totals only" in page
    assert Client().post(f"/who-won/{fifty}/answer/").status_code == 404


@pytest.mark.django_db
def test_its_clauses_are_shown_in_the_readers_language(
    fifty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    clause = "Enter who won this trick and the antes they won."
    monkeypatch.setattr(table_game(fifty), "clauses", {"fifty.end": clause})
    with override("de"):
        german = gettext(clause)
    assert german != clause
    page = Client(headers={"accept-language": "de"}).get(f"/how-to-play/{fifty}/")
    assert german in page.content.decode()


@pytest.mark.django_db
def test_it_is_exported_and_imported(fifty: str) -> None:
    match = entered_match(WON_HANDS, fifty)
    assert match.finished
    page = Client().get(match.get_absolute_url()).content.decode()
    assert "The fewest points: 0." in page
    assert "Ann led from hand 1 to the end." in page
    assert "Ann from hand 1 on" in page
    assert "Ann won" in page
    record = export_match(match)
    assert score_record(record)["winners"] == [0]
    assert rebuild_match(match_id=match.pk, check_only=True) == []
    document = json.loads(record)
    del document["meta"]
    imported = get_or_import_match(json.dumps(document), now=timezone.now())
    assert [seat.total for seat in imported.seats.order_by("index")] == [0, 50, 10]


def test_offline_pack_contains_every_game() -> None:
    names = ZipFile(io.BytesIO(build_pack("en").archive)).namelist()
    for package in PACKAGES:
        assert f"{package.replace('.', '/')}/game.py" in names
        assert (
            f"{package.replace('rules', 'games').replace('.', '/')}/table.py" in names
        )


def closed_round(night: Tournament) -> Round:
    """Return the next round of a night, played to its end and counted."""
    now, round_ = timezone.now(), running_round(night)
    for table in round_.tables.all():
        assert table.match is not None
        _play_to_the_end(table.match)
    rounds.close(round_id=round_.pk, now=now)
    store_current_standings(tournament_id=night.pk, now=now)
    return round_


@pytest.mark.django_db
def test_a_tournament_seats_it_and_has_standings(fifty: str) -> None:
    night = tournament_with(9, game=fifty, rounds_planned=2)
    closed_round(night)
    page = Client().get(f"{night.get_absolute_url()}").content.decode()
    assert night.entries.count() == 9
    assert page.count("Ada") >= 1
    assert expected_match_minutes(fifty, 3) > 0


def _play_to_the_end(match: Match) -> None:
    record = generate_match(match.game, 3, None, Random(7))
    for number, raw in enumerate(record.hands, start=1):
        enter_hand(match_id=match.pk, number=number, raw=raw, author=author())
