"""Clubs, their helpers, players, seasons, autopilot, webhooks and tables: the same as on pages."""

import csv
from io import BytesIO
from typing import Any

import pytest
from django.utils import timezone
from openpyxl import load_workbook

from tests.api.caller import Caller
from tests.api.test_reads import finished_night as played_night
from tests.factories.archives import build_archive, change_unique_values
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    member,
    tournament_with,
)
from tournaments.event import autopilot
from tournaments.files.archive.reading import import_club
from tournaments.history.derivation import derive_history
from tournaments.models import (
    AutoStep,
    Claim,
    Club,
    Delivery,
    Entry,
    Invitation,
    Membership,
    Merge,
    Role,
    Season,
    Tournament,
    Webhook,
)
from tournaments.people.profiles import set_page_visibility

pytestmark = pytest.mark.django_db


def director_of(club: Club) -> Caller:
    return Caller(member(club, Role.DIRECTOR))


def error_fields(caller: Caller, method: str, path: str, body: Any = None) -> Any:
    response: Any = caller.request(method, path, body)
    assert response.status_code >= 400, response.content
    return response.status_code, [fault["field"] for fault in response.json()["faults"]]


def finished_night(**settings: Any) -> Tournament:
    tournament = played_night(4, **settings)
    derive_history(club_id=tournament.club_id, now=timezone.now())
    tournament.refresh_from_db()
    return tournament


WEBHOOK = {"url": "https://1.1.1.1/hook", "events": ["round.seated"]}
REVERSED_DAYS = {"name": "x", "starts_on": "2026-02-01", "ends_on": "2026-01-01"}
INVALID_VALUES: list[tuple[str, dict[str, Any], str]] = [
    ("PATCH", {"colour": "#ffffff"}, "colour"),
    *(("PATCH", {"language": language}, "language") for language in ("it", "German")),
    ("PATCH", {"time_zone": "Europe/Atlantis"}, "time_zone"),
    ("POST /seasons", REVERSED_DAYS, "ends_on"),
    ("POST /invitations", {"email": "nobody", "role": "scorer"}, "email"),
    ("POST /webhooks", {**WEBHOOK, "url": "https://10.0.0.1/hook"}, "url"),
    ("POST /webhooks", {**WEBHOOK, "events": ["ping"]}, "events.0"),
]


@pytest.mark.parametrize(("call", "body", "field"), INVALID_VALUES, ids=str)
def test_names_the_impossible_value(
    call: str, body: dict[str, Any], field: str
) -> None:
    club = ClubFactory.create()
    before = Club.objects.values().get()
    method, _separator, path = call.partition(" ")
    error = error_fields(director_of(club), method, f"/clubs/{club.slug}{path}", body)
    assert error == (422, [field])
    assert Club.objects.values().get() == before
    counts = [rows.count() for rows in (club.seasons, club.invitations, club.webhooks)]
    assert counts == [0, 0, 0]


# Clubs


def test_directors_download_the_archive_of_a_club() -> None:
    tournament = finished_night()
    club = tournament.club
    path = f"/clubs/{club.slug}/archive"
    response: Any = director_of(club).request("GET", path)
    assert (response.status_code, response["Content-Type"]) == (200, "application/zip")
    assert "RateLimit-Remaining" in response
    archive = response.getvalue()
    assert archive == build_archive(club)
    change_unique_values(club)
    imported_club = import_club(BytesIO(archive), now=NOW).club
    assert imported_club.tournaments.get().name == tournament.name


def test_a_club_is_founded_changed_and_deleted() -> None:
    founder = Caller(UserFactory.create())
    payload = {"name": "Harbour Café", "time_zone": "Pacific/Auckland"}
    created = founder.call("POST", "/clubs", payload)
    assert (created["slug"], created["role"]) == ("harbour-cafe", "director")
    assert created["time_zone"] == "Pacific/Auckland"
    error = error_fields(founder, "POST", "/clubs", {"name": "harbour café"})
    assert error == (422, ["name"])
    changes = {
        "name": "The Harbour",
        "colour": "#1F4E8C",
        "language": "de",
        "time_zone": "Europe/Berlin",
        "is_archived": True,
    }
    changed = founder.call("PATCH", "/clubs/harbour-cafe", changes)
    assert (changed["name"], changed["colour"]) == ("The Harbour", "#1f4e8c")
    assert (changed["language"], changed["time_zone"]) == ("de", "Europe/Berlin")
    assert changed["archived_at"]
    founder.call("PATCH", "/clubs/harbour-cafe", {"is_archived": False})
    assert Club.objects.get().archived_at is None
    founder.call("DELETE", "/clubs/harbour-cafe")
    assert not Club.objects.exists()


# Helpers


def test_member_gets_another_role_at_once_and_is_removed() -> None:
    club = ClubFactory.create()
    director, base_path = director_of(club), f"/clubs/{club.slug}"
    user = member(club, Role.VIEWER)
    invitation = director.call(
        "POST", base_path + "/invitations", {"email": user.email, "role": "scorer"}
    )
    assert invitation["has_role"]
    helpers = director.call("GET", base_path + "/helpers")["items"]
    assert [helper["role"] for helper in helpers] == ["director", "scorer"]
    director.call("DELETE", f"{base_path}/helpers/{helpers[1]['id']}")
    assert not Membership.objects.filter(user=user).exists()


