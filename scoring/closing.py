"""Matches that take nothing more from those who play them."""

from scoring.rules import Fault, Refusal
from scoring.rules.results import FINISHED
from scoring.rules.wording import gettext_noop as _
from scoring.rules.wording import say

CLOSED = _(
    "This match is closed, and its result stands. The director can still correct it: "
    "show them what you have."
)


class ClosedError(Refusal):
    """The match is closed: only those who direct add to its log."""

    def __init__(self) -> None:
        """Say who can still change it."""
        super().__init__([Fault("", FINISHED, say(CLOSED))])
