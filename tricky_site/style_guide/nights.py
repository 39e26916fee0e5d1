"""A night as its players see it, made up and stored nowhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from scoring.pages.sheet import Sheet
from tournaments.models import AutoStep, Round, Table, Tournament
from tournaments.web.night.status import Neighbour
from tournaments.web.standings.prospects import Claim, Lane, OwnProspect
from tricky_site.style_guide.samples import NAMES, PlayedSample

NOW = datetime(2026, 10, 27, 20, 30, tzinfo=UTC)
SIDES = ("across", "right", "own", "left")


@dataclass(frozen=True, slots=True, kw_only=True)
class NightSample:
    """What the page of a player shows, in each state of its clock."""

    sentence: str
    hint: str
    table: Table
    neighbours: Sequence[Neighbour]
    rounds: Sequence[Round]
    """The same round as it runs, after its last hand was called, and paused."""
    now: datetime
    ends_at: datetime
    step: AutoStep
    """What comes by itself."""
    sheet: Sheet
    prospect: OwnProspect


def night_sample(played: Sequence[PlayedSample]) -> NightSample:
    """Return a night on which somebody sits at a table of four."""
    return NightSample(
        sentence="Round 2: you sit at table 7.",
        hint="Round 2 of 4",
        table=Table(number=7),
        neighbours=[
            Neighbour(seat, name, side)
            for seat, (name, side) in enumerate(zip(NAMES, SIDES, strict=False))
        ],
        rounds=[
            Round(tournament=Tournament(), number=2),
            Round(tournament=Tournament(), number=2, last_hand_at=NOW),
            Round(tournament=Tournament(), number=2, paused_at=NOW),
        ],
        now=NOW,
        ends_at=NOW + timedelta(minutes=24, seconds=7),
        step=AutoStep(due_at=NOW + timedelta(minutes=2, seconds=30)),
        sheet=played[0].sheet,
        prospect=_prospect(),
    )


def _prospect() -> OwnProspect:
    """Return what the third of twelve can come to: from second to sixth."""
    return OwnProspect(
        sentence="You end between 2nd and 6th",
        claims=[
            Claim(
                "ok", "check", "At worst 6th", "whatever happens at the other tables"
            ),
            Claim(
                "wait",
                "hourglass",
                "On the podium if you win your table",
                "or come 2nd at your table and Amir does not win theirs",
            ),
        ],
        footnote="Every outcome of the open tables was looked at, each played to its end.",
        lane=Lane(
            length="11.01",
            reach_from="9.09%",
            reach_to="45.45%",
            reach_length="4.01",
            here="18.18%",
        ),
        best=2,
        worst=6,
        rank=3,
        last=12,
    )
