"""A player's own page on a phone that registered them."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scoring.matchlog.commands import CommandAuthor
from tests.factories.history import finished_tournament
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    TournamentFactory,
    closed_round,
    own_phone,
    play_and_close,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.event.test_leagues import begin, league
from tests.tournaments.web.pages import at, submit, text
from tournaments.event import draw as drawing
from tournaments.event import results, rounds
from tournaments.event.entries import (
    add_entries,
    register,
    set_state,
    substitute_entry_player,
)
from tournaments.event.results import clear_request_and_store_standings
from tournaments.history.seasons import close_season
from tournaments.models import (
    Entry,
    Table,
    Tournament,
)
from tournaments.people.profiles import set_page_visibility
from tournaments.ratings import PARTS, shown_rating
from tournaments.web.night.my_night import best_table_and_wins_facts

pytestmark = pytest.mark.django_db


def page_of(entry: Entry) -> str:
    return text(own_phone(entry), at("me", entry.tournament))


@pytest.fixture
def expected_entry() -> Entry:
    tournament: Tournament = TournamentFactory.create(
        starts_at=timezone.now() + timedelta(hours=1)
    )
    return register(tournament_id=tournament.pk, name="Ada", now=NOW)


def test_player_can_accept_or_decline(client: Client, expected_entry: Entry) -> None:
    tournament = expected_entry.tournament
    session = client.session
    # The format in which earlier releases stored the only player of a phone.
    session["joined"] = {tournament.address: expected_entry.pk}
    session.save()
    assert "You’re not checked in yet." in text(client, at("me", tournament))
    for verb, state, offers in (
        ("here", Entry.State.PRESENT, "You’re checked in."),
        ("away", Entry.State.NO_SHOW, "I’m coming after all"),
        ("coming", Entry.State.EXPECTED, "I can’t make it"),
    ):
        client.post(at("me_action", tournament, verb))
        expected_entry.refresh_from_db()
        assert (expected_entry.state, expected_entry.is_expected_or_present) == (
            state,
            verb != "away",
        )
        assert offers in text(client, at("me", tournament))
    client.post(at("me_action", tournament, "here"))
    for name in ("Bo", "Cy", "Di", "Eve", "Flo", "Gil"):
        register(tournament_id=tournament.pk, name=name, now=NOW)
    page = text(client, at("me", tournament))
    assert "Not here yet: Bo, Cy, Di, Eve and 2 more" in page
    client.post(at("me_action", tournament, "away"))
    Tournament.objects.filter(pk=tournament.pk).update(capacity=6)
    client.post(at("me_action", tournament, "coming"))
    expected_entry.refresh_from_db()
    assert expected_entry.state == Entry.State.WAITING


def test_check_in_is_closed_days_before(expected_entry: Entry) -> None:
    in_two_days = timezone.now() + timedelta(days=2)
    Tournament.objects.filter(pk=expected_entry.tournament_id).update(
        starts_at=in_two_days
    )
    phone = own_phone(expected_entry)
    page = text(phone, at("me", expected_entry.tournament))
    assert "You play on" in page
    assert "I’m here" not in page
    phone.post(at("me_action", expected_entry.tournament, "here"))
    expected_entry.refresh_from_db()
    assert expected_entry.state == Entry.State.EXPECTED


def test_league_shows_open_matches_and_rank() -> None:
    tournament = league(quorum="all")
    ada = tournament.entries.get(name="Ada")
    phone = own_phone(ada)
    me_url = at("me", tournament)
    page = text(phone, me_url)
    assert "No match yet." in page
    assert "You have no open matches." in page
    assert "I’m here" not in page
    assert at("league_match", tournament) in page
    played, unplayed = (begin(tournament, ["Ada", "Bo", "Cy"]) for _number in range(2))
    begin(tournament, ["Bo", "Cy", "Di"])
    play_table(played, [9, 5, 1])
    clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
    page = text(phone, me_url)
    assert "You’re 1st of 4, not confirmed yet." in page
    assert unplayed.match.get_absolute_url() in page
    assert at("table", tournament, 1, played.number) in page
    assert "not confirmed yet" in page
    assert page.count("Bo and Cy") == 2
    version = page.split("me/live/?v=")[1].split('"')[0]
    live_url = at("me_live", tournament)
    assert phone.get(live_url, {"v": version}).status_code == 204
    results.confirm_table_as_director(
        table_id=played.pk, author=CommandAuthor(name="Di"), now=NOW
    )
    assert phone.get(live_url, {"v": version}).status_code == 200
    clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
    page = text(phone, me_url)
    assert "You’re 1st of 4." in page
    assert "not confirmed yet" not in page


def test_place_is_marked_provisional_while_results_are_open() -> None:
    tournament = tournament_with(12, rounds_planned=1, quorum="one")
    round_ = running_round(tournament)
    first, second, third = round_.tables.order_by("number")

    def confirm(table: Table) -> None:
        author = CommandAuthor(name="Di")
        results.confirm_table_as_director(table_id=table.pk, author=author, now=NOW)

    def places(table: Table) -> set[str]:
        clear_request_and_store_standings(tournament_id=tournament.pk, now=NOW)
        page = page_of(table.places.get(index=3).entry)
        return set(re.findall(r"of 12([^<.\n]*)", page))

    play_table(first, [20, 12, 5, 1])
    play_table(second, [9, 5, 3, 1])
    confirm(second)
    assert places(first) == {", not confirmed yet"}
    assert places(second) == {", for now"}
    play_table(third, [9, 5, 3, 1])
    confirm(third)
    rounds.close(round_id=round_.pk, now=NOW, override="late")
    assert places(second) == {", for now"}
    confirm(first)
    assert places(first) == places(second) == {""}


def test_finalist_of_a_league_finds_their_table() -> None:
    tournament = league(final_size=3)
    play_table(begin(tournament, ["Ada", "Bo", "Cy"]), [9, 5, 1])
    phone = own_phone(tournament.entries.get(name="Ada"))
    Entry.objects.filter(tournament=tournament).update(state=Entry.State.PRESENT)
    rounds.close(round_id=tournament.rounds.get().pk, now=NOW)
    assert "The league is over." in text(phone, at("me", tournament))
    drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=3, now=NOW)
    final = running_round(tournament)
    page = text(phone, at("me", tournament))
    assert "you’re at table 1" in page
    match = final.tables.get().match
    assert match is not None
    assert match.get_absolute_url() in page


def test_between_rounds_it_shows_own_row_and_public_neighbours() -> None:
    tournament = tournament_with(8)
    closed_round(tournament)
    rows = tournament.standings.unfrozen_latest_first()[0].rows
    row = rows.get(place=4)
    page = page_of(row.entry)
    assert "Round 1 is over." in page
    shown_places = [
        row.place for row in rows.all() if f'data-entry-id="{row.entry_id}"' in page
    ]
    assert shown_places == [3, 4, 5]
    player_link = f"/players/{row.entry.player_id}/"
    assert player_link in page
    set_page_visibility(
        club=tournament.club, player_id=row.entry.player_id, public=False
    )
    assert player_link not in page_of(row.entry)


def test_only_the_director_changes_attendance_after_the_start() -> None:
    tournament = tournament_with(5)
    entry = tournament.entries.get(number=1)
    running_round(tournament)
    set_state(entry_id=entry.pk, state=Entry.State.DROPPED)
    phone = own_phone(entry)
    for verb in ("here", "away", "coming", "king"):
        page = submit(phone, at("me_action", tournament, verb))
        entry.refresh_from_db()
        assert entry.state == Entry.State.DROPPED
        assert "Please ask them" in page


@pytest.mark.django_db(transaction=True)
def test_finished_night_shows_own_place_and_rating_change() -> None:
    tournament = finished_tournament("2026-03-12")
    (placing,) = tournament.placings.filter(rank=1)
    page = page_of(placing.entry)
    before, after = shown_rating(placing.mu_before), shown_rating(placing.mu)
    assert before < after
    for expected in (
        "You won!",
        f"from {before} to {after}",
        "Round 1, 1st of 4 with 80",
        "1 of 1",
        '<ol class="podium"',
    ):
        assert expected in page
    assert "Next night" not in page
    second = tournament.standings.unfrozen_latest_first()[0].rows.get(place=2)
    assert "You’re 2nd of 4." in page_of(second.entry)
    day = timezone.localtime(tournament.starts_at).date()
    days = {"starts_on": day, "ends_on": day}
    season = tournament.club.seasons.create(name="All", slug="all-of-it", **days)
    close_season(season_id=season.pk, now=NOW)
    assert "/all-of-it/certificates/" in page_of(placing.entry)


@pytest.mark.django_db(transaction=True)
def test_night_facts_share_wins_and_mark_unconfirmed_tables() -> None:
    placings = list(finished_tournament("2026-03-12").placings.filter(rank=1))
    placings[0].wins = PARTS // 2
    best, won = best_table_and_wins_facts(placings, ())
    assert (best.text, won.text) == ("Round 1, 1st of 4 with 80", "½ of 1")
    best, won = best_table_and_wins_facts(placings, {placings[0].table_id})
    assert best.text.endswith("with 80, not confirmed yet")
    assert won.text == "0 of 1"


def waiting_player() -> tuple[Tournament, Client]:
    """Return a running night of three, and the phone of Kuno, who is on the waiting list."""
    tournament = tournament_with(["Ann", "Bo", "Cy"], capacity=3, writing="own")
    waiting = add_entries(tournament_id=tournament.pk, names=["Kuno"], now=NOW).entries[
        0
    ]
    Entry.objects.filter(pk=waiting.pk).update(on_phone=True)
    phone = own_phone(waiting)
    assert "1st of 1 on the waiting list" in text(phone, at("me", tournament))
    running_round(tournament)
    return tournament, phone


def entry_named(tournament: Tournament, name: str) -> Entry:
    entry: Entry = tournament.entries.get(name=name)
    return entry


def test_phone_of_a_waiting_player_follows_to_the_substitute_seat() -> None:
    tournament, phone = waiting_player()
    ann = entry_named(tournament, "Ann")
    replaced_phone = own_phone(ann)
    substitute_entry_player(entry_id=ann.pk, name="Kuno", now=NOW)
    live = text(phone, at("me_live", tournament))
    page = text(phone, at("me", tournament))
    for content in (live, page):
        assert "Round 1: you’re at table 1." in content
        assert "seat " in content
    assert "Kuno" in page
    assert "Kuno is playing for you" in text(replaced_phone, at("me", tournament))
    ann.refresh_from_db()
    assert ann.on_phone
    assert phone.post(at("table_action", tournament, 1, 1, "call")).status_code == 302
    assert (
        replaced_phone.post(at("table_action", tournament, 1, 1, "call")).status_code
        == 403
    )
    substitute_entry_player(entry_id=ann.pk, name="Zoe", now=NOW)
    assert "Zoe is playing for you" in text(phone, at("me", tournament))


def test_substitute_for_a_player_on_the_same_phone_is_shown_once() -> None:
    tournament, _phone = waiting_player()
    ann, kuno = entry_named(tournament, "Ann"), entry_named(tournament, "Kuno")
    phone = own_phone(ann, kuno)
    for entry in (ann, kuno):
        tournament.subscriptions.create(
            entry=entry, endpoint=f"https://push.example/{entry.name}", made_at=NOW
        )
    substitute_entry_player(entry_id=ann.pk, name="Kuno", now=NOW)
    page = text(phone, at("me", tournament))
    assert "you’re at table 1." in page
    assert "is playing for you" not in page
    assert "/me/for/" not in page
    # Devices of the substitute are notified from now on.
    assert ann.subscriptions.get().endpoint == "https://push.example/Kuno"


def test_dropped_player_is_promised_no_seat() -> None:
    tournament = tournament_with(16, rounds_planned=1, final_size=8)
    closed_round(tournament)
    entry = tournament.entries.get(number=1)
    message = "Round 1 is over. The seats for the final will appear here."
    assert message in page_of(entry)
    results.draw_missing_lots(tournament_id=tournament.pk, shuffle=list.reverse)
    drawing.freeze_and_cut_to_final(tournament_id=tournament.pk, size=8, now=NOW)
    semi_final = running_round(tournament)
    seated_ids = semi_final.places.values_list("entry", flat=True)
    advanced = tournament.entries.filter(pk__in=seated_ids)[0]
    eliminated = tournament.entries.exclude(pk__in=seated_ids)[0]
    message = "The semi-final is only for players who advanced."
    assert message in page_of(eliminated)
    play_and_close(semi_final)
    message = "The semi-final is over. The next seats will appear here."
    assert message in page_of(advanced)
    message = "The semi-final is over. The players who advance are next."
    assert message in page_of(eliminated)
