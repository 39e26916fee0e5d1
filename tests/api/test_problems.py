"""Whatever is wrong is answered as a problem, with its field and its way out, and changes nothing."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from django.utils import timezone

from scoring.api.problems import CONTENT_TYPE, KINDS, TYPES_AT
from scoring.models import LogEntry, Match
from scoring.rules import GAMES
from tests.api.caller import Caller
from tests.factories.matches import new_match
from tests.factories.tournaments import (
    TournamentFactory,
    UserFactory,
    member,
    running_round,
    tournament_with,
)
from tournaments.models import ApiToken, Entry, Role, Round, Tournament

pytestmark = pytest.mark.django_db


class Night(NamedTuple):
    """A tournament whose first round runs, and who asks."""

    at: str
    match: str
    director: Caller
    scorer: Caller
    stranger: Caller
    reader: Caller
    """A director's, whose token may only read."""
    elsewhere: Caller
    """A director of another club."""


@pytest.fixture
def night() -> Night:
    tournament = tournament_with(8, writing="own")
    round_ = running_round(tournament)
    director = member(tournament.club, Role.DIRECTOR)
    match = round_.tables.get(number=1).match
    assert match is not None
    other = TournamentFactory.create()
    return Night(
        at=f"/tournaments/{tournament.address}",
        match=f"/matches/{match.address}",
        director=Caller(director),
        scorer=Caller(member(tournament.club, Role.SCORER)),
        stranger=Caller(),
        reader=Caller(director, "read"),
        elsewhere=Caller(member(other.club, Role.DIRECTOR)),
    )


def entry(**changes: Any) -> dict[str, Any]:
    """Return an entry of a hand, as a phone sends it."""
    return {
        "format": "trick-entry",
        "version": 1,
        "key": str(UUID(int=1)),
        "kind": "enter",
        "number": 1,
        "base": 0,
        "body": {"points": [20, 12, 5, 1]},
        **changes,
    }


class Wrong(NamedTuple):
    """Something wrong, and what is answered."""

    ask: Callable[[Night], Any]
    status: int
    kind: str
    field: str | None = None


def wrong_entry(**changes: Any) -> Callable[[Night], Any]:
    return lambda n: n.director.ask("POST", n.match + "/entries", entry(**changes))


