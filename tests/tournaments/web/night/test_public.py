"""Pages of a tournament as players and directors see and use them."""

import json
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.factories.matches import NOW
from tests.factories.tournaments import (
    UserFactory,
    closed_round,
    director,
    enter_points,
    match_of,
    play_round,
    play_table,
    running_round,
    signed_in,
    tournament_with,
)
from tests.tournaments.web.pages import at, submit, text
from tournaments.event import draw as drawing
from tournaments.event import rounds
from tournaments.models import Club, Entry, Tournament
from tournaments.models.tournaments import CODE_LETTERS

pytestmark = pytest.mark.django_db


def test_players_can_register_until_full_or_started() -> None:
    tournament = tournament_with([], capacity=2, least_size=2)
    join_url = at("join", tournament)
    pages = [submit(Client(), join_url, name=name) for name in ("Ada", "Bea", "Cleo")]
    assert "You’re registered as number 1" in pages[0]
    assert "waiting list" in pages[2]
    states = tournament.entries.by_number().values_list("state", flat=True)
    assert list(states) == ["expected", "expected", "waiting"]
    assert "is already registered" in submit(Client(), join_url, name="ada")
    tournament.entries.update(state=Entry.State.PRESENT)
    running_round(tournament)
    assert "has started" in text(Client(), join_url)
    Client().post(join_url, {"name": "Zoe"})
    assert tournament.entries.count() == 3


def test_phone_that_registers_on_the_evening_is_asked_to_check_in() -> None:
    tournament = tournament_with([], starts_at=timezone.now() + timedelta(hours=1))
    Tournament.objects.filter(pk=tournament.pk).update(capacity=1)
    join_url, own_url = at("join", tournament), at("me", tournament)
    for name, state in (("Ada", "present"), ("Bea", "waiting")):
        phone = Client()
        page = submit(phone, join_url, name=name)
        assert "Are you here?" in page
        address = re.search(r'<form method="post" action="(.*?here/)"', page)
        assert address
        assert address[1] == f"{own_url}here/"
        assert "You’re checked in." in submit(phone, address[1])
        page = text(phone, join_url)
        assert "Are you here?" not in page
        assert "You’re checked in." in page
        entry = tournament.entries.get(name=name)
        assert (entry.state, entry.is_present_or_waits_here) == (state, True)


def test_phone_that_registers_days_before_or_for_a_league_is_not_asked() -> None:
    now = timezone.now()
    for settings in (
        {"starts_at": now + timedelta(days=2)},
        {"starts_at": now, "format": "league"},
    ):
        tournament = tournament_with([], **settings)
        page = submit(Client(), at("join", tournament), name="Ada")
        assert "Are you here?" not in page
        assert "Go to My night" in page


def test_typed_code_opens_its_tournament_until_a_day_after_its_end() -> None:
    tournament = tournament_with([])
    find_url = reverse("tournaments:find_tournament")
    code = f" {tournament.code[:4].upper()}-{tournament.code[4:]} "
    response = Client().post(find_url, {"code": code})
    assert response["Location"] == at("join", tournament)
    page = Client().post(find_url, {"code": "nothing"}).content.decode()
    assert "No tournament has this code" in page
    assert len(set(CODE_LETTERS)) == 28
    assert find_url in text(Client(), "/")
    Tournament.objects.update(
        phase="finished", finished_at=timezone.now() - timedelta(hours=25)
    )
    response = Client().post(find_url, {"code": tournament.code})
    assert "find past tournaments on the club’s page" in response.content.decode()
    assert text(Client(), tournament.get_absolute_url())


def test_addresses_do_not_reveal_valid_codes() -> None:
    tournament = tournament_with([])
    running_round(tournament_with(4, club=tournament.club))
    for page in ("", "join/", "live/", "qr.svg", "picture.png", "rounds/1/", "desk/"):
        statuses = {
            Client().get(f"/t/{code}/{page}").status_code
            for code in (tournament.code, "22222222")
        }
        assert statuses == {404}
    assert tournament.code not in tournament.get_absolute_url()
    assert len(tournament.address) == 22


