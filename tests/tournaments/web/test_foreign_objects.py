"""Addresses of one club with objects of another: there is nothing, and nothing changes."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.db import transaction
from django.db.models import Model
from django.test import Client
from django.urls import get_resolver, reverse

from tests.api.test_roles import Scene
from tests.factories.circuits import new_circuit
from tests.factories.matches import NOW
from tests.factories.tournaments import ClubFactory
from tests.tournaments.web.account.test_signed_in import known_again
from tests.tournaments.web.test_roles import VERBS, patterns_of_tournaments
from tournaments.circuits.founding import invite_club
from tournaments.models import (
    ApiOrigin,
    Arrival,
    Circuit,
    Import,
    SecurityEvent,
    Upload,
)

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

Made = Callable[[Scene], Any]


def circuit(scene: Scene) -> Circuit:
    slug = f"circuit-{scene.club.pk}"
    return Circuit.objects.filter(slug=slug).first() or new_circuit(
        scene.club, slug=slug
    )


def invited_club(scene: Scene) -> int:
    part = invite_club(
        circuit_id=circuit(scene).pk, club=ClubFactory.create(), user=None, now=NOW
    )
    return part.pk


def club_invited(scene: Scene) -> int:
    part = invite_club(
        circuit_id=new_circuit(slug=f"far-{scene.club.pk}").pk,
        club=scene.club,
        user=None,
        now=NOW,
    )
    return part.pk


def same_person(scene: Scene) -> int:
    pair = {"kept_id": scene.player(1), "merged_id": scene.player(2)}
    return circuit(scene).same_people.create(**pair, made_at=NOW).pk


def made(model: type[Model], owner: str, named: str = "pk", **fields: Any) -> Made:
    """Return what makes a row of the scene's club or user; callable fields are made anew."""

    def make(scene: Scene) -> Any:
        values = {
            name: value() if callable(value) else value
            for name, value in fields.items()
        }
        values[owner] = getattr(scene, owner)
        return getattr(model._default_manager.create(**values), named)

    return make


def season(scene: Scene) -> str:
    """Return a season's address that no other club has."""
    sent = {"name": f"Season {scene.club.pk}", "starts_on": "2026-01-01"}
    scene.post("/seasons", {**sent, "ends_on": "2026-06-30"})
    return scene.club.seasons.get().slug


LIST: dict[str, Any] = {
    "key": uuid4,
    "name": "list",
    "game": "tricky",
    "cells": [],
    "made_at": NOW,
}
OBJECTS: Mapping[str, Made] = {
    "club_import_status": made(
        Arrival, "user", "key", key=uuid4, name="a club", content=b"", made_at=NOW
    ),
    "club_circuit_action": club_invited,
    "origin_remove": made(ApiOrigin, "club", origin="https://example.org", made_at=NOW),
    "webhook": Scene.webhook,
    "webhook_action": Scene.webhook,
    "invitation_withdraw": lambda scene: scene.invitation().pk,
    "person_remove": Scene.helper,
    "player": Scene.player,
    "played": Scene.player,
    "player_merge": Scene.player,
    "player_unmerge": Scene.merge,
    "claim_withdraw": Scene.claim,
    "claim_settle": Scene.claim,
    "upload": made(Upload, "club", "key", content=b"", **LIST),
    "import_action": made(Import, "club", **LIST),
    "sign_in_end": made(
        UserSession, "user", session_key=lambda: uuid4().hex, ip="127.0.0.1"
    ),
    "token_end": lambda scene: scene.director.token.pk,
    "circuit_invitation_withdraw": invited_club,
    "circuit_split": same_person,
    "announcement_withdraw": lambda scene: scene.post_night(
        "/announcements", {"text": "Soup."}
    )["id"],
    "auto_step_action": Scene.step,
    "penalty_cancel": lambda scene: scene.post_night(
        "/penalties", {"entry": 1, "points": "1", "reason": "late"}
    )["id"],
}
"""By the name of an address, or how it begins."""
PARTS = {"pk", "key", "merged", "season"}
"""Parts of an address that name something of one club or account."""
OF_RESULTS = ("ranks_picture", "player_picture")
"""Drawn once something was played."""
FORMS = {"player_visibility": {"show": "1"}, "player_erase": {"name": "Ada"}}


def parts_of(name: str) -> list[str]:
    """Return the parts of an address."""
    possible = get_resolver().namespace_dict["tournaments"][1].reverse_dict
    parts: list[str] = possible.getlist(name)[0][0][0][1]
    return parts


NAMES = [name for name in patterns_of_tournaments() if PARTS & set(parts_of(name))]


def object_of(name: str, scene: Scene) -> Any:
    """Return what the address names of a club or its director."""
    if "season" in parts_of(name):
        opened = season(scene)
        if name == "certificates":
            scene.post(f"/seasons/{opened}/close")
        return opened
    begins = [known for known in OBJECTS if name.startswith(known)]
    return OBJECTS[max(begins, key=len)](scene)


def url_of(name: str, scene: Scene, named: Any) -> str:
    values = {
        **dict.fromkeys(PARTS, named),
        "slug": scene.club.slug,
        "kept": scene.player(2) if "kept" in parts_of(name) else 0,
        "ending": "csv",
        **VERBS.get(name, {}),
    }
    if "address" in parts_of(name):
        values["address"] = scene.night.address
    if "circuit" in parts_of(name):
        values["circuit"] = circuit(scene).slug
    kwargs = {part: values[part] for part in parts_of(name)}
    return reverse(f"tournaments:{name}", kwargs=kwargs)


def rows() -> list[list[dict[str, Any]]]:
    """Return all that a club has, and nothing that a visit leaves."""
    models = apps.get_app_config("tournaments").get_models()
    return [
        list(model._default_manager.order_by("pk").values())
        for model in models
        if model is not SecurityEvent
    ]


def signed_in(scene: Scene) -> Client:
    """Return the browser of the director, freshly authenticated."""
    return known_again(Client(), scene.user)


def answers(scene: Scene, url: str, form: Mapping[str, str]) -> set[int]:
    """Return how the director is answered to both methods."""
    client = signed_in(scene)
    statuses = {client.get(url).status_code}
    with transaction.atomic():
        statuses.add(client.post(url, form).status_code)
        transaction.set_rollback(True)
    return statuses


@pytest.mark.parametrize("name", NAMES)
def test_objects_of_another_club_are_not_found(name: str) -> None:
    own, other = Scene(), Scene()
    mine, foreign = object_of(name, own), object_of(name, other)
    form = FORMS.get(name, {})
    url = url_of(name, own, foreign)
    client = signed_in(own)
    before = rows()
    statuses = {client.get(url).status_code, client.post(url, form).status_code}
    assert 404 in statuses
    assert statuses <= {404, 405}
    assert rows() == before
    if name not in OF_RESULTS:
        assert answers(own, url_of(name, own, mine), form) & {200, 204, 302}
