"""A player's own page: always right, for whoever entered with this phone."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    TournamentFactory,
    enter_points,
    member,
    own_phone,
    play_round,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at, text
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.event.desk.announcements import announce
from tournaments.event.entries import enter, register, set_state, substitute
from tournaments.history.seasons import close_season
from tournaments.models import (
    Entry,
    Role,
    Round,
    Subscription,
    Table,
    Tournament,
)
from tournaments.people.profiles import show_page
from tournaments.ratings import shown_rating

pytestmark = pytest.mark.django_db(transaction=True)


def remember(client: Client, entry: Entry) -> None:
    session = client.session
    session["joined"] = {entry.tournament.address: entry.pk}
    session.save()


def page_of(client: Client, entry: Entry) -> str:
    remember(client, entry)
    return text(client, f"{entry.tournament.get_absolute_url()}me/")


def table_of(entry: Entry) -> Table:
    return Table.objects.get(places__entry=entry, round__number=1)


@pytest.fixture
def coming() -> Entry:
    tournament: Tournament = TournamentFactory.create(
        starts_at=timezone.now() + timedelta(hours=1)
    )
    return register(tournament_id=tournament.pk, name="Ada", now=NOW)


def test_whoever_did_not_enter_is_led_to_where_one_enters(client: Client) -> None:
    tournament = tournament_with(4)
    answer = client.get(f"{tournament.get_absolute_url()}me/")
    assert answer["Location"] == f"{tournament.get_absolute_url()}join/"


def test_before_the_first_round_one_checks_in_by_oneself(
    client: Client, coming: Entry
) -> None:
    page = page_of(client, coming)
    assert "You are not checked in yet." in page
    client.post(f"{coming.tournament.get_absolute_url()}me/here/")
    coming.refresh_from_db()
    assert coming.state == Entry.State.PRESENT
    page = page_of(client, coming)
    assert "You are checked in." in page
    assert "1 of 1 are here" in page
    assert "Not yet" not in page
    for name in ("Bo", "Cy", "Di", "Eve", "Flo", "Gil"):
        register(tournament_id=coming.tournament_id, name=name, now=NOW)
    assert "Not yet: Bo, Cy, Di, Eve and 2 more" in page_of(client, coming)


def test_who_does_not_come_says_so_and_takes_no_place(
    client: Client, coming: Entry
) -> None:
    remember(client, coming)
    client.post(f"{coming.tournament.get_absolute_url()}me/away/")
    coming.refresh_from_db()
    assert not coming.takes_a_place


def test_player_who_is_checked_in_can_say_before_the_seating_that_they_do_not_come(
    client: Client, coming: Entry
) -> None:
    set_state(entry_id=coming.pk, state=Entry.State.PRESENT)
    remember(client, coming)
    at = f"{coming.tournament.get_absolute_url()}me/"
    assert "I do not come" in text(client, at)
    client.post(f"{at}away/")
    coming.refresh_from_db()
    assert coming.state == Entry.State.NO_SHOW


def test_who_said_so_by_mistake_comes_after_all(client: Client, coming: Entry) -> None:
    remember(client, coming)
    at = f"{coming.tournament.get_absolute_url()}me/"
    client.post(f"{at}away/")
    assert "I come after all" in text(client, at)
    client.post(f"{at}coming/")
    coming.refresh_from_db()
    assert coming.state == Entry.State.EXPECTED


def test_who_comes_after_all_waits_where_the_place_is_taken(
    client: Client, coming: Entry
) -> None:
    remember(client, coming)
    at = f"{coming.tournament.get_absolute_url()}me/"
    client.post(f"{at}away/")
    Tournament.objects.filter(pk=coming.tournament_id).update(capacity=1)
    register(tournament_id=coming.tournament_id, name="Bo", now=timezone.now())
    client.post(f"{at}coming/")
    coming.refresh_from_db()
    assert coming.state == Entry.State.WAITING


def test_nobody_checks_in_days_before(client: Client, coming: Entry) -> None:
    in_days = timezone.now() + timedelta(days=2)
    Tournament.objects.filter(pk=coming.tournament_id).update(starts_at=in_days)
    page = page_of(client, coming)
    assert "I am here" not in page
    assert "You play on" in page
    at = f"{coming.tournament.get_absolute_url()}me/"
    client.post(f"{at}here/")
    coming.refresh_from_db()
    assert coming.state == Entry.State.EXPECTED


def test_who_comes_late_says_so_and_is_drawn_from_the_next_round_on(
    client: Client,
) -> None:
    tournament = tournament_with(4, rounds_planned=2)
    (late,) = enter(tournament_id=tournament.pk, names=["Zoe"], now=NOW).entries
    first = running_round(tournament)
    page = page_of(client, late)
    assert "You are not here yet." in page
    assert "the next round has a seat for you" in page
    at = f"{tournament.get_absolute_url()}me/"
    for _twice in range(2):
        said = client.post(f"{at}here/", follow=True).content.decode()
        assert "sees that you are here" in said
    play_round(first)
    rounds.close(round_id=first.pk, now=NOW)
    (second, *_later) = drawing.draw(tournament_id=tournament.pk)
    assert second.places.filter(entry=late).exists()


def test_who_leaves_says_so_and_keeps_what_was_played(client: Client) -> None:
    tournament = tournament_with(5)
    entry = tournament.entries.get(number=1)
    running_round(tournament)
    assert "Yes, I am leaving" in page_of(client, entry)
    at = f"{tournament.get_absolute_url()}me/"
    client.post(f"{at}leave/")
    entry.refresh_from_db()
    assert entry.state == Entry.State.DROPPED
    assert Table.objects.filter(places__entry=entry).exists()


def test_after_the_last_round_nobody_is_promised_another_seat(client: Client) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    first = running_round(tournament)
    play_round(first)
    rounds.close(round_id=first.pk, now=NOW)
    page = page_of(client, tournament.entries.get(number=1))
    assert "All rounds are in." in page
    assert "next seats" not in page


def test_an_announcement_reaches_the_page_of_every_player(client: Client) -> None:
    tournament = tournament_with(4)
    entry = tournament.entries.get(number=1)
    page = page_of(client, entry)
    version = page.split("me/live/?v=")[1].split('"')[0]
    announce(tournament_id=tournament.pk, text="Soup is ready", by=None, now=NOW)
    live = client.get(f"{tournament.get_absolute_url()}me/live/", {"v": version})
    assert "Soup is ready" in live.content.decode()


def test_a_league_has_no_night(client: Client) -> None:
    league = tournament_with(4, format=Tournament.Format.LEAGUE)
    answer = client.get(f"{league.get_absolute_url()}me/")
    assert answer["Location"] == league.get_absolute_url()


def test_whoever_is_private_is_named_and_leads_nowhere(client: Client) -> None:
    tournament = tournament_with(8)
    first = running_round(tournament)
    play_round(first)
    rounds.close(round_id=first.pk, now=NOW)
    row = tournament.standings.current()[0].rows.get(place=4)
    page = page_of(client, row.entry)
    way = f"/players/{row.entry.player_id}/"
    assert way in page
    show_page(club=tournament.club, player_id=row.entry.player_id, public=False)
    assert way not in page_of(client, row.entry)


@pytest.mark.parametrize("verb", ["here", "away", "coming", "king"])
def test_once_it_has_begun_the_director_says_who_plays(
    client: Client, verb: str
) -> None:
    tournament = tournament_with(5)
    entry = tournament.entries.get(number=1)
    running_round(tournament)
    set_state(entry_id=entry.pk, state=Entry.State.DROPPED)
    remember(client, entry)
    answer = client.post(
        f"{tournament.get_absolute_url()}me/{verb}/", follow=True
    ).content.decode()
    entry.refresh_from_db()
    assert entry.state == Entry.State.DROPPED
    assert "Tell the director" in answer


def test_in_a_round_it_leads_to_the_pad_of_ones_own_table(client: Client) -> None:
    tournament = tournament_with(8)
    running_round(tournament)
    entry = tournament.entries.get(number=3)
    table = table_of(entry)
    page = page_of(client, entry)
    assert f"Round 1: you sit at table {table.number}." in page
    assert f"seat {table.places.get(entry=entry).index + 1}" in page
    assert table.match is not None
    assert f'href="{table.match.get_absolute_url()}"' in page
    others = table.places.exclude(entry=entry).values_list("entry__name", flat=True)
    assert all(name in page for name in others)


def test_under_the_clock_a_lane_shows_how_much_of_the_round_has_passed(
    client: Client,
) -> None:
    tournament = tournament_with(4, minutes=40)
    round_ = running_round(tournament)
    entry = tournament.entries.get(number=1)
    lane = re.compile(r'data-minutes="40".*?class="run"\s+x2="([\d.]+)%"', re.S)
    for minutes, share in ((30, "22.2"), (-1, "100.0")):
        ends_at = timezone.now() + timedelta(minutes=minutes)
        Round.objects.filter(pk=round_.pk).update(ends_at=ends_at)
        assert lane.findall(page_of(client, entry)) == [share]
    play_round(round_)
    assert lane.findall(page_of(client, entry)) == []


def test_a_seating_that_is_published_is_shown_before_its_round_begins(
    client: Client,
) -> None:
    tournament = tournament_with(8)
    drawing.draw(tournament_id=tournament.pk)
    rounds.publish(round_id=tournament.rounds.get(number=1).pk)
    page = page_of(client, tournament.entries.get(number=3))
    assert "the round begins soon" in page
    assert "To the pad" not in page


def test_between_two_rounds_it_shows_ones_line_and_its_neighbours(
    client: Client,
) -> None:
    tournament = tournament_with(8)
    first = running_round(tournament)
    play_round(first)
    rounds.close(round_id=first.pk, now=NOW)
    rows = tournament.standings.current()[0].rows
    page = page_of(client, rows.get(place=4).entry)
    assert "Round 1 is over." in page
    shown = [row.place for row in rows.all() if f'data-entry="{row.entry_id}"' in page]
    assert shown == [3, 4, 5]


def test_whoever_has_no_table_is_told_that_the_round_goes_without_them(
    client: Client,
) -> None:
    tournament = tournament_with(4, least_size=4, most_size=4)
    running_round(tournament)
    late = late_entry(tournament)
    assert "You sit this round out." in page_of(client, late)


def late_entry(tournament: Tournament) -> Entry:
    entered = enter(
        tournament_id=tournament.pk,
        names=["Zoe"],
        now=NOW,
        state=Entry.State.PRESENT,
    )
    return entered.entries[0]


def test_a_table_that_is_over_asks_for_its_confirmation_first(client: Client) -> None:
    tournament = tournament_with(4, quorum="all")
    play_round(running_round(tournament))
    page = page_of(client, tournament.entries.get(number=1))
    assert "say whether the result is right" in page
    assert "/rounds/1/tables/1/" in page


def test_at_the_end_it_says_which_place_one_has(client: Client) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    one = running_round(tournament)
    play_round(one)
    rounds.close(round_id=one.pk, now=NOW)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    rows = tournament.standings.current()[0].rows
    assert "You won!" in page_of(client, rows.get(place=1).entry)
    assert "You are 2nd of 4." in page_of(client, rows.get(place=2).entry)


def test_it_is_drawn_anew_only_where_something_is_new(client: Client) -> None:
    tournament = tournament_with(4)
    running_round(tournament)
    entry = tournament.entries.get(number=1)
    version = page_of(client, entry).partition("me/live/?v=")[2].partition('"')[0]
    live = f"{tournament.get_absolute_url()}me/live/?v={version}"
    assert client.get(live).status_code == 204
    match = table_of(entry).match
    assert match is not None
    enter_points(match, [9, 5, 3, 1])
    assert client.get(live).status_code == 200


def test_nobody_else_sees_a_draft(client: Client) -> None:
    tournament = tournament_with(4, listing=Tournament.Listing.DRAFT)
    assert client.get(f"{tournament.get_absolute_url()}me/").status_code == 404
    client.force_login(member(tournament.club, Role.DIRECTOR))
    assert client.get(f"{tournament.get_absolute_url()}me/").status_code == 302


def test_at_the_end_it_shows_what_the_night_did_to_ones_rating(client: Client) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    first = running_round(tournament)
    play_round(first)
    rounds.close(round_id=first.pk, now=NOW)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    (placing,) = tournament.placings.filter(rank=1)
    page = page_of(client, placing.entry)
    before, after = shown_rating(placing.mu_before), shown_rating(placing.mu)
    assert before < after
    assert f"from {before} to {after}" in page
    assert "Round 1, 1st of 4 with 80" in page
    assert "1 of 1" in page
    assert '<ol class="podium"' in page
    assert "The next night" not in page
    assert "certificate" not in page


def test_at_the_end_the_next_night_of_the_club_is_one_tap_away(client: Client) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    first = running_round(tournament)
    play_round(first)
    rounds.close(round_id=first.pk, now=NOW)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    soon = timezone.now() + timedelta(days=7)
    for listing in ("draft", "unlisted", "listed"):
        TournamentFactory.create(
            club=tournament.club,
            starts_at=soon,
            listing=listing,
            name=f"Night ({listing})",
        )
    page = page_of(client, tournament.entries.get(number=1))
    (coming,) = tournament.club.tournaments.filter(listing="listed", starts_at=soon)
    assert f'href="{coming.get_absolute_url()}"' in page
    assert "Night (draft)" not in page


def test_before_it_begins_a_clock_runs_to_its_hour(
    client: Client, coming: Entry
) -> None:
    assert "until it begins" in page_of(client, coming)
    in_days = timezone.now() + timedelta(days=2)
    Tournament.objects.filter(pk=coming.tournament_id).update(starts_at=in_days)
    assert "until it begins" not in page_of(client, coming)


def test_the_certificate_of_a_closed_season_is_one_tap_away(client: Client) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    first = running_round(tournament)
    play_round(first)
    rounds.close(round_id=first.pk, now=NOW)
    rounds.finish(tournament_id=tournament.pk, now=NOW)
    day = timezone.localtime(tournament.starts_at).date()
    season = tournament.club.seasons.create(
        name="All", slug="all-of-it", starts_on=day, ends_on=day
    )
    close_season(season_id=season.pk, now=NOW)
    (placing,) = tournament.placings.filter(rank=1)
    assert "/leaderboards/all-of-it/certificates/" in page_of(client, placing.entry)


def waiting_player() -> tuple[Tournament, Client]:
    """Return a running night of three, and the phone of Kuno, who waits."""
    tournament = tournament_with(["Ann", "Bo", "Cy"], capacity=3, writing="own")
    waiting = enter(tournament_id=tournament.pk, names=["Kuno"], now=NOW).entries[0]
    Entry.objects.filter(pk=waiting.pk).update(on_phone=True)
    phone = own_phone(waiting)
    assert "1st of 1 on the waiting list" in text(phone, at("me", tournament))
    running_round(tournament)
    return tournament, phone


def of(tournament: Tournament, name: str) -> Entry:
    entry: Entry = tournament.entries.get(name=name)
    return entry


def test_phone_of_a_waiting_player_follows_them_to_the_seat_they_take_over() -> None:
    tournament, phone = waiting_player()
    ann = of(tournament, "Ann")
    replaced = own_phone(ann)
    substitute(entry_id=ann.pk, name="Kuno", now=NOW)
    live = text(phone, at("me_live", tournament))
    page = text(phone, at("me", tournament))
    for shown in (live, page):
        assert "Round 1: you sit at table 1." in shown
        assert "seat " in shown
    assert "Kuno" in page
    assert "Kuno plays on for you" in text(replaced, at("me", tournament))
    ann.refresh_from_db()
    assert ann.on_phone
    assert phone.post(at("table_say", tournament, 1, 1, "call")).status_code == 302
    assert replaced.post(at("table_say", tournament, 1, 1, "call")).status_code == 403


def test_substitute_who_waited_is_replaced_in_turn() -> None:
    tournament, phone = waiting_player()
    ann = of(tournament, "Ann")
    substitute(entry_id=ann.pk, name="Kuno", now=NOW)
    substitute(entry_id=ann.pk, name="Zoe", now=NOW)
    assert "Zoe plays on for you" in text(phone, at("me", tournament))


def test_phone_lets_a_substitute_go_who_waited() -> None:
    tournament, phone = waiting_player()
    substitute(entry_id=of(tournament, "Ann").pk, name="Kuno", now=NOW)
    phone.post(at("me_say", tournament, "forget"))
    assert phone.get(at("me", tournament))["Location"] == at("join", tournament)


def test_substitute_for_somebody_on_the_same_phone_is_shown_once() -> None:
    tournament, _phone = waiting_player()
    ann, kuno = of(tournament, "Ann"), of(tournament, "Kuno")
    phone = own_phone(ann, kuno)
    substitute(entry_id=ann.pk, name="Kuno", now=NOW)
    page = text(phone, at("me", tournament))
    assert "you sit at table 1." in page
    assert "plays on for you" not in page
    assert "/me/for/" not in page


def test_devices_of_a_substitute_are_notified_and_those_of_the_replaced_are_not() -> (
    None
):
    tournament, _phone = waiting_player()
    ann, kuno = of(tournament, "Ann"), of(tournament, "Kuno")
    for entry in (ann, kuno):
        Subscription.objects.create(
            tournament=tournament,
            entry=entry,
            endpoint=f"https://push.example/{entry.name}",
            made_at=NOW,
        )
    substitute(entry_id=ann.pk, name="Kuno", now=NOW)
    (kept,) = ann.subscriptions.all()
    assert kept.endpoint == "https://push.example/Kuno"
