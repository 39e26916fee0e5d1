"""Every wrong call is answered with a problem that names its field, and changes nothing."""

from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from django.utils import timezone

from scoring.api.problems import CONTENT_TYPE, KINDS, TYPE_PREFIX
from scoring.models import LogEntry, Match
from tests.api.caller import Caller
from tests.factories import phones
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
    at: str
    match: str
    club: str
    director: Caller
    scorer: Caller
    stranger: Caller
    reader: Caller
    """A director whose token may only read."""
    elsewhere: Caller
    """A director of another club."""
    unknown: Caller
    """A client whose token never existed."""


@pytest.fixture
def night() -> Night:
    tournament = tournament_with(8, writing="own")
    round_ = running_round(tournament)
    director = member(tournament.club, Role.DIRECTOR)
    match = round_.tables.get(number=1).match
    assert match is not None
    other_tournament = TournamentFactory.create()
    unknown = Caller()
    unknown.headers["Authorization"] = "Bearer tricky_x"
    return Night(
        at=f"/tournaments/{tournament.address}",
        match=f"/matches/{match.address}",
        club=f"/clubs/{tournament.club.slug}",
        director=Caller(director),
        scorer=Caller(member(tournament.club, Role.SCORER)),
        stranger=Caller(),
        reader=Caller(director, "read"),
        elsewhere=Caller(member(other_tournament.club, Role.DIRECTOR)),
        unknown=unknown,
    )


def entry(**changes: Any) -> dict[str, Any]:
    defaults = {"key": str(UUID(int=1)), "body": {"points": [20, 12, 5, 1]}}
    return phones.entry(**{**defaults, **changes})


class WrongCall(NamedTuple):
    call: str
    """Caller, method and path, with `at` for the tournament."""
    body: Any
    status: int
    kind: str
    field: str | None = None

    def request(self, night: Night) -> Any:
        name, method, path = self.call.split(" ")
        path = path.format(at=night.at, match=night.match, club=night.club)
        caller: Caller = getattr(night, name)
        return caller.request(method, path, self.body)


CHANGE, ENTER = "director PATCH {at}", "director POST {at}/entries"
SEND = "director POST {match}/entries"
MATCH_OF_ONE = {"key": str(UUID(int=2)), "game": "tricky", "players": ["A"]}
CASES = {
    "unknown field": WrongCall(CHANGE, {"colour": "red"}, 422, "invalid", "colour"),
    "unknown parameter": WrongCall(
        "director GET {at}/rounds?colour=red", None, 422, "invalid", "colour"
    ),
    "parameter twice": WrongCall(
        "director GET /clubs?limit=5&limit=6", None, 422, "invalid", "limit"
    ),
    "parameter out of range": WrongCall(
        "director GET /clubs?limit=0", None, 422, "invalid", "limit"
    ),
    "number in the address out of range": WrongCall(
        "director GET {at}/rounds/0", None, 422, "invalid", "number"
    ),
    "no body": WrongCall(ENTER, "", 422, "invalid", "body"),
    "not JSON": WrongCall(ENTER, "{", 400, "unreadable"),
    "body of ten megabytes": WrongCall(
        ENTER, {"names": ["x" * 10**7]}, 413, "too-large"
    ),
    "number in quotes": WrongCall(CHANGE, {"minutes": "30"}, 422, "invalid", "minutes"),
    "missing field": WrongCall(ENTER, {}, 422, "invalid", "names"),
    "null character": WrongCall(CHANGE, {"venue": "a\x00b"}, 422, "invalid", "venue"),
    "too large a number": WrongCall(
        CHANGE, {"minutes": 99_999}, 422, "invalid", "minutes"
    ),
    "too many tie-breaks": WrongCall(
        CHANGE, {"tie_breaks": ["wins"] * 9}, 422, "refused", "tie_breaks"
    ),
    "moment without zone": WrongCall(
        CHANGE, {"starts_at": "2026-03-12T19:30"}, 422, "invalid", "starts_at"
    ),
    "moment outside the calendar": WrongCall(
        CHANGE, {"starts_at": "9999-12-31T23:59:59-14:00"}, 422, "invalid", "starts_at"
    ),
    "impossible setting": WrongCall(
        CHANGE, {"table_size": 9}, 422, "refused", "table_size"
    ),
    "old version": WrongCall(CHANGE, {"venue": "the Lamb", "version": 0}, 409, "stale"),
    "foreign cursor": WrongCall(
        "director GET {at}/entries?cursor=abc", None, 400, "foreign-cursor"
    ),
    "no token": WrongCall("stranger POST {at}/finish", None, 401, "no-token"),
    "unknown token": WrongCall("unknown GET {at}", None, 401, "no-token"),
    "token for reading": WrongCall("reader POST {at}/finish", None, 403, "not-allowed"),
    "role too low": WrongCall("scorer POST {at}/finish", None, 403, "not-allowed"),
    "stranger to the table": WrongCall(
        "elsewhere POST {match}/entries", entry(), 403, "not-allowed"
    ),
    "unknown address": WrongCall(
        "director GET /tournaments/nowhere", None, 404, "not-there"
    ),
    "unknown operation": WrongCall("director GET /tables", None, 404, "not-there"),
    "other method": WrongCall("director DELETE /clubs", None, 405, "other-method"),
    "entry of unknown kind": WrongCall(
        SEND, entry(kind="erase"), 422, "invalid", "kind"
    ),
    "entry of another format": WrongCall(
        SEND, entry(version=2), 422, "invalid", "version"
    ),
    "impossible hand": WrongCall(
        SEND, entry(body={"points": [1, 2]}), 422, "refused", "points"
    ),
    "correction of no hand": WrongCall(
        SEND, entry(kind="replace", number=4), 422, "refused"
    ),
    "confirmation before the end": WrongCall(
        SEND,
        entry(kind="confirm", number=None, body={"seat": 0, "words": "a"}),
        422,
        "refused",
        "words",
    ),
    "round still open": WrongCall(
        "director POST {at}/rounds/1/close", {}, 422, "refused", "round"
    ),
    "day to come": WrongCall(
        "stranger GET {club}/leaderboards/all?as_of=2999-01-01",
        None,
        422,
        "refused",
        "as_of",
    ),
    "match of one": WrongCall("director POST /matches", MATCH_OF_ONE, 422, "refused"),
}


