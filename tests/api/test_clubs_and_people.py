"""Clubs, their helpers, who is who, seasons and nights that run themselves: as the pages have them."""

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


def problem(caller: Caller, method: str, path: str, body: Any = None) -> Any:
    answer: Any = caller.request(method, path, body)
    assert answer.status_code >= 400, answer.content
    return answer.status_code, [fault["field"] for fault in answer.json()["faults"]]


def finished_night(**settings: Any) -> Tournament:
    tournament = played_night(4, **settings)
    derive_history(club_id=tournament.club_id, now=timezone.now())
    tournament.refresh_from_db()
    return tournament


HOOK = {"url": "https://1.1.1.1/hook", "events": ["round.seated"]}
TURNED = {"name": "x", "starts_on": "2026-02-01", "ends_on": "2026-01-01"}
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("PATCH", {"colour": "#ffffff"}, "colour"),
    *(("PATCH", {"language": language}, "language") for language in ("it", "German")),
    ("PATCH", {"time_zone": "Europe/Atlantis"}, "time_zone"),
    ("POST /seasons", TURNED, "ends_on"),
    ("POST /invitations", {"email": "nobody", "role": "scorer"}, "email"),
    ("POST /webhooks", {**HOOK, "url": "https://10.0.0.1/hook"}, "url"),
    ("POST /webhooks", {**HOOK, "events": ["ping"]}, "events.0"),
]


@pytest.mark.parametrize(("call", "body", "field"), REFUSED, ids=str)
def test_names_the_impossible_value(
    call: str, body: dict[str, Any], field: str
) -> None:
    club = ClubFactory.create()
    before = Club.objects.values().get()
    method, _space, path = call.partition(" ")
    answer = problem(director_of(club), method, f"/clubs/{club.slug}{path}", body)
    assert answer == (422, [field])
    assert Club.objects.values().get() == before
    made = [rows.count() for rows in (club.seasons, club.invitations, club.webhooks)]
    assert made == [0, 0, 0]


# Clubs


def test_directors_download_the_archive_of_a_club() -> None:
    tournament = finished_night()
    club = tournament.club
    path = f"/clubs/{club.slug}/archive"
    answer: Any = director_of(club).request("GET", path)
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert "RateLimit-Remaining" in answer
    archive = answer.getvalue()
    assert archive == build_archive(club)
    change_unique_values(club)
    brought = import_club(BytesIO(archive), now=NOW).club
    assert brought.tournaments.get().name == tournament.name


def test_a_club_is_founded_changed_and_deleted() -> None:
    founder = Caller(UserFactory.create())
    there = {"name": "Harbour Café", "time_zone": "Pacific/Auckland"}
    made = founder.call("POST", "/clubs", there)
    assert (made["slug"], made["role"]) == ("harbour-cafe", "director")
    assert made["time_zone"] == "Pacific/Auckland"
    taken = problem(founder, "POST", "/clubs", {"name": "harbour café"})
    assert taken == (422, ["name"])
    wanted = {
        "name": "The Harbour",
        "colour": "#1F4E8C",
        "language": "de",
        "time_zone": "Europe/Berlin",
        "is_archived": True,
    }
    changed = founder.call("PATCH", "/clubs/harbour-cafe", wanted)
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
    director, at = director_of(club), f"/clubs/{club.slug}"
    user = member(club, Role.VIEWER)
    made = director.call(
        "POST", at + "/invitations", {"email": user.email, "role": "scorer"}
    )
    assert made["has_role"]
    listed = director.call("GET", at + "/helpers")["items"]
    assert [line["role"] for line in listed] == ["director", "scorer"]
    director.call("DELETE", f"{at}/helpers/{listed[1]['id']}")
    assert not Membership.objects.filter(user=user).exists()


def test_invitation_is_accepted_or_withdrawn() -> None:
    club = ClubFactory.create()
    director, at = director_of(club), f"/clubs/{club.slug}"
    for email in ("Ada@Example.org", "bea@example.org"):
        director.call("POST", at + "/invitations", {"email": email, "role": "viewer"})
    held = director.call("GET", at + "/invitations")["items"]
    assert [line["email"] for line in held] == ["bea@example.org", "ada@example.org"]
    director.call("DELETE", f"{at}/invitations/{held[0]['id']}")
    ada = Caller(UserFactory.create(email="ada@example.org"))
    address = Invitation.objects.get(email="ada@example.org").address
    assert ada.call("POST", f"/invitations/{address}/accept")["role"] == "viewer"
    assert director.call("GET", at + "/invitations")["items"] == []
    assert problem(ada, "POST", f"/invitations/{address}/accept")[0] == 422


