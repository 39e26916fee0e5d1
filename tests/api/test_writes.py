"""What the API writes: the same as pages and phones, by the same functions."""

from typing import Any
from uuid import uuid4

import pytest

from scoring.api.matches import serialize_match
from scoring.models import LogEntry, Match
from tests.api.caller import Caller
from tests.api.test_problems import entry
from tests.factories.commands import author, enter_hand
from tests.factories.matches import new_match
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    member,
    play_round,
    running_round,
    tournament_with,
)
from tests.scoring.games.tricks_and_treats.test_board_log import SUMS, laid_match
from tournaments.models import Entry, Role, Round, Table, Tournament

pytestmark = pytest.mark.django_db


def played_matches(tournament: Tournament) -> list[Match]:
    return [
        table.match
        for table in tournament.rounds.get(number=1).tables.all()
        if table.match is not None
    ]


def test_same_key_of_an_entry_has_the_same_answer() -> None:
    match = new_match("tricky_bid", seats=4)
    caller, path = Caller(UserFactory.create()), f"/matches/{match.address}/entries"
    first = caller.call("POST", path, entry(made_by="Ann"))
    assert caller.call("POST", path, entry(made_by="Ann")) == first
    log_entry = LogEntry.objects.get(match=match)
    assert (log_entry.made_by, log_entry.kind, log_entry.hand_number) == (
        "Ann",
        "enter",
        1,
    )


def test_sums_instead_of_board_need_confirmation() -> None:
    match = laid_match(seed=7)
    caller, path = Caller(UserFactory.create()), f"/matches/{match.address}/entries"
    sums = entry(body=SUMS, base=1)
    response: Any = caller.request("POST", path, sums)
    assert response.status_code == 422
    (fault,) = response.json()["faults"]
    assert fault["field"] == "instead_of_board"
    assert "the match continues without the board" in fault["message"]
    assert caller.call("POST", path, {**sums, "instead_of_board": True})["number"] == 1


def test_same_key_starts_one_match() -> None:
    caller = Caller(UserFactory.create())
    payload = {"key": str(uuid4()), "game": "tricky", "players": ["Ann", "Bo"]}
    first = caller.call("POST", "/matches", payload)
    caller.call(
        "POST",
        f"/matches/{first['address']}/entries",
        entry(kind="seats", number=None, body={"seat": 1, "name": "Cy"}),
    )
    assert caller.call("POST", "/matches", payload)["address"] == first["address"]
    for changes in (
        {"players": ["Di", "Bo"]},
        {"players": ["Ann", "Bo", "Cy"]},
        {"game": "tricky_bid"},
        {"options": {"target": 300}},
    ):
        response: Any = caller.request("POST", "/matches", {**payload, **changes})
        assert response.status_code == 422
        (fault,) = response.json()["faults"]
        assert fault["field"] == "key"
        assert fault["message"].startswith("This entry was already sent")
    assert Match.objects.get().seats.count() == 2


def test_second_version_of_a_hand_is_stored_next_to_the_first() -> None:
    match = new_match("tricky_bid", seats=4)
    caller, path = Caller(UserFactory.create()), f"/matches/{match.address}/entries"
    caller.call("POST", path, entry())
    second_entry = entry(key=str(uuid4()), body={"points": [1, 5, 12, 20]})
    response: Any = caller.request("POST", path, second_entry)
    assert response.status_code == 409
    assert response.json()["key"] == second_entry["key"]
    hands = caller.call("GET", f"/matches/{match.address}/hands")["items"]
    assert [(hand["scores"], hand["beside"]) for hand in hands] == [([20, 12, 5, 1], 1)]


def test_an_official_enters_under_their_own_name() -> None:
    tournament = tournament_with(4, writing="own")
    running_round(tournament)
    (match,) = played_matches(tournament)
    scorer = member(tournament.club, Role.SCORER)
    scorer.first_name = "Ruth"
    scorer.save()
    Caller(scorer).call("POST", f"/matches/{match.address}/entries", entry())
    assert LogEntry.objects.get(match=match).made_by == "Ruth"


