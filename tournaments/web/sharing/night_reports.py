"""Reports of finished nights as text to post."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import F, Window
from django.db.models.functions import Coalesce, Rank
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.games.registry import table_game
from scoring.locales.sentences import join_names
from scoring.models import HandScore, Seat
from scoring.rules.wording import format_number
from tournaments.exact import format_exact_number
from tournaments.history.counted_hands import (
    filter_counted_hands,
    games_with_comparable_hands,
    points_sort_value,
)
from tournaments.models import (
    Club,
    Place,
    Round,
    Standings,
    StandingsRow,
    Tournament,
)
from tournaments.models.round_names import round_name

LAST_RANK = 3
MOST_TOP_LINES = 6
"""Most players in the list of the first ranks; a rank that many share is left out."""
MOST_EQUAL = 2
"""Most equal best hands or closest tables that are named; more are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedMatch:
    game: str
    round_id: int
    table_number: int
    leaders: Sequence[Seat]
    """The first two seats by rank, and further ones with the points of the first."""

    @property
    def margin(self) -> int:
        """Return the difference in points between the first two seats."""
        return abs(self.leaders[0].total - self.leaders[1].total)


def night_reports_by_tournament(
    club: Club, tournaments: Collection[Tournament]
) -> dict[int, str]:
    """Return reports in the active language by tournament id, in a constant number of queries.

    A report has lines of plain text. Tournaments that are not finished, or have a disputed or
    unconfirmed result, are left out.
    """
    finished = {
        tournament.pk: tournament
        for tournament in tournaments
        if tournament.phase == Tournament.Phase.FINISHED
    }
    rows_by_tournament = {
        pk: rows
        for pk, rows in _standings_rows_by_tournament(finished).items()
        if rows[0].tables and not any(row.unconfirmed for row in rows)
    }
    best_hands = _best_hand_lines_by_tournament(club, rows_by_tournament)
    matches = _finished_matches_by_tournament(rows_by_tournament)
    rounds: dict[int, dict[int, Round]] = defaultdict(dict)
    for round_ in Round.objects.filter(
        tournament__in=rows_by_tournament
    ).with_table_count():
        round_.tournament = finished[round_.tournament_id]
        rounds[round_.tournament_id][round_.pk] = round_
    return {
        pk: "\n".join(
            [
                *_result_lines(finished[pk], rows),
                *best_hands[pk],
                *_closest_table_lines(matches[pk], rounds[pk]),
                _size_line(rows, matches[pk]),
            ]
        )
        for pk, rows in rows_by_tournament.items()
    }


def _standings_rows_by_tournament(
    tournaments: Iterable[int],
) -> dict[int, list[StandingsRow]]:
    """Return the rows of the latest standings, with names; no tournaments without rows."""
    newest_last = Standings.objects.filter(
        tournament__in=tournaments, frozen_as=""
    ).order_by("version")
    latest = dict(newest_last.values_list("tournament", "pk"))
    rows = StandingsRow.objects.filter(standings__in=latest.values())
    places = Place.objects.filter(round__tournament__in=latest)
    names = places.all_player_names_by_entry()
    rows_by_tournament: dict[int, list[StandingsRow]] = defaultdict(list)
    for row in rows.select_related("entry", "standings").order_by("place"):
        row.names = names.get(row.entry_id, row.entry.name)
        rows_by_tournament[row.standings.tournament_id].append(row)
    return rows_by_tournament


def _result_lines(tournament: Tournament, rows: Sequence[StandingsRow]) -> list[str]:
    """Return the winners, the day and place, and the first three ranks."""
    winners = [row.names for row in rows if row.rank == 1]
    sentence = ngettext(
        "%(names)s won %(night)s", "%(names)s won %(night)s", len(winners)
    )
    day = date_format(tournament.day, "DATE_FORMAT")
    lines = [
        sentence % {"names": join_names(winners), "night": tournament.name},
        " · ".join(
            filter(
                None,
                (tournament.club.name, tournament.game_title, day, tournament.venue),
            )
        ),
    ]
    ranked = [row for row in rows if row.rank <= LAST_RANK]
    while len(ranked) > MOST_TOP_LINES:
        last = ranked[-1].rank
        ranked = [row for row in ranked if row.rank < last]
    # Points of different stages cannot be compared.
    has_points = len({row.stage for row in ranked}) == 1
    return lines + [
        f"{row.rank}. {row.names}"
        + (f" · {format_exact_number(row.points)}" if has_points else "")
        for row in ranked
    ]


