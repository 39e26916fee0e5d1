"""The language of a page: the person's choice, else the club's, else the browser's."""

import re
from pathlib import Path
from typing import Any

import polib
import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.utils.translation import get_language, override

from scoring.locales import catalogs
from tests.factories import HAND, entered_match
from tests.factories.matches import NOW
from tests.factories.tournaments import (
    ClubFactory,
    UserFactory,
    play_round,
    running_round,
    tournament_with,
)
from tournaments.event.push import NoticeKind, subscribe
from tournaments.event.results import store_current_standings
from tournaments.hooks import happenings
from tournaments.models import Happening, HookEvent, Invitation, Role, Table, Webhook
from tournaments.people.letters import send_invitation
from tournaments.web.notifications.texts import build_push_notices

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

GERMAN, FRENCH = "de-AT,de;q=0.9,en;q=0.5", "fr"
COOKIE = settings.LANGUAGE_COOKIE_NAME


def page_language(answer: Any) -> str:
    match = re.search(r'<html lang="([\w-]+)"', answer.content.decode())
    assert match is not None
    assert answer["Content-Language"] == match[1]
    return match[1]


def language_at(path: str, *, browser: str = "", chosen: str = "") -> str:
    client = Client(headers={"accept-language": browser} if browser else {})
    if chosen:
        client.cookies[COOKIE] = chosen
    return page_language(client.get(path))


def test_language_of_person_outranks_club_and_club_outranks_browser() -> None:
    club = ClubFactory.create(language="de")
    page = club.get_absolute_url()
    assert language_at(page, browser=FRENCH) == "de"
    assert language_at(page, browser=FRENCH, chosen="es") == "es"
    assert language_at("/", browser=FRENCH) == "fr"
    assert language_at(ClubFactory.create().get_absolute_url(), browser=FRENCH) == "fr"


def test_ignores_unknown_languages() -> None:
    assert language_at("/", browser=FRENCH, chosen="xx") == "fr"
    assert language_at(ClubFactory.create(language="xx").get_absolute_url()) == "en"


def test_night_and_matches_use_the_clubs_language() -> None:
    round_ = running_round(tournament_with(4, club=ClubFactory.create(language="de")))
    table = Table.objects.get(round=round_)
    tournament = round_.tournament.get_absolute_url()
    assert table.match is not None
    sheet = table.match.get_absolute_url()
    for path in (tournament, f"{tournament}projector/", f"{tournament}join/", sheet):
        assert language_at(path, browser=FRENCH) == "de", path
    assert language_at(sheet, chosen="en") == "en"


def test_each_language_has_its_own_picture() -> None:
    sheet = entered_match([HAND]).get_absolute_url()
    english = Client().get(f"{sheet}picture.png")
    condition = {"if-none-match": english["ETag"]}
    assert Client(headers=condition).get(f"{sheet}picture.png").status_code == 304
    german = Client(headers={**condition, "accept-language": "de"}).get(
        f"{sheet}picture.png"
    )
    assert german.status_code == 200
    assert german["ETag"] != english["ETag"]
    assert "Accept-Language" in german["Vary"]


POINTS_HEADING = '<th scope="col">%s</th>'


def test_cached_standings_are_shown_in_each_readers_language() -> None:
    tournament = tournament_with(4)
    play_round(running_round(tournament))
    store_current_standings(tournament_id=tournament.pk, now=NOW)
    page = tournament.get_absolute_url()
    english = Client().get(page).content.decode()
    german = Client(headers={"accept-language": "de"}).get(page).content.decode()
    assert POINTS_HEADING % "Points" in english
    assert POINTS_HEADING % "Points" not in german
    assert POINTS_HEADING % "Punkte" in german
    assert POINTS_HEADING % "Points" in Client().get(page).content.decode()