def test_only_officials_correct_after_the_end() -> None:
    tournament = tournament_with(4, rounds_planned=1)
    play_round(running_round(tournament))
    director = Caller(member(tournament.club, Role.DIRECTOR))
    base_path = f"/tournaments/{tournament.address}"
    director.call("POST", base_path + "/rounds/1/close", {})
    director.call("POST", base_path + "/finish")
    (match,) = played_matches(tournament)
    path = f"/matches/{match.address}/entries"
    correction = entry(kind="replace", base=4, body={"points": [1, 5, 12, 20]})
    stranger = Caller(UserFactory.create())
    assert stranger.request("POST", path, correction).status_code == 410
    director.call("POST", path, correction)
    assert LogEntry.objects.filter(match=match, kind="replace").exists()


def test_officials_confirm_for_a_seat_and_withdraw_it() -> None:
    tournament = tournament_with(4)
    play_round(running_round(tournament))
    (match,) = played_matches(tournament)
    player = Caller(UserFactory.create(), "score")
    scorer = Caller(member(tournament.club, Role.SCORER))
    base_path = f"/matches/{match.address}"
    table = f"/tournaments/{tournament.address}/rounds/1/tables/1"

    def send(caller: Caller, kind: str, **details: str) -> tuple[int, str]:
        body = {"seat": 1, **details}
        payload = entry(kind=kind, key=str(uuid4()), number=None, base=None, body=body)
        return caller.request(
            "POST", base_path + "/entries", payload
        ).status_code, payload["key"]

    words = player.call("GET", base_path)["words"]
    assert send(player, "confirm", words=words)[0] == 422
    status, key = send(scorer, "confirm", words=words)
    seat = player.call("GET", base_path)["seats"][1]
    assert status == 200
    assert (seat["confirmed_by"], seat["confirmation"]) == ("director", key)
    assert player.call("GET", table)["places"][1]["confirmed_by"] == "director"
    assert send(player, "withdraw", confirmation=key)[0] == 422
    assert send(scorer, "withdraw", confirmation=key)[0] == 200
    seat = player.call("GET", base_path)["seats"][1]
    assert (seat["confirmed_at"], seat["confirmation"]) == (None, None)


def test_dispute_is_withdrawn_by_its_account_or_settled() -> None:
    tournament = tournament_with(4, quorum="all")
    play_round(running_round(tournament))
    player, other = (Caller(UserFactory.create(), "score") for _ in range(2))
    base_path = f"/tournaments/{tournament.address}/rounds/1/tables/1"
    for _tap in range(2):
        body = {"reason": "A hand is missing"}
        assert player.call("POST", base_path + "/says/dispute", body)["is_disputed"]
    first_table = Table.objects.get(round__number=1)
    assert first_table.dispute_reason == "A hand is missing"
    response = other.request("POST", base_path + "/says/withdraw")
    assert response.status_code == 422
    assert "has to settle this dispute" in response.content.decode()
    table = player.call("POST", base_path + "/says/withdraw")
    assert (table["is_disputed"], table["called_at"]) == (False, None)
    (match,) = played_matches(tournament)
    kinds = list(match.log.order_by("version").values_list("kind", flat=True))
    assert kinds[-2:] == ["dispute", "withdraw"]
    assert other.call("POST", base_path + "/says/dispute")["is_disputed"]
    scorer = Caller(member(tournament.club, Role.SCORER))
    assert not scorer.call("POST", base_path + "/acts/settle")["is_disputed"]
    assert player.call("POST", base_path + "/says/call")["called_at"]


