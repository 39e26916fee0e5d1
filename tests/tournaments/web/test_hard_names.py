"""Texts that trouble other programs are refused or taken, on every way in, and nothing breaks."""

import json
from collections.abc import Iterator
from io import BytesIO
from uuid import uuid4
from xml.etree import ElementTree

import pytest
from django.apps import apps
from django.db.models import CharField, JSONField, TextField
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from scoring.rules.names import strip_document
from tests.factories.tournaments import (
    ClubFactory,
    member,
    running_round,
    tournament_with,
)
from tests.tournaments.web.pages import at
from tournaments.event.rounds import close, finish
from tournaments.models import Club, Import, Role, Tournament

pytestmark = pytest.mark.django_db

UNSAFE_TEXTS = ("An\u202en", "An\u2066n", "An\ufffen", "An\x07n")
INVISIBLE_NAMES = ("\u202e", "\ufeff", "\u00ad", "\u180e", "\ufe0f", "\u200d", "\u3164")
REAL_NAMES = (
    *(
        "👨\u200d👩\u200d👧",
        "ᠮᠣᠩᠭᠣᠯ",
        "O’Brien",
        "O'Brien",
        "OBrien",
        "ﬁona",
        "Ａｎｎ",
        "İpek",
    ),
    *(
        "ısıl",
        "MÜLLER",
        "Mueller",
        "Strauß",
        "می\u200cترا",
        "<b>&amp;",
        "=1+1",
        "%s {0}",
    ),
)
EVERY_TEXT = (*UNSAFE_TEXTS, *INVISIBLE_NAMES, *REAL_NAMES)


def stored_texts() -> Iterator[str]:
    """Yield every text that is stored anywhere."""
    for model in apps.get_models():
        for field in model._meta.fields:
            if isinstance(field, CharField | TextField | JSONField):
                if model is Import and field.name == "cells":
                    continue  # Kept as they came; what is understood of them is not.
                values = model._default_manager.values_list(field.name, flat=True)
                for value in values:
                    yield value if isinstance(value, str) else json.dumps(value)


def check_stored() -> None:
    """Check that nothing unsafe is stored, whatever it is in."""
    removed: list[str] = []
    for text in stored_texts():
        try:
            strip_document(json.loads(text), removed)
        except ValueError:
            strip_document(text, removed)
    assert removed == []


@pytest.fixture
def night() -> Tournament:
    club: Club = ClubFactory.create()
    tournament = tournament_with(["Ada", "Bo", "Cy", "Di"], club=club)
    running_round(tournament)
    return tournament


@pytest.mark.parametrize("text", EVERY_TEXT, ids=ascii)
def test_every_page_takes_or_refuses_a_text(night: Tournament, text: str) -> None:
    club, client = night.club, Client()
    client.force_login(member(club, Role.DIRECTOR))
    slug, entry = club.slug, night.entries.by_number()[0]
    for address, sent in (
        (
            reverse("scoring:match_new"),
            {"key": uuid4(), "game": "tricky", "name_0": text, "name_1": "Bo"},
        ),
        (at("join", night), {"name": text}),
        (at("entries", night), {"names": f"{text}\nZed"}),
        (at("entry_substitute", night, 2), {"name": text}),
        (at("announce", night), {"text": text}),
        (at("penalties", night), {"entry": entry.pk, "points": "1", "reason": text}),
        (at("round_act", night, 1, "close"), {"override": text, "sure": "1"}),
        (at("settings", night), {"name": text, "venue": text}),
        (f"/clubs/{slug}/players/{entry.player_id}/change/", {"name": text}),
        (f"/clubs/{slug}/change/", {"name": text, "city": text, "slug": slug}),
        (f"/clubs/{slug}/leaderboards/seasons/", {"name": text}),
        *(
            (
                f"/clubs/{slug}/imports/",
                {
                    "text": f"date;event;player;place\n2025-03-14;{line};1\n",
                    "name": text,
                    "game": "tricky",
                    "key": uuid4(),
                    "confirm": "1",
                },
            )
            for line in (f'"{text}";Ada', f'Spring;"{text}"', "Summer;Ada")
        ),
    ):
        assert client.post(address, sent).status_code in {200, 302}, address
    check_stored()


def test_files_are_whole_with_every_real_name() -> None:
    names = [*dict.fromkeys(name for name in REAL_NAMES if name not in ("OBrien",))]
    tournament = tournament_with(names[:4], name="".join(names)[:60])
    one = running_round(tournament)
    close(round_id=one.pk, now=tournament.starts_at, override=names[0])
    finish(tournament_id=tournament.pk, now=tournament.starts_at)
    client = Client()
    client.force_login(member(tournament.club, Role.VIEWER))
    feed = client.get(reverse("tournaments:club_results", args=[tournament.club.slug]))
    ElementTree.fromstring(feed.content)  # noqa: S314 - ours
    content = client.get(at("entries_table", tournament, "xlsx")).getvalue()
    rows = load_workbook(BytesIO(content)).worksheets[0].iter_rows(values_only=True)
    assert [row[1] for row in rows][1:] == names[:4]
