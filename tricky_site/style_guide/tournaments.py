"""A tournament as the style guide shows it, made up and stored nowhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

from django.utils import timezone

from scoring.models import Player
from tournaments.event.desk.holes import Holes
from tournaments.event.desk.overview import TONES
from tournaments.event.setup.proposals import Proposal
from tournaments.models import (
    Club,
    Entry,
    Place,
    Round,
    StandingsRow,
    Table,
    Tournament,
)
from tournaments.web.club.nights import Offer
from tournaments.web.night.pages import HoleRow, Segment, holes
from tournaments.web.night.rounds import Branch, Contender, Duel
from tournaments.web.standings.lines import Form, StandingsLine, StandingsTable

POINTS = ("43/2", "20", "20", "35/2")
STATES = {
    "waiting": "waits",
    "playing": "hand 4",
    "unconfirmed": "agree",
    "silent": "silent",
    "kept": "kept",
    "called": "called",
    "disputed": "disputed",
    "done": "done",
    "void": "void",
}
"""How a table can stand, and what its tile says of it."""
AGREED_AT = datetime(2026, 10, 27, 21, 5, tzinfo=UTC)
LONG_NAME = "Wolfeschlegelsteinhausenbergerdorff"


@dataclass(frozen=True, slots=True, kw_only=True)
class EventSample:
    """Parts of the pages of a tournament."""

    tournament: Tournament
    league: Tournament
    segments: Sequence[Segment]
    as_of: str
    standings: StandingsTable
    league_standings: StandingsTable
    branches: Sequence[Branch]
    holes: Sequence[HoleRow]
    tables: Sequence[SimpleNamespace]
    """A tile in each state."""
    desk: SimpleNamespace
    """What a tile asks of its desk: the round."""
    offers: Sequence[Offer]


def event_sample(names: Sequence[str]) -> EventSample:
    """Return a tournament of some players, the last of whom has a long name."""
    club = Club(name="A club", slug="a-club", colour="#0f5c6e")
    tournament = Tournament(club=club, address="a" * 22)
    league = Tournament(club=club, address="b" * 22, format=Tournament.Format.LEAGUE)
    entries = [
        Entry(pk=number, number=number, name=name, player=Player(pk=number))
        for number, name in enumerate([*names[:3], LONG_NAME], start=1)
    ]
    return EventSample(
        tournament=tournament,
        league=league,
        segments=[
            Segment(words, "#tournaments", words == "Standings")
            for words in ("Standings", "Round 3", "Seats")
        ],
        as_of="As of 20:52, after round 2; table 4 is still open",
        standings=_standings(entries, {}),
        league_standings=_standings(
            entries, {1: Form(played=9, won=5, last=(1, 1, 2, 1, 3))}
        ),
        branches=[_branch(entries)],
        holes=holes(23, 32),
        tables=_tables(entries),
        desk=SimpleNamespace(current=Round(tournament=Tournament(), number=3)),
        offers=_offers(),
    )


def _tables(entries: Sequence[Entry]) -> list[SimpleNamespace]:
    now = timezone.now()
    return [
        SimpleNamespace(
            table=Table(number=number, called_at=now - timedelta(minutes=2)),
            state=state,
            tone=TONES.get(state, ""),
            words=words,
            places=[
                SimpleNamespace(
                    name=entry.name, confirmed_at=None if seat else AGREED_AT
                )
                for seat, entry in enumerate(entries)
            ],
            agreed=1,
            is_quiet=state in ("silent", "kept"),
            hand="hand 4",
            heard_at=now - timedelta(minutes=12),
            holes=Holes(count=9, filled=9 if state == "done" else 4),
        )
        for number, (state, words) in enumerate(STATES.items(), start=1)
    ]


def _offers() -> list[Offer]:
    proposal = Proposal(
        format="planned",
        rounds=4,
        final_size=0,
        table_size=4,
        least_size=3,
        most_size=4,
        sizes=(4, 4, 4),
        sit_out=0,
        minutes=205,
        round_minutes=45,
        repeats=2,
        bound=1,
    )
    other = replace(proposal, format="swiss", sizes=(4, 4, 3), sit_out=1, repeats=None)
    return [
        Offer(number=1, name="Everybody meets", proposal=proposal, query="rounds=4"),
        Offer(number=2, name="Swiss", proposal=other, query="rounds=4&format=swiss"),
    ]


def _standings(entries: Sequence[Entry], forms: Mapping[int, Form]) -> StandingsTable:
    no_form = Form(played=0, won=0, last=()) if forms else None
    lines = []
    for rank, (entry, points) in enumerate(zip(entries, POINTS, strict=True), start=1):
        reason = f"{points} points against less" if rank < len(entries) else ""
        row = StandingsRow(
            place=rank, rank=rank, entry=entry, points=points, tables=6, reason=reason
        )
        row.names = entry.name
        lines.append(
            StandingsLine(
                row=row,
                heading={1: "2 go on", 3: "Not in the final as it stands"}.get(
                    rank, ""
                ),
                moved=(1, -1, 2, 0)[rank - 1],
                form=forms.get(rank, no_form),
                still="ends between 1st and 3rd" if rank == 1 else "",
            )
        )
    return StandingsTable(
        lines=lines, has_parts=True, is_league=bool(forms), has_begun=True
    )


def _branch(entries: Sequence[Entry]) -> Branch:
    first, second, third, fourth = entries
    return Branch(
        words="To the first semi-final",
        duels=[
            _duel(1, 1, [(first, 7, "won"), (second, 4, "out")]),
            _duel(1, 2, [(third, 3, "out"), (fourth, 7, "won")]),
        ],
        into=_duel(2, 1, [(first, 5, "at"), (fourth, 4, "at")]),
    )


def _duel(
    round_number: int, number: int, sat: Sequence[tuple[Entry, int, str]]
) -> Duel:
    table = Table(
        round=Round(tournament=Tournament(), number=round_number), number=number
    )
    return Duel(
        table=table,
        contenders=[
            Contender(
                place=Place(table=table, index=index, entry=entry),
                shape=entry.number - 1,
                total=total,
                is_me=False,
                state=state,
            )
            for index, (entry, total, state) in enumerate(sat)
        ],
    )