def _best_hand_lines_by_tournament(
    club: Club, tournaments: Iterable[int]
) -> Mapping[int, list[str]]:
    """Return a line with the best hand of each game by tournament."""
    tournament = "hand__match__table__round__tournament"
    game = "hand__match__game"
    best_first = points_sort_value(game).desc()
    rank = Window(Rank(), partition_by=[F(tournament), F(game)], order_by=[best_first])
    scores = filter_counted_hands(
        club,
        HandScore.objects.filter(
            **{
                f"{tournament}__in": list(tournaments),
                f"{game}__in": games_with_comparable_hands(),
            }
        ),
    )
    best = scores.order_by().annotate(best_rank=rank).filter(best_rank=1)
    found: dict[int, dict[str, list[tuple[str, int, int]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for pk, game_id, *hand in best.order_by(game, "pk").values_list(
        *(tournament, game, Coalesce("played_by__name", "seat__name")),
        *("points", "hand__number"),
    ):
        found[pk][game_id].append((hand[0], hand[1], hand[2]))
    lines: dict[int, list[str]] = defaultdict(list)
    template = _("%(name)s with %(points)s in hand %(number)s")
    for pk, hands_by_game in found.items():
        for game_id, hands in hands_by_game.items():
            if len(hands) > MOST_EQUAL or hands[0][1] <= 0:
                continue
            label = (
                _("Best hand in %(game)s: %(hands)s")
                if len(hands_by_game) > 1
                else _("Best hand: %(hands)s")
            )
            texts = [
                template
                % {"name": name, "points": format_number(points), "number": number}
                for name, points, number in hands
            ]
            lines[pk].append(
                label % {"game": table_game(game_id).name, "hands": join_names(texts)}
            )
    return lines


def _finished_matches_by_tournament(
    tournaments: Iterable[int],
) -> Mapping[int, list[FinishedMatch]]:
    table = "match__table"
    tournament = f"{table}__round__tournament"
    seats = Seat.objects.filter(
        **{f"{tournament}__in": list(tournaments), f"{table}__void": False},
        match__finished=True,
    ).select_related("match__table__round")
    seats_by_match: dict[int, list[Seat]] = defaultdict(list)
    for seat in seats.order_by(
        tournament, f"{table}__round__number", f"{table}__number", "rank", "index"
    ):
        seats_by_match[seat.match_id].append(seat)
    matches: dict[int, list[FinishedMatch]] = defaultdict(list)
    for first, second, *others in seats_by_match.values():
        table_ = first.match.table
        matches[table_.round.tournament_id].append(
            FinishedMatch(
                game=first.match.game,
                round_id=table_.round_id,
                table_number=table_.number,
                leaders=[
                    first,
                    second,
                    *(seat for seat in others if seat.total == first.total),
                ],
            )
        )
    return matches


def _closest_table_lines(
    matches: Sequence[FinishedMatch], rounds: Mapping[int, Round]
) -> list[str]:
    """Return a line for each closest table; none for several games, whose points differ."""
    if len(matches) < 2 or len({match.game for match in matches}) > 1:
        return []
    smallest = min(match.margin for match in matches)
    closest = [match for match in matches if match.margin == smallest]
    if len(closest) > MOST_EQUAL:
        return []
    lines = []
    for match in closest:
        names = [seat.name for seat in match.leaders]
        if smallest:
            text = ngettext(
                "Closest table: %(winner)s beat %(second)s by %(n)s point",
                "Closest table: %(winner)s beat %(second)s by %(n)s points",
                smallest,
            ) % {
                "winner": names[0],
                "second": names[1],
                "n": format_number(smallest),
            }
        else:
            text = _("Closest table: %(names)s finished level on points") % {
                "names": join_names(names)
            }
        round_ = rounds[match.round_id]
        where = _("%(round)s, table %(number)s") % {
            "round": round_name(round_, round_.table_count),
            "number": match.table_number,
        }
        lines.append(f"{text} ({where})")
    return lines


def _size_line(rows: Sequence[StandingsRow], matches: Sequence[FinishedMatch]) -> str:
    player_count = sum(row.tables > 0 for row in rows)
    round_count = len({match.round_id for match in matches})
    counts = [
        ngettext("%(n)s player", "%(n)s players", player_count) % {"n": player_count},
        ngettext("%(n)s table", "%(n)s tables", len(matches)) % {"n": len(matches)},
        ngettext("%(n)s round", "%(n)s rounds", round_count) % {"n": round_count},
    ]
    return " · ".join(counts)
