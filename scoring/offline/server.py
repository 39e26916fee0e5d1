"""The scorepad as a phone's own server, called by its page to answer offline.

This runs in the browser, under `scoring.offline.settings`. Arguments and results are JSON. The
database is only a copy: `replace_held_matches` empties it and loads the matches on the
phone.
"""

import io
import json
import logging
import os
import random  # noqa: TID251 - seeded again for all other users of it
import sys
from collections.abc import Callable
from functools import cache
from string import ascii_uppercase
from typing import Any
from urllib.parse import urlencode, urlsplit
from zipfile import ZipFile
from zipimport import zipimporter

import django

django.setup()

from django.apps import apps  # noqa: E402 - Django is set up first
from django.contrib.sessions.backends.cache import SessionStore  # noqa: E402
from django.core.handlers.wsgi import WSGIHandler  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402

from scoring.locales.zones import use_time_zone  # noqa: E402
from scoring.matchlog.append import MatchNotFoundError  # noqa: E402
from scoring.matchlog.records import export_match, get_or_import_match  # noqa: E402
from scoring.matchlog.starting import AddressTakenError, start_match  # noqa: E402
from scoring.matchlog.tokens import ELSEWHERE  # noqa: E402
from scoring.models import LogEntry, Match, Seat  # noqa: E402
from scoring.offline.clocks import CLOCKS, store_time_zone  # noqa: E402
from scoring.offline.competition import TABLES  # noqa: E402
from scoring.phone_memory import COOKIE, PhoneMemory, signed_cookie_value  # noqa: E402
from scoring.rules import GAMES, Refusal, refusal_answer, score_record  # noqa: E402
from scoring.sync.protocol import (  # noqa: E402
    REFUSED,
    EntryAnswer,
    UnreadableError,
    read_entry,
)
from scoring.sync.receive import receive_entry  # noqa: E402
from scoring.sync.rights import HOLDERS  # noqa: E402

ORIGIN = urlsplit(os.environ.get("TRICKY_ORIGIN", "http://localhost"))
"""The site's origin, for links that are shared."""
OWN = "own"
"""The holder of this phone's own seat in its own database."""
log = logging.getLogger(__name__)
handler = WSGIHandler()
owner = SessionStore()
owner.create()
still_packed: dict[str, str] = {}
"""The folder for the files of an archive that are still to be extracted, by its path."""


def rehearse() -> None:
    """Load a match and render its pages to warm up the memory for a snapshot; then hold nothing."""
    _reset_database()
    game = next(iter(GAMES.values()))
    names = ascii_uppercase[: game.seats[0]]
    match = start_match(game=game.id, names=names, now=timezone.now())
    address, record = match.address, json.loads(export_match(match))
    document = {"matches": [{"address": address, "record": record}], "entries": []}
    replace_held_matches(json.dumps(document))
    for page in ("", "hands/new/"):
        answer("GET", f"/m/{address}/{page}")
    replace_held_matches('{"matches": [], "entries": []}')


def resume_from_snapshot(archive_path: str, folder: str) -> None:
    """Resume from a memory snapshot; the archive at `archive_path` has the files of `folder`."""
    # The snapshot has the same random state each time.
    random.seed()

    def find_importer(path: str) -> zipimporter:
        """Import the few modules that are not in the snapshot from the archive."""
        if path != folder and not path.startswith(f"{folder}/"):
            raise ImportError(path)
        return zipimporter(archive_path + path.removeprefix(folder))

    sys.path_hooks.insert(0, find_importer)
    sys.path_importer_cache.clear()
    still_packed[archive_path] = folder


def extract_data_files() -> None:
    """Extract the data files that pages need, if not done yet: a snapshot has no files."""
    for path, folder in still_packed.items():
        with ZipFile(path) as archive:
            for name in archive.namelist():
                if not name.endswith(".py"):
                    archive.extract(name, folder)
    still_packed.clear()


def replace_held_matches(document: str) -> str:
    """Load these matches into an empty database; return the answers to the entries since.

    Takes `matches` and `entries`. A match has an `address`, whether it is `closed`, a `record`
    with its log, the `clocks` for its time zone, the `seats` that phones hold and, from a
    competition, its `table`. Each entry has the `address` of its match; they are applied in
    order.
    """
    value = json.loads(document)
    _reset_database()
    TABLES.clear()
    CLOCKS.clear()
    for match in value["matches"]:
        try:
            _import_held_match(match)
        except Refusal:
            # One broken match must not block the others.
            log.exception("This match cannot be held: %s", match["address"])
    _merge_players_by_name()
    return _deliver_entries(value["entries"])


