"""Lines of standings: ranks, movement and form."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import F
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.event.outlook import stored_prospect
from tournaments.exact import PARTS
from tournaments.models import Place, Round, Standings, StandingsRow, Table, Tournament
from tournaments.web.standings.prospects import final_to_come, reach_in_words
from tournaments.web.standings.round_names import (
    after_round_words,
    in_round_words,
    stage_headings,
)

LAST_TABLES = 5
"""Of which a league's table shows the places."""
OPEN_TABLES = 3
"""Of which the caption names the numbers; more are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How somebody played in a league."""

    played: int
    """Matches that are over, also those whose result is still open."""
    won: int
    last: Sequence[int]
    """The places at their last tables whose results are final, the latest at the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsLine:
    """A line of the standings, and what stands beside its rank and under its name."""

    row: StandingsRow
    heading: str
    """What stands above it: which stage these reached, or what is at stake; mostly empty."""
    moved: int | None
    """By how many ranks up since the round before; None where there was none."""
    form: Form | None
    """In a league."""
    still: str
    """Between which places it can still end; empty where that is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsTable:
    """Standings as they are drawn."""

    lines: Sequence[StandingsLine]
    has_parts: bool
    """Whether some points are no whole number, so that all of them leave room for a half."""
    is_league: bool
    has_begun: bool
    """Whether a table counts for anybody: before that nobody has a rank."""


def standings_table(tournament: Tournament, shown: Standings) -> StandingsTable:
    """Return standings with all that their lines say."""
    return line_up(tournament, shown.lines(), _ranks_before(shown), shown.outlook)


def line_up(
    tournament: Tournament,
    rows: Sequence[StandingsRow],
    before: Mapping[int, int],
    outlook: Mapping[str, Any] | None = None,
) -> StandingsTable:
    """Return lines as they are drawn.

    `before` are the ranks that they moved from, `outlook` says what is still open.
    """
    forms = league_forms(tournament) if tournament.is_league else {}
    headings = _headings(tournament, rows)
    final = final_to_come(tournament) if outlook else 0
    return StandingsTable(
        lines=[
            StandingsLine(
                row=row,
                heading=headings.get(row.place, ""),
                moved=before[row.entry_id] - row.rank
                if row.entry_id in before
                else None,
                form=forms.get(row.entry_id, Form(played=0, won=0, last=()))
                if tournament.is_league
                else None,
                still=reach_in_words(
                    stored_prospect(outlook, row.entry_id), final=final, last=len(rows)
                ),
            )
            for row in rows
        ],
        has_parts=any_parts(row.points for row in rows),
        is_league=tournament.is_league,
        has_begun=any(row.tables for row in rows),
    )


def any_parts(points: Iterable[object]) -> bool:
    """Tell whether one of the points has a half, a third and so on, as a sign of its own."""
    return any(Fraction(str(one)) % 1 in PARTS for one in points)


def _ranks_before(shown: Standings) -> Mapping[int, int]:
    """Return by entry the ranks when the round before was closed; empty for none."""
    frozen = Standings.objects.filter(
        tournament=shown.tournament_id, version__lt=shown.version
    ).exclude(frozen_as="")
    before = frozen.order_by("-version").first()
    return dict(before.rows.values_list("entry", "rank")) if before else {}


def _headings(tournament: Tournament, rows: Sequence[StandingsRow]) -> dict[int, str]:
    """Return by place in the list what stands above a line."""
    stages = {row.stage for row in rows}
    if len(stages) > 1:
        first = {row.stage: row.place for row in reversed(rows)}
        words = stage_headings(tournament, stages)
        return {place: words[stage] for stage, place in first.items()}
    is_over = tournament.phase == Tournament.Phase.FINISHED
    if stages != {0} or is_over or not any(row.tables for row in rows):
        return {}
    return _cut_headings(rows, tournament.final_size)


def _cut_headings(rows: Sequence[StandingsRow], size: int) -> dict[int, str]:
    """Return by place who goes on to the final, who is level for it, and who is out of it."""
    if not 0 < size < len(rows):
        return {}
    out = _("Not in the final as it stands")
    cut = rows[size].rank
    sure = size
    headings = {size + 1: out}
    if rows[size - 1].rank == cut:
        level = [row.place for row in rows if row.rank == cut]
        sure = level[0] - 1
        words = ngettext(
            "Level for %(n)s place in the final",
            "Level for %(n)s places in the final",
            size - sure,
        )
        headings = {level[-1] + 1: out, level[0]: words % {"n": size - sure}}
    if sure:
        headings[1] = ngettext("%(n)s goes on", "%(n)s go on", sure) % {"n": sure}
    return headings


def league_forms(tournament: Tournament) -> dict[int, Form]:
    """Return by entry how its members played, in two queries.

    A place counts once the result of its table is final.
    """
    sat = Place.objects.filter(
        round__tournament=tournament,
        table__void=False,
        table__match__finished=True,
        table__match__seats__index=F("index"),
    )
    tables = Table.objects.filter(round__tournament=tournament)
    still_open = set(
        tables.without_final_result(tournament.quorum)
        .exclude(round__state=Round.State.CLOSED, disputed=False)
        .values_list("pk", flat=True)
    )
    rows = sat.order_by("round__number", "table__number").values_list(
        "entry", "table", "table__match__seats__rank"
    )
    played: Counter[int] = Counter()
    places: dict[int, list[int]] = {}
    for entry, table, rank in rows:
        played[entry] += 1
        if table not in still_open:
            places.setdefault(entry, []).append(rank)
    return {
        entry: Form(
            played=number,
            won=(known := places.get(entry, [])).count(1),
            last=known[-LAST_TABLES:],
        )
        for entry, number in played.items()
    }


def as_of(tournament: Tournament, shown: Standings, current: Round | None) -> str:
    """Return when standings were computed, and what they do not know yet."""
    words = [
        _("As of %(time)s")
        % {"time": time_format(localtime(shown.computed_at), "TIME_FORMAT")}
    ]
    if current is None or tournament.is_league:
        return words[0]
    still, over = _tables_of(current)
    if over and not shown.frozen_as:
        # What is in of it counts already.
        words.append(in_round_words(current))
    elif tournament.phase != Tournament.Phase.FINISHED:
        closed = tournament.rounds.filter(state=Round.State.CLOSED)
        if last := closed.order_by("number").last():
            last.tournament = tournament
            words.append(after_round_words(last))
    return "; ".join([", ".join(words), *([_open_tables(still)] if still else [])])


def _tables_of(current: Round) -> tuple[list[int], list[int]]:
    """Return by number which tables of a round that runs are still open, and which are over."""
    if current.state != Round.State.RUNNING:
        return [], []
    tables = Table.objects.filter(round=current, void=False)
    rows = tables.order_by("number").values_list("number", "match__finished")
    still = [number for number, is_over in rows if not is_over]
    return still, [number for number, is_over in rows if is_over]


def _open_tables(still: Sequence[int]) -> str:
    if len(still) > OPEN_TABLES:
        return _("%(n)s tables are still open") % {"n": len(still)}
    words = ngettext(
        "table %(numbers)s is still open",
        "tables %(numbers)s are still open",
        len(still),
    )
    return words % {"numbers": ", ".join(map(str, still))}
