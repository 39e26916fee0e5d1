"""Desk actions: confirmation before destructive ones, messages, and undo."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories.tournaments import (
    closed_round,
    director,
    enter_points,
    match_of,
    play_and_close,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, submit, text
from tournaments.event import draw as drawing
from tournaments.event import entries, results, rounds
from tournaments.models import Entry, Place, Round, Tournament, User

pytestmark = pytest.mark.django_db


def seating(round_: Round) -> list[tuple[int, int, int]]:
    """Return the table, seat and entry of each place."""
    seats = round_.places.order_by("table__number", "index")
    return list(seats.values_list("table__number", "index", "entry"))


def leave(tournament: Tournament, number: int) -> Entry:
    """Mark a player as dropped out."""
    entry = tournament.entries.get(number=number)
    return entries.set_state(entry_id=entry.pk, state=Entry.State.DROPPED)


# Dropouts in a round robin


def test_round_robin_continues_as_a_planned_night_after_a_drop() -> None:
    tournament = tournament_with(9, format="round_robin", table_size=3, most_size=3)
    client = director(tournament)
    first_round = closed_round(tournament, now=timezone.now())
    leave(tournament, 9)
    page = text(client, at("desk", tournament))
    assert "Draw again: Fleur has left but still has a seat at table" in page
    question = submit(client, at("draw", tournament))
    assert "Continue as a planned night?" in question
    assert (
        "A round robin is drawn only once, for everyone who’s there at the start."
        in question
    )
    submit(client, at("draw", tournament), sure="1")
    tournament.refresh_from_db()
    assert (tournament.format, tournament.rounds.count()) == ("planned", 4)
    later_places = Place.objects.filter(
        round__tournament=tournament, round__number__gt=1
    )
    assert not later_places.filter(entry__state="dropped").exists()
    assert first_round.places.filter(entry__state="dropped").exists()


@pytest.mark.parametrize(("players", "round_count"), [(9, 4), (13, 0)])
def test_round_robin_without_a_schedule_offers_a_planned_night(
    players: int, round_count: int
) -> None:
    settings = {"format": "round_robin", "table_size": 3, "rounds_planned": 3}
    tournament = tournament_with(players, **settings)
    client = director(tournament)
    question = submit(client, at("draw", tournament))
    assert ("No known schedule lets 13 players" in question) == (not round_count)
    assert tournament.rounds.count() == round_count
    if not round_count:
        submit(client, at("draw", tournament), sure="1")
        assert tournament.rounds.count() == 3


# Finishing with a pending draw


def test_tournament_can_finish_with_a_drawn_round_pending() -> None:
    tournament = tournament_with(8, rounds_planned=3)
    client = director(tournament)
    round_ = running_round(tournament)
    assert at("finish", tournament) not in text(client, at("desk", tournament))
    play_and_close(round_, now=timezone.now())
    seating_before = seating(tournament.rounds.get(number=2))
    assert at("finish", tournament) in text(client, at("desk", tournament))
    question = submit(client, at("finish", tournament))
    assert "Round 2 was drawn but not played. Its draw will be undone." in question
    assert tournament.rounds.count() == 3
    message = submit(client, at("finish", tournament), sure="1")
    assert "“Thursday” is finished." in message
    assert list(tournament.rounds.values_list("number", flat=True)) == [1]
    assert "“Thursday” is open again." in submit(client, at("reopen", tournament))
    submit(client, at("draw_restore", tournament))
    assert seating(tournament.rounds.get(number=2)) == seating_before


def test_finishing_names_open_results_and_refuses_a_dispute() -> None:
    tournament = tournament_with(8, rounds_planned=1, quorum="one")
    client = director(tournament)
    round_ = closed_round(tournament, now=timezone.now(), override="late")
    question = submit(client, at("finish", tournament))
    assert "Tables 1 and 2 haven’t confirmed their results." in question
    results.dispute(table_id=round_.tables.all()[0].pk, now=timezone.now())
    message = submit(client, at("finish", tournament))
    assert "the result is disputed. Settle the dispute first." in message
    assert "Finish the tournament?" not in message


# Restoring an undone draw


def test_undone_draw_can_be_restored_unchanged() -> None:
    tournament = tournament_with(9, rounds_planned=2)
    client = director(tournament)
    first_round = running_round(tournament)
    first, second = first_round.tables.order_by("number")[:2]
    first_entry, second_entry = (
        table.places.get(index=0).entry_id for table in (first, second)
    )
    second_round = tournament.rounds.get(number=2)
    rounds.swap_and_count_repeats(
        round_id=second_round.pk, entry_id=first_entry, other_id=second_entry
    )
    seating_before = [seating(first_round), seating(second_round)]
    question = submit(client, at("round_action", tournament, 1, "cancel"))
    assert "You can restore it until you draw again." in question
    assert "The clock stops, and the score sheets are deleted." in question
    assert "Round 2 was drawn later and will be undone too." in question
    message = submit(client, at("round_action", tournament, 1, "cancel"), sure="1")
    assert "Round 1: draw undone." in message
    assert "Restore the draw" in message
    assert "Draw restored: Round 1 and Round 2." in submit(
        client, at("draw_restore", tournament)
    )
    restored_rounds = list(tournament.rounds.order_by("number"))
    assert [seating(round_) for round_ in restored_rounds] == seating_before
    assert [round_.state for round_ in restored_rounds] == ["published", "drawn"]
    assert "Restore the draw" not in text(client, at("desk", tournament))
    rounds.start(round_id=restored_rounds[0].pk, now=timezone.now())


def test_draw_from_a_reopened_round_cannot_be_restored() -> None:
    tournament = tournament_with(8, rounds_planned=3, format=Tournament.Format.SWISS)
    client = director(tournament)
    round_ = closed_round(tournament, now=timezone.now())
    drawing.draw(tournament_id=tournament.pk)
    message = submit(client, at("round_action", tournament, 2, "cancel"), sure="1")
    assert "Restore the draw" in message
    rounds.reopen_round(round_id=round_.pk)
    rounds.close(round_id=round_.pk, now=timezone.now())
    assert "Restore the draw" not in text(client, at("desk", tournament))


@pytest.mark.parametrize(
    ("change", "message", "round_count"),
    [
        (lambda t: drawing.draw(tournament_id=t.pk), "No draw to restore", 1),
        (
            lambda t: entries.remove_entry(entry_id=t.entries.get(number=3).pk),
            "no longer on the list",
            0,
        ),
    ],
    ids=["another draw", "no longer on the list"],
)
def test_undone_draw_that_no_longer_fits_cannot_be_restored(
    change: Callable[[Tournament], object], message: str, round_count: int
) -> None:
    tournament = tournament_with(8, rounds_planned=1)
    client = director(tournament)
    (round_,) = drawing.draw(tournament_id=tournament.pk)
    submit(client, at("round_action", tournament, round_.number, "cancel"), sure="1")
    change(tournament)
    assert message in submit(client, at("draw_restore", tournament))
    assert tournament.rounds.count() == round_count


# Confirming and reporting an action


def test_voiding_a_table_needs_confirmation_and_records_the_author() -> None:
    tournament = tournament_with(4)
    client = director(tournament)
    User.objects.update(first_name="Eva")
    table = running_round(tournament).tables.get()
    question = submit(client, at("desk_table_action", tournament, 1, 1, "void"))
    assert "Void table 1?" in question
    assert "No hands entered yet." in question
    enter_points(match_of(table), [9, 5, 3, 1])
    assert "Ada: 9" in submit(client, at("desk_table_action", tournament, 1, 1, "void"))
    table.refresh_from_db()
    assert not table.void
    message = submit(
        client, at("desk_table_action", tournament, 1, 1, "void"), sure="1"
    )
    assert "Table 1 is void. You can restore it." in message
    assert "by Eva" in message
    assert "Eva voided this table." in text(Client(), at("table", tournament, 1, 1))
    assert "Table 1 counts again." in submit(
        client, at("desk_table_action", tournament, 1, 1, "restore")
    )
    assert "voided this table" not in text(Client(), at("table", tournament, 1, 1))