def refresh_match(document: str) -> str:
    """Reload one match from the server; return the answers to the entries since.

    Takes its `address`, whether it is `closed`, its `clocks`, `table`, `seats`, its `entries`
    in order, and its `record` with its log if the phone holds it. All other matches stay, which
    saves a phone most of the work. Raises Refusal if the record cannot be read; then this match
    stays as well.
    """
    value = json.loads(document)
    address = value["address"]
    with transaction.atomic():
        # This database is only a copy; the server has the stored log.
        TABLES.pop(address, None)
        CLOCKS.pop(address, None)
        match = Match.objects.filter(address=address).first()
        if match is not None:
            match.hands.all().delete()
            # The log is append-only, so its rows can only be deleted with SQL.
            table = connection.ops.quote_name(LogEntry._meta.db_table)
            with connection.cursor() as cursor:
                cursor.execute(f"DELETE FROM {table} WHERE match_id = %s", [match.pk])  # noqa: S608 - our own name
            match.delete()
        if value.get("record") is not None:
            _import_held_match(value)
    _merge_players_by_name()
    return _deliver_entries(
        [{**entry, "address": address} for entry in value["entries"]]
    )


def _import_held_match(held_match: dict[str, Any]) -> None:
    match = get_or_import_match(json.dumps(held_match["record"]), now=timezone.now())
    match.address, match.closed = held_match["address"], held_match.get("closed", False)
    match.save(update_fields=["address", "closed"])
    # Data stored by a page of an earlier release has no clocks.
    store_time_zone(match.address, held_match.get("clocks"))
    if table := held_match.get("table"):
        TABLES[match.address] = table
    own: dict[str, str] = {}
    if seats := held_match.get("seats"):
        match.seats.filter(index__in=seats["elsewhere"]).update(holder=ELSEWHERE)
        if seats["own"] is not None:
            match.seats.filter(index=seats["own"]).update(holder=OWN)
            own = {HOLDERS: OWN, "seats": match.seats.get(index=seats["own"]).name}
    session, number = SessionStore(owner.session_key), str(match.pk)
    for session_key in (HOLDERS, "seats"):
        # An earlier match with the same primary key may have left its seat.
        other_matches = {
            key: value
            for key, value in session.get(session_key, {}).items()
            if key != number
        }
        session[session_key] = (
            {**other_matches, number: own[session_key]} if own else other_matches
        )
    session.save()


def _merge_players_by_name() -> None:
    """Seat the first player of each name in all matches.

    On a phone the same name is the same person.
    """
    first_players: dict[str, int] = {}
    for seat in Seat.objects.order_by("match_id", "index"):
        player_id = first_players.setdefault(seat.name, seat.player_id)
        if player_id != seat.player_id:
            Seat.objects.filter(pk=seat.pk).update(player=player_id)


def _deliver_entries(entries: list[dict[str, Any]]) -> str:
    """Return the answers to entries, in order."""
    return json.dumps([_deliver_entry(entry["address"], entry) for entry in entries])


def deliver(address: str, document: str) -> str:
    return json.dumps(_deliver_entry(address, json.loads(document)))


def _deliver_entry(address: str, document: dict[str, Any]) -> dict[str, Any]:
    try:
        entry = read_entry(json.dumps(document).encode())
        answer = receive_entry(
            address=address, entry=entry, token=None, now=timezone.now()
        )
    except (AddressTakenError, MatchNotFoundError, UnreadableError):
        answer = EntryAnswer(status=REFUSED)
    return {
        "key": document["key"],
        "status": answer.status,
        "number": answer.number,
        "faults": list(answer.faults),
    }


def record(address: str) -> str:
    """Return the record of a match on this phone, with its log."""
    return export_match(Match.objects.get(address=address))


def answer(method: str, path: str, form: str = "{}", htmx: str = "") -> str:
    """Return a page's response: `status`, `location` and `text`.

    `form` has the fields of a form, each a text or a list of texts.
    """
    extract_data_files()
    path, _, query = path.partition("?")
    body = urlencode(json.loads(form), doseq=True).encode()
    # The home page lists all matches that this phone holds.
    matches = list(Match.objects.newest_first().values_list("pk", flat=True))
    memory = signed_cookie_value(PhoneMemory(matches, secrets=[]))
    response_head: dict[str, Any] = {}

    def start(
        status: str, headers: list[tuple[str, str]], _: object = None
    ) -> Callable[[bytes], object]:
        response_head.update({"status": int(status[:3]), "headers": dict(headers)})
        return bytes

    with use_time_zone():
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
    location = response_head["headers"].get("Location", "")
    return json.dumps(
        {"status": response_head["status"], "location": location, "text": text}
    )


def score(document: str) -> str:
    """Return the output of the command `score` for a match record."""
    try:
        value = score_record(document)
    except Refusal as refusal:
        value = refusal_answer(refusal)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


@cache
def _dump_empty_database() -> bytes:
    """Return an empty database, serialized."""
    with connection.schema_editor() as editor:
        for model in apps.get_app_config("scoring").get_models():
            editor.create_model(model)
    empty: bytes = connection.connection.serialize()
    return empty


def _reset_database() -> None:
    empty = _dump_empty_database()
    connection.connection.deserialize(empty)
