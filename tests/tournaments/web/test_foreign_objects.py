"""A URL of one club with an object of another club returns 404 and changes nothing."""

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
from tests.tournaments.web.account.test_signed_in import reauthenticate
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

Factory = Callable[[Scene], Any]


def circuit(scene: Scene) -> Circuit:
    slug = f"circuit-{scene.club.pk}"
    return Circuit.objects.filter(slug=slug).first() or new_circuit(
        scene.club, slug=slug
    )


def outgoing_invitation(scene: Scene) -> int:
    invitation = invite_club(
        circuit_id=circuit(scene).pk, club=ClubFactory.create(), user=None, now=NOW
    )
    return invitation.pk


def incoming_invitation(scene: Scene) -> int:
    invitation = invite_club(
        circuit_id=new_circuit(slug=f"far-{scene.club.pk}").pk,
        club=scene.club,
        user=None,
        now=NOW,
    )
    return invitation.pk


def same_person(scene: Scene) -> int:
    pair = {"kept_id": scene.player(1), "merged_id": scene.player(2)}
    return circuit(scene).same_people.create(**pair, made_at=NOW).pk


def row_factory(
    model: type[Model], owner: str, key_field: str = "pk", **fields: Any
) -> Factory:
    """Return a factory of rows of the scene's club or user; callable fields are called for each row."""

    def make(scene: Scene) -> Any:
        values = {
            name: value() if callable(value) else value
            for name, value in fields.items()
        }
        values[owner] = getattr(scene, owner)
        return getattr(model._default_manager.create(**values), key_field)

    return make


def season(scene: Scene) -> str:
    """Return the slug of a new season; no other club has this slug."""
    fields = {"name": f"Season {scene.club.pk}", "starts_on": "2026-01-01"}
    scene.post("/seasons", {**fields, "ends_on": "2026-06-30"})
    return scene.club.seasons.get().slug


IMPORT_FIELDS: dict[str, Any] = {
    "key": uuid4,
    "name": "list",
    "game": "tricky",
    "cells": [],
    "made_at": NOW,
}
OBJECTS: Mapping[str, Factory] = {
    "club_import_status": row_factory(
        Arrival, "user", "key", key=uuid4, name="a club", content=b"", made_at=NOW
    ),
    "club_circuit_action": incoming_invitation,
    "origin_remove": row_factory(
        ApiOrigin, "club", origin="https://example.org", made_at=NOW
    ),
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
    "upload": row_factory(Upload, "club", "key", content=b"", **IMPORT_FIELDS),
    "import_action": row_factory(Import, "club", **IMPORT_FIELDS),
    "sign_in_end": row_factory(
        UserSession, "user", session_key=lambda: uuid4().hex, ip="127.0.0.1"
    ),
    "token_end": lambda scene: scene.director.token.pk,
    "circuit_invitation_withdraw": outgoing_invitation,
    "circuit_split": same_person,
    "announcement_withdraw": lambda scene: scene.post_night(
        "/announcements", {"text": "Soup."}
    )["id"],
    "auto_step_action": Scene.step,
    "penalty_cancel": lambda scene: scene.post_night(
        "/penalties", {"entry": 1, "points": "1", "reason": "late"}
    )["id"],
}
"""Object factories by URL name or its prefix."""
PARTS = {"pk", "key", "merged", "season"}
"""URL parameters that identify an object of one club or account."""
RESULT_PICTURES = ("ranks_picture", "player_picture")
"""Pictures that exist only once something was played."""
FORMS = {"player_visibility": {"show": "1"}, "player_erase": {"name": "Ada"}}


def parts_of(name: str) -> list[str]:
    """Return the parameters of a URL."""
    patterns = get_resolver().namespace_dict["tournaments"][1].reverse_dict
    parts: list[str] = patterns.getlist(name)[0][0][0][1]
    return parts


NAMES = [name for name in patterns_of_tournaments() if PARTS & set(parts_of(name))]


def object_of(name: str, scene: Scene) -> Any:
    """Return the key of the object that the URL identifies, for a scene."""
    if "season" in parts_of(name):
        slug = season(scene)
        if name == "certificates":
            scene.post(f"/seasons/{slug}/close")
        return slug
    prefixes = [prefix for prefix in OBJECTS if name.startswith(prefix)]
    return OBJECTS[max(prefixes, key=len)](scene)


def url_of(name: str, scene: Scene, object_key: Any) -> str:
    values = {
        **dict.fromkeys(PARTS, object_key),
        "slug": scene.club.slug,
        "kept": scene.player(2) if "kept" in parts_of(name) else 0,
        "ending": "csv",
        **VERBS.get(name, {}),
    }
    if "address" in parts_of(name):
        values["address"] = scene.night.address
    if "circuit" in parts_of(name):
        values["circuit"] = circuit(scene).slug
    kwargs = {invitation: values[invitation] for invitation in parts_of(name)}
    return reverse(f"tournaments:{name}", kwargs=kwargs)


def rows() -> list[list[dict[str, Any]]]:
    """Return all rows of the app, except those that a visit writes."""
    models = apps.get_app_config("tournaments").get_models()
    return [
        list(model._default_manager.order_by("pk").values())
        for model in models
        if model is not SecurityEvent
    ]


def signed_in(scene: Scene) -> Client:
    """Return the browser of the director, freshly authenticated."""
    return reauthenticate(Client(), scene.user)


def request_statuses(scene: Scene, url: str, form: Mapping[str, str]) -> set[int]:
    """Return the status codes of a GET and a POST by the director."""
    client = signed_in(scene)
    statuses = {client.get(url).status_code}
    with transaction.atomic():
        statuses.add(client.post(url, form).status_code)
        transaction.set_rollback(True)
    return statuses


@pytest.mark.parametrize("name", NAMES)
def test_objects_of_another_club_are_not_found(name: str) -> None:
    own, other = Scene(), Scene()
    own_object, foreign_object = object_of(name, own), object_of(name, other)
    form = FORMS.get(name, {})
    url = url_of(name, own, foreign_object)
    client = signed_in(own)
    rows_before = rows()
    statuses = {client.get(url).status_code, client.post(url, form).status_code}
    assert 404 in statuses
    assert statuses <= {404, 405}
    assert rows() == rows_before
    if name not in RESULT_PICTURES:
        assert request_statuses(own, url_of(name, own, own_object), form) & {
            200,
            204,
            302,
        }