def stored_rows() -> list[Any]:
    """Return all rows that a wrong call must not change."""
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
def test_a_wrong_call_changes_nothing(night: Night, wrong: WrongCall) -> None:
    rows_before = stored_rows()
    response = wrong.request(night)
    assert response["Content-Type"] == CONTENT_TYPE
    problem = response.json()
    assert (response.status_code, problem["type"]) == (
        wrong.status,
        TYPE_PREFIX + wrong.kind,
    ), problem
    assert problem["status"] == wrong.status == KINDS[wrong.kind].status
    if wrong.field is not None:
        assert wrong.field in [fault["field"] for fault in problem["faults"]]
    assert "RateLimit-Remaining" in response.headers
    assert stored_rows() == rows_before


INVALID_SETTINGS = {
    "name": "",
    "starts_at": "soon",
    "rounds_planned": "x",
    "minutes": 99_999,
    "tie_breaks": "wins",
    "format": "poker",
}


def test_detail_names_three_faults_and_counts_the_rest(night: Night) -> None:
    response: Any = night.director.request("PATCH", night.at, INVALID_SETTINGS)
    detail, faults = response.json()["detail"], response.json()["faults"]
    assert len(faults) == len(INVALID_SETTINGS)
    descriptions = [
        f"{fault['field']}: {fault['message'].removesuffix('.')}" for fault in faults
    ]
    assert detail == f"{'; '.join(descriptions[:3])}. See “faults” for 3 more."


def test_faults_are_in_the_language_of_the_request(night: Night) -> None:
    settings = {**INVALID_SETTINGS, "venue": 3, "counts_late": 3, "fee": "x" * 501}
    response: Any = night.director.request(
        "PATCH", night.at, settings, **{"Accept-Language": "de"}
    )
    messages = {fault["field"]: fault["message"] for fault in response.json()["faults"]}
    assert messages["name"] == "Muss mindestens 1 Zeichen haben."
    assert messages["fee"] == "Darf höchstens 500 Zeichen haben."
    assert messages["minutes"] == "Darf höchstens 32767 sein."
    assert messages["venue"] == "Muss Text sein."
    assert not any(word in str(messages) for word in ("Input", "should", "expected"))


@pytest.mark.parametrize("ending", ["ended_at", "expires_at"])
def test_expired_token_is_refused(ending: str) -> None:
    caller = Caller(UserFactory.create())
    assert caller.request("GET", "/clubs").status_code == 200
    past = timezone.now() - timedelta(seconds=1)
    ApiToken.objects.update(**{ending: past})
    response = caller.request("GET", "/clubs")
    assert response.status_code == 401
    assert response["WWW-Authenticate"].startswith("Bearer")


def test_refused_hand_names_the_clause(night: Night) -> None:
    payload = entry(body={"points": [-1, 12, 5, 1]})
    response: Any = night.director.request("POST", night.match + "/entries", payload)
    clauses = [fault["clause"] for fault in response.json()["faults"]]
    assert clauses == ["tricky_bid.score"]


def test_draft_is_hidden_from_strangers() -> None:
    draft = tournament_with(4, listing="draft")
    base_path = f"/tournaments/{draft.address}"
    outsider = Caller(member(TournamentFactory.create().club, Role.DIRECTOR))
    for caller in (Caller(), outsider):
        assert caller.request("GET", base_path).status_code == 404
    for method, path, body in (
        ("PATCH", base_path, {"name": "Mine"}),
        ("POST", base_path + "/rounds", {}),
        ("POST", base_path + "/finish", None),
    ):
        assert outsider.request(method, path, body).status_code == 404
    assert (
        Caller(member(draft.club, Role.VIEWER)).request("GET", base_path).status_code
        == 200
    )


def test_refuses_calls_beyond_the_limit(settings: Any) -> None:
    settings.API_CALLS_A_MINUTE = {"token": 2, "network": 1}
    caller = Caller(UserFactory.create())
    remaining = [
        caller.request("GET", "/clubs")["RateLimit-Remaining"] for _call in range(2)
    ]
    refused = caller.request("GET", "/clubs")
    assert remaining == ["1", "0"]
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 60
    # Other callers have a limit of their own.
    assert Caller().request("GET", "/clubs").status_code == 200
    assert Caller().request("GET", "/clubs").status_code == 429


def test_ignores_cookies(client: Any) -> None:
    tournament = tournament_with(4)
    client.force_login(member(tournament.club, Role.DIRECTOR))
    base_path = f"/api/v1/tournaments/{tournament.address}"
    assert client.get(base_path + "/entries").status_code == 401
    assert client.post(base_path + "/finish").status_code == 401


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
def test_errors_are_problems(fault: str, status: int, kind: str) -> None:
    caller = Caller()
    caller.client.raise_request_exception = False
    response: Any = caller.request("GET", f"/fails/{fault}")
    assert (response.status_code, response.json()["type"]) == (
        status,
        TYPE_PREFIX + kind,
    )
    assert ("Retry-After" in response) == (status == 503)


def test_unsupported_method_lists_allowed_methods() -> None:
    allowed = Caller().request("DELETE", "/clubs")["Allow"]
    assert {*allowed.split(", ")} == {"GET", "POST"}
