"""Closing and opening again; what a final is called, and what follows it."""

import re

import pytest
from django.test import Client

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    closed_round,
    director,
    enter_points,
    match_of,
    play_and_close,
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
from tournaments.web.display.projector import read_screen

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
    ("format_", "players"),
    [("planned", 8), ("swiss", 8), ("round_robin", 16), ("heats", 8), ("knockout", 16)],
)
def test_reopens_a_round_in_every_format(format_: str, players: int) -> None:
    tournament = tournament_with(players, format=format_, rounds_planned=2)
    one = closed_round(tournament)
    client = director(tournament)
    reopen = at("round_action", tournament, 1, "reopen")
    assert reopen in text(client, at("desk", tournament))
    submit(client, reopen)
    one.refresh_from_db()
    assert one.state == Round.State.RUNNING
    assert reopen not in text(client, at("desk", tournament))


def test_names_the_final_that_was_drawn_from_a_round() -> None:
    tournament = played(8)
    final_of(tournament)
    client = director(tournament)
    reason = "The final was drawn from these results (Round 1). Undo that draw first."
    assert reason in text(client, at("desk", tournament))
    assert reason in submit(client, at("round_action", tournament, 1, "reopen"))
    submit(client, at("round_action", tournament, 2, "cancel"), sure="1")
    submit(client, at("round_action", tournament, 1, "reopen"))
    assert tournament.rounds.get().state == Round.State.RUNNING


@pytest.mark.parametrize(
    ("format_", "starts", "reason"),
    [
        ("swiss", False, "Round 2 was drawn from these results"),
        ("planned", True, "Round 2 is already published"),
    ],
)
def test_names_the_next_round_that_was_drawn_or_seated(
    format_: str,
    starts: bool,  # noqa: FBT001 - a parameter
    reason: str,
) -> None:
    tournament = tournament_with(8, format=format_, rounds_planned=2)
    one = closed_round(tournament)
    if starts:
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


def test_does_not_close_a_round_that_has_not_begun() -> None:
    tournament = tournament_with(8)
    (one, *_later) = drawing.draw(tournament_id=tournament.pk)
    with pytest.raises(RefusedError, match="Round 1 hasn’t started yet"):
        rounds.close(round_id=one.pk, now=NOW, override="late")


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


def test_final_is_called_final_until_it_is_closed() -> None:
    tournament = league()
    play_table(begin(tournament, ["Ada", "Bo", "Cy", "Di"]), [9, 5, 3, 1])
    rounds.close(round_id=tournament.rounds.get().pk, now=NOW)
    final = final_of(tournament)
    client = director(tournament)
    rounds.publish(round_id=final.pk)
    desk = text(client, at("desk", tournament))
    assert "Start the final" in desk
    assert "Start the round" not in desk
    assert read_screen(tournament, NOW).stage_title == "Final"
    rounds.start(round_id=final.pk, now=NOW)
    desk = text(client, at("desk", tournament))
    assert "Before you close the final" in desk
    assert "Close the final" in desk
    assert "Close the round" not in desk
    api = f"/api/v1/tournaments/{tournament.address}/rounds/{final.number}"
    assert Client().get(api).json()["name"] == "Final"
    play_and_close(final)
    assert read_screen(tournament, NOW).stage_title == "After the final"
    desk = text(client, at("desk", tournament))
    assert "Draw another round" not in desk
    assert "Draw the final" not in desk
    assert "Finish the tournament" in desk


def test_league_pages_mention_no_rounds() -> None:
    tournament = league(listing="listed")
    client = director(tournament)
    desk = ("desk", "entries", "settings")
    for view in ("tournament", "join", *desk, "league_match", "projector"):
        shown = text(client, at(view, tournament))
        assert not re.search(r"\d rounds?\b|\d+ × \d+ min|\d minutes", shown), view
    assert "4 rounds" not in text(Client(), tournament.club.get_absolute_url())
