"""Closing and reopening rounds, leagues and finished tournaments."""

import json
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.matchlog.append import replay_match
from scoring.matchlog.confirmations import checksum_words_line
from scoring.models import LogEntry, Match
from tests.factories.history import counted_tournament
from tests.factories.matches import NOW
from tests.factories.phones import deliver, entry
from tests.factories.tournaments import (
    closed_round,
    director,
    enter_points,
    match_of,
    play_table,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.event.test_leagues import begin, league
from tests.tournaments.web.desk.test_evening import tournament_after_one_round
from tests.tournaments.web.pages import at, submit, text
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.desk import announcements
from tournaments.models import Result, Role, Round, Table, Tournament

pytestmark = pytest.mark.django_db(transaction=True)


def draw_final(tournament: Tournament) -> Round:
    (final,) = drawing.freeze_and_cut_to_final(
        tournament_id=tournament.pk, size=4, now=NOW
    )
    return final


def test_ending_a_league_needs_confirmation_and_can_be_undone() -> None:
    tournament = league()
    play_table(begin(tournament, ["Ada", "Bo", "Cy"]), [9, 5, 1])
    client = director(tournament)
    close_url, reopen_url = (
        at("round_action", tournament, 1, verb) for verb in ("close", "reopen")
    )
    desk = text(client, at("desk", tournament))
    assert "End the league" in desk
    assert "Close the round" not in desk
    question = submit(client, close_url)
    assert "End the league?" in question
    assert "No more matches can start." in question
    assert tournament.rounds.get().state == Round.State.RUNNING
    submit(client, close_url, sure="1")
    assert tournament.rounds.get().state == Round.State.CLOSED
    assert reopen_url in text(client, at("desk", tournament))
    assert "The league is open again." in submit(client, reopen_url)
    begin(tournament, ["Ada", "Bo", "Cy"])
    assert "Nothing changed" in submit(client, reopen_url)


@pytest.mark.parametrize(
    ("format_", "is_started", "reason"),
    [
        ("swiss", False, "Round 2 was drawn from these results"),
        ("planned", True, "Round 2 is already published"),
        ("final", False, "The final was drawn from these results"),
    ],
)
def test_names_the_next_round_that_was_drawn_or_seated(
    format_: str,
    is_started: bool,  # noqa: FBT001 - a parameter
    reason: str,
) -> None:
    is_final = format_ == "final"
    settings = {"rounds_planned": 1} if is_final else {"format": format_}
    tournament = tournament_with(8, **settings)
    round_ = closed_round(tournament)
    if is_final:
        draw_final(tournament)
    elif is_started:
        running_round(tournament)
    else:
        drawing.draw(tournament_id=tournament.pk)
    with pytest.raises(RefusedError, match=reason):
        rounds.reopen_round(round_id=round_.pk)


def test_finished_tournament_is_opened_before_its_round_and_then_waits() -> None:
    tournament = tournament_after_one_round(8, autopilot="run")
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    client = director(tournament)
    desk = submit(client, at("round_action", tournament, 1, "reopen"))
    assert "The tournament is finished. Reopen it first." in desk
    submit(client, at("reopen", tournament))
    assert tournament.auto_steps.held_or_announced().get().state == "held"
    assert "Nothing changed" in submit(client, at("reopen", tournament))
    submit(client, at("round_action", tournament, 1, "reopen"))
    assert tournament.rounds.get().state == Round.State.RUNNING


def test_names_the_round_that_blocks_finishing_the_night() -> None:
    tournament = tournament_after_one_round(8)
    final = draw_final(tournament)
    rounds.publish_and_open_pads(round_id=final.pk, now=NOW)
    table = final.tables.select_related("match").get()
    enter_points(match_of(table), [9, 5, 1, 0])
    with pytest.raises(RefusedError, match="The final already has entries"):
        rounds.finish(tournament_id=tournament.pk, now=NOW)


def test_announcement_ends_with_the_night() -> None:
    tournament = tournament_after_one_round(8)
    announcements.announce(
        tournament_id=tournament.pk, text="Soup!", user=None, now=NOW
    )
    urls = (tournament.get_absolute_url(), at("projector", tournament))
    for url in urls:
        assert "Soup!" in text(Client(), url), url
    client = director(tournament)
    question = submit(client, at("finish", tournament))
    assert "This message will be removed: Soup!" in question
    submit(client, at("finish", tournament), sure=1)
    for url in urls:
        assert "Soup!" not in text(Client(), url), url
    refusal_page = submit(client, at("announce", tournament), text="More soup")
    assert "The tournament is finished. Reopen it" in refusal_page
    rounds.reopen(tournament_id=tournament.pk)
    assert "Soup!" not in text(client, at("desk", tournament))


POINTS = [0, 30, 0, 0]


def finished_night() -> tuple[Tournament, Match]:
    """Return a finished and counted tournament, and its only match."""
    tournament = counted_tournament("2026-05-14")
    Tournament.objects.update(quorum="one")
    table = Table.objects.select_related("match").get(round__tournament=tournament)
    return tournament, match_of(table)


def hand_url(name: str, match: Match) -> str:
    return reverse(f"scoring:{name}", args=[match.address, 1])


def correct_first_hand(browser: Client, match: Match) -> None:
    fields = {f"points_{seat}": str(points) for seat, points in enumerate(POINTS)}
    reason = {"reason": "mistyped", "confirm": "1"}
    browser.post(hand_url("hand_correct", match), {**fields, **reason, "key": uuid4()})


def test_resent_entry_is_accepted_after_the_match_closed() -> None:
    tournament = tournament_with(4, rounds_planned=1)
    table = running_round(tournament).tables.get()
    address, now = match_of(table).address, match_of(table).started_at
    first_entry = entry(body={"points": [20, 12, 5, 1]})
    first_answer = deliver(address, first_entry)
    rounds.close(round_id=table.round_id, now=now, override="late")
    second_entry = entry(number=2, body={"points": POINTS})
    assert deliver(address, second_entry)[0] == 200
    rounds.finish(tournament_id=tournament.pk, now=now)
    assert deliver(address, first_entry) == first_answer
    late_entry = entry(number=3, body={"points": POINTS})
    status, payload = deliver(address, late_entry)
    assert (status, payload["key"]) == (410, late_entry["key"])
    assert "ask the director to correct it" in payload["faults"][0]["message"]
    rounds.reopen(tournament_id=tournament.pk)
    assert deliver(address, late_entry)[0] == 200


def test_visitors_cannot_change_last_years_final() -> None:
    tournament, match = finished_night()
    log_count, visitor = match.log.count(), Client()
    urls = [match.get_absolute_url(), at("table", tournament, 1, 1)]
    for url in (*urls, hand_url("hand", match)):
        assert "ask the director to correct it" in text(visitor, url)
    assert "Correct this hand" not in text(visitor, hand_url("hand", match))
    correct_first_hand(visitor, match)
    for name in ("hand_void", "hand_restore"):
        form = {"reason": "mistyped", "confirm": "1"}
        visitor.post(hand_url(name, match), form)
    choice_fields = {"kind": "replace", "body": json.dumps({"points": POINTS})}
    assert (
        visitor.post(hand_url("hand_choose", match), choice_fields).status_code == 302
    )
    seat_fields = {"seat": "0", "name": "Zoe", "reason": "left", "key": uuid4()}
    visitor.post(reverse("scoring:match_seats", args=[match.address]), seat_fields)
    place = Table.objects.get(match=match).places.get(index=0)
    check_words = checksum_words_line(replay_match(match))
    confirm_fields = {"body": json.dumps({"seat": 0, "words": check_words})}
    visitor.post(reverse("scoring:match_confirm", args=[match.address]), confirm_fields)
    for verb in ("agree", "dispute", "call"):
        fields = {"place": place.pk, "words": check_words}
        visitor.post(at("table_action", tournament, 1, 1, verb), fields)
    assert match.log.count() == log_count
    table = Table.objects.get(match=match)
    assert (table.disputed, table.called_at) == (False, None)


@pytest.mark.parametrize(
    ("role", "may_correct"),
    [(Role.VIEWER, False), (Role.SCORER, True), (Role.DIRECTOR, True)],
)
def test_scorers_correct_a_finished_tournament_and_its_history(
    role: Role,
    may_correct: bool,  # noqa: FBT001 - a parameter
) -> None:
    tournament, match = finished_night()
    browser = signed_in(tournament.club, role)
    stranger = signed_in(tournament_with([]).club, Role.DIRECTOR)
    correct_first_hand(stranger, match)
    assert (
        "Correct this hand" in text(browser, hand_url("hand", match))
    ) is may_correct
    if may_correct:
        form = text(browser, hand_url("hand_correct", match))
        assert "data-entry-kind" not in form
    correct_first_hand(browser, match)
    kinds = list(match.log.values_list("kind", flat=True))
    assert (LogEntry.Kind.REPLACE in kinds) is may_correct
    replaced_results = Result.objects.exclude(known_until=None)
    assert replaced_results.filter(tournament=tournament).exists() is may_correct