# Who is who


def test_a_claim_is_made_confirmed_and_withdrawn() -> None:
    tournament = tournament_with(4)
    at = f"/clubs/{tournament.club.slug}"
    player = tournament.entries.get(number=1).player_id
    own = Caller(UserFactory.create())
    claim = own.call("POST", f"{at}/players/{player}/claim")
    assert claim["confirmed_at"] is None
    director = director_of(tournament.club)
    assert [line["id"] for line in director.call("GET", at + "/claims")["items"]] == [
        claim["id"]
    ]
    settled = f"{at}/claims/{claim['id']}/settle"
    assert director.call("POST", settled, {"holds": True})["confirmed_at"]
    other = Caller(UserFactory.create())
    assert problem(other, "POST", f"{at}/players/{player}/claim")[0] == 422
    withdrawn = f"{at}/claims/{claim['id']}/withdraw"
    assert problem(other, "POST", withdrawn)[0] == 404
    assert own.call("POST", withdrawn)["withdrawn_at"]
    assert not Claim.objects.active().exists()


def test_players_are_merged_and_separated() -> None:
    first = tournament_with(["Ann", "Bo", "Cy"])
    second = tournament_with(["Anne", "Di", "Ed"], club=first.club)
    director, at = director_of(first.club), f"/clubs/{first.club.slug}"
    ann, anne = (
        Entry.objects.get(tournament=night, number=1).player_id
        for night in (first, second)
    )
    merge = director.call("POST", at + "/merges", {"kept": ann, "merged": anne})
    assert (merge["kept_name"], merge["merged_name"]) == ("Ann", "Anne")
    assert director.call("GET", f"{at}/players/{anne}")["name"] == "Ann"
    again = problem(director, "POST", at + "/merges", {"kept": ann, "merged": anne})
    assert again == (422, ["merged"])
    director.call("POST", f"{at}/merges/{merge['id']}/undo")
    assert not Merge.objects.active().exists()
    assert director.call("GET", at + "/merges")["items"] == []
    wanted = {"name": "Anna", "is_archived": True}
    changed = director.call("PATCH", f"{at}/players/{ann}", wanted)
    assert changed == {"id": ann, **wanted}


# Seasons


def test_a_season_is_opened_changed_closed_and_opened_again() -> None:
    club = ClubFactory.create()
    director, at = director_of(club), f"/clubs/{club.slug}/seasons"
    days = {"starts_on": "2026-01-01", "ends_on": "2026-06-30"}
    made = director.call("POST", at, {"name": "Spring 2026", **days, "best_of": 5})
    assert (made["slug"], made["best_of"]) == ("spring-2026", 5)
    changed = director.call("PATCH", f"{at}/spring-2026", {"counts": "points"})
    assert (changed["counts"], changed["best_of"]) == ("points", 5)
    assert director.call("POST", f"{at}/spring-2026/close")["closed_at"]
    assert problem(director, "DELETE", f"{at}/spring-2026") == (422, ["season"])
    assert director.call("POST", f"{at}/spring-2026/reopen")["closed_at"] is None
    director.call("DELETE", f"{at}/spring-2026")
    assert not Season.objects.exists()


# Finding


def test_finds_people_tournaments_and_hands() -> None:
    tournament = finished_night(name="Thursday of the harbour")
    at = f"/clubs/{tournament.club.slug}"
    found = Caller().call("GET", f"{at}/search?q=harbour")
    assert [line["address"] for line in found["tournaments"]] == [tournament.address]
    (player,) = Caller().call("GET", f"{at}/search?q=Amir")["players"]
    assert player["name"] == "Amir"
    assert Caller().call("GET", f"{at}/hands?game=tricky&bid=90")["items"] == []
    assert problem(Caller(), "GET", f"{at}/hands?game=chess")[0] == 404
    assert problem(Caller(), "GET", f"{at}/search")[0] == 422


