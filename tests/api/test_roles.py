"""Every operation, sent by everybody who may not: roles come before bodies and parameters.

Bodies are valid, so that nothing but the role refuses them; the club's own director succeeds.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from tests.api.caller import Caller
from tests.api.test_problems import entry
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    member,
    play_round,
    running_round,
    tournament_with,
)
from tournaments.event import autopilot, rounds
from tournaments.event import draw as drawing
from tournaments.models import Club, Invitation, Membership, Role, Round, Tournament
from tricky_site.api.assembly import api

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

INVALID = {"colour": "red", "number": "seven"}
TOLD_NOTHING = {401, 403, 404}


class Operation(NamedTuple):
    method: str
    path: str
    has_body: bool


DESCRIBED = {
    operation["operationId"]: Operation(
        method.upper(), path.removeprefix("/api/v1"), "requestBody" in operation
    )
    for path, methods in api.get_openapi_schema()["paths"].items()
    for method, operation in methods.items()
}
OPERATIONS = {name: each for name, each in DESCRIBED.items() if each.method != "GET"}
"""Those that change something."""
READS = {
    **dict.fromkeys(
        ("claims", "entries", "entries_table", "entry", "merges", "players"),
        Role.VIEWER,
    ),
    **dict.fromkeys(("players_table", "steps"), Role.VIEWER),
    **dict.fromkeys(("club_archive", "deliveries", "helpers"), Role.DIRECTOR),
    **dict.fromkeys(("invitations", "penalties", "webhook"), Role.DIRECTOR),
    "webhooks": Role.DIRECTOR,
}
"""Operations that read what strangers may not, by the role that they need."""


class Scene:
    def __init__(self) -> None:
        self.club: Club = ClubFactory.create()
        self.user = member(self.club, Role.DIRECTOR)
        self.director = Caller(self.user)
        self.settings: dict[str, Any] = {}

    @cached_property
    def night(self) -> Tournament:
        settings = {"club": self.club, "writing": "own", **self.settings}
        return tournament_with(8, **settings)

    def post(self, path: str, body: Any = None) -> Any:
        """Return what the director's program is answered below the club."""
        return self.director.call("POST", f"/clubs/{self.club.slug}{path}", body)

    def post_night(self, path: str, body: Any = None) -> Any:
        """Return what the director's program is answered below the tournament."""
        at = f"/tournaments/{self.night.address}{path}"
        return self.director.call("POST", at, body)

    def player(self, number: int = 1) -> int:
        found: int = self.night.entries.get(number=number).player_id
        return found

    def claim(self) -> int:
        made: int = self.post(f"/players/{self.player()}/claim")["id"]
        return made

    def season(self) -> str:
        self.post("/seasons", SEASON)
        return self.club.seasons.get().slug

    def webhook(self) -> int:
        made: int = self.post("/webhooks", WEBHOOK)["id"]
        return made

    def delivery(self) -> dict[str, Any]:
        key = self.webhook()
        self.post(f"/webhooks/{key}/test")
        delivery = self.club.webhooks.get().deliveries.get().pk
        return {"key": key, "delivery": delivery}

    def merge(self) -> int:
        made: int = self.post("/merges", self.pair)["id"]
        return made

    @property
    def pair(self) -> dict[str, int]:
        """Two players who never sat at one table."""
        other = tournament_with(["Anne", "Di", "Ed"], club=self.club)
        return {
            "kept": self.player(),
            "merged": other.entries.get(number=1).player_id,
        }

    def invitation(self) -> Invitation:
        email = UserFactory.build().email
        self.post("/invitations", {"email": email, "role": "viewer"})
        return Invitation.objects.get(email=email)

    def helper(self) -> int:
        user = member(self.club, Role.VIEWER)
        return Membership.objects.get(user=user).pk

    def step(self) -> int:
        now = timezone.now()
        self.settings = {
            "autopilot": "run",
            "starts_at": now,
            "rounds_planned": 1,
            "minutes": 30,
        }
        autopilot.run(tournament_id=self.night.pk, now=now)
        return self.night.auto_steps.get().pk

    def drawn(self) -> Round:
        drawing.draw(tournament_id=self.night.pk)
        return self.night.rounds.get(number=1)

    def running(self) -> Round:
        return running_round(self.night)

    def played(self) -> Round:
        played = self.running()
        play_round(played)
        return played

    def closed(self) -> Round:
        played = self.played()
        rounds.close(round_id=played.pk, now=timezone.now())
        return played

    def match(self) -> dict[str, Any]:
        match = self.running().tables.get(number=1).match
        assert match is not None
        return {"address": match.address}


