"""Every text of every page and e-mail is translatable."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from scoring.games.examples import NAMES as EXAMPLE_NAMES
from scoring.games.tricks_and_treats.form import USUAL_MIX
from scoring.rules import GAMES
from tests.browser.every_page import NO_PAGES, Examples, patterns
from tests.browser.test_every_page import director_of, excluded_names
from tests.factories.letters import all_letters
from tests.pseudo_language import CODE, pseudo_language
from tests.pseudo_words import WORD, known_words, untranslated
from tricky_site.http.errors import error_page

ENGLISH_PAGES = {"api_reference"}
"""For programmers."""
PARTS = set(NO_PAGES["part of a page that has an example"].split())
TEXTLESS_PAGES = {"tournaments:projector_version"}
"""Responses without text."""
ERRORS = (400, 403, 404, 405, 413, 500, 503, 507)


@pytest.fixture(autouse=True)
def pseudo_locale(tmp_path: Path) -> Iterator[None]:
    with pseudo_language(tmp_path):
        yield


def use_pseudo_language(client: Client) -> Client:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = CODE
    return client


def addresses(examples: Examples) -> Iterator[tuple[str, str]]:
    """Yield names and addresses of all pages, once per game if a page has one."""
    left_out = set(excluded_names()) - PARTS | ENGLISH_PAGES | TEXTLESS_PAGES
    for pattern in patterns():
        if pattern.name in left_out:
            continue
        try:
            example = examples.of(pattern)
        except KeyError:
            continue  # test_every_page reports it.
        games = GAMES if "game" in example else [""]
        for game in games:
            kwargs = {**example, "game": game} if game else example
            yield pattern.name, reverse(pattern.name, kwargs=kwargs)


@pytest.mark.long(45)
@pytest.mark.django_db
def test_every_text_of_every_page_is_translated() -> None:
    examples = Examples()
    stranger, director = (
        use_pseudo_language(Client()),
        use_pseudo_language(director_of(examples)),
    )
    names = " ".join(name for _code, name in settings.LANGUAGES)
    # Languages, names in examples, a placeholder for a time that a script fills, time zone.
    untranslated_names = f"{names} {USUAL_MIX} {' '.join(EXAMPLE_NAMES)} Hearts time {settings.TIME_ZONE}"
    known = known_words() | set(WORD.findall(untranslated_names))
    faults, pages_checked = set(), set()
    for (name, address), client in product(addresses(examples), (stranger, director)):
        answer = client.get(address, follow=True)
        if answer.status_code == 200:
            pages_checked.add(name)
            page = answer.content.decode()
            faults |= {f"{name} {fault}" for fault in untranslated(page, known)}
    assert not faults, "\n".join(sorted(faults))
    assert len(pages_checked) > 100


@pytest.mark.parametrize("status", ERRORS)
def test_error_pages_are_translated(status: int) -> None:
    with override(CODE):
        page = error_page(status).content.decode()
    assert list(untranslated(page, ())) == []


def test_every_email_is_translated() -> None:
    known = {
        word
        for letter in all_letters().values()
        for word in WORD.findall(letter.sender)
    }
    with override(CODE):
        for letter in all_letters().values():
            texts = [letter.subject, *letter.paragraphs, letter.act, *letter.further]
            page = "".join(f"<p>{text}</p>" for text in texts)
            assert list(untranslated(page, known)) == []


def test_untranslated_texts_are_found() -> None:
    page = '<h1>⁨Ĥååñđ⁩</h1><button title="Let go">Ada</button><p lang="de">Blatt</p>'
    assert list(untranslated(page, {"Ada"})) == ["<button title> 'Let go': Let, go"]