CASES = {
    "a field that is not known": Wrong(
        lambda n: n.director.ask("PATCH", n.at, {"colour": "red"}),
        422,
        "invalid",
        "colour",
    ),
    "a parameter that is not known": Wrong(
        lambda n: n.director.ask("GET", n.at + "/rounds?colour=red"),
        422,
        "invalid",
        "colour",
    ),
    "a parameter that comes twice": Wrong(
        lambda n: n.director.ask("GET", "/clubs?limit=5&limit=6"),
        422,
        "invalid",
        "limit",
    ),
    "a parameter out of range": Wrong(
        lambda n: n.director.ask("GET", "/clubs?limit=0"), 422, "invalid", "limit"
    ),
    "a number in the address out of range": Wrong(
        lambda n: n.director.ask("GET", n.at + "/rounds/0"), 422, "invalid", "number"
    ),
    "no body": Wrong(
        lambda n: n.director.ask("POST", n.at + "/entries", ""), 422, "invalid", "body"
    ),
    "a list as the body": Wrong(
        lambda n: n.director.ask("POST", n.at + "/entries", []), 422, "invalid", "body"
    ),
    "a number in quotes": Wrong(
        lambda n: n.director.ask("PATCH", n.at, {"minutes": "30"}),
        422,
        "invalid",
        "minutes",
    ),
    "a number for a word": Wrong(
        lambda n: n.director.ask("PATCH", n.at, {"name": 7}), 422, "invalid", "name"
    ),
    "a field that is missing": Wrong(
        lambda n: n.director.ask("POST", n.at + "/entries", {}),
        422,
        "invalid",
        "names",
    ),
    "a sign that no column keeps": Wrong(
        lambda n: n.director.ask("PATCH", n.at, {"venue": "a\x00b"}),
        422,
        "invalid",
        "venue",
    ),
    "a number that no column keeps": Wrong(
        lambda n: n.director.ask("PATCH", n.at, {"minutes": 99_999}),
        422,
        "invalid",
        "minutes",
    ),
    "more tie-breaks than there are places for": Wrong(
        lambda n: n.director.ask("PATCH", n.at, {"tie_breaks": ["wins"] * 9}),
        422,
        "refused",
        "tie_breaks",
    ),
    "a moment without its zone": Wrong(
        lambda n: n.director.ask("PATCH", n.at, {"starts_at": "2026-03-12T19:30"}),
        422,
        "invalid",
        "starts_at",
    ),
    "a moment that no calendar has": Wrong(
        lambda n: n.director.ask(
            "PATCH", n.at, {"starts_at": "9999-12-31T23:59:59-14:00"}
        ),
        422,
        "invalid",
        "starts_at",
    ),
    "a moment as a number": Wrong(
        lambda n: n.director.ask("PATCH", n.at, {"starts_at": 7}),
        422,
        "invalid",
        "starts_at",
    ),
    "a setting that cannot be": Wrong(
        lambda n: n.director.ask("PATCH", n.at, {"table_size": 9}),
        422,
        "refused",
        "table_size",
    ),
    "an old version of the settings": Wrong(
        lambda n: n.director.ask("PATCH", n.at, {"venue": "the Lamb", "version": 0}),
        409,
        "stale",
    ),
    "no JSON": Wrong(
        lambda n: n.director.client.post(
            f"/api/v1{n.at}/entries",
            data="{",
            content_type="application/json",
            headers=n.director.headers,
        ),
        400,
        "unreadable",
    ),
    "a body of ten megabytes": Wrong(
        lambda n: n.director.ask("POST", n.at + "/entries", {"names": ["x" * 10**7]}),
        413,
        "too-large",
    ),
    "no cursor of ours": Wrong(
        lambda n: n.director.ask("GET", n.at + "/entries?cursor=abc"),
        400,
        "foreign-cursor",
    ),
    "no token": Wrong(
        lambda n: n.stranger.ask("POST", n.at + "/finish"), 401, "no-token"
    ),
    "a token that never was": Wrong(
        lambda n: n.stranger.ask("GET", n.at, Authorization="Bearer tricky_x"),
        401,
        "no-token",
    ),
    "a token that may only read": Wrong(
        lambda n: n.reader.ask("POST", n.at + "/finish"), 403, "not-allowed"
    ),
    "a role that is too low": Wrong(
        lambda n: n.scorer.ask("POST", n.at + "/finish"), 403, "not-allowed"
    ),
    "a director of another club": Wrong(
        lambda n: n.elsewhere.ask("POST", n.at + "/finish"), 403, "not-allowed"
    ),
    "a stranger to the table": Wrong(
        lambda n: n.elsewhere.ask("POST", n.match + "/entries", entry()),
        403,
        "not-allowed",
    ),
    "an address that is not there": Wrong(
        lambda n: n.director.ask("GET", "/tournaments/nowhere"), 404, "not-there"
    ),
    "an operation that is not there": Wrong(
        lambda n: n.director.ask("GET", "/tables"), 404, "not-there"
    ),
    "an entry of another tournament": Wrong(
        lambda n: n.director.ask("PATCH", n.at + "/entries/99", {"state": "dropped"}),
        404,
        "not-there",
    ),
    "another method": Wrong(
        lambda n: n.director.ask("DELETE", "/clubs"), 405, "other-method"
    ),
    "an entry of no kind": Wrong(wrong_entry(kind="erase"), 422, "invalid", "kind"),
    "an entry that says too much": Wrong(
        wrong_entry(colour="red"), 422, "invalid", "colour"
    ),
    "an entry of another format": Wrong(
        wrong_entry(version=2), 422, "invalid", "version"
    ),
    "a hand that cannot be": Wrong(
        wrong_entry(body={"points": [1, 2]}), 422, "refused", "points"
    ),
    "a correction of a hand that is not there": Wrong(
        wrong_entry(kind="replace", number=4), 422, "refused"
    ),
    "a confirmation before the end": Wrong(
        wrong_entry(kind="confirm", number=None, body={"seat": 0, "words": "a"}),
        422,
        "refused",
        "words",
    ),
    "a round that is still open": Wrong(
        lambda n: n.director.ask("POST", n.at + "/rounds/1/close", {}),
        422,
        "refused",
        "round",
    ),
    "a name that is entered": Wrong(
        lambda n: n.director.ask(
            "POST", n.at + "/entries/1/substitute", {"name": "Amir"}
        ),
        422,
        "refused",
        "name",
    ),
    "a day to come": Wrong(
        lambda n: n.stranger.ask(
            "GET",
            f"/clubs/{Tournament.objects.get(address=n.at[13:]).club.slug}"
            "/leaderboards/all?as_of=2999-01-01",
        ),
        422,
        "refused",
        "as_of",
    ),
}