SEASON = {"name": "Spring", "starts_on": "2026-01-01", "ends_on": "2026-06-30"}
WEBHOOK = {"url": "https://1.1.1.1/hook", "events": ["round.seated"]}

Call = tuple[Mapping[str, Any], Any]
"""Parts of the address, and the body."""


def after(
    happened: Callable[[Scene], object], body: Any = None, **parts: Any
) -> Callable[[Scene], Call]:
    """Return a call that is possible once something has happened."""

    def call(scene: Scene) -> Call:
        happened(scene)
        return parts, body

    return call


def taken_back(scene: Scene) -> None:
    rounds.withdraw_rounds(round_id=scene.drawn().pk)


def finished(scene: Scene) -> None:
    scene.closed()
    rounds.finish(tournament_id=scene.night.pk, now=timezone.now())


def invited(scene: Scene) -> dict[str, Any]:
    """Let somebody without a role stand for the director, who needs no invitation."""
    address = scene.invitation().address
    scene.director = Caller(UserFactory.create())
    return {"address": address}


def league(scene: Scene) -> dict[str, Any]:
    scene.settings = {"format": "league"}
    return {}


def tables_choose(scene: Scene) -> None:
    scene.settings = {"game_choice": "table", "games": ["tricky_bid", "tricky"]}
    scene.running()


def nothing(scene: Scene) -> None:
    pass


def keyed(
    key: Callable[[Scene], Any], body: Any = None, name: str = "key"
) -> Callable[[Scene], Call]:
    return lambda scene: ({name: key(scene)}, body)


