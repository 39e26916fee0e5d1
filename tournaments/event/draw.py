"""Draw rounds: whole nights, one round from the standings, cuts and knockouts."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from fractions import Fraction
from itertools import groupby

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.locales.sentences import join_names
from scoring.rules import GAMES
from tournaments.changes import RefusedError, mark_changed
from tournaments.event.results import freeze_standings
from tournaments.event.seeding import SeedingOrder, read_seeding_order
from tournaments.event.separations import separated_pairs
from tournaments.event.table_results import rank_players, read_results_by_stage
from tournaments.models import (
    Bye,
    NightEvent,
    Place,
    Round,
    Table,
    Tournament,
    User,
)
from tournaments.models.round_names import round_subject
from tournaments.seating import (
    Draw,
    DrawRequest,
    SeatingRefusal,
    SeedPattern,
    TableFill,
    TableSizeLimits,
    check_final,
    check_knockout,
    check_round_robin,
    choose_qualifiers_or_refuse,
    draw_knockout,
    draw_round_robin,
    draw_seeded,
    draw_swiss,
    measure_quality,
    plan_night,
    plan_seeded_night,
)
from tournaments.standings import RankedPlayer, staged_standings

Format = Tournament.Format
SmallerTables = Tournament.SmallerTables


@dataclass(frozen=True, slots=True, kw_only=True)
class _DrawInputs:
    """The input of a draw: the rounds that stay, and the input for the new ones."""

    tournament: Tournament
    earlier: Sequence[Round]
    """The rounds that stay, in order."""
    games: Mapping[int, str]
    """By round number, the game that the director chose for it."""
    redrawn: int
    """The stage of the rounds that are drawn again; 0 if there were none."""
    request: DrawRequest

    @property
    def stage(self) -> int:
        last = self.earlier[-1].stage if self.earlier else 0
        if self.tournament.format == Format.KNOCKOUT:
            return last + 1 if self.earlier else 0
        return last + 1 if last else self.redrawn

    def game_of_round(self, number: int) -> str:
        return self.games.get(number) or self.tournament.default_round_game(number)


class UnbrokenTieError(RefusedError):
    """Players are level in everything and only some of them can advance: lots decide."""


@transaction.atomic
def draw(
    *,
    tournament_id: int,
    seed: int | None = None,
    table_fill: str | None = None,
    becomes_planned_night: bool = False,
    user: User | None = None,
    now: datetime | None = None,
) -> list[Round]:
    """Draw all remaining rounds of a planned night or a round robin, else one; return them.

    Rounds that are drawn and not yet published are drawn again. A `table_fill` stays for later
    draws. With `becomes_planned_night` the tournament becomes a planned night of as many rounds.
    Raises RefusedError if too few players are here or the round before is still open.
    """
    if table_fill is not None:
        if table_fill not in Tournament.TableFill.values:
            raise RefusedError("table_fill", _("Choose an option from the list."))
        if table_fill == Tournament.TableFill.FULL:
            check_byes_possible(Tournament.objects.get(pk=tournament_id).format)
        Tournament.objects.filter(pk=tournament_id).update(table_fill=table_fill)
    if becomes_planned_night:
        tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
        count = tournament.rounds.count() or tournament.rounds_planned
        started_count = tournament.rounds.exclude(state=Round.State.DRAWN).count()
        tournament.format = Format.PLANNED
        # At least one round has to be left to draw.
        tournament.rounds_planned = max(count, started_count + 1)
        tournament.save(update_fields=["format", "rounds_planned"])
    inputs = _delete_drawn_rounds_and_read_inputs(tournament_id, seed)
    return _draw_and_store(inputs, user, now)


@transaction.atomic
def seat_by_own_list(
    *,
    tournament_id: int,
    seating: Sequence[Sequence[Sequence[int]]],
    user: User | None = None,
) -> list[Round]:
    """Store a director's own seating of the next rounds, by round and table; return the rounds.

    The seating replaces the rounds that are drawn and not published. Present players without a
    seat sit out. Raises RefusedError for table sizes that the tournament does not allow, more
    rounds than are planned, and where results decide who plays whom.
    """
    inputs = _delete_drawn_rounds_and_read_inputs(tournament_id)
    tournament, first = inputs.tournament, len(inputs.earlier) + 1
    if tournament.format == Format.KNOCKOUT or inputs.stage:
        raise RefusedError(
            "seating", _("In a knockout or a final, the results decide who plays whom.")
        )
    if tournament.phase == Tournament.Phase.FINISHED:
        raise RefusedError("seating", _("The tournament is finished. Reopen it first."))
    if not seating:
        raise RefusedError("seating", _("Enter at least one table."))
    if first + len(seating) - 1 > max(tournament.rounds_planned, first):
        message = _("More rounds than planned (%(n)s). Add some under Settings.")
        raise RefusedError("seating", message % {"n": tournament.rounds_planned})
    for number, tables in enumerate(seating, start=first):
        limits = table_size_limits(tournament, inputs.game_of_round(number))
        for place, table in enumerate(tables, start=1):
            if not limits.least <= len(table) <= limits.most:
                message = _(
                    "Round %(round)s, table %(table)s has %(size)s players. Tables of "
                    "%(least)s to %(most)s are allowed."
                )
                values = {
                    "round": number,
                    "table": place,
                    "size": len(table),
                    "least": limits.least,
                    "most": limits.most,
                }
                raise RefusedError("seating", message % values)
    players = inputs.request.players
    rounds = tuple(tuple(map(tuple, tables)) for tables in seating)
    plan = Draw(
        rounds=rounds,
        byes=tuple(
            tuple(set(players) - {player for table in tables for player in table})
            for tables in rounds
        ),
        quality=measure_quality(
            [*inputs.request.played, *rounds], inputs.request.apart
        ),
        seed=inputs.request.seed,
    )
    return _store_draw(inputs, plan, user, is_own=True)


def round_robin_obstacle(tournament: Tournament) -> str:
    """Return why the present players cannot be drawn as a round robin; empty if they can.

    Empty also in other formats, for a final, and for too few players to make a table.
    """
    is_final = tournament.rounds.filter(stage__gt=0).exists()
    if tournament.format != Format.ROUND_ROBIN or is_final:
        return ""
    if tournament.rounds.exclude(state=Round.State.DRAWN).exists():
        return _(
            "A round robin is drawn only once, for everyone who’s there at the start."
        )
    players = tournament.entries.present().count()
    sizing = table_size_limits(tournament, tournament.default_round_game(1))
    if players < sizing.least:
        return ""
    try:
        check_round_robin(players, sizing.preferred)
    except SeatingRefusal as refusal:
        return str(refusal.message)
    return ""


@transaction.atomic
def freeze_and_cut_to_final(
    *, tournament_id: int, size: int, now: datetime, user: User | None = None
) -> list[Round]:
    """Draw the first round of the final for the `size` best players.

    The standings are frozen as they are. Raises RefusedError while a round is open, if the last
    finalist is level with the next player, and for a size that makes no table or is larger than
    the number of present players.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    check_final_size(tournament, size)
    inputs = _delete_drawn_rounds_and_read_inputs(tournament_id)
    _require_all_closed(inputs.earlier)
    if not inputs.earlier or inputs.earlier[-1].stage or inputs.stage > 1:
        raise RefusedError(
            "final",
            _(
                "A final can only follow a round that everyone plays. "
                "Draw the next round instead."
            ),
        )
    inputs.tournament.final_size = size
    inputs.tournament.save(update_fields=["final_size"])
    freeze_standings(
        tournament_id=tournament_id,
        name=f"cut {inputs.earlier[-1].frozen_standings_name}",
        now=now,
    )
    return _draw_and_store(replace(inputs, redrawn=1), user, now)


