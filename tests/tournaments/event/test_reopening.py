"""Closing and opening again; what a final is called, and what follows it."""

import json
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scoring.matchlog.append import replay_match
from scoring.matchlog.confirmations import result_words
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
from tests.tournaments.web.desk.test_evening import played
from tests.tournaments.web.pages import at, submit, text
from tournaments.changes import RefusedError
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.desk import announcements
from tournaments.models import Result, Role, Round, Table, Tournament

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


LAST = [0, 30, 0, 0]


def final() -> tuple[Tournament, Match]:
    """Return a tournament that is finished and counted, and its only match."""
    tournament = counted_tournament("2026-05-14")
    Tournament.objects.update(quorum="one")
    table = Table.objects.select_related("match").get(round__tournament=tournament)
    return tournament, match_of(table)


def of_hand(name: str, match: Match) -> str:
    return reverse(f"scoring:{name}", args=[match.address, 1])


def corrected(browser: Client, match: Match) -> None:
    form = {f"points_{seat}": str(made) for seat, made in enumerate(LAST)}
    reason = {"reason": "mistyped", "confirm": "1"}
    browser.post(of_hand("hand_correct", match), {**form, **reason, "key": uuid4()})


def test_resent_entry_is_accepted_after_the_match_closed() -> None:
    tournament = tournament_with(4, rounds_planned=1)
    table = running_round(tournament).tables.get()
    address, now = match_of(table).address, match_of(table).started_at
    sent = entry(body={"points": [20, 12, 5, 1]})
    first = deliver(address, sent)
    rounds.close(round_id=table.round_id, now=now, override="late")
    second = entry(number=2, body={"points": LAST})
    assert deliver(address, second)[0] == 200
    rounds.finish(tournament_id=tournament.pk, now=now)
    assert deliver(address, sent) == first
    late = entry(number=3, body={"points": LAST})
    status, answer = deliver(address, late)
    assert (status, answer["key"]) == (410, late["key"])
    assert "ask the director to correct it" in answer["faults"][0]["message"]
    rounds.reopen(tournament_id=tournament.pk)
    assert deliver(address, late)[0] == 200


def test_visitors_cannot_change_last_years_final() -> None:
    tournament, match = final()
    before, visitor = match.log.count(), Client()
    pages = [match.get_absolute_url(), at("table", tournament, 1, 1)]
    for page in (*pages, of_hand("hand", match)):
        assert "ask the director to correct it" in text(visitor, page)
    assert "Correct this hand" not in text(visitor, of_hand("hand", match))
    corrected(visitor, match)
    for name in ("hand_void", "hand_restore"):
        form = {"reason": "mistyped", "confirm": "1"}
        visitor.post(of_hand(name, match), form)
    choice = {"kind": "replace", "body": json.dumps({"points": LAST})}
    assert visitor.post(of_hand("hand_choose", match), choice).status_code == 302
    somebody = {"seat": "0", "name": "Zoe", "reason": "left", "key": uuid4()}
    visitor.post(reverse("scoring:match_seats", args=[match.address]), somebody)
    place = Table.objects.get(match=match).places.get(index=0)
    words = result_words(replay_match(match))
    seen = {"body": json.dumps({"seat": 0, "words": words})}
    visitor.post(reverse("scoring:match_confirm", args=[match.address]), seen)
    for verb in ("agree", "dispute", "call"):
        fields = {"place": place.pk, "words": words}
        visitor.post(at("table_action", tournament, 1, 1, verb), fields)
    assert match.log.count() == before
    table = Table.objects.get(match=match)
    assert (table.disputed, table.called_at) == (False, None)


@pytest.mark.parametrize(
    ("role", "may"), [(Role.VIEWER, False), (Role.SCORER, True), (Role.DIRECTOR, True)]
)
def test_scorers_correct_a_finished_tournament_and_its_history(
    role: Role,
    may: bool,  # noqa: FBT001 - a parameter
) -> None:
    tournament, match = final()
    browser = signed_in(tournament.club, role)
    stranger = signed_in(tournament_with([]).club, Role.DIRECTOR)
    corrected(stranger, match)
    assert ("Correct this hand" in text(browser, of_hand("hand", match))) is may
    if may:
        form = text(browser, of_hand("hand_correct", match))
        assert "data-entry-kind" not in form
    corrected(browser, match)
    kinds = list(match.log.values_list("kind", flat=True))
    assert (LogEntry.Kind.REPLACE in kinds) is may
    moved = Result.objects.exclude(known_until=None)
    assert moved.filter(tournament=tournament).exists() is may