def test_a_tournament_is_set_up_changed_and_deleted() -> None:
    club = ClubFactory.create()
    director = Caller(member(club, Role.DIRECTOR))
    created = director.call(
        "POST",
        f"/clubs/{club.slug}/tournaments",
        {
            "name": "Friday",
            "game": "tricky",
            "points": "places",
            "places": "3: 5 2 0\n4: 6 4 2 0\n5: 8 6 4 2 0",
            "tie_breaks": ["wins", "lot"],
            "counts_late": True,
        },
    )
    settings = created["settings"]
    assert settings["tie_breaks"] == ["wins", "lot"]
    assert settings["points"]["places"]["3"] == ["5", "2", "0"]
    base_path = f"/tournaments/{created['address']}"
    changed = director.call("PATCH", base_path, {"venue": "the Lamb", "version": 0})
    assert changed["settings"] == {**settings, "venue": "the Lamb"}
    director.call("DELETE", base_path)
    assert not Tournament.objects.exists()


def test_refused_state_leaves_an_entrys_name_unchanged() -> None:
    tournament = tournament_with(2)
    scorer = Caller(member(tournament.club, Role.SCORER))
    path = f"/tournaments/{tournament.address}/entries/1"
    name_before = tournament.entries.get(number=1).name
    response = scorer.request("PATCH", path, {"name": "Adele", "state": "waiting"})
    assert response.status_code == 422
    assert tournament.entries.get(number=1).name == name_before


def test_players_are_entered_checked_in_dropped_and_readmitted() -> None:
    tournament = tournament_with(0)
    scorer = Caller(member(tournament.club, Role.SCORER))
    path = f"/tournaments/{tournament.address}/entries"
    result = scorer.call("POST", path, {"names": ["Ada", "Bea", "ada"]})
    assert [entry["state"] for entry in result["entries"]] == ["expected"] * 2
    assert result["known"] == ["ada"]
    for state in ("present", "dropped", "present"):
        updated = scorer.call("PATCH", path + "/1", {"state": state})
        assert updated["state"] == state
    assert scorer.call("PATCH", path + "/1", {"name": "Adele"})["name"] == "Adele"
    scorer.call("DELETE", path + "/2")
    assert list(Entry.objects.values_list("name", flat=True)) == ["Adele"]


def test_round_is_drawn_swapped_timed_and_undone() -> None:
    tournament = tournament_with(8)
    director = Caller(member(tournament.club, Role.DIRECTOR))
    base_path = f"/tournaments/{tournament.address}"
    drawn_rounds = director.call("POST", base_path + "/rounds", {"seed": 3})["rounds"]
    assert len(drawn_rounds) == 4
    director.call("POST", base_path + "/rounds/1/swap", {"entry": 1, "other": 2})
    director.call("POST", base_path + "/rounds/1/publish")
    started = director.call("POST", base_path + "/rounds/1/start")
    extended = director.call("POST", base_path + "/rounds/1/clock", {"verb": "longer"})
    assert extended["ends_at"] > started["ends_at"]
    director.call("DELETE", base_path + "/rounds/1")
    assert not Round.objects.exists()
    assert len(director.call("POST", base_path + "/put-back")["rounds"]) == 4


def test_a_penalty_is_given_and_cancelled() -> None:
    tournament = tournament_with(4)
    director = Caller(member(tournament.club, Role.DIRECTOR))
    path = f"/tournaments/{tournament.address}/penalties"
    payload = {"entry": 1, "points": "0,5", "reason": "late"}
    penalty = director.call("POST", path, payload)
    assert (penalty["entry"], penalty["points"]) == (1, "1/2")
    director.call("POST", f"{path}/{penalty['id']}/cancel")
    (cancelled,) = director.call("GET", path)["items"]
    assert cancelled["cancelled_at"]


def test_match_description_uses_the_version_it_was_read_with() -> None:
    matches = Match.objects.with_seats()
    match = matches.get(pk=new_match("tricky_bid", 3).pk)
    hand = {"points": [9, 5, 3]}
    enter_hand(match_id=match.pk, number=1, raw=hand, author=author())
    description = serialize_match(match)
    assert (description["version"], description["next_hand"]) == (0, 1)
    description = serialize_match(matches.get(pk=match.pk))
    assert (description["version"], description["next_hand"]) == (1, 2)