def test_invitation_is_accepted_or_withdrawn() -> None:
    club = ClubFactory.create()
    director, base_path = director_of(club), f"/clubs/{club.slug}"
    for email in ("Ada@Example.org", "bea@example.org"):
        director.call(
            "POST", base_path + "/invitations", {"email": email, "role": "viewer"}
        )
    invitations = director.call("GET", base_path + "/invitations")["items"]
    assert [invitation["email"] for invitation in invitations] == [
        "bea@example.org",
        "ada@example.org",
    ]
    director.call("DELETE", f"{base_path}/invitations/{invitations[0]['id']}")
    ada = Caller(UserFactory.create(email="ada@example.org"))
    address = Invitation.objects.get(email="ada@example.org").address
    assert ada.call("POST", f"/invitations/{address}/accept")["role"] == "viewer"
    assert director.call("GET", base_path + "/invitations")["items"] == []
    assert error_fields(ada, "POST", f"/invitations/{address}/accept")[0] == 422


# Players


def test_a_claim_is_made_confirmed_and_withdrawn() -> None:
    tournament = tournament_with(4)
    base_path = f"/clubs/{tournament.club.slug}"
    player = tournament.entries.get(number=1).player_id
    claimant = Caller(UserFactory.create())
    claim = claimant.call("POST", f"{base_path}/players/{player}/claim")
    assert claim["confirmed_at"] is None
    director = director_of(tournament.club)
    assert [
        listed_claim["id"]
        for listed_claim in director.call("GET", base_path + "/claims")["items"]
    ] == [claim["id"]]
    settle_path = f"{base_path}/claims/{claim['id']}/settle"
    assert director.call("POST", settle_path, {"holds": True})["confirmed_at"]
    other_account = Caller(UserFactory.create())
    assert (
        error_fields(other_account, "POST", f"{base_path}/players/{player}/claim")[0]
        == 422
    )
    withdraw_path = f"{base_path}/claims/{claim['id']}/withdraw"
    assert error_fields(other_account, "POST", withdraw_path)[0] == 404
    assert claimant.call("POST", withdraw_path)["withdrawn_at"]
    assert not Claim.objects.active().exists()


def test_players_are_merged_and_separated() -> None:
    first = tournament_with(["Ann", "Bo", "Cy"])
    second = tournament_with(["Anne", "Di", "Ed"], club=first.club)
    director, base_path = director_of(first.club), f"/clubs/{first.club.slug}"
    ann, anne = (
        Entry.objects.get(tournament=night, number=1).player_id
        for night in (first, second)
    )
    merge = director.call("POST", base_path + "/merges", {"kept": ann, "merged": anne})
    assert (merge["kept_name"], merge["merged_name"]) == ("Ann", "Anne")
    assert director.call("GET", f"{base_path}/players/{anne}")["name"] == "Ann"
    error = error_fields(
        director, "POST", base_path + "/merges", {"kept": ann, "merged": anne}
    )
    assert error == (422, ["merged"])
    director.call("POST", f"{base_path}/merges/{merge['id']}/undo")
    assert not Merge.objects.active().exists()
    assert director.call("GET", base_path + "/merges")["items"] == []
    changes = {"name": "Anna", "is_archived": True}
    changed_player = director.call("PATCH", f"{base_path}/players/{ann}", changes)
    assert changed_player == {"id": ann, **changes}


# Seasons


def test_a_season_is_opened_changed_closed_and_opened_again() -> None:
    club = ClubFactory.create()
    director, base_path = director_of(club), f"/clubs/{club.slug}/seasons"
    days = {"starts_on": "2026-01-01", "ends_on": "2026-06-30"}
    created = director.call(
        "POST", base_path, {"name": "Spring 2026", **days, "best_of": 5}
    )
    assert (created["slug"], created["best_of"]) == ("spring-2026", 5)
    changed = director.call("PATCH", f"{base_path}/spring-2026", {"counts": "points"})
    assert (changed["counts"], changed["best_of"]) == ("points", 5)
    assert director.call("POST", f"{base_path}/spring-2026/close")["closed_at"]
    assert error_fields(director, "DELETE", f"{base_path}/spring-2026") == (
        422,
        ["season"],
    )
    assert director.call("POST", f"{base_path}/spring-2026/reopen")["closed_at"] is None
    director.call("DELETE", f"{base_path}/spring-2026")
    assert not Season.objects.exists()


# Search


def test_finds_people_tournaments_and_hands() -> None:
    tournament = finished_night(name="Thursday of the harbour")
    base_path = f"/clubs/{tournament.club.slug}"
    results = Caller().call("GET", f"{base_path}/search?q=harbour")
    assert [row["address"] for row in results["tournaments"]] == [tournament.address]
    (player,) = Caller().call("GET", f"{base_path}/search?q=Amir")["players"]
    assert player["name"] == "Amir"
    assert Caller().call("GET", f"{base_path}/hands?game=tricky&bid=90")["items"] == []
    assert error_fields(Caller(), "GET", f"{base_path}/hands?game=chess")[0] == 404
    assert error_fields(Caller(), "GET", f"{base_path}/search")[0] == 422