def stored() -> list[Any]:
    """Return what a wrong question must not change."""
    return [
        list(rows.order_by("pk").values())
        for rows in (
            Tournament.objects.all(),
            Entry.objects.all(),
            Round.objects.all(),
            Match.objects.all(),
            LogEntry.objects.all(),
        )
    ]


@pytest.mark.parametrize("wrong", CASES.values(), ids=CASES)
def test_it_is_a_problem_and_changes_nothing(night: Night, wrong: Wrong) -> None:
    before = stored()
    answer = wrong.ask(night)
    assert answer["Content-Type"] == CONTENT_TYPE
    told = answer.json()
    assert (answer.status_code, told["type"]) == (
        wrong.status,
        TYPES_AT + wrong.kind,
    ), told
    assert told["status"] == wrong.status == KINDS[wrong.kind].status
    if wrong.field is not None:
        assert wrong.field in [fault["field"] for fault in told["faults"]]
    assert "RateLimit-Remaining" in answer.headers
    assert stored() == before


WRONG = {
    "name": "",
    "starts_at": "soon",
    "rounds_planned": "x",
    "minutes": 99_999,
    "tie_breaks": "wins",
    "format": "poker",
}


def test_many_faults_are_one_line_of_a_few_and_how_many_more(night: Night) -> None:
    told: Any = night.director.ask("PATCH", night.at, WRONG)
    said, faults = told.json()["detail"], told.json()["faults"]
    assert len(faults) == len(WRONG)
    first = [
        f"{fault['field']}: {fault['message'].removesuffix('.')}" for fault in faults
    ]
    assert said == f"{'; '.join(first[:3])}; and 3 more in “faults”."


def test_two_faults_of_a_form_are_told_apart(night: Night) -> None:
    told: Any = night.director.ask("PATCH", night.at, {"points": "?", "target": 1})
    assert told.json()["detail"] == (
        "points: One of linear, pairwise, wins, margin, raw, places is expected here; "
        "target: A match of Tricky Bid does not end at so many points: leave this out."
    )


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/tournaments", {"name": "Friday", "game": "poker"}),
        ("/matches", {"key": str(UUID(int=1)), "game": "poker", "players": ["Ann"]}),
    ],
)
def test_who_names_no_game_of_ours_is_told_which_there_are(
    night: Night, path: str, body: dict[str, Any]
) -> None:
    club = Tournament.objects.get(address=night.at[13:]).club
    at = f"/clubs/{club.slug}{path}" if path == "/tournaments" else path
    told: Any = night.director.ask("POST", at, body)
    assert told.status_code == 422
    assert ", ".join(GAMES) in told.json()["detail"]


def test_faults_are_told_in_the_language_that_is_asked_for(night: Night) -> None:
    wrong = {**WRONG, "venue": 3, "counts_late": 3, "fee": "x" * 501}
    german: Any = night.director.ask(
        "PATCH", night.at, wrong, **{"Accept-Language": "de"}
    )
    said = {fault["field"]: fault["message"] for fault in german.json()["faults"]}
    assert said["name"] == "Hier wird mindestens 1 Zeichen erwartet."
    assert said["fee"] == "Hier passen höchstens 500 Zeichen hin."
    assert said["minutes"] == "Hier wird eine Zahl bis 32767 erwartet."
    assert said["venue"] == "Hier wird Text erwartet."
    assert not any(word in str(said) for word in ("Input", "should", "expected"))


