"""Every address that is read: what people write is text there, and what is sent says of what kind it is."""

import re
from html.parser import HTMLParser

import pytest
from django.db.models import F, Model, QuerySet, Value
from django.db.models.functions import Concat
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from scoring.models import Player, Seat
from tests.browser.every_page import NO_PAGES, Examples, patterns
from tests.browser.test_every_page import director_of
from tournaments.models import (
    Announcement,
    Appointment,
    Arrival,
    Circuit,
    Club,
    Entry,
    Penalty,
    Season,
    Tournament,
    Upload,
)

HOSTILE = """"'><b hostile>&lt;%41%s{0}"""
"""Closes an attribute and a tag, begins one, would be read twice where it is decoded twice, and
breaks where it is taken for the format of a sentence."""
WRITTEN: dict[type[Model], tuple[str, ...]] = {
    Announcement: ("text",),
    Appointment: ("name", "venue"),
    Arrival: ("name", "fault"),
    Circuit: ("name",),
    Club: ("name",),
    Entry: ("name",),
    Penalty: ("reason",),
    Player: ("name",),
    Season: ("name",),
    Seat: ("name",),
    Tournament: ("name", "venue", "fee", "invitation"),
    Upload: ("name", "fault"),
}
"""What people write, and files that they send."""
LEFT_OUT = {*NO_PAGES["only posted to"].split(), "account_logout", "mfa_login_webauthn"}
MARKUP = ("text/html", "image/svg+xml", "application/atom+xml")
WITH_LETTERS = ("text/", "image/svg+xml", "application/atom+xml")
"""Kinds that say in which signs they are written; JSON is UTF-8 by its own standard."""
SIGNED = "charset=utf-8"
FILES = set(NO_PAGES["a file to keep"].split()) - {"tournaments:club_results"}
"""All but a feed, which readers ask for again."""
PLAIN_NAME = re.compile(r"(attachment|inline); filename=\"[a-z0-9.-]+\"")


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.foreign: list[str] = []
        self.said = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.foreign += [tag for name, _value in attrs if name == "hostile"]
        self.said += "".join(value or "" for _name, value in attrs)

    def handle_data(self, data: str) -> None:
        self.said += data


def make_hostile(rows: QuerySet[Model], fields: tuple[str, ...]) -> None:
    rows.update(**{name: Concat(F(name), Value(HOSTILE)) for name in fields})


def answers(examples: Examples, client: Client) -> dict[str, HttpResponseBase]:
    """Return what is answered at every address that is read, by its name."""
    told: dict[str, HttpResponseBase] = {}
    for name in FILES:
        if name.endswith("_table"):
            examples.add(name, {"ending": "csv"})
    for pattern in patterns():
        if pattern.name in LEFT_OUT:
            continue
        try:
            address = reverse(pattern.name, kwargs=examples.of(pattern))
        except KeyError:
            continue  # No page: its example would be a file of another kind.
        answer = client.get(address)
        if answer.status_code == 200:
            told[pattern.name] = answer
    return told


def whole(answer: HttpResponseBase) -> str:
    """Return what was sent; of a file that is streamed all its parts."""
    sent = answer.getvalue() if answer.streaming else answer.content  # type: ignore[attr-defined]
    return bytes(sent).decode()


@pytest.mark.long(20)
@pytest.mark.django_db
@pytest.mark.one_database
def test_user_input_is_escaped_on_every_page() -> None:
    examples = Examples()
    client = director_of(examples)
    for model, fields in WRITTEN.items():
        make_hostile(model._default_manager.all(), fields)
    faults, shown = [], set()
    for name, answer in answers(examples, client).items():
        kind = answer["Content-Type"]
        if kind.startswith(WITH_LETTERS) and SIGNED not in kind:
            faults.append(f"{name} does not say its signs: {kind}")
        if kind.startswith(MARKUP):
            page = Tags(whole(answer))
            faults += [
                f"{name} has a tag <{tag}> of a stranger" for tag in page.foreign
            ]
            if HOSTILE in page.said:
                shown.add(name)
        file = answer.get("Content-Disposition", "")
        if (file or name in FILES) and not PLAIN_NAME.fullmatch(file):
            faults.append(f"{name} is kept under another name: {file}")
    assert not faults, "\n".join(faults)
    assert len(shown) > 60, sorted(shown)


def test_injected_tag_is_detected() -> None:
    assert Tags(f'<a title="Ann{HOSTILE}">Ann</a>').foreign == ["b"]
    assert Tags("<p>&lt;b hostile&gt;</p>").said == "<b hostile>"
