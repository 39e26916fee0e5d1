"""User input is escaped on every page, and every response declares its type."""

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
"""Closes an attribute and a tag, opens a tag, changes if it is decoded twice, and breaks
format strings."""
USER_FIELDS: dict[type[Model], tuple[str, ...]] = {
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
"""Fields with input of users and uploaded files."""
LEFT_OUT = {*NO_PAGES["only posted to"].split(), "account_logout", "mfa_login_webauthn"}
MARKUP = ("text/html", "image/svg+xml", "application/atom+xml")
TEXT_TYPES = ("text/", "image/svg+xml", "application/atom+xml")
"""Content types that declare a charset; JSON is always UTF-8."""
CHARSET = "charset=utf-8"
FILES = set(NO_PAGES["a file to keep"].split()) - {"tournaments:club_results"}
"""Downloads; a feed is none, as readers poll it."""
PLAIN_NAME = re.compile(r"(attachment|inline); filename=\"[a-z0-9.-]+\"")


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.foreign: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.foreign += [tag for name, _value in attrs if name == "hostile"]
        self.text += "".join(value or "" for _name, value in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def make_hostile(rows: QuerySet[Model], fields: tuple[str, ...]) -> None:
    rows.update(**{name: Concat(F(name), Value(HOSTILE)) for name in fields})


def get_all_pages(examples: Examples, client: Client) -> dict[str, HttpResponseBase]:
    """Return the response of every page, by its name."""
    responses: dict[str, HttpResponseBase] = {}
    for name in FILES:
        if name.endswith("_table"):
            examples.add(name, {"ending": "csv"})
    for pattern in patterns():
        if pattern.name in LEFT_OUT:
            continue
        try:
            address = reverse(pattern.name, kwargs=examples.of(pattern))
        except KeyError:
            continue  # No page: its example would need another kind of file.
        answer = client.get(address)
        if answer.status_code == 200:
            responses[pattern.name] = answer
    return responses


def read_body(answer: HttpResponseBase) -> str:
    """Return the whole body, also of a streamed response."""
    body = answer.getvalue() if answer.streaming else answer.content  # type: ignore[attr-defined]
    return bytes(body).decode()


@pytest.mark.long(20)
@pytest.mark.django_db
@pytest.mark.one_database
def test_user_input_is_escaped_on_every_page() -> None:
    examples = Examples()
    client = director_of(examples)
    for model, fields in USER_FIELDS.items():
        make_hostile(model._default_manager.all(), fields)
    faults, pages_with_input = [], set()
    for name, answer in get_all_pages(examples, client).items():
        kind = answer["Content-Type"]
        if kind.startswith(TEXT_TYPES) and CHARSET not in kind:
            faults.append(f"{name} does not say its signs: {kind}")
        if kind.startswith(MARKUP):
            page = Tags(read_body(answer))
            faults += [
                f"{name} has a tag <{tag}> of a stranger" for tag in page.foreign
            ]
            if HOSTILE in page.text:
                pages_with_input.add(name)
        file = answer.get("Content-Disposition", "")
        if (file or name in FILES) and not PLAIN_NAME.fullmatch(file):
            faults.append(f"{name} is kept under another name: {file}")
    assert not faults, "\n".join(faults)
    assert len(pages_with_input) > 60, sorted(pages_with_input)


def test_injected_tag_is_detected() -> None:
    assert Tags(f'<a title="Ann{HOSTILE}">Ann</a>').foreign == ["b"]
    assert Tags("<p>&lt;b hostile&gt;</p>").text == "<b hostile>"