@pytest.mark.parametrize("ending", ["ended_at", "expires_at"])
def test_a_token_that_is_over_opens_nothing(ending: str) -> None:
    caller = Caller(UserFactory.create())
    assert caller.ask("GET", "/clubs").status_code == 200
    over = timezone.now() - timedelta(seconds=1)
    ApiToken.objects.update(**{ending: over})
    answer = caller.ask("GET", "/clubs")
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")


def test_a_refused_hand_is_told_with_the_clause_that_decides_it(night: Night) -> None:
    told = wrong_entry(body={"points": [-1, 12, 5, 1]})(night).json()
    assert [fault["clause"] for fault in told["faults"]] == ["tricky_bid.score"]


def test_a_draft_is_not_there_for_strangers_whatever_they_do() -> None:
    draft = tournament_with(4, listing="draft")
    at = f"/tournaments/{draft.address}"
    outside = Caller(member(TournamentFactory.create().club, Role.DIRECTOR))
    for caller in (Caller(), outside):
        assert caller.ask("GET", at).status_code == 404
    for method, path, body in (
        ("PATCH", at, {"name": "Mine"}),
        ("POST", at + "/rounds", {}),
        ("POST", at + "/finish", None),
    ):
        assert outside.ask(method, path, body).status_code == 404
    assert Caller(member(draft.club, Role.VIEWER)).ask("GET", at).status_code == 200


def test_a_token_of_one_club_is_a_stranger_s_in_others() -> None:
    here, there = tournament_with(4), tournament_with(4)
    user = member(here.club, Role.DIRECTOR)
    there.club.memberships.create(user=user, role=Role.DIRECTOR)
    caller = Caller(user, club=here.club)
    assert caller.ask("GET", f"/tournaments/{here.address}/entries").status_code == 200
    for method, path in (("GET", "/entries"), ("POST", "/finish")):
        at = f"/tournaments/{there.address}{path}"
        assert caller.ask(method, at).status_code == 403
    match = new_match()
    assert caller.ask("GET", f"/matches/{match.address}").status_code == 200


def test_beyond_the_limit_nothing_is_answered_until_the_minute_is_over(
    settings: Any,
) -> None:
    settings.API_CALLS_A_MINUTE = {"token": 2, "network": 1}
    caller = Caller(UserFactory.create())
    left = [caller.ask("GET", "/clubs")["RateLimit-Remaining"] for _call in range(2)]
    over = caller.ask("GET", "/clubs")
    assert left == ["1", "0"]
    assert over.status_code == 429
    assert 0 < int(over["Retry-After"]) <= 60
    # Of another's calls nothing is used up by that.
    assert Caller().ask("GET", "/clubs").status_code == 200
    assert Caller().ask("GET", "/clubs").status_code == 429


def test_no_cookie_of_a_browser_speaks_for_a_call(client: Any) -> None:
    tournament = tournament_with(4)
    client.force_login(member(tournament.club, Role.DIRECTOR))
    at = f"/api/v1/tournaments/{tournament.address}"
    assert client.get(at + "/entries").status_code == 401
    assert client.post(at + "/finish").status_code == 401


@pytest.mark.parametrize(
    ("fault", "status", "kind"),
    [
        ("SuspiciousOperation", 400, "unreadable"),
        ("RequestDataTooBig", 413, "too-large"),
        ("PermissionDenied", 403, "not-allowed"),
        ("ValueError", 500, "broken"),
        ("OperationalError", 503, "away"),
    ],
)
@pytest.mark.urls("tests.failing_urls")
def test_what_fails_is_told_to_programs_as_a_problem(
    fault: str, status: int, kind: str
) -> None:
    caller = Caller()
    caller.client.raise_request_exception = False
    answer: Any = caller.ask("GET", f"/fails/{fault}")
    assert (answer.status_code, answer.json()["type"]) == (status, TYPES_AT + kind)
    assert ("Retry-After" in answer) == (status == 503)


def test_another_method_is_told_which_it_may_be() -> None:
    allowed = Caller().ask("DELETE", "/clubs")["Allow"]
    assert {*allowed.split(", ")} == {"GET", "POST"}


def test_a_host_that_is_not_ours_is_told_so_as_a_problem() -> None:
    answer = Caller().ask("GET", "/clubs", Host="evil.example")
    assert answer.status_code == 400
    assert answer["Content-Type"] == CONTENT_TYPE