def test_seating_is_public_once_published(client: Client) -> None:
    tournament = tournament_with(8)
    round_ = drawing.draw(tournament_id=tournament.pk)[0]
    for name in ("round", "wall", "cards"):
        assert client.get(at(name, tournament, 1)).status_code == 404
    seats_url = at("seating_table", tournament, "json")
    assert json.loads(client.get(seats_url).getvalue())["rows"] == []
    rounds.publish(round_id=round_.pk)
    assert "Ada" in text(client, at("round", tournament, 1))
    response = client.get(at("round", tournament, 1), {"seats": ""})
    assert str(response.context["page"].places[0]) == "Ada"
    assert "QR code for table 2" in text(client, at("cards", tournament, 1))
    assert "Open scorepad" not in text(client, at("table", tournament, 1, 1))


@pytest.mark.django_db(transaction=True)
def test_registered_phone_sees_its_table_and_row() -> None:
    tournament = tournament_with(["Ada", "Bea", "Cleo"])
    phone = Client()
    phone.post(at("join", tournament), {"name": "Zoe"})
    zoe = tournament.entries.get(name="Zoe")
    Entry.objects.filter(pk=zoe.pk).update(state=Entry.State.PRESENT)
    round_ = running_round(tournament)
    page = text(phone, at("tournament", tournament))
    assert "Your table: 1" in page
    assert "Call director to table 1" in page
    assert "Open scorepad" in page
    play_round(round_)
    assert "badge you" in text(phone, at("tournament", tournament))
    other_page = text(Client(), at("tournament", tournament))
    assert "badge you" not in other_page
    assert "Your table" not in other_page


def test_account_sees_the_tournaments_it_plays_in(client: Client) -> None:
    tournament = tournament_with(["Ada", "Bea"], name="Winter cup")
    entry = tournament.entries.get(name="Ada")
    user = UserFactory.create()
    client.force_login(user)
    clubs_url = reverse("tournaments:clubs")
    assert "Winter cup" not in text(client, clubs_url)
    claim = tournament.club.claims.create(user=user, player=entry.player, made_at=NOW)
    assert "Winter cup" not in text(client, clubs_url)
    claim.confirmed_at = NOW
    claim.save()
    assert "Winter cup" in text(client, clubs_url)


def test_knockout_shows_advancing_players_with_their_tables(client: Client) -> None:
    tournament = tournament_with(16, format="knockout", advance=1)
    closed_round(tournament)
    final = running_round(tournament)
    (branch,) = client.get(at("round", tournament, 1)).context["page"].branches
    assert branch.heading == "Advancing to the final"
    advanced = {
        contender.place.entry_id
        for table in branch.tables
        for contender in table.seats
        if contender.state == "won"
    }
    assert (
        advanced
        == branch.next_table.entry_ids
        == set(final.places.values_list("entry", flat=True))
    )
    assert "are in the final." in text(client, at("tournament", tournament))


def test_desk_shows_provisional_standings() -> None:
    tournament = tournament_with(4)
    table = running_round(tournament).tables.get()
    enter_points(match_of(table), [4, 3, 2, 1])
    client = director(tournament)
    page = client.get(at("provisional_standings", tournament))
    rows = [line.row for line in page.context["table"].lines]
    assert [row.points for row in rows] == ["4", "3", "2", "1"]
    assert all(f">{row.names}</a>" in page.content.decode() for row in rows)
    page_text = " ".join(page.content.decode().split())
    assert f"{rows[0].names} would win." in page_text
    assert "Table 1 is still open" in page_text


@pytest.mark.django_db(transaction=True)
def test_page_has_constant_query_count() -> None:
    names = ("desk", "tournament", "projector", "entries")
    counts: list[dict[str, int]] = []
    for players in (8, 48):
        tournament = tournament_with(players, rounds_planned=2)
        for table in running_round(tournament).tables.select_related("match"):
            enter_points(match_of(table), [4, 3, 2, 1])
        client = director(tournament)
        counts.append({})
        for name in names:
            client.get(at(name, tournament))
            with CaptureQueriesContext(connection) as queries:
                assert client.get(at(name, tournament)).status_code == 200
            counts[-1][name] = len(queries)
    assert counts[0] == counts[1]
    assert max(counts[0].values()) <= 20