def check_final_size(tournament: Tournament, size: int) -> None:
    """Raise RefusedError for a final with more players than are here, or with half-empty tables."""
    present_count = tournament.entries.present().count()
    if size > present_count:
        message = ngettext(
            "Only %(n)s player is here, so the final can’t be bigger.",
            "Only %(n)s players are here, so the final can’t be bigger.",
            present_count,
        )
        raise RefusedError("size", message % {"n": present_count})
    number = tournament.rounds.exclude(state=Round.State.DRAWN).count() + 1
    drawn_round = tournament.rounds.filter(number=number).first()
    game = (drawn_round and drawn_round.game) or tournament.default_round_game(number)
    try:
        check_final(
            size,
            table_size_limits(tournament, game),
            largest_suggestion=present_count,
        )
    except SeatingRefusal as refusal:
        raise RefusedError(refusal.field, str(refusal.message)) from None


def round_numbers_skipped_by_final(tournament: Tournament) -> list[int]:
    """Return the numbers of planned rounds that a final drawn now would leave out.

    Empty if no final can be drawn now: a round is open, none is played, or a final is drawn.
    """
    states = dict(tournament.rounds.filter(stage=0).values_list("number", "state"))
    started_states = [state for state in states.values() if state != Round.State.DRAWN]
    is_open = any(state != Round.State.CLOSED for state in started_states)
    has_final = tournament.rounds.filter(stage__gt=0).exists()
    if tournament.is_league or is_open or has_final or not started_states:
        return []
    planned = tournament.rounds_planned
    if tournament.format == Tournament.Format.ROUND_ROBIN:
        planned = max(states)
    return list(range(len(started_states) + 1, planned + 1))


