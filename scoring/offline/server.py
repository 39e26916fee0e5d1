"""The scorepad as a phone's own server: asked by its page, answered without a network.

This runs in the browser, under `scoring.offline.settings`. Everything goes in and out as
JSON, and nothing is kept here: `hold` is told what the phone holds, and the database
begins anew.
"""

import io
import json
import logging
import os
import random  # noqa: TID251 - seeded anew for whatever else draws by it
from collections.abc import Callable
from functools import cache
from string import ascii_uppercase
from typing import Any
from urllib.parse import urlencode, urlsplit

import django

django.setup()

from django.apps import apps  # noqa: E402 - Django is set up first
from django.contrib.sessions.backends.cache import SessionStore  # noqa: E402
from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from scoring.locales.zones import keeping_time  # noqa: E402
from scoring.matchlog.append import MatchNotFoundError  # noqa: E402
from scoring.matchlog.records import export_match, import_record  # noqa: E402
from scoring.matchlog.starting import AddressTakenError, start_match  # noqa: E402
from scoring.matchlog.tokens import ELSEWHERE  # noqa: E402
from scoring.models import LogEntry, Match, Seat  # noqa: E402
from scoring.offline.archive import Archive  # noqa: E402
from scoring.offline.clocks import CLOCKS, store_clock  # noqa: E402
from scoring.offline.competition import TABLES  # noqa: E402
from scoring.phone_memory import COOKIE, PhoneMemory, cookie_value  # noqa: E402
from scoring.rules import GAMES, Refusal, refusal_answer, score_record  # noqa: E402
from scoring.sync.protocol import (  # noqa: E402
    REFUSED,
    Answer,
    UnreadableError,
    read_entry,
)
from scoring.sync.receive import receive  # noqa: E402
from scoring.sync.rights import HOLDERS  # noqa: E402

ORIGIN = urlsplit(os.environ.get("TRICKY_ORIGIN", "http://localhost"))
"""Where the site is, as the page knows it: links that are shared lead there."""
OWN = "own"
"""By what this phone holds a seat, as its own server knows it."""
log = logging.getLogger(__name__)
handler = WSGIHandler()
owner = SessionStore()
owner.create()
still_packed: list[Archive] = []
"""The archive whose files are still to be laid out; none where all of it was unpacked."""


def rehearse() -> None:
    """Hold a match and draw its pages, so that all that this takes is in memory; then hold nothing."""
    _reset_database()
    game = next(iter(GAMES.values()))
    names = ascii_uppercase[: game.seats[0]]
    match = start_match(game=game.id, names=names, now=timezone.now())
    address, record = match.address, json.loads(export_match(match))
    told = {"matches": [{"address": address, "record": record}], "entries": []}
    hold(json.dumps(told))
    for page in ("", "hands/new/"):
        answer("GET", f"/m/{address}/{page}")
    hold('{"matches": [], "entries": []}')


def resume(path: str, folder: str) -> None:
    """Go on in the memory of an earlier start; the archive at this path has what belongs into the folder."""
    # It would draw what that start drew.
    random.seed()
    archive = Archive(path, folder)
    archive.install_importer()
    still_packed[:] = [archive]


def lay_out() -> None:
    """Lay out what pages are drawn from, where that is still to be done."""
    for archive in still_packed:
        archive.lay_out()
    still_packed.clear()


def hold(document: str) -> str:
    """Hold these matches and nothing else; return what became of the entries since.

    Takes `matches`, each an `address`, whether it is `closed`, a `record` with its log, the `clocks` by which it is read
    the `seats` that phones hold
    and, from a competition, its `table`, and `entries`, each with the `address` that it goes to, in order.
    """
    value = json.loads(document)
    _reset_database()
    TABLES.clear()
    CLOCKS.clear()
    for match in value["matches"]:
        try:
            _hold(match)
        except Refusal:
            # The others can be gone on with all the same.
            log.exception("This match cannot be held: %s", match["address"])
    return _answers(value["entries"])


def refresh_match(document: str) -> str:
    """Hold one match as the server has it now; return what became of the entries since.

    Takes its `address`, whether it is `closed`, its `record` with its log, where the phone holds it, its `clocks`, its `table`, its `seats` and
    its `entries`, in order. All other matches stay as they are, which spares a phone most of the work; so
    does this one where its record cannot be read, which raises Refusal.
    """
    value = json.loads(document)
    address = value["address"]
    with transaction.atomic():
        # What is entered for good is on the server.
        TABLES.pop(address, None)
        CLOCKS.pop(address, None)
        match = Match.objects.filter(address=address).first()
        if match is not None:
            match.hands.all().delete()
            # The log only grows, so nothing but the database itself takes its rows away.
            table = connection.ops.quote_name(LogEntry._meta.db_table)
            with connection.cursor() as cursor:
                cursor.execute(f"DELETE FROM {table} WHERE match_id = %s", [match.pk])  # noqa: S608 - our own name
            match.delete()
        if value.get("record") is not None:
            _hold(value)
    return _answers([{**entry, "address": address} for entry in value["entries"]])


