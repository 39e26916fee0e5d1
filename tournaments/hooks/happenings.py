"""Events of a night as text and JSON, limited to what everyone may see."""

from fractions import Fraction
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from scoring.competition import ResultState
from tournaments.exact import format_exact_number
from tournaments.hooks.outbox import HookEventContent, store_hook_event
from tournaments.models import Happening, Round, Standings, Table, Tournament
from tournaments.models.round_names import round_name
from tournaments.models.standings import open_result_label

LINES = 10
"""Lines of the standings in a message."""


def report_match_finished(table: Table) -> None:
    """Report that the result of a table counts: its match is over, or counts unfinished."""
    title = gettext_noop("%(name)s: table %(table)s is finished (%(round)s)")
    _report_table_result(Happening.MATCH_FINISHED, table, title)


def report_result_confirmed(table: Table) -> None:
    """Report that enough players of a table have confirmed its result."""
    title = gettext_noop(
        "%(name)s: the result of table %(table)s is confirmed (%(round)s)"
    )
    _report_table_result(Happening.RESULT_CONFIRMED, table, title)


def report_director_called(table: Table) -> None:
    """Report that a table needs the director, because of a dispute or anything else."""
    tournament = table.round.tournament

    def news() -> HookEventContent:
        title = _("%(name)s: table %(table)s is calling the director (%(round)s)")
        return HookEventContent(
            title=title % _title_values(table),
            path=reverse("tournaments:desk", args=[tournament.address]),
            content={**_table_reference(table), "disputed": table.disputed},
        )

    store_hook_event(tournament.club_id, Happening.DIRECTOR_CALLED, news)


def report_seating_published(round_: Round) -> None:
    """Report that the seats of a round are published."""
    tournament = round_.tournament

    def news() -> HookEventContent:
        seated = [
            (table.number, [place.name for place in table.places.all()])
            for table in round_.tables.with_places_and_entries()
        ]
        return HookEventContent(
            title=_("%(name)s: the seating is published (%(round)s)")
            % {"name": tournament.name, "round": round_name(round_)},
            lines=[
                _("Table %(number)s: %(names)s")
                % {"number": number, "names": ", ".join(names)}
                for number, names in seated
            ],
            path=reverse("tournaments:tournament", args=[tournament.address]),
            content={
                **_tournament_reference(tournament),
                "round": round_.number,
                "round_name": round_name(round_),
                "tables": [
                    {"table": number, "names": names} for number, names in seated
                ],
            },
        )

    store_hook_event(tournament.club_id, Happening.ROUND_SEATED, news)


def report_standings_changed(
    tournament: Tournament, standings: Standings, previous: Standings | None
) -> None:
    """Report another line or mark in the standings, if everyone may see them."""

    def news() -> HookEventContent | None:
        old_lines = _standings_lines(previous) if previous else []
        lines = _standings_lines(standings)
        if not tournament.are_current_standings_public or old_lines == lines:
            return None
        title = _("%(name)s: the standings changed") % {"name": tournament.name}
        return _standings_news(tournament, lines, title, about=tournament.address)

    store_hook_event(tournament.club_id, Happening.STANDINGS_CHANGED, news)


def report_tournament_finished(tournament: Tournament, final: Standings) -> None:
    """Report that a tournament is finished, with its final standings."""

    def news() -> HookEventContent:
        title = _("%(name)s is finished") % {"name": tournament.name}
        return _standings_news(tournament, _standings_lines(final), title)

    store_hook_event(tournament.club_id, Happening.TOURNAMENT_FINISHED, news)


def _report_table_result(kind: Happening, table: Table, title: str) -> None:
    tournament = table.round.tournament

    def news() -> HookEventContent:
        result = table.result_state
        seated = table.match.seats.order_by("rank", "index") if table.match else ()
        seats = [
            {
                "seat": seat.index,
                "name": seat.name,
                "total": seat.total,
                "rank": seat.rank,
                "won": seat.won and result == ResultState.FINAL,
            }
            for seat in seated
        ]
        lines = [f"{seat['rank']}. {seat['name']}: {seat['total']}" for seat in seats]
        if result == ResultState.DISPUTED:
            lines.append(_("The result is disputed."))
        elif result == ResultState.UNCONFIRMED:
            lines.append(_("The result isn’t confirmed yet."))
        return HookEventContent(
            title=_(title) % _title_values(table),
            lines=lines,
            path=reverse(
                "tournaments:table",
                args=[tournament.address, table.round.number, table.number],
            ),
            content={**_table_reference(table), "result": str(result), "seats": seats},
        )

    store_hook_event(tournament.club_id, kind, news)


def _title_values(table: Table) -> dict[str, Any]:
    return {
        "name": table.round.tournament.name,
        "table": table.number,
        "round": round_name(table.round),
    }


def _tournament_reference(tournament: Tournament) -> dict[str, Any]:
    return {
        "club": {"slug": tournament.club.slug, "name": tournament.club.name},
        "tournament": {"address": tournament.address, "name": tournament.name},
    }


def _table_reference(table: Table) -> dict[str, Any]:
    return {
        **_tournament_reference(table.round.tournament),
        "round": table.round.number,
        "round_name": round_name(table.round),
        "table": table.number,
    }


def _standings_lines(standings: Standings) -> list[dict[str, Any]]:
    rows = standings.rows.select_related("entry")
    return [
        {
            "rank": row.rank,
            "name": row.entry.name,
            "points": row.points,
            "unconfirmed": row.unconfirmed,
            "disputed": row.disputed,
        }
        for row in rows
    ]


def _standings_news(
    tournament: Tournament,
    lines: list[dict[str, Any]],
    title: str,
    about: str = "",
) -> HookEventContent:
    ranked = []
    for line in lines[:LINES]:
        text = f"{line['rank']}. {line['name']}: {format_exact_number(Fraction(line['points']))}"
        mark = open_result_label(
            unconfirmed=line["unconfirmed"], disputed=line["disputed"]
        )
        ranked.append(f"{text} ({mark})" if mark else text)
    return HookEventContent(
        title=title,
        lines=ranked,
        path=reverse("tournaments:tournament", args=[tournament.address]),
        content={**_tournament_reference(tournament), "lines": lines},
        about=about,
    )