def _delete_drawn_rounds_and_read_inputs(
    tournament_id: int, seed: int | None = None
) -> _DrawInputs:
    """Delete the rounds that are drawn and not published; return the input of the next draw."""
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    if tournament.is_league and not tournament.rounds.filter(state="closed").exists():
        raise RefusedError(
            "round", _("A league has no draw. Members start their own matches.")
        )
    cleared = tournament.rounds.filter(state=Round.State.DRAWN)
    # Their stage and the games that the director chose stay for the new draw.
    games = {round_.number: round_.game for round_ in cleared if round_.game}
    redrawn_stage = max((round_.stage for round_ in cleared), default=0)
    cleared.delete()
    earlier = list(tournament.rounds.order_by("number"))
    players = dict(
        tournament.entries.present().by_number().values_list("pk", "bye_rounds")
    )
    first = len(earlier) + 1
    return _DrawInputs(
        tournament=tournament,
        earlier=earlier,
        games=games,
        redrawn=redrawn_stage,
        request=DrawRequest(
            players=list(players),
            played=[read_seating(round_) for round_ in earlier],
            apart=separated_pairs(tournament),
            resting=[
                {player for player, rounds in players.items() if number in rounds}
                for number in range(first, tournament.rounds_planned + 1)
            ],
            seed=tournament.seed if seed is None else seed,
        ),
    )


def read_seating(round_: Round) -> list[list[int]]:
    """Return the tables of a round, each with its entries in seat order."""
    places = round_.places.order_by("table__number", "index")
    seated = places.values_list("table__number", "entry_id")
    return [
        [entry for _table, entry in table]
        for _number, table in groupby(seated, key=lambda row: row[0])
    ]


def table_size_limits(tournament: Tournament, game: str) -> TableSizeLimits:
    """Return the table sizes that the tournament wants and the game allows."""
    offered = tournament.games or list(GAMES)
    chosen = offered if tournament.game_choice == "table" else [game]
    seats = {count for name in chosen for count in GAMES[name].seats}
    fits = range(
        max(tournament.least_size, min(seats)),
        min(tournament.most_size, max(seats)) + 1,
    )
    # If no wanted size fits the game, its own sizes count: a game for four is played by four.
    allowed = [size for size in fits if size in seats] or sorted(seats)
    preferred = min(allowed, key=lambda size: abs(size - tournament.table_size))
    return TableSizeLimits(
        preferred=preferred,
        least=min(allowed),
        most=max(allowed),
        fill=TableFill(tournament.table_fill),
    )


def check_drawable(
    format_: str, players: int, sizing: TableSizeLimits, *, is_final: bool = False
) -> None:
    """Raise SeatingRefusal if so many players cannot be drawn in a format, or in its final."""
    if is_final:
        check_final(players, sizing, largest_suggestion=players)
    elif format_ == Format.ROUND_ROBIN:
        check_round_robin(players, sizing.preferred)
    elif format_ == Format.KNOCKOUT:
        check_knockout(players, sizing)