def _hold(told: dict[str, Any]) -> None:
    match = import_record(json.dumps(told["record"]), now=timezone.now())
    match.address, match.closed = told["address"], told.get("closed", False)
    match.save(update_fields=["address", "closed"])
    # What a page of an earlier release kept says nothing of clocks.
    store_clock(match.address, told.get("clocks"))
    if table := told.get("table"):
        TABLES[match.address] = table
    own: dict[str, str] = {}
    if seats := told.get("seats"):
        match.seats.filter(index__in=seats["elsewhere"]).update(holder=ELSEWHERE)
        if seats["own"] is not None:
            match.seats.filter(index=seats["own"]).update(holder=OWN)
            own = {HOLDERS: OWN, "seats": match.seats.get(index=seats["own"]).name}
    session, number = SessionStore(owner.session_key), str(match.pk)
    for known in (HOLDERS, "seats"):
        # A match that had the same number before may have left its seat.
        others = {
            key: value for key, value in session.get(known, {}).items() if key != number
        }
        session[known] = {**others, number: own[known]} if own else others
    session.save()


def _answers(entries: list[dict[str, Any]]) -> str:
    """Return what becomes of entries here, in order."""
    # A phone knows one person by a name, in all its matches.
    first: dict[str, int] = {}
    for seat in Seat.objects.order_by("match_id", "index"):
        known = first.setdefault(seat.name, seat.player_id)
        if known != seat.player_id:
            Seat.objects.filter(pk=seat.pk).update(player=known)
    return json.dumps([_deliver(entry["address"], entry) for entry in entries])


def deliver(address: str, document: str) -> str:
    return json.dumps(_deliver(address, json.loads(document)))


def _deliver(address: str, document: dict[str, Any]) -> dict[str, Any]:
    try:
        entry = read_entry(json.dumps(document).encode())
        answer = receive(address=address, entry=entry, token=None, now=timezone.now())
    except (AddressTakenError, MatchNotFoundError, UnreadableError):
        answer = Answer(status=REFUSED)
    return {
        "key": document["key"],
        "status": answer.status,
        "number": answer.number,
        "faults": list(answer.faults),
    }


def record(address: str) -> str:
    """Return the record of a match as this phone has it, with its log."""
    return export_match(Match.objects.get(address=address))


def answer(method: str, path: str, form: str = "{}", htmx: str = "") -> str:
    """Return what a page of the scorepad answers: status, location and text.

    `form` holds the fields of a form, each a text or a list of texts.
    """
    lay_out()
    path, _, query = path.partition("?")
    body = urlencode(json.loads(form), doseq=True).encode()
    # The list of this phone's matches shows all that it holds.
    matches = list(Match.objects.newest_first().values_list("pk", flat=True))
    memory = cookie_value(PhoneMemory(matches, secrets=[]))
    answered: dict[str, Any] = {}

    def start(
        status: str, headers: list[tuple[str, str]], _: object = None
    ) -> Callable[[bytes], object]:
        answered.update({"status": int(status[:3]), "headers": dict(headers)})
        return bytes

    with keeping_time():
        response = handler(
            {
                "REQUEST_METHOD": method,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "SERVER_NAME": "phone",
                "SERVER_PORT": "80",
                "SERVER_PROTOCOL": "HTTP/1.1",
                "HTTP_HOST": ORIGIN.netloc,
                "HTTP_COOKIE": f"sessionid={owner.session_key}; {COOKIE}={memory}",
                "CONTENT_TYPE": "application/x-www-form-urlencoded",
                "CONTENT_LENGTH": str(len(body)),
                "wsgi.input": io.BytesIO(body),
                "wsgi.url_scheme": ORIGIN.scheme,
                **({"HTTP_HX_REQUEST": htmx} if htmx else {}),
            },
            start,
        )
    text = b"".join(response).decode()
    location = answered["headers"].get("Location", "")
    return json.dumps(
        {"status": answered["status"], "location": location, "text": text}
    )


def score(document: str) -> str:
    """Return what the command `score` prints for a match record."""
    try:
        value = score_record(document)
    except Refusal as refusal:
        value = refusal_answer(refusal)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


@cache
def _empty() -> bytes:
    """Return the database as it is before anything is held."""
    with connection.schema_editor() as editor:
        for model in apps.get_app_config("scoring").get_models():
            editor.create_model(model)
    empty: bytes = connection.connection.serialize()
    return empty


def _reset_database() -> None:
    empty = _empty()
    connection.connection.deserialize(empty)