PENALTY = {"entry": 1, "points": "1", "reason": "late"}
CALLS: Mapping[str, Callable[[Scene], Call]] = {
    "club_new": after(nothing, {"name": "Another"}),
    "club_change": after(nothing, {"name": "Another"}),
    "club_delete": after(nothing),
    "claim_settle": keyed(Scene.claim, {"holds": True}),
    "claim_withdraw": keyed(Scene.claim),
    "helper_remove": keyed(Scene.helper),
    "invite": after(nothing, {"email": "ada@example.org", "role": "viewer"}),
    "invitation_withdraw": keyed(lambda scene: scene.invitation().pk),
    "invitation_accept": lambda scene: (invited(scene), None),
    "player_merge": lambda scene: ({}, scene.pair),
    "player_unmerge": keyed(Scene.merge),
    "player_change": keyed(Scene.player, {"name": "Adele"}, "number"),
    "player_claim": keyed(Scene.player, None, "number"),
    "season_new": after(nothing, SEASON),
    "season_remove": keyed(Scene.season, None, "season"),
    "season_change": keyed(Scene.season, {"name": "Autumn"}, "season"),
    "season_close": keyed(Scene.season, None, "season"),
    "season_reopen": lambda scene: ({"season": closed_season(scene)}, None),
    "tournament_new": after(nothing, {"name": "Friday", "game": "tricky"}),
    "webhook_new": after(nothing, WEBHOOK),
    "webhook_remove": keyed(Scene.webhook),
    "webhook_change": keyed(Scene.webhook, {"style": "slack"}),
    "webhook_test": keyed(Scene.webhook),
    "delivery_again": lambda scene: (scene.delivery(), None),
    "match_new": lambda scene: (
        {},
        {"key": str(uuid4()), "game": "tricky", "players": ["Ann", "Bo", "Cy"]},
    ),
    "entry_new": lambda scene: (scene.match(), entry()),
    "tournament_delete": lambda scene: (
        {"address": tournament_with(0, club=scene.club).address},
        None,
    ),
    "tournament_change": after(nothing, {"venue": "the Lamb"}),
    "announce": after(nothing, {"text": "Soup is ready."}),
    "announcement_withdraw": keyed(
        lambda scene: scene.post_night("/announcements", {"text": "Soup."})["id"]
    ),
    "keep_apart": after(nothing, {"entry": 1, "other": 2}),
    "count": after(nothing),
    "entries_new": after(nothing, {"names": ["Zoe"]}),
    "entry_remove": after(nothing),
    "entry_change": after(nothing, {"state": "dropped"}),
    "entry_substitute": after(nothing, {"name": "Zoe"}),
    "cut": after(Scene.closed, {"size": 4}),
    "finish": after(Scene.closed),
    "lots": after(nothing),
    "league_match": lambda scene: (
        league(scene),
        {"key": str(uuid4()), "game": "tricky_bid", "entries": [2, 1, 3]},
    ),
    "penalise": after(nothing, PENALTY),
    "penalty_cancel": keyed(
        lambda scene: scene.post_night("/penalties", PENALTY)["id"]
    ),
    "put_back": after(taken_back),
    "registration": after(nothing, {"is_open": False}),
    "register_self": after(nothing, {"name": "Zoe"}),
    "reopen": after(finished),
    "draw": after(nothing, {"seed": 3}),
    "round_cancel": after(Scene.drawn),
    "round_clock": after(Scene.running, {"verb": "longer"}),
    "round_close": after(Scene.played, {}),
    "round_game": after(Scene.drawn, {"game": "tricky"}),
    "round_publish": after(Scene.drawn),
    "round_reopen": after(Scene.closed),
    "round_start": after(lambda scene: rounds.publish(round_id=scene.drawn().pk)),
    "round_swap": after(Scene.drawn, {"entry": 1, "other": 2}),
    "table_act": after(Scene.running, verb="more_time"),
    "table_choose": after(tables_choose, {"game": "tricky"}),
    "table_say": after(Scene.running, verb="call"),
    "table_seats": lambda scene: ({}, seats_of(scene.running())),
    "screen": after(nothing, {"screen": "clock", "standings_shown": "live"}),
    "step_act": lambda scene: ({"key": scene.step(), "verb": "hold"}, None),
}


def closed_season(scene: Scene) -> str:
    season = scene.season()
    scene.post(f"/seasons/{season}/close")
    return season


def seats_of(round_: Round) -> dict[str, Any]:
    """Return who sits at the first table, the first two the other way round."""
    first, second, *others = [
        place.entry.number
        for place in round_.tables.get(number=1).places.order_by("index")
    ]
    return {"key": str(uuid4()), "entries": [second, first, *others]}


def anonymous(scene: Scene) -> Caller:
    return Caller()


def viewer(scene: Scene) -> Caller:
    return Caller(member(scene.club, Role.VIEWER))


def scorer(scene: Scene) -> Caller:
    return Caller(member(scene.club, Role.SCORER))


def foreign_director(scene: Scene) -> Caller:
    return Caller(member(ClubFactory.create(), Role.DIRECTOR))


def removed_director(scene: Scene) -> Caller:
    user = member(scene.club, Role.DIRECTOR)
    caller = Caller(user)
    Membership.objects.get(user=user).delete()
    return caller


def token_of_another_club(scene: Scene) -> Caller:
    other = ClubFactory.create()
    Membership.objects.create(club=other, user=scene.user, role=Role.DIRECTOR)
    return Caller(scene.user, club=other)


