"""Standings as if all tables stopped now, and what in them is settled."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Prefetch
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games.words import names_in_a_row
from tournaments.event.table_results import computed_standings
from tournaments.models import Penalty, Place, Round, StandingsRow, Table, Tournament
from tournaments.web.standings.lines import StandingsTable, line_up
from tournaments.web.standings.prospects import Claim


@dataclass(frozen=True, slots=True, kw_only=True)
class AsItStands:
    """What is sure now, and what is not."""

    sentence: str
    claims: Sequence[Claim]
    table: StandingsTable


def as_it_stands(tournament: Tournament) -> AsItStands:
    """Return the standings as they would be if every table stopped now."""
    rows = _rows(tournament)
    current = tournament.standings.current().first()
    before = dict(current.rows.values_list("entry", "rank")) if current else {}
    return AsItStands(
        sentence=_first(rows),
        claims=_claims(tournament, rows),
        table=line_up(tournament, rows, before),
    )


def _rows(tournament: Tournament) -> list[StandingsRow]:
    """Return the lines, of which nothing is stored."""
    computed = computed_standings(tournament, as_it_stands=True)
    penalties = Prefetch(
        "penalties", Penalty.objects.counted(), to_attr="counted_penalties"
    )
    entries = {
        str(entry.pk): entry for entry in tournament.entries.prefetch_related(penalties)
    }
    names = Place.objects.filter(round__tournament=tournament).names_by_entry()
    rows = []
    for place, line in enumerate(computed.rows, start=1):
        entry = entries[line.player]
        row = StandingsRow(
            place=place,
            rank=line.rank,
            stage=line.stage,
            entry=entry,
            points=str(line.points),
            tables=line.tables,
            unconfirmed=computed.unconfirmed[int(line.player)],
        )
        row.names = names.get(entry.pk, entry.name)
        rows.append(row)
    return rows


def _first(rows: Sequence[StandingsRow]) -> str:
    level = [row.names for row in rows if row.rank == 1 and row.tables]
    if not level:
        return _("Nothing has been played yet.")
    words = ngettext(
        "%(names)s would win.", "%(names)s would share the first place.", len(level)
    )
    return words % {"names": names_in_a_row(level)}


def _claims(tournament: Tournament, rows: Sequence[StandingsRow]) -> list[Claim]:
    """Return what is settled of the round that is on, and what is open."""
    on = Table.objects.filter(
        round__tournament=tournament, round__state=Round.State.RUNNING, void=False
    )
    finished = on.filter(match__finished=True).count()
    still = list(
        on.exclude(match__finished=True)
        .order_by("number")
        .values_list("number", flat=True)
    )
    unconfirmed = sum(row.unconfirmed > 0 for row in rows)
    claims = []
    if finished or not still:
        words = ngettext("%(n)s table is over", "%(n)s tables are over", finished)
        is_any = words % {"n": finished} if finished else _("No table is open")
        claims.append(Claim("ok", "check", is_any, _("What they brought stays.")))
    if still:
        words = ngettext(
            "Table %(numbers)s still plays", "Tables %(numbers)s still play", len(still)
        )
        numbers = {"numbers": ", ".join(map(str, still))}
        because = _("Counted as it stands; every hand can change it.")
        claims.append(Claim("wait", "hourglass", words % numbers, because))
    if unconfirmed:
        words = ngettext(
            "%(n)s player has a result that nobody confirmed",
            "%(n)s players have a result that nobody confirmed",
            unconfirmed,
        )
        because = _("It counts, and can still be disputed.")
        claims.append(Claim("wait", "users", words % {"n": unconfirmed}, because))
    return claims
