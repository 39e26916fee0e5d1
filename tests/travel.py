"""How far a request travels through the house: the modules that it enters, and how often it changes."""

import sys
from pathlib import Path
from types import FrameType
from typing import Any

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
ROOMS = ("scoring/", "tournaments/", "tricky_site/")


class Travel:
    """The modules of this project that run while the block runs."""

    def __init__(self) -> None:
        """Begin outside of every module."""
        self.entered: list[str] = []
        self.called: list[str] = []

    def __enter__(self) -> "Travel":
        """Look at every call from here on."""
        sys.setprofile(self._see)
        return self

    def __exit__(self, *_error: object) -> None:
        """Look no more."""
        sys.setprofile(None)

    def _see(self, frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        if event != "call" or code.co_name == "<module>":
            return
        path = Path(code.co_filename)
        inside = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if not inside.startswith(ROOMS):
            return
        self.called.append(f"{inside}:{code.co_name}")
        if not self.entered or self.entered[-1] != inside:
            self.entered.append(inside)

    @property
    def modules(self) -> list[str]:
        """Return each module once, in the order of first entry."""
        return list(dict.fromkeys(self.entered))

    @property
    def changes(self) -> int:
        """Return how often a call led into another module."""
        return len(self.entered)

    def calls_of(self, function: str) -> int:
        """Return how often a function ran, named by its file and its name, with a colon."""
        return self.called.count(function)