def test_compares_two_players_unless_one_is_hidden() -> None:
    tournament = finished_night()
    at = f"/clubs/{tournament.club.slug}"
    one, other = (tournament.entries.get(number=number).player_id for number in (1, 2))
    path = f"{at}/head-to-head?player={one}&against={other}"
    between = Caller().call("GET", path)
    back = Caller().call("GET", f"{at}/head-to-head?player={other}&against={one}")
    assert between["met"] == back["met"] == 1
    assert between["ahead"] + between["level"] + back["ahead"] == 1
    matrix = Caller().call("GET", f"{at}/leaderboards/all/matrix")
    assert len(matrix["shares"]) == len(matrix["players"]) == 4
    set_page_visibility(club=tournament.club, player_id=other, public=False)
    assert problem(Caller(), "GET", path)[0] == 404
    assert director_of(tournament.club).call("GET", path)["met"] == 1


# Nights that run themselves


def test_step_is_paused_brought_forward_and_undone() -> None:
    now = timezone.now()
    tournament = tournament_with(
        8, autopilot="run", starts_at=now, rounds_planned=1, minutes=30
    )
    autopilot.run(tournament_id=tournament.pk, now=now)
    director = director_of(tournament.club)
    at = f"/tournaments/{tournament.address}/steps"
    (step,) = director.call("GET", at)["items"]
    assert (step["kind"], step["state"]) == ("seat", "announced")
    acts = f"{at}/{step['id']}/acts"
    assert director.call("POST", f"{acts}/hold")["state"] == "held"
    assert director.call("POST", f"{acts}/now")["state"] == "done"
    assert tournament.rounds.get(number=1).state == "published"
    assert director.call("POST", f"{acts}/undo")["state"] == "undone"
    assert problem(director, "POST", f"{acts}/skip")[0] == 422
    assert AutoStep.objects.get(pk=step["id"]).state == "undone"


# Webhooks


def test_a_webhook_is_made_changed_tried_out_and_removed() -> None:
    club = ClubFactory.create()
    director, at = director_of(club), f"/clubs/{club.slug}/webhooks"
    hook = director.call(
        "POST", at, {"url": "https://1.1.1.1/hook", "events": ["round.seated"]}
    )
    assert hook["secret"].startswith("whsec_")
    one = f"{at}/{hook['id']}"
    assert "secret" not in director.call("GET", one)
    assert "secret" not in director.call("GET", at)["items"][0]
    changed = director.call("PATCH", one, {"style": "slack", "is_on": False})
    assert (changed["style"], changed["events"]) == ("slack", ["round.seated"])
    assert changed["off_because"] == "director"
    director.call("PATCH", one, {"is_on": True})
    event = director.call("POST", f"{one}/test")["event"]
    (delivery,) = director.call("GET", f"{one}/deliveries")["items"]
    assert (delivery["kind"], delivery["state"]) == ("ping", "waiting")
    assert str(Delivery.objects.get().event.key) == event
    again = director.call("POST", f"{one}/deliveries/{delivery['id']}/again")
    assert again["attempts"] == 0
    director.call("DELETE", one)
    assert not Webhook.objects.exists()


# Tables


def test_tables_are_exported_in_every_format() -> None:
    tournament = finished_night()
    at = f"/tournaments/{tournament.address}/tables"
    as_csv: Any = Caller().request("GET", f"{at}/standings.csv")
    assert as_csv["Content-Type"].startswith("text/csv")
    assert len(list(csv.reader(as_csv.content.decode("utf-8-sig").splitlines()))) == 5
    as_json = Caller().call("GET", f"{at}/results.json")
    assert {row["name"] for row in as_json["rows"]} == {"Ada", "Amir", "Bea", "Bruno"}
    as_xlsx: Any = Caller().request("GET", f"{at}/seating.xlsx")
    sheet = load_workbook(BytesIO(as_xlsx.content)).active
    assert sheet is not None
    assert sheet.max_row == 5


def test_club_has_tables_of_players_leaderboards_and_games() -> None:
    tournament = finished_night()
    at = f"/clubs/{tournament.club.slug}/tables"
    viewer = Caller(member(tournament.club, Role.VIEWER))
    assert len(viewer.call("GET", f"{at}/players.json")["rows"]) == 4
    board = Caller().call("GET", f"{at}/leaderboard.json?by=wins")
    assert len(board["rows"]) == 4
    assert Caller().call("GET", f"{at}/statistics.json")["rows"][0]["matches"] == 1
    assert problem(Caller(), "GET", f"{at}/statistics.pdf")[0] == 422
