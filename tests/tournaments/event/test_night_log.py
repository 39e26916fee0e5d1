"""The log of a night: who did what, as directors read and download it."""

import csv
from datetime import timedelta
from functools import partial
from io import StringIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import author
from tests.factories.commands import correct_hand
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    TournamentFactory,
    match_of,
    member,
    own_phone,
    play_round,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, submit, text
from tournaments.event import autopilot, entries, results
from tournaments.event.desk.night_log import NightLog, NightLogLine
from tournaments.event.draw import draw
from tournaments.history.personal_data import anonymise_person
from tournaments.models import NightEvent, Role, Table, Tournament, User
from tournaments.people.own_data import close_and_anonymise_account
from tournaments.people.security import DeviceAndNetwork

pytestmark = pytest.mark.django_db


def read_log(tournament: Tournament) -> list[NightLogLine]:
    """Return the log of a tournament, oldest first."""
    log = NightLog(tournament)
    return log.read_lines(list(log.keys))[::-1]


def sentences(tournament: Tournament) -> list[str]:
    return [
        f"{line.subject}: {line.what} ({line.who})" for line in read_log(tournament)
    ]


def director_of(tournament: Tournament) -> tuple[Client, User]:
    client, user = Client(), member(tournament.club, Role.DIRECTOR)
    client.force_login(user)
    return client, user


def finished_table(**settings: object) -> Table:
    """Return a table with a finished match, in a tournament with an empty log."""
    round_ = running_round(tournament_with(4, **settings))
    play_round(round_)
    NightEvent.objects.all().delete()
    return round_.tables.select_related("match", "round__tournament").get()


def test_rounds_are_logged_once_with_the_account() -> None:
    tournament = tournament_with(8, rounds_planned=2)
    client, user = director_of(tournament)
    tournament.night_events.all().delete()
    submit(client, at("draw", tournament))
    for verb in ("publish", "start", "start"):
        submit(client, at("round_action", tournament, 1, verb))
    play_round(tournament.rounds.get(number=1))
    for verb in ("close", "reopen", "close"):
        submit(client, at("round_action", tournament, 1, verb))
    submit(client, at("round_action", tournament, 2, "cancel"), sure="1")
    submit(client, at("draw_restore", tournament))
    submit(client, at("finish", tournament), sure="1")
    submit(client, at("reopen", tournament))
    expected = [
        "Rounds 1 to 2: seating drawn",
        "Round 1: seating published",
        "Round 1: started",
        "Round 1: closed",
        "Round 1: reopened",
        "Round 1: closed",
        "Round 2: draw undone",
        "Round 2: draw restored",
        ": tournament finished",
        ": tournament reopened",
    ]
    assert sentences(tournament) == [f"{line} ({user.email})" for line in expected]


def test_autopilot_steps_name_the_account_that_brought_them_forward() -> None:
    tournament = tournament_with(4, starts_at=NOW, autopilot="run", quorum="none")
    _client, user = director_of(tournament)
    tournament.night_events.all().delete()
    autopilot.run_autopilot(tournament_id=tournament.pk, now=NOW)
    minute_later = NOW + timedelta(minutes=1)
    step = autopilot.run_autopilot(tournament_id=tournament.pk, now=minute_later)
    assert step is not None
    autopilot.do_step_now(step_id=step.pk, user=user, now=minute_later)
    log = sentences(tournament)
    assert "Round 1: seating published (autopilot)" in log
    assert f"Round 1: started ({user.email})" in log


def test_players_are_logged_by_phone_or_by_account() -> None:
    tournament: Tournament = TournamentFactory.create(starts_at=NOW, capacity=1)
    client, user = director_of(tournament)
    ann = entries.register(tournament_id=tournament.pk, name="Ann", now=NOW)
    entries.register(tournament_id=tournament.pk, name="Bo", now=NOW)
    state_url = at("entry_action", tournament, ann.number)
    for state in ("present", "present", "expected"):
        submit(client, state_url, state=state)
    entries.apply_own_report(entry_id=ann.pk, verb="away", now=NOW)
    substitute_url = at("entry_substitute", tournament, 2)
    submit(client, substitute_url, name="Cy")
    submit(client, at("entry_edit", tournament, 1), remove="1", sure="1")
    assert sentences(tournament) == [
        "Ann: registered (the player’s phone)",
        "Bo: on the waiting list (the player’s phone)",
        f"Ann: checked in ({user.email})",
        f"Ann: check-in undone ({user.email})",
        "Bo: moved up from the waiting list (automatic)",
        "Ann: withdrew (the player’s phone)",
        f"Bo → Cy: substituted ({user.email})",
        f"Ann: removed from the list ({user.email})",
    ]


def test_results_are_logged_from_dispute_to_confirmation() -> None:
    table = finished_table(quorum="all")
    tournament, match = table.round.tournament, match_of(table)
    client, user = director_of(tournament)
    phone = own_phone(tournament.entries.get(number=1))
    correct_hand(
        match_id=match.pk, number=1, raw={"points": [9, 5, 3, 1]}, author=author("")
    )
    submit(phone, at("table_dispute", tournament, 1, 1), reason="A hand is missing")
    submit(client, at("desk_table_action", tournament, 1, 1, "settle"))
    submit(client, at("desk_table_action", tournament, 1, 1, "void"), sure="1")
    submit(client, at("desk_table_action", tournament, 1, 1, "restore"))
    assert sorted(sentences(tournament)) == sorted(
        [
            "Round 1, table 1 · Hand 1: corrected (the scorer’s phone)",
            f"Round 1, table 1: disputed ({tournament.entries.get(number=1).name})",
            # One line for all four players.
            f"Round 1, table 1: confirmed ({user.email})",
            f"Round 1, table 1: dispute settled ({user.email})",
            f"Round 1, table 1: table voided ({user.email})",
            f"Round 1, table 1: table restored ({user.email})",
        ]
    )
    assert "A hand is missing" in [line.reason for line in read_log(tournament)]


