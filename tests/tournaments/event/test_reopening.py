"""Closing and opening again; what a final is called, and what follows it."""

import pytest
from django.test import Client

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    closed_round,
    director,
    enter_points,
    match_of,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.event.test_leagues import begin, league
from tests.tournaments.web.desk.test_evening import played
from tests.tournaments.web.pages import at, submit, text
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.desk import announcements
from tournaments.models import Round, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def final_of(tournament: Tournament) -> Round:
    (final,) = drawing.cut_to_final(tournament_id=tournament.pk, size=4, now=NOW)
    return final


def test_ending_a_league_needs_confirmation_and_can_be_undone() -> None:
    tournament = league()
    play_table(begin(tournament, ["Ada", "Bo", "Cy"]), [9, 5, 1])
    client = director(tournament)
    close, reopen = (
        at("round_action", tournament, 1, verb) for verb in ("close", "reopen")
    )
    desk = text(client, at("desk", tournament))
    assert "End the league" in desk
    assert "Close the round" not in desk
    question = submit(client, close)
    assert "End the league?" in question
    assert "No more matches can start." in question
    assert tournament.rounds.get().state == Round.State.RUNNING
    submit(client, close, sure="1")
    assert tournament.rounds.get().state == Round.State.CLOSED
    assert reopen in text(client, at("desk", tournament))
    assert "The league is open again." in submit(client, reopen)
    begin(tournament, ["Ada", "Bo", "Cy"])
    assert "Nothing changed" in submit(client, reopen)


@pytest.mark.parametrize(
    ("format_", "starts", "reason"),
    [
        ("swiss", False, "Round 2 was drawn from these results"),
        ("planned", True, "Round 2 is already published"),
        ("final", False, "The final was drawn from these results"),
    ],
)
def test_names_the_next_round_that_was_drawn_or_seated(
    format_: str,
    starts: bool,  # noqa: FBT001 - a parameter
    reason: str,
) -> None:
    is_final = format_ == "final"
    settings = {"rounds_planned": 1} if is_final else {"format": format_}
    tournament = tournament_with(8, **settings)
    one = closed_round(tournament)
    if is_final:
        final_of(tournament)
    elif starts:
        running_round(tournament)
    else:
        drawing.draw(tournament_id=tournament.pk)
    with pytest.raises(RefusedError, match=reason):
        rounds.reopen_round(round_id=one.pk)


def test_finished_tournament_is_opened_before_its_round_and_then_waits() -> None:
    tournament = played(8, autopilot="run")
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    client = director(tournament)
    desk = submit(client, at("round_action", tournament, 1, "reopen"))
    assert "The tournament is finished. Reopen it first." in desk
    submit(client, at("reopen", tournament))
    assert tournament.auto_steps.active().get().state == "held"
    assert "Nothing changed" in submit(client, at("reopen", tournament))
    submit(client, at("round_action", tournament, 1, "reopen"))
    assert tournament.rounds.get().state == Round.State.RUNNING


def test_names_the_round_that_blocks_finishing_the_night() -> None:
    tournament = played(8)
    final = final_of(tournament)
    rounds.publish_with_pads(round_id=final.pk, now=NOW)
    table = final.tables.select_related("match").get()
    enter_points(match_of(table), [9, 5, 1, 0])
    with pytest.raises(RefusedError, match="The final already has a hand"):
        rounds.finish(tournament_id=tournament.pk, now=NOW)


def test_announcement_ends_with_the_night() -> None:
    tournament = played(8)
    announcements.announce(
        tournament_id=tournament.pk, text="Soup!", user=None, now=NOW
    )
    pages = (tournament.get_absolute_url(), at("projector", tournament))
    for page in pages:
        assert "Soup!" in text(Client(), page), page
    client = director(tournament)
    question = submit(client, at("finish", tournament))
    assert "This message will be removed: Soup!" in question
    submit(client, at("finish", tournament), sure=1)
    for page in pages:
        assert "Soup!" not in text(Client(), page), page
    refused = submit(client, at("announce", tournament), text="More soup")
    assert "The tournament is finished. Reopen it" in refused
    rounds.reopen(tournament_id=tournament.pk)
    assert "Soup!" not in text(client, at("desk", tournament))