def check_byes_possible(format_: str) -> None:
    """Raise RefusedError for full tables only in a format in which no one sits out."""
    if format_ == Format.KNOCKOUT:
        raise RefusedError(
            "table_fill",
            _("No one sits out in a knockout. Choose smaller or larger tables."),
        )


def _draw_and_store(
    inputs: _DrawInputs, user: User | None, now: datetime | None
) -> list[Round]:
    seeds = _order_seeds_of_first_round(inputs)
    try:
        plan = (
            _draw_by_format(inputs)
            if seeds is None
            else _draw_seeded(inputs, seeds.entry_ids)
        )
    except SeatingRefusal as refusal:
        raise RefusedError(refusal.field, str(refusal.message)) from None
    return _store_draw(inputs, plan, user, now, seeds=seeds)


def _store_draw(
    inputs: _DrawInputs,
    plan: Draw,
    user: User | None,
    now: datetime | None = None,
    *,
    is_own: bool = False,
    seeds: SeedingOrder | None = None,
) -> list[Round]:
    """Store the rounds of a draw, or of a director's own seating, and return them."""
    tournament = inputs.tournament
    # Each round stores the quality of the seating up to it, and that of the whole draw.
    night = {"repeats": plan.quality.repeats, "bound": plan.quality.bound}
    rounds = []
    for count, (tables, byes) in enumerate(
        zip(plan.rounds, plan.byes, strict=True), start=1
    ):
        quality_so_far = measure_quality(
            [*inputs.request.played, *plan.rounds[:count]], inputs.request.apart
        )
        number = len(inputs.earlier) + count
        draw_quality = {**asdict(quality_so_far), "night": night, "is_own": is_own}
        if seeds is not None and number == 1:
            draw_quality["seeding"] = {
                "by": tournament.seeding,
                "pattern": tournament.seed_pattern,
                "unranked": seeds.unranked_count,
            }
        round_ = Round.objects.create(
            tournament=tournament,
            number=number,
            stage=inputs.stage,
            game=inputs.games.get(number, ""),
            seed=plan.seed,
            present=inputs.request.players if inputs.stage else [],
            quality=draw_quality,
        )
        store_tables_and_byes(round_, tables, byes)
        rounds.append(round_)
    tournament.taken_back = []
    tournament.save(update_fields=["taken_back"])
    NightEvent.objects.record_rounds(NightEvent.Kind.DRAWN, rounds, by=user, now=now)
    mark_changed(tournament.pk)
    return rounds


def store_tables_and_byes(
    round_: Round, tables: Sequence[Sequence[int]], byes: Sequence[int]
) -> None:
    stored = Table.objects.bulk_create(
        Table(round=round_, number=number)
        for number, _seats in enumerate(tables, start=1)
    )
    Place.objects.bulk_create(
        Place(round=round_, table=table, index=index, entry_id=entry)
        for table, seats in zip(stored, tables, strict=True)
        for index, entry in enumerate(seats)
    )
    Bye.objects.bulk_create(Bye(round=round_, entry_id=entry) for entry in byes)


def _order_seeds_of_first_round(inputs: _DrawInputs) -> SeedingOrder | None:
    """Return the order of the seeds if the draw begins with a seeded round 1, else None."""
    tournament = inputs.tournament
    is_seeded = tournament.seeding != Tournament.Seeding.LOT
    if inputs.earlier or not is_seeded or not tournament.is_first_round_seedable:
        return None
    entries = tournament.entries.filter(pk__in=inputs.request.players)
    return read_seeding_order(tournament, entries, seed=inputs.request.seed)


def _draw_seeded(inputs: _DrawInputs, players: Sequence[int]) -> Draw:
    """Return round 1 with the players dealt as seeds, and in a planned night the others."""
    tournament = inputs.tournament
    pattern = SeedPattern(tournament.seed_pattern)
    if tournament.format == Format.PLANNED:
        request = replace(_request_for_remaining_rounds(inputs), players=players)
        return plan_seeded_night(request, len(request.sizings), pattern)
    request = replace(_request_for_next_round(inputs), players=players)
    if tournament.format == Format.KNOCKOUT:
        return draw_knockout(request, pattern=pattern)
    return draw_seeded(request, pattern)


