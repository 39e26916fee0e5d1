"""Lines of standings, now or as if all tables stopped: ranks, movement and form."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import F, Prefetch
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.competition import ResultState
from scoring.games.words import join_names, result_headline
from tournaments.event.outlook import stored_prospect
from tournaments.event.table_results import computed_standings
from tournaments.event.tables import stop_sentences
from tournaments.exact import PARTS
from tournaments.models import (
    Penalty,
    Place,
    Round,
    Standings,
    StandingsRow,
    Table,
    Tournament,
)
from tournaments.models.round_names import round_name
from tournaments.web.standings.prospects import (
    OutlookBadge,
    reach_in_words,
    remaining_plan,
)

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


def round_of_all(round_: Round) -> str:
    """Return the number of a round and of how many, or that it is the final."""
    planned = round_.tournament.rounds_planned
    open_ended = round_.tournament.format == Tournament.Format.KNOCKOUT
    if round_.stage or open_ended or round_.number > planned:
        return round_name(round_)
    values = {"number": round_.number, "count": planned}
    return _("Round %(number)s of %(count)s") % values


IN_ROUND: dict[int | None, "StrOrPromise"] = {
    1: gettext_lazy("in the final"),
    2: gettext_lazy("in the semi-final"),
    4: gettext_lazy("in the quarter-final"),
}
AFTER_ROUND: dict[int | None, "StrOrPromise"] = {
    1: gettext_lazy("after the final"),
    2: gettext_lazy("after the semi-final"),
    4: gettext_lazy("after the quarter-final"),
}
AFTER_ROUND_TITLES: dict[int | None, "StrOrPromise"] = {
    1: gettext_lazy("After the final"),
    2: gettext_lazy("After the semi-final"),
    4: gettext_lazy("After the quarter-final"),
}
"""By the number of tables of the last rounds, during or after which standings are as they are."""


def after_round_title(round_: Round) -> str:
    """Return what one says of standings once a round is over."""
    if round_.tournament.is_league and not round_.stage:
        return _("After the league")
    words = AFTER_ROUND_TITLES.get(round_.playoff_tables, _("After round %(number)s"))
    return words % {"number": round_.number}


def _after_round(round_: Round) -> str:
    words = AFTER_ROUND.get(round_.playoff_tables, _("after round %(number)s"))
    return words % {"number": round_.number}


def stage_headings(tournament: Tournament, stages: Collection[int]) -> dict[int, str]:
    """Return by stage what stands above its lines in standings of these stages.

    Only who reached the last of them is not out; a knockout ends for some with each round.
    """
    rounds = tournament.rounds.filter(stage__in=stages).order_by("number")
    last_rounds = {round_.stage: round_ for round_ in rounds}
    headings = {}
    for stage in stages:
        round_ = last_rounds.get(stage)
        if round_ is None or not round_.plays_off:
            headings[stage] = _("All rounds before")
        elif stage == max(stages):
            headings[stage] = round_name(round_)
        else:
            headings[stage] = _("Out %(after)s") % {"after": _after_round(round_)}
    return headings


LAST_TABLES = 5
"""Of which a league's table shows the places."""
OPEN_TABLES = 3
"""Of which the caption names the numbers; more are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
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
    lines: Sequence[StandingsLine]
    has_parts: bool
    """Whether some points are no whole number, so that all of them leave room for a half."""
    is_league: bool
    has_begun: bool
    """Whether a table counts for anybody: before that nobody has a rank."""


def standings_table(tournament: Tournament, shown: Standings) -> StandingsTable:
    return _line_up(tournament, shown.lines(), ranks_before(shown), shown.outlook)


def _line_up(
    tournament: Tournament,
    rows: Sequence[StandingsRow],
    before: Mapping[int, int],
    outlook: Mapping[str, Any] | None = None,
) -> StandingsTable:
    """Return lines as they are drawn.

    `before` are the ranks that they moved from, `outlook` says what is still open.
    """
    unplayed = Form(played=0, won=0, last=())
    forms = league_forms(tournament) if tournament.is_league else None
    headings = _headings(tournament, rows)
    ahead = remaining_plan(tournament) if outlook else None
    return StandingsTable(
        lines=[
            StandingsLine(
                row=row,
                heading=headings.get(row.place, ""),
                moved=before[row.entry_id] - row.rank
                if row.entry_id in before
                else None,
                form=None if forms is None else forms.get(row.entry_id, unplayed),
                still=reach_in_words(
                    stored_prospect(outlook, row.entry_id), ahead, last=len(rows)
                )
                if ahead
                else "",
            )
            for row in rows
        ],
        # One has a half, a third and so on, as a sign of its own.
        has_parts=any(Fraction(str(row.points)) % 1 in PARTS for row in rows),
        is_league=tournament.is_league,
        has_begun=any(row.tables for row in rows),
    )


def ranks_before(shown: Standings) -> Mapping[int, int]:
    """Return by entry the ranks when the round before was closed; empty for none."""
    before = Standings.objects.all().previous(shown)
    return dict(before.rows.values_list("entry", "rank")) if before else {}


def _headings(tournament: Tournament, rows: Sequence[StandingsRow]) -> dict[int, str]:
    """Return by place in the list what stands above a line."""
    stages = {row.stage for row in rows}
    if len(stages) > 1:
        first = {row.stage: row.place for row in reversed(rows)}
        of_stage = stage_headings(tournament, stages)
        return {place: of_stage[stage] for stage, place in first.items()}
    is_over = tournament.phase == Tournament.Phase.FINISHED
    if stages != {0} or is_over or not any(row.tables for row in rows):
        return {}
    size = tournament.final_size
    if not 0 < size < len(rows):
        return {}
    in_final = Place.objects.filter(round__tournament=tournament, round__stage__gt=0)
    finalists = set(in_final.values_list("entry", flat=True))
    if finalists:
        # Somebody may have left, or a result was corrected since: then no line parts them.
        if {row.entry_id for row in rows[: len(finalists)]} != finalists:
            return {}
        return {
            1: _goes_on_words(len(finalists)),
            len(finalists) + 1: _("Not in the final"),
        }
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
        headings[1] = _goes_on_words(sure)
    return headings


def _goes_on_words(count: int) -> str:
    return ngettext("%(n)s goes on", "%(n)s go on", count) % {"n": count}


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
        tables.without_final_result(tournament.quorum).values_list("pk", flat=True)
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


def computed_in_words(
    tournament: Tournament, shown: Standings, current: Round | None
) -> str:
    """Return when standings were computed, and what they do not know yet."""
    time = time_format(localtime(shown.computed_at), "TIME_FORMAT")
    words = _("As of %(time)s") % {"time": time}
    if current is not None and not tournament.is_league:
        last = _last_closed_round(tournament)
        over = current.tables.filter(void=False, match__finished=True)
        is_running = current.state == Round.State.RUNNING
        if is_running and over.exists() and not shown.frozen_as:
            # What is in of it counts already.
            during = IN_ROUND.get(current.playoff_tables, _("in round %(number)s"))
            words += ", " + during % {"number": current.number}
        elif tournament.phase != Tournament.Phase.FINISHED and last is not None:
            words += ", " + _after_round(last)
    return "; ".join([words, *open_results_in_words(tournament, current)])


def _last_closed_round(tournament: Tournament) -> Round | None:
    closed = tournament.rounds.filter(state=Round.State.CLOSED)
    last = closed.order_by("number").last()
    if last is not None:
        last.tournament = tournament
    return last


def open_results_in_words(tournament: Tournament, current: Round | None) -> list[str]:
    """Return which tables are disputed, are still open, or stopped in the last closed round.

    A round is named if it is not the current one.
    """
    words = disputed_tables_in_words(tournament, current)
    is_running = current is not None and current.state == Round.State.RUNNING
    if current is not None and is_running and not tournament.is_league:
        playing = current.tables.filter(void=False).exclude(match__finished=True)
        numbers = playing.order_by("number").values_list("number", flat=True)
        if len(numbers) > OPEN_TABLES:
            open_words = _("%(n)s tables are still open") % {"n": len(numbers)}
            words.append(open_words)
        elif numbers and current.playoff_tables == 1:
            words.append(_("the final is still open"))
        elif numbers:
            open_words = ngettext(
                "table %(numbers)s is still open",
                "tables %(numbers)s are still open",
                len(numbers),
            )
            words.append(open_words % {"numbers": ", ".join(map(str, numbers))})
    last = _last_closed_round(tournament)
    if last is not None:
        name = "" if last == current else f"{round_name(last)}: "
        stopped = stop_sentences(list(last.tables.stopped().order_by("number")))
        words += [f"{name}{sentence}" for sentence in stopped]
    return words


def disputed_tables_in_words(
    tournament: Tournament, current: Round | None
) -> list[str]:
    """Return for each round which of its tables are disputed; only earlier rounds are named."""
    tables = Table.objects.filter(
        round__tournament=tournament, void=False, disputed=True
    )
    in_order = tables.select_related("round").order_by("round__number", "number")
    sentences = []
    for round_, disputed in groupby(in_order, attrgetter("round")):
        round_.tournament = tournament
        numbers = [str(table.number) for table in disputed]
        words = ngettext(
            "table %(numbers)s is disputed",
            "tables %(numbers)s are disputed",
            len(numbers),
        )
        sentence = words % {"numbers": ", ".join(numbers)}
        if round_ != current:
            sentence = f"{round_name(round_)}: {sentence}"
        sentences.append(sentence)
    return sentences


LAST = 3


class Step(NamedTuple):
    """Those who share a rank."""

    rank: int
    names: tuple[str, ...]
    worth: str


def podium(lines: Iterable[tuple[int | None, str, str]]) -> list[Step]:
    """Return a step for each of the first three ranks that somebody has.

    `lines` are rank, name and what they have, in order; who has no rank stands nowhere.
    """
    ranked = ((rank, name, worth) for rank, name, worth in lines if rank)
    steps = []
    for rank, level in groupby(ranked, lambda line: line[0]):
        if rank > LAST:
            break
        people = list(level)
        names = tuple(name for _rank, name, _worth in people)
        steps.append(Step(rank=rank, names=names, worth=people[0][2]))
    return steps


def winners_headline(rows: Sequence[StandingsRow]) -> str:
    """Return who won a finished tournament, or is ahead where that is not confirmed; empty for nobody."""
    names = [row.names for row in rows if row.rank == 1]
    if not names:
        return ""
    is_open = rows[0].standings.is_first_open
    state = ResultState.UNCONFIRMED if is_open else ResultState.FINAL
    return result_headline(names, state)


class ProvisionalStandings(NamedTuple):
    """What is sure now, and what is not."""

    sentence: str
    claims: Sequence[OutlookBadge]
    table: StandingsTable


def provisional_standings(tournament: Tournament) -> ProvisionalStandings:
    """Return the standings as they would be if every table stopped now."""
    computed = computed_standings(tournament, as_it_stands=True)
    penalties = Prefetch(
        "penalties", Penalty.objects.effective(), to_attr="counted_penalties"
    )
    entries = {
        str(entry.pk): entry for entry in tournament.entries.prefetch_related(penalties)
    }
    names = Place.objects.filter(round__tournament=tournament).names_by_entry()
    rows = [
        StandingsRow(
            place=place,
            rank=line.rank,
            stage=line.stage,
            entry=entries[line.player],
            points=str(line.points),
            tables=line.tables,
            unconfirmed=computed.unconfirmed[int(line.player)],
            disputed=computed.disputed[int(line.player)],
        )
        for place, line in enumerate(computed.rows, start=1)
    ]
    for row in rows:
        row.names = names.get(row.entry_id, row.entry.name)
    current = tournament.standings.current().first()
    before = dict(current.rows.values_list("entry", "rank")) if current else {}
    sentence = _("Nothing has been played yet.")
    if level := [row.names for row in rows if row.rank == 1 and row.tables]:
        words = ngettext(
            "%(names)s would win.", "%(names)s would share the first place.", len(level)
        )
        sentence = words % {"names": join_names(level)}
    return ProvisionalStandings(
        sentence,
        claims=_claims_now(tournament, rows),
        table=_line_up(tournament, rows, before),
    )


def _claims_now(
    tournament: Tournament, rows: Sequence[StandingsRow]
) -> list[OutlookBadge]:
    """Return what is settled of the round that is on, and what is open."""
    on = Table.objects.filter(
        round__tournament=tournament, round__state=Round.State.RUNNING, void=False
    )
    finished = on.filter(match__finished=True).count()
    playing = on.exclude(match__finished=True).order_by("number")
    still = playing.values_list("number", flat=True)
    unconfirmed = sum(row.unconfirmed > 0 for row in rows)
    claims = []
    if finished or not still:
        words = ngettext("%(n)s table is over", "%(n)s tables are over", finished)
        is_any = words % {"n": finished} if finished else _("No table is open")
        claims.append(
            OutlookBadge("ok", "check", is_any, _("What they brought stays."))
        )
    if still:
        words = ngettext(
            "Table %(numbers)s is still open",
            "Tables %(numbers)s are still open",
            len(still),
        )
        numbers = {"numbers": ", ".join(map(str, still))}
        because = _("Counted as it stands; every hand can change it.")
        claims.append(OutlookBadge("wait", "hourglass", words % numbers, because))
    for sentence in disputed_tables_in_words(tournament, None):
        because = _("It counts until you settle it.")
        claims.append(OutlookBadge("wait", "triangle-alert", sentence, because))
    if unconfirmed:
        words = ngettext(
            "%(n)s player has a result that nobody confirmed",
            "%(n)s players have a result that nobody confirmed",
            unconfirmed,
        )
        because = _("It counts, and can still be disputed.")
        claims.append(
            OutlookBadge("wait", "users", words % {"n": unconfirmed}, because)
        )
    return claims