ACCOUNTS = {
    "club_new",
    "match_new",
    "invitation_accept",
    "player_claim",
    "register_self",
}
"""Operations of any account."""
SCORERS = {
    "announce",
    "announcement_withdraw",
    "count",
    "entries_new",
    "entry_change",
    "entry_new",
    "entry_remove",
    "entry_substitute",
    "keep_apart",
    "league_match",
    "registration",
    "table_act",
    "table_choose",
    "table_say",
    "table_seats",
}
"""Operations of whoever helps to direct."""
ALLOWED: Mapping[Callable[[Scene], Caller], set[str]] = {
    anonymous: set(),
    viewer: {*ACCOUNTS, "league_match"},
    scorer: ACCOUNTS | SCORERS,
    foreign_director: ACCOUNTS,
    removed_director: ACCOUNTS,
    token_of_another_club: {"match_new"},
}
"""What each caller may do."""


def test_every_operation_is_called() -> None:
    assert CALLS.keys() == OPERATIONS.keys()


@pytest.mark.parametrize("name", OPERATIONS)
def test_asks_for_the_role_before_the_body(name: str, settings_unlimited: None) -> None:
    method, template, has_body = OPERATIONS[name]
    scene = Scene()
    parts, body = CALLS[name](scene)
    assert has_body == (body is not None)
    path = template.format_map(Parts(scene, parts))

    def status(caller: Caller, sent: Any) -> int:
        with transaction.atomic():
            answer = caller.request(method, path, sent)
            # The next one finds all as it was.
            transaction.set_rollback(True)
        return answer.status_code

    for make in (make for make, allowed in ALLOWED.items() if name not in allowed):
        caller = make(scene)
        answered = status(caller, body)
        assert answered in TOLD_NOTHING, make.__name__
        if has_body:
            assert status(caller, INVALID) == answered, make.__name__
    if has_body:
        assert status(scene.director, INVALID) == 422
    answer = scene.director.request(method, path, body)
    assert answer.status_code in {200, 201, 204}, answer.content


class Parts(dict[str, Any]):
    """Values for an address: those of the call, else of the scene."""

    def __init__(self, scene: Scene, parts: Mapping[str, Any]) -> None:
        super().__init__(parts)
        self.scene = scene

    def __missing__(self, name: str) -> Any:
        if name == "slug":
            return self.scene.club.slug
        return self.scene.night.address if name == "address" else 1


KEYED = [
    name
    for name, operation in OPERATIONS.items()
    if any(
        part in operation.path for part in ("{key}", "{season}", "/players/{number}")
    )
]


@pytest.mark.parametrize("name", KEYED)
def test_object_of_another_club_is_not_found(name: str) -> None:
    method, template, _has_body = OPERATIONS[name]
    scene, other = Scene(), Scene()
    parts, body = CALLS[name](scene)
    Membership.objects.create(club=scene.club, user=other.user, role=Role.DIRECTOR)
    path = template.format_map(Parts(other, parts))
    assert other.director.request(method, path, body).status_code == 404


@pytest.mark.parametrize(("name", "needed"), READS.items())
def test_asks_for_the_role_before_it_reads(name: str, needed: Role) -> None:
    scene = Scene()
    key = scene.webhook() if "{key}" in DESCRIBED[name].path else None
    parts = Parts(scene, {"key": key, "ending": "csv"})
    path = DESCRIBED[name].path.format_map(parts)

    def status(caller: Caller, query: str = "") -> int:
        return caller.request("GET", path + query).status_code

    for query in ("", "?limit=none"):
        assert status(anonymous(scene), query) == 401
        assert status(foreign_director(scene), query) == 403
        assert status(token_of_another_club(scene), query) == 403
        if needed == Role.DIRECTOR:
            assert status(scorer(scene), query) == 403
    assert status(Caller(member(scene.club, needed), "read")) == 200
    assert status(scene.director, "?limit=none") == 422