def test_api_answers_in_english_unless_asked_otherwise() -> None:
    club = ClubFactory.create(language="de")
    client = Client()
    client.cookies[COOKIE] = "de"
    path = f"/api/v1/clubs/{club.slug}"
    assert client.get(path)["Content-Language"] == "en"
    missing = client.get("/api/v1/clubs/nowhere").json()["detail"]
    german = Client(headers={"accept-language": "de"}).get("/api/v1/clubs/nowhere")
    assert german["Content-Language"] == "de"
    assert german.json()["detail"] != missing


def invitation_email(email: str, language: str) -> str:
    """Return the subject of the invitation to a club with this language."""
    club = ClubFactory.create(language=language)
    invitation = Invitation.objects.create(
        club=club, email=email, role=Role.SCORER, made_at=NOW
    )
    with override("es"):
        assert send_invitation(invitation_id=invitation.pk, now=NOW)
    return str(mail.outbox[-1].subject)


def test_email_is_in_its_recipients_language() -> None:
    UserFactory.create(email="frida@example.org", language="fr")
    english, german = (
        invitation_email("a@example.org", ""),
        invitation_email("b@example.org", "de"),
    )
    personal = invitation_email("frida@example.org", "de")
    assert english.startswith("Join the ")
    assert len({english.split()[0], german.split()[0], personal.split()[0]}) == 3


def test_notification_is_in_the_language_of_its_page_or_club() -> None:
    tournament = tournament_with(4, club=ClubFactory.create(language="de"))
    round_ = running_round(tournament)
    for number, language in ((1, "fr"), (2, "")):
        subscribe(
            tournament=tournament,
            entry=tournament.entries.get(number=number),
            endpoint=f"https://push.example.org/{number}",
            p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            auth="BTBZMqHH6r4Tts7J_aSIgg",
            site="example.org",
            language=language,
            now=NOW,
        )
    with override("es"):
        notices = list(build_push_notices(NoticeKind.STARTED, round_.pk, NOW))
        assert get_language() == "es"
    french, german = (notice.message for notice in notices)
    assert "ronde 1" in french.title.lower()
    assert german.title.startswith("Runde 1")
    assert french.stop != german.stop


def test_webhook_is_in_its_clubs_language() -> None:
    tournament = tournament_with(4, club=ClubFactory.create(language="de"))
    table = Table.objects.get(round=running_round(tournament))
    Webhook.objects.create(
        club=tournament.club,
        url="https://example.org/hook",
        events=list(Happening.values),
        made_at=NOW,
    )
    with override("fr"):
        happenings.report_match_finished(table)
    title = HookEvent.objects.latest("pk").title
    assert "Tisch 1" in title


@pytest.mark.parametrize(
    "language", catalogs.translated_languages(), ids=lambda language: language.code
)
def test_catalogs_have_no_fuzzy_entries_and_german_is_complete(
    language: catalogs.Language,
) -> None:
    path = catalogs.LOCALES / language.code / catalogs.PO_PATH
    catalog = polib.pofile(str(path))
    assert len(catalog) > 3000
    assert catalog.metadata["Plural-Forms"].startswith("nplurals=2")
    assert [entry.msgid for entry in catalog.fuzzy_entries()] == []
    if not language.is_draft:
        assert [entry.msgid for entry in catalog.untranslated_entries()] == []


def test_language_menu_marks_draft_translations() -> None:
    drafts = {
        language.code: language.is_draft for language in catalogs.translated_languages()
    }
    assert drafts == {"de": False, "es": True, "fr": True}
    page = Client().get("/you/").content.decode()
    choice = page[page.index('action="/language/"') :].split("</form>")[0]
    assert choice.count(">draft</small>") == 2


def test_gettext_is_imported_under_names_that_are_extracted() -> None:
    packages = ("backups", "scoring", "tournaments", "tricky_site")
    files = [file for folder in packages for file in Path(folder).rglob("*.py")]
    renamed = re.compile(r"\bn?p?gettext(?:_lazy|_noop)? as (?!_\b)\w+")
    renamed_imports = {str(file): renamed.findall(file.read_text()) for file in files}
    assert {file: names for file, names in renamed_imports.items() if names} == {}