def _draw_by_format(inputs: _DrawInputs) -> Draw:
    tournament, stage = inputs.tournament, inputs.stage
    is_knockout = tournament.format == Format.KNOCKOUT
    if is_knockout and stage == 0:
        return draw_knockout(_request_for_next_round(inputs), shuffle=True)
    if stage:
        is_cut = stage == 1 and not inputs.earlier[-1].stage and not is_knockout
        players = _finalist_ids(inputs) if is_cut else _advancing_entry_ids(inputs)
        return draw_knockout(replace(_request_for_next_round(inputs), players=players))
    if tournament.format == Format.SWISS:
        _require_all_closed(inputs.earlier)
        points = {int(row.player): row.points for row in rank_players(tournament)}
        request = _request_for_next_round(inputs)
        ranked_players = _sort_by_standings(request.players, list(points))
        return draw_swiss(
            replace(
                request,
                players=ranked_players,
                full_table_players=_full_table_players(inputs, ranked_players),
            ),
            {player: points.get(player, Fraction()) for player in ranked_players},
            strictness=tournament.strictness,
        )
    if tournament.format == Format.HEATS:
        request = _request_for_next_round(inputs)
        if inputs.earlier and tournament.smaller_tables != SmallerTables.TURNS:
            order = [int(row.player) for row in rank_players(tournament)]
            ranked_players = _sort_by_standings(request.players, order)
            full_table_players = _full_table_players(inputs, ranked_players)
            request = replace(request, full_table_players=full_table_players)
        return plan_night(request, 1)
    if tournament.format == Format.ROUND_ROBIN:
        if inputs.earlier:
            raise RefusedError(
                "round",
                _(
                    "A round robin is drawn only once, for everyone "
                    "who’s there at the start. To seat others, continue "
                    "as a planned night."
                ),
            )
        return draw_round_robin(_request_for_next_round(inputs))
    request = _request_for_remaining_rounds(inputs)
    return plan_night(request, len(request.sizings))


def _sort_by_standings(players: Iterable[int], standings: Sequence[int]) -> list[int]:
    """Return the players in the order of the standings; those without a rank come last."""
    positions = {player: number for number, player in enumerate(standings)}
    return sorted(players, key=lambda player: positions.get(player, len(positions)))


def _full_table_players(
    inputs: _DrawInputs, ranked_players: Sequence[int]
) -> Sequence[int]:
    """Return the half of the standings that does not sit at smaller tables; empty before round 2."""
    half = len(ranked_players) // 2
    chosen = inputs.tournament.smaller_tables
    if not inputs.earlier or chosen == SmallerTables.TURNS:
        return []
    if chosen == SmallerTables.LOWER:
        return ranked_players[:half]
    return ranked_players[len(ranked_players) - half :]


def _request_for_remaining_rounds(inputs: _DrawInputs) -> DrawRequest:
    """Return the request for all remaining rounds of a planned night, with the limits of each."""
    tournament = inputs.tournament
    remaining_numbers = range(len(inputs.earlier) + 1, tournament.rounds_planned + 1)
    if not remaining_numbers:
        raise RefusedError(
            "rounds", _("All planned rounds are drawn. Add more under Settings.")
        )
    sizings = [
        table_size_limits(tournament, inputs.game_of_round(number))
        for number in remaining_numbers
    ]
    return replace(inputs.request, sizing=sizings[0], sizings=sizings)


def _request_for_next_round(inputs: _DrawInputs) -> DrawRequest:
    """Return the request for the next round only, not for all remaining ones."""
    game = inputs.game_of_round(len(inputs.earlier) + 1)
    return replace(
        inputs.request,
        sizing=table_size_limits(inputs.tournament, game),
        seed=inputs.request.seed + len(inputs.earlier),
    )


def _require_all_closed(earlier: Sequence[Round]) -> None:
    open_rounds = [round_ for round_ in earlier if round_.state != Round.State.CLOSED]
    if open_rounds:
        raise RefusedError(
            "round",
            _(
                "%(round)s is still open. Close it first, because the draw uses its "
                "results."
            )
            % {"round": round_subject(open_rounds[0])},
        )


