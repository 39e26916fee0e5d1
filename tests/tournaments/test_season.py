"""Evenings by chance, each to its end: nobody is left in a dead end."""

import os
from fractions import Fraction
from random import Random
from uuid import uuid4

import pytest

from scoring.models import Match
from scoring.operations import correct_hand
from tests.factories import author
from tests.factories.matches import NOW
from tests.factories.tournaments import enter_points, tournament_with
from tournaments.models import Entry, Round, Table, Tournament
from tournaments.operations import drawing, entries, results, rounds
from tournaments.operations.changes import RefusedError

pytestmark = pytest.mark.django_db(transaction=True)

EVENINGS = int(os.environ.get("EVENINGS", "24"))
"""As many as are wanted: the seed is the evening. A change of the draw, the standings
or the operations wants two hundred: `EVENINGS=200 script/test tests/tournaments/...`."""


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_an_evening_of_arrivals_drops_and_corrections_ends_with_right_standings(
    seed: int,
) -> None:
    rng = Random(seed)
    tournament = evening(rng)
    number = 0
    while number < tournament.rounds_planned:
        number += 1
        one = next_round(tournament)
        play(one, rng)
        rounds.close(round_id=one.pk, now=NOW, override="time is up")
        come_and_go(tournament, rng, number)
    tournament.refresh_from_db()
    made = results.compute_standings(tournament_id=tournament.pk, now=NOW)
    stored = {row.entry_id: Fraction(row.points) for row in made.rows.all()}
    assert stored == slow_points(tournament)
    assert results.standings_differences(tournament) == []
    assert_nobody_is_forgotten(tournament)


def evening(rng: Random) -> Tournament:
    """Return a tournament of chance."""
    size = rng.choice([3, 4, 5])
    return tournament_with(
        [f"Player {number}" for number in range(rng.randint(5, 26))],
        format=rng.choice(["planned", "swiss"]),
        rounds_planned=rng.randint(2, 4),
        table_size=size,
        least_size=max(2, size - rng.randint(0, 1)),
        most_size=size + rng.randint(0, 1),
        unfinished=rng.choice(["as_it_stands", "deduct", "void"]),
        points=rng.choice(["linear", "pairwise", "margin"]),
    )


def next_round(tournament: Tournament) -> Round:
    """Draw again where nobody was published, and start."""
    drawing.draw(tournament_id=tournament.pk)
    one = tournament.rounds.filter(state=Round.State.DRAWN).order_by("number")[0]
    rounds.publish(round_id=one.pk)
    return rounds.start(round_id=one.pk, now=NOW)


def play(one: Round, rng: Random) -> None:
    """Play tables by chance: to the end, for some hands, or not at all."""
    for table in one.tables.select_related("match"):
        match = table.match
        assert match is not None
        seats = match.seats.count()
        for _hand in range(rng.choice([0, 1, seats, seats, seats])):
            enter_points(match, points(seats, rng))
        if match.hands_played and rng.random() < 0.3:
            correct(match, rng)
        if rng.random() < 0.05:
            results.set_void(table_id=table.pk, void=True)


def points(seats: int, rng: Random) -> list[int]:
    return [rng.randint(0, 20) for _seat in range(seats)]


def correct(match: Match, rng: Random) -> None:
    correct_hand(
        match_id=match.pk,
        key=uuid4(),
        number=1,
        raw={"points": points(match.seats.count(), rng)},
        author=author(),
    )


def come_and_go(tournament: Tournament, rng: Random, number: int) -> None:
    """Let somebody leave, come, come back, be replaced, be penalised."""
    here = list(tournament.entries.playing())
    if len(here) > 6 and rng.random() < 0.5:
        gone = rng.choice(here)
        entries.set_state(entry_id=gone.pk, state=Entry.State.DROPPED)
        if rng.random() < 0.3:
            entries.set_state(entry_id=gone.pk, state=Entry.State.PRESENT)
    if rng.random() < 0.4:
        entries.enter(
            tournament_id=tournament.pk,
            names=[f"Late {number}"],
            now=NOW,
            state=Entry.State.PRESENT,
        )
    if rng.random() < 0.3:
        entries.substitute(
            entry_id=rng.choice(here).pk, name=f"Substitute {number}", now=NOW
        )
    if rng.random() < 0.3:
        results.penalise(
            entry=rng.choice(here), points="1/2", reason="late", by=None, now=NOW
        )


def slow_points(tournament: Tournament) -> dict[int, Fraction]:
    """Return everybody's points, formula by formula, from the matches themselves."""
    made: dict[int, list[Fraction]] = {
        entry.pk: [] for entry in tournament.entries.playing()
    }
    byes: dict[int, int] = {}
    for one in tournament.rounds.exclude(state__in=["drawn", "published"]):
        for bye in one.byes.all():
            byes[bye.entry_id] = byes.get(bye.entry_id, 0) + 1
        for table in one.tables.select_related("match"):
            for entry, worth in table_worth(table, tournament).items():
                made.setdefault(entry, []).append(worth)
    everything = [worth for worths in made.values() for worth in worths]
    mean = sum(everything, Fraction()) / len(everything) if everything else Fraction()
    total: dict[int, Fraction] = {}
    for entry in made.keys() | byes.keys():
        worths = made.get(entry, [])
        own = sum(worths, Fraction()) / len(worths) if worths else mean
        total[entry] = sum(worths, Fraction()) + own * byes.get(entry, 0)
    for penalty in tournament.penalties.filter(cancelled_at=None):
        total.setdefault(penalty.entry_id, Fraction())
        total[penalty.entry_id] -= Fraction(penalty.points)
    if tournament.unfinished == "deduct":
        for table in unfinished_tables(tournament):
            for place in table.places.all():
                total[place.entry_id] -= tournament.deduction
    return total


def unfinished_tables(tournament: Tournament) -> list[Table]:
    """Return the tables that were stopped after some hands."""
    tables = Table.objects.filter(round__tournament=tournament, void=False)
    return list(tables.filter(match__finished=False, match__hands_played__gt=0))


def table_worth(table: Table, tournament: Tournament) -> dict[int, Fraction]:
    """Return what a table is worth to each entry; nothing where it does not count."""
    match = table.match
    if table.void or match is None or not match.hands_played:
        return {}
    if not match.finished and tournament.unfinished == "void":
        return {}
    scores = {
        place.entry_id: Fraction(match.seats.get(index=place.index).total)
        for place in table.places.all()
    }
    size = len(scores)
    worth: dict[int, Fraction] = {}
    for entry, score in scores.items():
        above = sum(other > score for other in scores.values())
        level = sum(other == score for other in scores.values())
        below = size - above - level
        if tournament.points == "linear":
            places = range(above, above + level)
            shared = sum(
                (Fraction(3 * (size - 1 - p), size - 1) for p in places), Fraction()
            )
            worth[entry] = 1 + shared / level
        elif tournament.points == "pairwise":
            worth[entry] = Fraction(below - above)
        else:
            worth[entry] = score - sum(scores.values(), Fraction()) / size
    return worth


def assert_nobody_is_forgotten(tournament: Tournament) -> None:
    """Everybody who was there in a round sat, or sat out, once."""
    for one in tournament.rounds.all():
        seated = list(one.places.values_list("entry_id", flat=True))
        out = list(one.byes.values_list("entry_id", flat=True))
        assert len({*seated, *out}) == len(seated) + len(out)


def test_a_draw_for_too_few_says_so_instead_of_hanging() -> None:
    tournament = tournament_with(3, table_size=4, least_size=4, most_size=4)
    with pytest.raises(RefusedError):
        drawing.draw(tournament_id=tournament.pk)
