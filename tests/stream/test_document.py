"""The examples of docs/live.md, as somebody would paste them, against processes that serve."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from stream.channel import hang_up
from tests.api.caller import Caller
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    enter_points,
    member,
    running_round,
    tournament_with,
)
from tests.stream.streaming import streaming
from tournaments.event.results import count_standings
from tournaments.models import Role, Tournament

DOCUMENT = (Path(settings.BASE_DIR) / "docs/live.md").read_text()
CURL = re.search(r"^curl .+$", DOCUMENT, re.M)
PROGRAM = re.search(r"^```python\n(.+?)^```", DOCUMENT, re.M | re.S)

pytestmark = pytest.mark.long(5)


@pytest.fixture
def live(transactional_db: None, tmp_path: Path) -> Iterator[str]:
    with streaming(tmp_path) as url:
        yield url.removesuffix("/live")
    hang_up()


def counted(rounds: int = 1) -> Tournament:
    """Return a tournament with a result that counts."""
    tournament = tournament_with(4, rounds_planned=rounds)
    match = running_round(tournament).tables.get().match
    assert match is not None
    enter_points(match, [9, 5, 3, 1])
    count_standings(tournament_id=tournament.pk, now=NOW)
    return tournament


def test_the_board_shows_the_standings(live: str, live_server: LiveServer) -> None:
    assert PROGRAM is not None
    assert len([line for line in PROGRAM[1].splitlines() if line]) <= 25
    said = {"LIVE": live, "TRICKY": live_server.url, "TOURNAMENT": counted().address}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM[1]],
        env={**os.environ, **said},
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert ran.returncode == 0, ran.stderr
    assert len(ran.stdout.splitlines()) == 4


def test_the_board_is_drawn_again_once_standings_are_others(
    live: str, live_server: LiveServer
) -> None:
    assert PROGRAM is not None
    tournament = counted()
    said = {
        "LIVE": live,
        "TRICKY": live_server.url,
        "TOURNAMENT": tournament.address,
        "FOLLOW": "1",
    }
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM[1]],
        env={**os.environ, **said},
        stdout=subprocess.PIPE,
        text=True,
    ) as board:
        assert board.stdout is not None
        # Whatever happens, nobody waits for a line that never comes.
        patience = Timer(30, board.kill)
        patience.start()
        try:
            first = [board.stdout.readline() for _line in range(4)]
            assert first == shown(tournament)
            match = tournament.rounds.get().tables.get().match
            assert match is not None
            # A table counts once it is played to its end.
            for _hand in range(3):
                enter_points(match, [1, 9, 13, 20])
            count_standings(tournament_id=tournament.pk, now=NOW)
            again = [board.stdout.readline() for _line in range(4)]
        finally:
            patience.cancel()
            board.kill()
    assert again == shown(tournament)
    assert again != first


def shown(tournament: Tournament) -> list[str]:
    """Return what a board shows of the standings as they are counted."""
    lines = tournament.standings.get().lines()
    return [f"{line.rank} {line.names} {line.points}\n" for line in lines]


def test_curl_hears_what_comes(live: str) -> None:
    assert CURL is not None
    tournament = counted()
    viewer = Caller(member(tournament.club, Role.VIEWER))
    said = {
        "LIVE": live,
        "TOKEN": viewer.headers["Authorization"].split()[1],
        "TOURNAMENT": tournament.address,
    }
    with subprocess.Popen(
        ["bash", "-c", "exec " + CURL[0]],
        env={**os.environ, **said},
        stdout=subprocess.PIPE,
        text=True,
    ) as listening:
        assert listening.stdout is not None
        began = time.monotonic()
        heard = [listening.stdout.readline() for _line in range(6)]
        listening.kill()
    assert "event: tournament\n" in heard
    assert time.monotonic() - began < 10