def _finalist_ids(inputs: _DrawInputs) -> list[int]:
    _require_all_closed(inputs.earlier)
    tournament, size = inputs.tournament, inputs.tournament.final_size
    players = set(inputs.request.players)
    rows = [row for row in rank_players(tournament) if int(row.player) in players]
    if len(rows) > size and rows[size - 1].rank == rows[size].rank:
        rank = rows[size].rank
        names = dict(tournament.entries.values_list("pk", "name"))
        level_names = [names[int(row.player)] for row in rows if row.rank == rank]
        raise RefusedError(
            "final",
            _(
                "%(names)s are tied for rank %(rank)s, but only %(size)s can "
                "advance. Hold a tie-break draw, or change the size of the final."
            )
            % {"names": join_names(level_names), "rank": rank, "size": size},
        )
    finalists = [int(row.player) for row in rows[:size]]
    sizing = table_size_limits(
        tournament, inputs.game_of_round(len(inputs.earlier) + 1)
    )
    check_final(len(finalists), sizing, largest_suggestion=len(rows))
    return finalists


def _inputs_after_last(
    tournament: Tournament, earlier: Sequence[Round], players: Collection[int]
) -> _DrawInputs:
    """Return the input of a draw after the last of these rounds; changes nothing."""
    return _DrawInputs(
        tournament=tournament,
        earlier=earlier,
        games={},
        redrawn=0,
        request=DrawRequest(players=list(players), played=[read_seating(earlier[-1])]),
    )


def qualified_entry_ids(round_: Round) -> list[int]:
    """Return the entries that would advance into a round by the results known now.

    For rounds into which the best of each table advance: in a knockout, and in a final after
    its first round.
    """
    tournament = round_.tournament
    earlier = tournament.rounds.filter(number__lt=round_.number).order_by("number")
    standings_before = staged_standings(
        read_results_by_stage(tournament)[: round_.stage]
    )
    inputs = _inputs_after_last(tournament, list(earlier), round_.entry_ids_at_draw())
    return _select_advancing_and_tied(inputs, standings_before)[0]


def count_advancing(tournament: Tournament) -> int:
    """Return how many players would advance now from the last round of a knockout or final.

    Raises RefusedError if that is not decided: players are level, or it was the last round.
    """
    earlier = list(tournament.rounds.order_by("number"))
    present_ids = tournament.entries.present().values_list("pk", flat=True)
    try:
        return len(
            _advancing_entry_ids(_inputs_after_last(tournament, earlier, present_ids))
        )
    except SeatingRefusal as refusal:
        raise RefusedError(refusal.field, str(refusal.message)) from None


def _advancing_entry_ids(inputs: _DrawInputs) -> list[int]:
    """Return the players that advance from the tables of the last round, the best first.

    Raises UnbrokenTieError if only some of the players that are level in everything would advance.
    """
    advancing, level = _select_advancing_and_tied(
        inputs, rank_players(inputs.tournament)
    )
    if level:
        names = dict(inputs.tournament.entries.values_list("pk", "name"))
        raise UnbrokenTieError(
            "round",
            _(
                "%(names)s are tied on everything, but only some can advance. Hold a "
                "tie-break draw."
            )
            % {"names": join_names([names[player] for player in level])},
        )
    return advancing