def test_players_are_separated_and_the_desk_names_exceptions() -> None:
    tournament = tournament_with(4, rounds_planned=2)
    client = director(tournament)
    one, other = tournament.entries.by_number()[:2]
    url = at("keep_entries_apart", tournament)
    page = client.post(url, {"entry": one.pk, "other": one.pk}, follow=True)
    assert "Choose two players" in page.content.decode()
    client.post(url, {"entry": one.pk, "other": other.pk})
    assert other in one.apart.all()
    client.post(at("draw", tournament))
    desk = client.get(at("desk", tournament)).context["desk"]
    assert desk.unseparated_pairs == [f"{one.name} – {other.name}"]
    assert f"{one.name} – {other.name} (2×)" in desk.repeated_pairs
    allow_button = f"Allow {one.name} and {other.name} to meet"
    assert allow_button in text(client, at("entries", tournament))
    client.post(url, {"entry": one.pk, "other": other.pk, "meet": "1"})
    assert allow_button not in text(client, at("entries", tournament))


def test_correction_previews_rank_changes_and_unchanged_seating(
    client: Client,
) -> None:
    tournament = tournament_with(4, rounds_planned=2)
    round_ = closed_round(tournament)
    rounds.publish(round_id=tournament.rounds.get(number=2).pk)
    match = round_.tables.get().match
    assert match is not None
    url = reverse("scoring:hand_correct", args=[match.address, 1])
    first, second = (place.entry.name for place in round_.places.order_by("index")[:2])
    points = {"points_0": 0, "points_1": 90, "points_2": 5, "points_3": 1}
    page = client.post(url, {"key": str(uuid4()), **points}).content.decode()
    assert f"{first} moves from rank 1 to 2 in the standings." in page
    assert f"{second} moves from rank 2 to 1 in the standings." in page
    assert "Round 2: the seating is published and won’t change." in page
    same_points = {"points_0": 20, "points_1": 12, "points_2": 5, "points_3": 1}
    page = client.post(url, {"key": str(uuid4()), **same_points}).content.decode()
    assert ": rank " not in page


def test_clubs_are_public_with_own_clubs_first() -> None:
    listed = tournament_with([]).club
    drafts = tournament_with([], listing="draft").club
    archived = tournament_with([]).club
    Club.objects.filter(pk=archived.pk).update(archived_at=NOW)
    clubs_url = reverse("tournaments:clubs")
    page = text(Client(), clubs_url)
    assert f'href="{listed.get_absolute_url()}"' in page
    for hidden in (drafts, archived):
        assert f'href="{hidden.get_absolute_url()}"' not in page
    assert reverse("account_login") in page
    response = Client().post(clubs_url, {"name": "Mine"})
    assert reverse("account_login") in response["Location"]
    page = text(signed_in(drafts), clubs_url)
    first, second = (club.get_absolute_url() for club in (drafts, listed))
    assert page.index(f'href="{first}"') < page.index(f'href="{second}"')


def test_log_shows_the_director_by_name_without_email() -> None:
    tournament = tournament_with(4, quorum="one")
    client = director(tournament)
    table = running_round(tournament).tables.get()
    play_table(table, [20, 12, 5, 1])
    client.post(at("desk_table_action", tournament, 1, 1, "agree"))
    page = submit(client, reverse("tournaments:you"), public_name=" Eva  Berg ")
    assert "Name saved." in page
    first, second, *others = table.places.order_by("index")
    seats = [second, first, *others]
    client.post(
        at("table_seats", tournament, 1, 1),
        {
            "key": str(uuid4()),
            "from_hand": 1,
            "reason": "they sat in different seats",
            **{f"seat_{index}": seat.entry_id for index, seat in enumerate(seats)},
        },
    )
    names = set(match_of(table).log.values_list("made_by", flat=True))
    assert {"the director", "Eva Berg"} < names
    assert not any("@" in name for name in names)


def test_knockout_with_diverging_tables_shows_both_rounds(client: Client) -> None:
    tournament = tournament_with(16, format="knockout", advance=2)
    closed_round(tournament)
    running_round(tournament)
    current, upcoming = client.get(at("round", tournament, 1)).context["page"].branches
    assert [len(current.tables), len(upcoming.tables)] == [4, 2]
    assert {c.state for table in current.tables for c in table.seats} == {"won", "out"}
    assert {c.state for table in upcoming.tables for c in table.seats} == {"is-current"}
    assert current.next_table is upcoming.next_table is None