def test_compares_two_players_unless_one_is_hidden() -> None:
    tournament = finished_night()
    base_path = f"/clubs/{tournament.club.slug}"
    one, other = (tournament.entries.get(number=number).player_id for number in (1, 2))
    path = f"{base_path}/head-to-head?player={one}&against={other}"
    comparison = Caller().call("GET", path)
    reverse = Caller().call(
        "GET", f"{base_path}/head-to-head?player={other}&against={one}"
    )
    assert comparison["met"] == reverse["met"] == 1
    assert comparison["ahead"] + comparison["level"] + reverse["ahead"] == 1
    matrix = Caller().call("GET", f"{base_path}/leaderboards/all/matrix")
    assert len(matrix["shares"]) == len(matrix["players"]) == 4
    set_page_visibility(club=tournament.club, player_id=other, public=False)
    assert error_fields(Caller(), "GET", path)[0] == 404
    assert director_of(tournament.club).call("GET", path)["met"] == 1


# Autopilot


def test_step_is_paused_brought_forward_and_undone() -> None:
    now = timezone.now()
    tournament = tournament_with(
        8, autopilot="run", starts_at=now, rounds_planned=1, minutes=30
    )
    autopilot.run_autopilot(tournament_id=tournament.pk, now=now)
    director = director_of(tournament.club)
    base_path = f"/tournaments/{tournament.address}/steps"
    (step,) = director.call("GET", base_path)["items"]
    assert (step["kind"], step["state"]) == ("seat", "announced")
    acts_path = f"{base_path}/{step['id']}/acts"
    assert director.call("POST", f"{acts_path}/hold")["state"] == "held"
    assert director.call("POST", f"{acts_path}/now")["state"] == "done"
    assert tournament.rounds.get(number=1).state == "published"
    assert director.call("POST", f"{acts_path}/undo")["state"] == "undone"
    assert error_fields(director, "POST", f"{acts_path}/skip")[0] == 422
    assert AutoStep.objects.get(pk=step["id"]).state == "undone"


# Webhooks


def test_a_webhook_is_made_changed_tried_out_and_removed() -> None:
    club = ClubFactory.create()
    director, base_path = director_of(club), f"/clubs/{club.slug}/webhooks"
    webhook = director.call(
        "POST", base_path, {"url": "https://1.1.1.1/hook", "events": ["round.seated"]}
    )
    assert webhook["secret"].startswith("whsec_")
    webhook_path = f"{base_path}/{webhook['id']}"
    assert "secret" not in director.call("GET", webhook_path)
    assert "secret" not in director.call("GET", base_path)["items"][0]
    changed = director.call("PATCH", webhook_path, {"style": "slack", "is_on": False})
    assert (changed["style"], changed["events"]) == ("slack", ["round.seated"])
    assert changed["off_because"] == "director"
    director.call("PATCH", webhook_path, {"is_on": True})
    event = director.call("POST", f"{webhook_path}/test")["event"]
    (delivery,) = director.call("GET", f"{webhook_path}/deliveries")["items"]
    assert (delivery["kind"], delivery["state"]) == ("ping", "waiting")
    assert str(Delivery.objects.get().event.key) == event
    repeated_delivery = director.call(
        "POST", f"{webhook_path}/deliveries/{delivery['id']}/again"
    )
    assert repeated_delivery["attempts"] == 0
    director.call("DELETE", webhook_path)
    assert not Webhook.objects.exists()


# Tables


def test_tables_are_exported_in_every_format() -> None:
    tournament = finished_night()
    base_path = f"/tournaments/{tournament.address}/tables"
    csv_response: Any = Caller().request("GET", f"{base_path}/standings.csv")
    assert csv_response["Content-Type"].startswith("text/csv")
    assert (
        len(list(csv.reader(csv_response.content.decode("utf-8-sig").splitlines())))
        == 5
    )
    json_table = Caller().call("GET", f"{base_path}/results.json")
    assert {row["name"] for row in json_table["rows"]} == {
        "Ada",
        "Amir",
        "Bea",
        "Bruno",
    }
    xlsx_response: Any = Caller().request("GET", f"{base_path}/seating.xlsx")
    sheet = load_workbook(BytesIO(xlsx_response.content)).active
    assert sheet is not None
    assert sheet.max_row == 5


def test_club_has_tables_of_players_leaderboards_and_games() -> None:
    tournament = finished_night()
    base_path = f"/clubs/{tournament.club.slug}/tables"
    viewer = Caller(member(tournament.club, Role.VIEWER))
    assert len(viewer.call("GET", f"{base_path}/players.json")["rows"]) == 4
    board = Caller().call("GET", f"{base_path}/leaderboard.json?by=wins")
    assert len(board["rows"]) == 4
    assert (
        Caller().call("GET", f"{base_path}/statistics.json")["rows"][0]["matches"] == 1
    )
    assert error_fields(Caller(), "GET", f"{base_path}/statistics.pdf")[0] == 422