def _select_advancing_and_tied(
    inputs: _DrawInputs, standings: Sequence[RankedPlayer]
) -> tuple[list[int], Sequence[int]]:
    """Return the players that advance from the tables of the last round, the best first.

    Others than the best of each table follow from the standings. Returns also a group of
    players level in everything of whom only some would advance; empty for none.
    """
    _require_all_closed(inputs.earlier)
    last, advance = inputs.earlier[-1], inputs.tournament.advance
    # By player; void tables give no place.
    places: dict[int, int] = {}
    for table_row in last.tables.with_places_and_entries().filter(void=False):
        if table_row.match is not None:
            ranks = {seat.index: seat.rank for seat in table_row.match.seats.all()}
            for place in table_row.places.all():
                places[place.entry_id] = ranks[place.index]
    order = [int(row.player) for row in standings]
    positions = {player: positions for positions, player in enumerate(order)}
    rank = {int(row.player): row.rank for row in standings}
    players = set(inputs.request.players)
    tables = [
        sorted(
            (p for p in table if p in players),
            key=lambda p: (places.get(p, 0), positions[p]),
        )
        for table in inputs.request.played[-1]
    ]
    if len(tables) == 1:
        raise RefusedError("round", _("The final is over. Now finish the tournament."))
    sizing = table_size_limits(inputs.tournament, inputs.game_of_round(last.number + 1))
    chosen = choose_qualifiers_or_refuse(tables, order, advance, sizing)
    # Groups of level players: at each table, then among the others of all tables.
    direct_qualifiers = {player for table in tables for player in table[:advance]}
    level_groups: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for table_index, table in enumerate(tables):
        for player in table:
            level_groups[0, table_index, places.get(player, 0), rank[player]].append(
                player
            )
    for player in (player for table in tables for player in table):
        if player not in direct_qualifiers:
            level_groups[1, 0, 0, rank[player]].append(player)
    split_groups = (
        group
        for group in level_groups.values()
        if 0 < len(set(group) & {*chosen}) < len(group)
    )
    return chosen, next(split_groups, [])


def update_draw_quality(round_: Round) -> None:
    """Measure and store the quality of the seating up to this round, after a manual change."""
    tournament = round_.tournament
    rounds = tournament.rounds.filter(number__lte=round_.number).order_by("number")
    seating_quality = measure_quality(
        [read_seating(earlier_round) for earlier_round in rounds],
        separated_pairs(tournament),
    )
    origin = {
        name: round_.quality[name]
        for name in ("is_own", "seeding")
        if name in round_.quality
    }
    round_.quality = {**asdict(seating_quality), **origin}
    round_.save(update_fields=["quality"])


def withdraw_draws(tournament: Tournament, rounds: Iterable[Round]) -> None:
    """Delete rounds in which nothing was played, and store their draws."""
    withdrawn_rounds = list(rounds)
    tournament.taken_back = []
    for round_ in withdrawn_rounds:
        is_drawn = round_.state == Round.State.DRAWN
        fields = ("number", "stage", "game", "seed", "quality", "present")
        tournament.taken_back.append(
            {
                **{field: getattr(round_, field) for field in fields},
                "state": Round.State.DRAWN if is_drawn else Round.State.PUBLISHED,
                "tables": read_seating(round_),
                "byes": list(round_.byes.values_list("entry_id", flat=True)),
            }
        )
    tournament.save(update_fields=["taken_back"])
    Round.objects.filter(pk__in=[round_.pk for round_ in withdrawn_rounds]).delete()


@transaction.atomic
def restore_draws(*, tournament_id: int, user: User | None = None) -> list[Round]:
    """Restore the rounds of the last withdrawn draw and return them.

    Published rounds are published again; rounds that ran have to be started again. Raises
    RefusedError if something else was drawn since, or if a seated entry was deleted.
    """
    tournament = Tournament.objects.select_for_update().get(pk=tournament_id)
    withdrawn_draws = tournament.taken_back
    numbers = [round_["number"] for round_ in withdrawn_draws]
    if not withdrawn_draws or tournament.rounds.filter(number__gte=numbers[0]).exists():
        raise RefusedError("round", _("No draw to restore."))
    seated_ids = {
        entry
        for round_ in withdrawn_draws
        for entries in (*round_["tables"], round_["byes"])
        for entry in entries
    }
    if tournament.entries.filter(pk__in=seated_ids).count() < len(seated_ids):
        raise RefusedError(
            "round", _("A player in that draw is no longer on the list. Draw again.")
        )
    rounds = []
    for fields in withdrawn_draws:
        tables, byes = fields.pop("tables"), fields.pop("byes")
        round_ = Round.objects.create(tournament=tournament, **fields)
        store_tables_and_byes(round_, tables, byes)
        rounds.append(round_)
    tournament.taken_back = []
    tournament.save(update_fields=["taken_back"])
    NightEvent.objects.record_rounds(NightEvent.Kind.DRAW_RESTORED, rounds, by=user)
    mark_changed(tournament.pk)
    return rounds