def test_clock_game_and_seats_are_logged_once_each() -> None:
    tournament = tournament_with(["Ann", "Bo", "Cy", "Di", "Eve"], minutes=45)
    client, user = director_of(tournament)
    round_ = draw(tournament_id=tournament.pk, seed=1)[0]
    tournament.night_events.all().delete()
    url = partial(at, "round_action", tournament, 1)
    ann, bo = (tournament.entries.get(name=name).pk for name in ("Ann", "Bo"))
    submit(client, url("swap"), entry=ann, other=bo)
    submit(client, url("publish"))
    submit(client, url("start"))
    for verb in ("pause", "pause", "resume", "longer", "last_hand"):
        submit(client, url(verb))
    table = round_.tables.get()
    submit(client, at("desk_table_action", tournament, 1, table.number, "more_time"))
    entries.substitute_entry_player(entry_id=bo, name="Flo", now=NOW)
    expected = [
        "Round 1 · Ann ↔ Bo: seats changed",
        "Round 1: seating published",
        "Round 1: started",
        "Round 1: clock paused",
        "Round 1: clock resumed",
        "Round 1: five minutes added",
        "Round 1: last hand called",
        "Round 1, table 1: five minutes added",
    ]
    lines = read_log(tournament)
    sentences_of_director = [
        f"{line.subject}: {line.what}" for line in lines if line.who == user.email
    ]
    assert sentences_of_director == expected
    [seat_change] = [line for line in lines if line.what == "seat changed"]
    assert seat_change.reason.startswith("Flo from hand 1 on")


def test_penalties_are_logged_with_their_reason() -> None:
    tournament = tournament_with(4)
    client, user = director_of(tournament)
    tournament.night_events.all().delete()
    entry = tournament.entries.get(number=1)
    fields = {"entry": entry.pk, "points": "1/2", "reason": "late"}
    submit(client, at("penalties", tournament), **fields)
    penalty = tournament.penalties.get()
    for _tap in range(2):
        submit(client, at("penalty_cancel", tournament, penalty.pk))
    assert sentences(tournament) == [
        f"{entry.name}: penalty given ({user.email})",
        f"{entry.name}: penalty cancelled ({user.email})",
    ]
    assert [line.reason for line in read_log(tournament)] == ["−½: late", "late"]


def test_log_is_for_directors_on_the_desk_and_as_a_file() -> None:
    table = finished_table()
    tournament = table.round.tournament
    client, user = director_of(tournament)
    submit(client, at("round_action", tournament, 1, "close"))
    assert at("night_log", tournament) in text(client, at("desk", tournament))
    assert user.email in text(client, at("night_log", tournament))
    content = client.get(at("night_log_table", tournament, "csv")).getvalue()
    lines = csv.DictReader(StringIO(content.decode("utf-8-sig")))
    assert [(line["Done by"], line["Subject"], line["What"]) for line in lines] == [
        (user.email, "Round 1", "closed")
    ]
    scorer = signed_in(tournament.club, Role.SCORER)
    assert at("night_log", tournament) not in text(scorer, at("desk", tournament))
    for url in (
        at("night_log", tournament),
        at("night_log_table", tournament, "csv"),
    ):
        assert scorer.get(url).status_code == 403


def test_log_has_pages_and_a_constant_number_of_queries() -> None:
    table = finished_table(quorum="none")
    tournament = table.round.tournament
    client, _user = director_of(tournament)
    url = at("night_log", tournament)

    def count_queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            text(client, url)
        return len(queries)

    def fill() -> None:
        for number in range(1, 5):
            correct_hand(
                match_id=match_of(table).pk, number=number, raw={"points": [9, 5, 3, 1]}
            )
        for entry in tournament.entries.all():
            entries.set_state(entry_id=entry.pk, state=entry.State.DROPPED)
            entries.set_state(entry_id=entry.pk, state=entry.State.PRESENT)
            results.add_penalty(entry=entry, points="1", reason="", user=None, now=NOW)

    fill()
    count_queries()
    few = count_queries()
    fill()
    assert count_queries() == few
    for _repetition in range(10):
        fill()
    assert count_queries() <= few
    assert "?page=2" in text(client, url)
    assert "?page=1" in text(client, f"{url}?page=2")


def test_log_forgets_erased_players_and_closed_accounts() -> None:
    tournament = tournament_with(["Ann", "Bo", "Cy", "Di"])
    client, user = director_of(tournament)
    member(tournament.club, Role.DIRECTOR)
    submit(client, at("entry_action", tournament, 1), state="dropped")
    player = tournament.entries.get(number=1).player_id
    name = anonymise_person(club=tournament.club, player_id=player, typed_name="Ann")
    close_and_anonymise_account(user=user, visitor=DeviceAndNetwork("", ""))
    log = sentences(tournament)
    assert f"{name}: left (a deleted account)" in log
    assert "Ann" not in " ".join(log)
