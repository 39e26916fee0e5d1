"""A club moves to a used server, and both servers continue."""

import os
from pathlib import Path

import pytest

from tests.site import Managed


class Server(Managed):
    """A separate site on SQLite."""

    def __init__(self, folder: Path, club: str) -> None:
        self.environment = {
            "PATH": os.environ["PATH"],
            "TRICKY_VAR": str(folder),
            "ALLOWED_HOSTS": "testserver",
            "CLUB": club,
        }
        self.manage("migrate", "--verbosity", "0")
        self.run("play_first_round")


@pytest.mark.long(30)
@pytest.mark.one_database
def test_club_moves_to_a_used_server_and_both_continue(tmp_path: Path) -> None:
    old, new = Server(tmp_path / "old", "moving"), Server(tmp_path / "new", "staying")
    file = str(tmp_path / "club.zip")
    old.manage("export_club", "moving", file)
    new.manage("import_club", file)
    for server, clubs in ((old, ["moving"]), (new, ["moving", "staying"])):
        for club in clubs:
            server.environment["CLUB"] = club
            assert server.run("play_second_round") == "2\n"
        server.manage("rebuild", "--check")
