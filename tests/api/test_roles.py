"""Every operation, called without permission: roles are checked before bodies and parameters.

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
REFUSED_STATUSES = {401, 403, 404}


class Operation(NamedTuple):
    method: str
    path: str
    has_body: bool


ALL_OPERATIONS = {
    operation["operationId"]: Operation(
        method.upper(), path.removeprefix("/api/v1"), "requestBody" in operation
    )
    for path, methods in api.get_openapi_schema()["paths"].items()
    for method, operation in methods.items()
}
OPERATIONS = {
    name: each for name, each in ALL_OPERATIONS.items() if each.method != "GET"
}
"""Operations that change something."""
RESTRICTED_READS = {
    **dict.fromkeys(
        ("claims", "entries", "entries_table", "entry", "merges", "players"),
        Role.VIEWER,
    ),
    **dict.fromkeys(("players_table", "steps"), Role.VIEWER),
    **dict.fromkeys(("club_archive", "deliveries", "helpers"), Role.DIRECTOR),
    **dict.fromkeys(("invitations", "penalties", "webhook"), Role.DIRECTOR),
    "webhooks": Role.DIRECTOR,
}
"""Read operations that are not public, by the role that they need."""


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
        """Post to a path of the club as its director, and return the response."""
        return self.director.call("POST", f"/clubs/{self.club.slug}{path}", body)

    def post_night(self, path: str, body: Any = None) -> Any:
        """Post to a path of the tournament as its director, and return the response."""
        full_path = f"/tournaments/{self.night.address}{path}"
        return self.director.call("POST", full_path, body)

    def player(self, number: int = 1) -> int:
        player_id: int = self.night.entries.get(number=number).player_id
        return player_id

    def claim(self) -> int:
        claim_id: int = self.post(f"/players/{self.player()}/claim")["id"]
        return claim_id

    def season(self) -> str:
        self.post("/seasons", SEASON)
        return self.club.seasons.get().slug

    def webhook(self) -> int:
        webhook_id: int = self.post("/webhooks", WEBHOOK)["id"]
        return webhook_id

    def delivery(self) -> dict[str, Any]:
        key = self.webhook()
        self.post(f"/webhooks/{key}/test")
        delivery = self.club.webhooks.get().deliveries.get().pk
        return {"key": key, "delivery": delivery}

    def merge(self) -> int:
        merge_id: int = self.post("/merges", self.pair)["id"]
        return merge_id

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
        autopilot.run_autopilot(tournament_id=self.night.pk, now=now)
        return self.night.auto_steps.get().pk

    def draw_round(self) -> Round:
        drawing.draw(tournament_id=self.night.pk)
        return self.night.rounds.get(number=1)

    def start_round(self) -> Round:
        return running_round(self.night)

    def play_round(self) -> Round:
        round_ = self.start_round()
        play_round(round_)
        return round_

    def close_round(self) -> Round:
        round_ = self.play_round()
        rounds.close(round_id=round_.pk, now=timezone.now())
        return round_

    def match(self) -> dict[str, Any]:
        match = self.start_round().tables.get(number=1).match
        assert match is not None
        return {"address": match.address}


SEASON = {"name": "Spring", "starts_on": "2026-01-01", "ends_on": "2026-06-30"}
WEBHOOK = {"url": "https://1.1.1.1/hook", "events": ["round.seated"]}

Call = tuple[Mapping[str, Any], Any]
"""Path parameters and body."""


def call_after(
    prepare: Callable[[Scene], object], body: Any = None, **parts: Any
) -> Callable[[Scene], Call]:
    """Return a function that prepares the scene and returns a call."""

    def call(scene: Scene) -> Call:
        prepare(scene)
        return parts, body

    return call


def withdraw_drawn_round(scene: Scene) -> None:
    rounds.withdraw_rounds(round_id=scene.draw_round().pk)


def finish_tournament(scene: Scene) -> None:
    scene.close_round()
    rounds.finish(tournament_id=scene.night.pk, now=timezone.now())


def act_as_invited(scene: Scene) -> dict[str, Any]:
    """Replace the director with an account without a role, as a director needs no invitation."""
    address = scene.invitation().address
    scene.director = Caller(UserFactory.create())
    return {"address": address}


def set_up_league(scene: Scene) -> dict[str, Any]:
    scene.settings = {"format": "league"}
    return {}


def let_tables_choose(scene: Scene) -> None:
    scene.settings = {"game_choice": "table", "games": ["tricky_bid", "tricky"]}
    scene.start_round()


def do_nothing(scene: Scene) -> None:
    pass


def call_with_key(
    key: Callable[[Scene], Any], body: Any = None, name: str = "key"
) -> Callable[[Scene], Call]:
    return lambda scene: ({name: key(scene)}, body)


PENALTY = {"entry": 1, "points": "1", "reason": "late"}
CALLS: Mapping[str, Callable[[Scene], Call]] = {
    "club_new": call_after(do_nothing, {"name": "Another"}),
    "club_change": call_after(do_nothing, {"name": "Another"}),
    "club_delete": call_after(do_nothing),
    "claim_settle": call_with_key(Scene.claim, {"holds": True}),
    "claim_withdraw": call_with_key(Scene.claim),
    "helper_remove": call_with_key(Scene.helper),
    "invite": call_after(do_nothing, {"email": "ada@example.org", "role": "viewer"}),
    "invitation_withdraw": call_with_key(lambda scene: scene.invitation().pk),
    "invitation_accept": lambda scene: (act_as_invited(scene), None),
    "player_merge": lambda scene: ({}, scene.pair),
    "player_unmerge": call_with_key(Scene.merge),
    "player_change": call_with_key(Scene.player, {"name": "Adele"}, "number"),
    "player_claim": call_with_key(Scene.player, None, "number"),
    "season_new": call_after(do_nothing, SEASON),
    "season_remove": call_with_key(Scene.season, None, "season"),
    "season_change": call_with_key(Scene.season, {"name": "Autumn"}, "season"),
    "season_close": call_with_key(Scene.season, None, "season"),
    "season_reopen": lambda scene: ({"season": close_season(scene)}, None),
    "tournament_new": call_after(do_nothing, {"name": "Friday", "game": "tricky"}),
    "webhook_new": call_after(do_nothing, WEBHOOK),
    "webhook_remove": call_with_key(Scene.webhook),
    "webhook_change": call_with_key(Scene.webhook, {"style": "slack"}),
    "webhook_test": call_with_key(Scene.webhook),
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
    "tournament_change": call_after(do_nothing, {"venue": "the Lamb"}),
    "announce": call_after(do_nothing, {"text": "Soup is ready."}),
    "announcement_withdraw": call_with_key(
        lambda scene: scene.post_night("/announcements", {"text": "Soup."})["id"]
    ),
    "keep_apart": call_after(do_nothing, {"entry": 1, "other": 2}),
    "count": call_after(do_nothing),
    "entries_new": call_after(do_nothing, {"names": ["Zoe"]}),
    "entry_remove": call_after(do_nothing),
    "entry_change": call_after(do_nothing, {"state": "dropped"}),
    "entry_substitute": call_after(do_nothing, {"name": "Zoe"}),
    "cut": call_after(Scene.close_round, {"size": 4}),
    "finish": call_after(Scene.close_round),
    "lots": call_after(do_nothing),
    "seeds": call_after(do_nothing, {"entries": [2, 1]}),
    "league_match": lambda scene: (
        set_up_league(scene),
        {"key": str(uuid4()), "game": "tricky_bid", "entries": [2, 1, 3]},
    ),
    "penalise": call_after(do_nothing, PENALTY),
    "penalty_cancel": call_with_key(
        lambda scene: scene.post_night("/penalties", PENALTY)["id"]
    ),
    "put_back": call_after(withdraw_drawn_round),
    "registration": call_after(do_nothing, {"is_open": False}),
    "register_self": call_after(do_nothing, {"name": "Zoe"}),
    "reopen": call_after(finish_tournament),
    "draw": call_after(do_nothing, {"seed": 3}),
    "round_cancel": call_after(Scene.draw_round),
    "round_clock": call_after(Scene.start_round, {"verb": "longer"}),
    "round_close": call_after(Scene.play_round, {}),
    "round_game": call_after(Scene.draw_round, {"game": "tricky"}),
    "round_publish": call_after(Scene.draw_round),
    "round_reopen": call_after(Scene.close_round),
    "round_start": call_after(
        lambda scene: rounds.publish(round_id=scene.draw_round().pk)
    ),
    "round_swap": call_after(Scene.draw_round, {"entry": 1, "other": 2}),
    "table_act": call_after(Scene.start_round, verb="more_time"),
    "table_choose": call_after(let_tables_choose, {"game": "tricky"}),
    "table_say": call_after(Scene.start_round, {"reason": ""}, verb="call"),
    "table_seats": lambda scene: ({}, swapped_seats(scene.start_round())),
    "screen": call_after(do_nothing, {"screen": "clock", "standings_shown": "live"}),
    "step_act": lambda scene: ({"key": scene.step(), "verb": "hold"}, None),
}


def close_season(scene: Scene) -> str:
    season = scene.season()
    scene.post(f"/seasons/{season}/close")
    return season


def swapped_seats(round_: Round) -> dict[str, Any]:
    """Return the seats of the first table, with the first two swapped."""
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


ACCOUNT_OPERATIONS = {
    "club_new",
    "match_new",
    "invitation_accept",
    "player_claim",
    "register_self",
}
"""Operations that any account may call."""
SCORER_OPERATIONS = {
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
"""Operations that scorers may call."""
ALLOWED_OPERATIONS: Mapping[Callable[[Scene], Caller], set[str]] = {
    anonymous: set(),
    viewer: {*ACCOUNT_OPERATIONS, "league_match"},
    scorer: ACCOUNT_OPERATIONS | SCORER_OPERATIONS,
    foreign_director: ACCOUNT_OPERATIONS,
    removed_director: ACCOUNT_OPERATIONS,
    token_of_another_club: {"match_new"},
}
"""The operations that each caller may call."""


def test_every_operation_is_called() -> None:
    assert CALLS.keys() == OPERATIONS.keys()


@pytest.mark.parametrize("name", OPERATIONS)
def test_asks_for_the_role_before_the_body(name: str, settings_unlimited: None) -> None:
    method, template, has_body = OPERATIONS[name]
    scene = Scene()
    parts, body = CALLS[name](scene)
    assert has_body == (body is not None)
    path = template.format_map(PathParameters(scene, parts))

    def status(caller: Caller, payload: Any) -> int:
        with transaction.atomic():
            response = caller.request(method, path, payload)
            # Undo all changes for the next caller.
            transaction.set_rollback(True)
        return response.status_code

    for make_caller in (
        make_caller
        for make_caller, allowed_names in ALLOWED_OPERATIONS.items()
        if name not in allowed_names
    ):
        caller = make_caller(scene)
        refused_status = status(caller, body)
        assert refused_status in REFUSED_STATUSES, make_caller.__name__
        if has_body:
            assert status(caller, INVALID) == refused_status, make_caller.__name__
    if has_body:
        assert status(scene.director, INVALID) == 422
    response = scene.director.request(method, path, body)
    assert response.status_code in {200, 201, 204}, response.content


class PathParameters(dict[str, Any]):
    """Path parameters: those of the call, or else of the scene."""

    def __init__(self, scene: Scene, parts: Mapping[str, Any]) -> None:
        super().__init__(parts)
        self.scene = scene

    def __missing__(self, name: str) -> Any:
        if name == "slug":
            return self.scene.club.slug
        return self.scene.night.address if name == "address" else 1


OPERATIONS_ON_OBJECTS = [
    name
    for name, operation in OPERATIONS.items()
    if any(
        part in operation.path for part in ("{key}", "{season}", "/players/{number}")
    )
]


@pytest.mark.parametrize("name", OPERATIONS_ON_OBJECTS)
def test_object_of_another_club_is_not_found(name: str) -> None:
    method, template, _has_body = OPERATIONS[name]
    scene, other = Scene(), Scene()
    parts, body = CALLS[name](scene)
    Membership.objects.create(club=scene.club, user=other.user, role=Role.DIRECTOR)
    path = template.format_map(PathParameters(other, parts))
    assert other.director.request(method, path, body).status_code == 404


@pytest.mark.parametrize(("name", "needed"), RESTRICTED_READS.items())
def test_asks_for_the_role_before_it_reads(name: str, needed: Role) -> None:
    scene = Scene()
    key = scene.webhook() if "{key}" in ALL_OPERATIONS[name].path else None
    parts = PathParameters(scene, {"key": key, "ending": "csv"})
    path = ALL_OPERATIONS[name].path.format_map(parts)

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
