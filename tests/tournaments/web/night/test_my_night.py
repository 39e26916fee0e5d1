"""A player's own page: always right, for whoever entered with this phone."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scoring.matchlog.commands import Author
from tests.factories.history import held
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    TournamentFactory,
    closed_round,
    enter_points,
    own_phone,
    play_and_close,
    play_round,
    play_table,
    running_round,
    tournament_with,
)
from tests.tournaments.event.test_leagues import begin, league
from tests.tournaments.web.pages import at, submit, text
from tournaments.event import draw as drawing
from tournaments.event import results, rounds
from tournaments.event.entries import enter, register, set_state, substitute
from tournaments.event.results import count_standings
from tournaments.history.seasons import close_season
from tournaments.models import (
    Entry,
    Round,
    Subscription,
    Table,
    Tournament,
)
from tournaments.people.profiles import show_page
from tournaments.ratings import PARTS, shown_rating
from tournaments.web.night.my_night import night_facts

pytestmark = pytest.mark.django_db(transaction=True)


def remember(client: Client, entry: Entry) -> None:
    session = client.session
    session["joined"] = {entry.tournament.address: entry.pk}
    session.save()


def page_of(client: Client, entry: Entry) -> str:
    remember(client, entry)
    return text(client, at("me", entry.tournament))


def table_of(entry: Entry) -> Table:
    return Table.objects.get(places__entry=entry, round__number=1)


@pytest.fixture
def coming() -> Entry:
    tournament: Tournament = TournamentFactory.create(
        starts_at=timezone.now() + timedelta(hours=1)
    )
    return register(tournament_id=tournament.pk, name="Ada", now=NOW)


def test_before_the_first_round_one_checks_in_by_oneself(
    client: Client, coming: Entry
) -> None:
    page = page_of(client, coming)
    assert "You are not checked in yet." in page
    assert "until it begins" in page
    client.post(at("me_say", coming.tournament, "here"))
    page = page_of(client, coming)
    assert "You are checked in." in page
    assert "1 of 1 is here" in page
    assert "Not yet" not in page
    for name in ("Bo", "Cy", "Di", "Eve", "Flo", "Gil"):
        register(tournament_id=coming.tournament_id, name=name, now=NOW)
    assert "Not yet: Bo, Cy, Di, Eve and 2 more" in page_of(client, coming)


@pytest.mark.parametrize(
    ("verbs", "state", "offers"),
    [
        (["here"], Entry.State.PRESENT, "I do not come"),
        (["away"], Entry.State.NO_SHOW, "I come after all"),
        (["here", "away"], Entry.State.NO_SHOW, "I come after all"),
        (["away", "coming"], Entry.State.EXPECTED, "I do not come"),
    ],
)
def test_before_the_seating_one_says_whether_one_comes(
    client: Client, coming: Entry, verbs: list[str], state: str, offers: str
) -> None:
    remember(client, coming)
    for verb in verbs:
        client.post(at("me_say", coming.tournament, verb))
    coming.refresh_from_db()
    assert coming.state == state
    assert coming.has_place == (state != Entry.State.NO_SHOW)
    assert offers in text(client, at("me", coming.tournament))


def test_who_comes_after_all_waits_where_the_place_is_taken(
    client: Client, coming: Entry
) -> None:
    remember(client, coming)
    client.post(at("me_say", coming.tournament, "away"))
    Tournament.objects.filter(pk=coming.tournament_id).update(capacity=1)
    register(tournament_id=coming.tournament_id, name="Bo", now=timezone.now())
    client.post(at("me_say", coming.tournament, "coming"))
    coming.refresh_from_db()
    assert coming.state == Entry.State.WAITING


def test_nobody_checks_in_days_before(client: Client, coming: Entry) -> None:
    in_days = timezone.now() + timedelta(days=2)
    Tournament.objects.filter(pk=coming.tournament_id).update(starts_at=in_days)
    page = page_of(client, coming)
    assert "You play on" in page
    assert "I am here" not in page
    assert "1 player" in page
    assert "here" not in page.partition("1 player")[2].partition("How ")[0]
    assert "until it begins" not in page
    client.post(at("me_say", coming.tournament, "here"))
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
    for _twice in range(2):
        said = submit(client, at("me_say", tournament, "here"))
        assert "sees that you are here" in said
    play_and_close(first)
    (second, *_later) = drawing.draw(tournament_id=tournament.pk)
    assert second.places.filter(entry=late).exists()


def test_who_leaves_says_so_and_keeps_what_was_played(client: Client) -> None:
    tournament = tournament_with(5)
    entry = tournament.entries.get(number=1)
    running_round(tournament)
    assert "Yes, I am leaving" in page_of(client, entry)
    client.post(at("me_say", tournament, "leave"))
    entry.refresh_from_db()
    assert entry.state == Entry.State.DROPPED
    assert Table.objects.filter(places__entry=entry).exists()


def test_after_the_last_round_nobody_is_promised_another_seat(client: Client) -> None:
    tournament = tournament_with(4, rounds_planned=1)
    closed_round(tournament)
    page = page_of(client, tournament.entries.get(number=1))
    assert "All rounds are in." in page
    assert "next seats" not in page


def test_league_shows_open_matches_and_rank() -> None:
    tournament = league(quorum="all")
    ada = tournament.entries.get(name="Ada")
    phone = own_phone(ada)
    me = at("me", tournament)
    page = text(phone, me)
    assert "No match yet." in page
    assert "You have no open match." in page
    assert "I am here" not in page
    assert at("league_match", tournament) in page
    played, first = (begin(tournament, ["Ada", "Bo", "Cy"]) for _number in range(2))
    begin(tournament, ["Bo", "Cy", "Di"])
    play_table(played, [9, 5, 1])
    count_standings(tournament_id=tournament.pk, now=NOW)
    page = text(phone, me)
    assert "You are 1st of 4, not confirmed yet." in page
    assert first.match.get_absolute_url() in page
    assert at("table", tournament, 1, played.number) in page
    assert "not confirmed yet" in page
    assert page.count("Bo and Cy") == 2
    version = page.split("me/live/?v=")[1].split('"')[0]
    live = at("me_live", tournament)
    assert phone.get(live, {"v": version}).status_code == 204
    results.confirm_for_table(table_id=played.pk, author=Author(name="Di"), now=NOW)
    assert phone.get(live, {"v": version}).status_code == 200
    count_standings(tournament_id=tournament.pk, now=NOW)
    page = text(phone, me)
    assert "You are 1st of 4." in page
    assert "not confirmed yet" not in page


def test_place_says_that_it_can_still_change(client: Client) -> None:
    tournament = tournament_with(12, rounds_planned=1, quorum="one")
    one = running_round(tournament)
    first, second, third = one.tables.order_by("number")

    def confirm(table: Table) -> None:
        desk = Author(name="Di")
        results.confirm_for_table(table_id=table.pk, author=desk, now=NOW)

    def places(table: Table) -> set[str]:
        count_standings(tournament_id=tournament.pk, now=NOW)
        page = page_of(client, table.places.get(index=3).entry)
        return set(re.findall(r"of 12([^<.\n]*)", page))

    play_table(first, [20, 12, 5, 1])
    play_table(second, [9, 5, 3, 1])
    confirm(second)
    assert places(first) == {", not confirmed yet"}
    assert places(second) == {", as it stands"}
    play_table(third, [9, 5, 3, 1])
    confirm(third)
    rounds.close(round_id=one.pk, now=NOW, override="late")
    assert places(second) == {", as it stands"}
    confirm(first)
    assert places(first) == places(second) == {""}


def test_finalist_of_a_league_finds_their_table() -> None:
    tournament = league(final_size=3)
    play_table(begin(tournament, ["Ada", "Bo", "Cy"]), [9, 5, 1])
    phone = own_phone(tournament.entries.get(name="Ada"))
    Entry.objects.filter(tournament=tournament).update(state=Entry.State.PRESENT)
    rounds.close(round_id=tournament.rounds.get().pk, now=NOW)
    assert "The league is over." in text(phone, at("me", tournament))
    drawing.cut(tournament_id=tournament.pk, size=3, now=NOW)
    final = running_round(tournament)
    page = text(phone, at("me", tournament))
    assert "you sit at table 1" in page
    match = final.tables.get().match
    assert match is not None
    assert match.get_absolute_url() in page


def test_between_two_rounds_it_shows_ones_line_and_public_neighbours(
    client: Client,
) -> None:
    tournament = tournament_with(8)
    closed_round(tournament)
    rows = tournament.standings.current()[0].rows
    row = rows.get(place=4)
    page = page_of(client, row.entry)
    assert "Round 1 is over." in page
    shown = [row.place for row in rows.all() if f'data-entry="{row.entry_id}"' in page]
    assert shown == [3, 4, 5]
    way = f"/players/{row.entry.player_id}/"
    assert way in page
    show_page(club=tournament.club, player_id=row.entry.player_id, public=False)
    assert way not in page_of(client, row.entry)


def test_once_it_has_begun_the_director_says_who_plays(client: Client) -> None:
    tournament = tournament_with(5)
    entry = tournament.entries.get(number=1)
    running_round(tournament)
    set_state(entry_id=entry.pk, state=Entry.State.DROPPED)
    remember(client, entry)
    for verb in ("here", "away", "coming", "king"):
        answer = submit(client, at("me_say", tournament, verb))
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
    assert "Round 1 begins soon" in page
    assert "To the pad" not in page


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


def test_it_is_drawn_anew_only_where_something_is_new(client: Client) -> None:
    tournament = tournament_with(4, quorum="all")
    running_round(tournament)
    entry = tournament.entries.get(number=1)
    version = page_of(client, entry).partition("me/live/?v=")[2].partition('"')[0]
    live = f"{at('me_live', tournament)}?v={version}"
    assert client.get(live).status_code == 204
    match = table_of(entry).match
    assert match is not None
    enter_points(match, [9, 5, 3, 1])
    assert client.get(live).status_code == 200
    for _hand in range(3):
        enter_points(match, [9, 5, 3, 1])
    page = page_of(client, entry)
    assert "Say whether the result is right" in page
    assert "/rounds/1/tables/1/" in page


def test_at_the_end_it_shows_ones_place_and_what_the_night_did_to_ones_rating(
    client: Client,
) -> None:
    tournament = held("2026-03-12")
    (placing,) = tournament.placings.filter(rank=1)
    page = page_of(client, placing.entry)
    before, after = shown_rating(placing.mu_before), shown_rating(placing.mu)
    assert before < after
    for words in (
        "You won!",
        f"from {before} to {after}",
        "Round 1, 1st of 4 with 80",
        "1 of 1",
        '<ol class="podium"',
    ):
        assert words in page
    assert "The next night" not in page
    assert "certificate" not in page
    second = tournament.standings.current()[0].rows.get(place=2)
    assert "You are 2nd of 4." in page_of(client, second.entry)


def test_facts_of_a_night_share_wins_and_mark_tables_that_are_not_confirmed() -> None:
    tables = list(held("2026-03-12").placings.filter(rank=1))
    tables[0].wins = PARTS // 2
    best, won = night_facts(tables, ())
    assert (best.words, won.words) == ("Round 1, 1st of 4 with 80", "½ of 1")
    best, won = night_facts(tables, {tables[0].table_id})
    assert best.words.endswith("with 80, not confirmed yet")
    assert won.words == "0 of 1"


def test_at_the_end_the_next_night_of_the_club_is_one_tap_away(client: Client) -> None:
    tournament = held("2026-03-12")
    soon = timezone.now() + timedelta(days=7)
    draft, _unlisted, coming = (
        TournamentFactory.create(
            club=tournament.club, starts_at=soon, listing=listing, name=f"A {listing}"
        )
        for listing in ("draft", "unlisted", "listed")
    )
    page = page_of(client, tournament.entries.get(number=1))
    assert f'href="{coming.get_absolute_url()}"' in page
    assert draft.name not in page


def test_the_certificate_of_a_closed_season_is_one_tap_away(client: Client) -> None:
    tournament = held("2026-03-12")
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
    substitute(entry_id=ann.pk, name="Zoe", now=NOW)
    assert "Zoe plays on for you" in text(phone, at("me", tournament))


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


def test_saying_something_without_an_entry_says_that_nothing_changed(
    client: Client,
) -> None:
    tournament = tournament_with(4)
    assert client.get(at("me", tournament))["Location"] == at("join", tournament)
    before = list(tournament.entries.values())
    for verb in ("here", "away", "leave", "forget"):
        said = submit(client, at("me_say", tournament, verb))
        assert "Nothing changed. You aren’t entered on this phone." in said
    assert list(tournament.entries.values()) == before


def test_phone_lets_a_substitute_go_who_waited() -> None:
    tournament, phone = waiting_player()
    substitute(entry_id=of(tournament, "Ann").pk, name="Kuno", now=NOW)
    phone.post(at("me_say", tournament, "forget"))
    assert phone.get(at("me", tournament))["Location"] == at("join", tournament)


def test_player_who_is_out_is_promised_no_seats(client: Client) -> None:
    tournament = tournament_with(16, rounds_planned=1, final_size=8)
    closed_round(tournament)
    entry = tournament.entries.get(number=1)
    assert "Round 1 is over. Seats of the final appear here." in page_of(client, entry)
    results.draw_lots(tournament_id=tournament.pk, shuffle=list.reverse)
    drawing.cut(tournament_id=tournament.pk, size=8, now=NOW)
    half = closed_round(tournament)
    seated = half.places.values_list("entry", flat=True)
    for entry in tournament.entries.filter(pk__in=seated)[:1]:
        words = "The semi-final is over. The next seats appear here."
        assert words in page_of(client, entry)
    for entry in tournament.entries.exclude(pk__in=seated)[:1]:
        words = "The semi-final is over. Those who go on play next."
        assert words in page_of(Client(), entry)


def test_pages_of_a_final_say_what_is_true_for_a_final(client: Client) -> None:
    tournament = tournament_with(8, rounds_planned=1, final_size=4, points="raw")
    closed_round(tournament)
    results.draw_lots(tournament_id=tournament.pk, shuffle=list.reverse)
    drawing.cut(tournament_id=tournament.pk, size=4, now=NOW)
    final = running_round(tournament)
    count_standings(tournament_id=tournament.pk, now=NOW)
    finalists = final.places.values_list("entry", flat=True)
    finalist = tournament.entries.filter(pk__in=finalists)[0]
    other = tournament.entries.exclude(pk__in=finalists)[0]
    of_finalist = page_of(client, finalist)
    assert "as it stands" in of_finalist
    assert "At worst" not in of_finalist
    of_other = page_of(Client(), other)
    assert "of 8" in of_other
    assert "as it stands" not in of_other
    page = at("tournament", tournament)
    assert "the final is still open" in text(client, page)
    play_and_close(final)
    count_standings(tournament_id=tournament.pk, now=NOW)
    assert text(client, at("round", tournament, final.number)).count("goes on") == 0
    assert page_of(Client(), other).count("of 8") == 1
