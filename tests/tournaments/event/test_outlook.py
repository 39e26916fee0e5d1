"""The outlook on open places: when it is shown, and on which pages.

SEEDS says how many nights of each kind are played to their end: `SEEDS=50 script/test FILE`.
"""

import os
from collections.abc import Callable
from random import Random
from uuid import uuid4

import pytest
from django.contrib.humanize.templatetags.humanize import ordinal
from django.core.cache import caches
from django.core.management import call_command
from django.test import Client

from scoring.models import Match, Seat
from tests.factories.commands import correct_hand
from tests.factories.matches import NOW, author
from tests.factories.tournaments import (
    enter_points,
    own_phone,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import text
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.outlook import (
    derive_outlook,
    parse_stored_prospect,
    serialize_outlook,
    store_outlook_with_standings,
)
from tournaments.event.results import draw_missing_lots, store_current_standings
from tournaments.event.table_results import rank_players
from tournaments.history.personal_data import anonymise_person
from tournaments.models import Round, Standings, Table, Tournament
from tournaments.standings import TIE_BREAKS
from tournaments.tasks import recompute_standings_and_follow_up
from tournaments.web.standings.prospects import (
    contenders_sentence,
    own_prospect,
    plan_after_round,
    reachable_ranks_in_words,
)

pytestmark = pytest.mark.django_db(transaction=True)


def night(players: int = 6, **settings: object) -> Tournament:
    """Return a tournament in the second of two rounds, with no table finished."""
    tournament = tournament_with(
        players, rounds_planned=2, table_size=3, least_size=3, most_size=3, **settings
    )
    first_round = running_round(tournament)
    play_round(first_round)
    rounds.close(round_id=first_round.pk, now=NOW)
    running_round(tournament)
    return tournament


def current_standings(tournament: Tournament) -> Standings:
    return tournament.standings.unfrozen_latest_first()[0]


def count_open_places(tournament: Tournament) -> int:
    """Return the number of open places, summed over all players."""
    outlook = current_standings(tournament).outlook
    assert outlook is not None
    ranges = [prospect["reach"] for prospect in outlook["prospects"].values()]
    return sum(worst - best for best, worst in ranges)


def test_outlook_of_the_last_round_narrows_with_each_result_until_it_ends() -> None:
    tournament = night()
    outlook = derive_outlook(tournament)
    assert outlook is not None
    standings = current_standings(tournament)
    assert standings.outlook == serialize_outlook(outlook)
    # It is computed once for each version of the standings.
    assert not store_outlook_with_standings(tournament_id=tournament.pk)
    recompute_standings_and_follow_up(tournament.pk)
    assert current_standings(tournament).pk == standings.pk
    last_round, count_before = (
        tournament.rounds.get(number=2),
        count_open_places(tournament),
    )
    play_table(last_round.tables.all()[0], [20, 12, 5])
    assert count_open_places(tournament) < count_before
    play_table(last_round.tables.all()[1], [20, 12, 5])
    rounds.close(round_id=last_round.pk, now=NOW)
    assert current_standings(tournament).outlook is None


def test_no_outlook_with_a_round_to_come() -> None:
    tournament = night()
    Tournament.objects.filter(pk=tournament.pk).update(rounds_planned=3)
    assert derive_outlook(Tournament.objects.get(pk=tournament.pk)) is None
    knockout = tournament_with(
        6, format=Tournament.Format.KNOCKOUT, table_size=3, least_size=3, most_size=3
    )
    running_round(knockout)
    play_table(knockout.rounds.get().tables.all()[0], [20, 12, 5])
    store_current_standings(tournament_id=knockout.pk, now=NOW)
    assert derive_outlook(knockout) is None


def test_no_outlook_is_stored_once_a_newer_result_is_in() -> None:
    tournament = night()
    Standings.objects.filter(tournament=tournament).update(outlook=None)
    match = Match.objects.filter(
        table__round__tournament=tournament, finished=False
    ).order_by("pk")[0]
    Match.objects.filter(pk=match.pk).update(finished=True, version=9)
    assert not store_outlook_with_standings(tournament_id=tournament.pk)
    assert current_standings(tournament).outlook is None


def rebuild(tournament: Tournament) -> None:
    current_standings(tournament).rows.update(points="99")
    call_command("rebuild")


def erase_first_player(tournament: Tournament) -> None:
    player = tournament.entries.all()[0].player
    anonymise_person(club=tournament.club, player_id=player.pk, typed_name=player.name)


@pytest.mark.parametrize("act", [rebuild, erase_first_player])
def test_recomputed_standings_list_open_places(
    act: Callable[[Tournament], None],
) -> None:
    tournament = night()
    act(tournament)
    assert current_standings(tournament).outlook is not None


def test_players_and_projector_see_open_places_and_winning_conditions() -> None:
    tournament = night()
    current, url = current_standings(tournament), tournament.get_absolute_url()
    leader = current.rows.get(place=1).entry
    phone = own_phone(leader)
    page = text(phone, url)
    assert "You’ll be between 1st and" in page
    assert "First if you win your table" in page
    assert "Based on every possible outcome of the open tables" in page
    assert "after this round" in page
    assert "can still win" in text(Client(), f"{url}projector/")
    outlook = current.outlook
    Standings.objects.filter(pk=current.pk).update(outlook=None)
    caches["drawn"].clear()
    assert "after this round" not in text(Client(), url)
    # A page that was cached before the outlook was computed is drawn again.
    Standings.objects.filter(pk=current.pk).update(outlook=outlook)
    assert "after this round" in text(Client(), url)
    Tournament.objects.update(standings_shown=Tournament.Visibility.FINISHED)
    assert "You’ll be between" not in text(phone, url)
    assert own_prospect(tournament, current, leader.pk) is not None
    Standings.objects.filter(pk=current.pk).delete()
    assert own_prospect(tournament, current, leader.pk) is None


def unconfirmed_last_round(**settings: object) -> tuple[Tournament, list[Table]]:
    """Return a night whose last round is played but unconfirmed, and its tables."""
    tournament = night(12, tie_breaks=["wins", "opponents"], **settings)
    tournament.quorum = Tournament.Quorum.ONE
    tournament.save(update_fields=["quorum"])
    seats = Seat.objects.filter(match__table__round__number=1)
    seats.filter(index=0).update(confirmed_at=NOW)
    tables = list(tournament.rounds.get(number=2).tables.all())
    for table in tables:
        play_table(table, [20, 12, 5])
    return tournament, tables


def confirm_all() -> None:
    Seat.objects.update(confirmed_at=NOW)


def test_disputed_and_open_tables_leave_the_winner_open() -> None:
    tournament, tables = unconfirmed_last_round()
    assert "wins unless" not in str(settled_statements(tournament))
    confirm_all()
    before_dispute = settled_statements(tournament)
    Table.objects.filter(pk=tables[0].pk).update(disputed=True)
    assert len(settled_statements(tournament)) < len(before_dispute)


def test_projector_shows_finalists_instead_of_a_winner_before_the_final() -> None:
    tournament, _tables = unconfirmed_last_round(final_size=3)
    confirm_all()
    statements = settled_statements(tournament)
    assert set(statements.values()) <= {"in the planned final"}
    assert contenders_sentence(current_standings(tournament)).startswith(
        "In the planned final: "
    )


SETTLED = ("for certain", "has won", "planned final", "after this round", "wins unless")
"""Parts of statements valid after this round; the first two are final."""


def settled_statements(tournament: Tournament) -> dict[str, str]:
    """Return by name the statements that the standings now call settled."""
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    Standings.objects.filter(tournament=tournament).update(outlook=None)
    store_outlook_with_standings(tournament_id=tournament.pk)
    current = current_standings(tournament)
    plan = plan_after_round(tournament)
    statements = {}
    for row in current.rows_with_names():
        words = reachable_ranks_in_words(
            parse_stored_prospect(current.outlook, row.entry_id), plan, last_rank=12
        )
        if any(part in words for part in SETTLED) and "between" not in words:
            statements[row.entry.name] = words
    winners = contenders_sentence(current)
    if any(part in winners for part in SETTLED) and not plan.final:
        statements["the room"] = winners
    return statements


def certain_statements(statements: dict[str, str]) -> dict[str, str]:
    return {
        name: words
        for name, words in statements.items()
        if "for certain" in words or "has won" in words
    }


POINTS = (1, 5, 12, 20)
SEEDS = int(os.environ.get("SEEDS", "2"))


def end_table(table: Table, rng: Random) -> None:
    """End a table at random: confirmed or not, disputed, void, or unfinished."""
    if rng.random() < 0.2:
        # An unfinished table has one hand or none when its round closes.
        if table.match is not None and rng.random() < 0.5:
            enter_points(table.match, [rng.choice(POINTS) for _seat in range(3)])
        return
    play_table(table, [rng.choice(POINTS) for _seat in range(3)])
    match = table.match
    assert match is not None
    if rng.random() < 0.3:
        Table.objects.filter(pk=table.pk).update(disputed=True)
        return
    if rng.random() < 0.2:
        Table.objects.filter(pk=table.pk).update(void=True)
        return
    match.seats.filter(index=0).update(confirmed_at=NOW)


def settle(table: Table, rng: Random) -> None:
    """End a dispute: confirm the result, correct it, or void the table."""
    if rng.random() < 0.4:
        Table.objects.filter(pk=table.pk).update(disputed=False, void=True)
        return
    assert table.match is not None
    table.match.refresh_from_db()
    if rng.random() < 0.5:
        points = [rng.choice(POINTS) for _seat in range(3)]
        correct_hand(
            match_id=table.match.pk,
            key=uuid4(),
            number=1,
            raw={"points": points},
            author=author(),
        )
    table.match.seats.filter(index=0).update(confirmed_at=NOW)
    Table.objects.filter(pk=table.pk).update(disputed=False)


def play_with_statements(round_: Round, rng: Random) -> dict[str, str]:
    """Play a round to its end; return all statements called settled on the way."""
    tournament = Tournament.objects.get(pk=round_.tournament_id)
    statements = settled_statements(tournament)
    tables = list(round_.tables.select_related("match"))
    rng.shuffle(tables)
    for table in tables:
        end_table(table, rng)
        statements |= settled_statements(tournament)
    # A round may close before a dispute ends or after it.
    closes_early = rng.random() < 0.5
    if closes_early:
        rounds.close(round_id=round_.pk, now=NOW, override="late")
        statements |= settled_statements(tournament)
    for table in round_.tables.filter(disputed=True):
        settle(table, rng)
        statements |= settled_statements(tournament)
    if not closes_early:
        rounds.close(round_id=round_.pk, now=NOW, override="late")
    return statements


def ranks_at_the_end(tournament: Tournament, rng: Random) -> dict[str, int]:
    """Return the ranks by name once nothing is open and lots are drawn."""
    draw_missing_lots(tournament_id=tournament.pk, shuffle=rng.shuffle)
    names = {str(entry.pk): entry.name for entry in tournament.entries.all()}
    return {names[row.player]: row.rank for row in rank_players(tournament)}


def check_settled(
    statements: dict[str, str], ranks: dict[str, int], final_size: int
) -> None:
    for name, words in statements.items():
        if name == "the room":
            (winner,) = (other for other, rank in ranks.items() if rank == 1)
            assert words.startswith(winner)
        elif final_size:
            assert ranks[name] <= final_size
        else:
            assert words.startswith(str(ordinal(ranks[name])))


@pytest.mark.long(30)
@pytest.mark.one_database
@pytest.mark.parametrize(
    ("format_", "players", "final_size"),
    [
        ("planned", 9, 0),
        ("planned", 9, 3),
        # Two tables in the first round of the final.
        ("planned", 9, 6),
        ("swiss", 9, 0),
        ("swiss", 9, 3),
        ("round_robin", 9, 0),
        # One table, with its players in random order.
        ("knockout", 3, 0),
        ("knockout", 9, 0),
    ],
)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_certain_statements_never_change(
    seed: int, format_: str, players: int, final_size: int
) -> None:
    rng = Random(f"{seed} {format_} {players} {final_size}")
    tie_breaks = rng.sample(sorted({*TIE_BREAKS} - {"final_table", "lot"}), 2)
    if rng.random() < 0.8:
        tie_breaks.insert(rng.randrange(2), "final_table")
    # A cut needs lots for tied players.
    if players > 3 or rng.random() < 0.5:
        tie_breaks.append("lot")
    tournament = tournament_with(
        players,
        format=format_,
        rounds_planned=4 if format_ == "round_robin" else 2,
        final_size=final_size,
        table_size=3,
        least_size=3,
        most_size=3,
        advance=1,
        points=rng.choice(["linear", "wins", {"places": {"3": ["2", "1", "1"]}}]),
        tie_breaks=tie_breaks,
        unfinished=rng.choice(["as_it_stands", "void"]),
        quorum=rng.choice(["none", "one"]),
    )
    number, round_counts = 0, {"knockout": 2 if players > 3 else 1, "round_robin": 4}
    statements: dict[str, str] = {}
    certain: dict[str, str] = {}
    ranks: dict[str, int] = {}
    while number < round_counts.get(format_, 2):
        number += 1
        statements = play_with_statements(running_round(tournament), rng)
        ranks = ranks_at_the_end(tournament, rng)
        certain |= certain_statements(statements)
    check_settled(statements, ranks, final_size)
    if format_ in ("planned", "swiss") and rng.random() < 0.4:
        tournament.rounds_planned += 1
        tournament.save(update_fields=["rounds_planned"])
        statements = play_with_statements(running_round(tournament), rng)
        ranks = ranks_at_the_end(tournament, rng)
        certain |= certain_statements(statements)
        check_settled(statements, ranks, final_size)
    if format_ != "knockout" and (final_size or rng.random() < 0.6):
        size = final_size or rng.choice((3, 6))
        drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=size, now=NOW)
        is_final = False
        while not is_final:
            round_ = running_round(tournament)
            is_final = round_.tables.count() == 1
            statements = play_with_statements(round_, rng)
            ranks = ranks_at_the_end(tournament, rng)
            certain |= certain_statements(statements)
        check_settled(statements, ranks, 0)
    check_settled(certain, ranks, 0)


@pytest.mark.parametrize("quorum", [Tournament.Quorum.ONE, Tournament.Quorum.NONE])
def test_missing_results_in_a_closed_round_leave_every_place_open(
    quorum: Tournament.Quorum,
) -> None:
    tournament = tournament_with(6, rounds_planned=2, table_size=3, quorum=quorum)
    first_round = running_round(tournament)
    play_table(first_round.tables.all()[0], [20, 12, 5])
    if quorum == Tournament.Quorum.ONE:
        play_table(first_round.tables.all()[1], [20, 12, 5])
    rounds.close(round_id=first_round.pk, now=NOW, override="late")
    running_round(tournament)
    assert derive_outlook(tournament) is None
