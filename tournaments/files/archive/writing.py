"""Write the archive of a club, a batch of rows at a time."""

import json
from array import array
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from hashlib import sha256
from tempfile import TemporaryFile
from typing import IO, Any
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.db import connection, transaction
from django.db.models import F, ForeignKey, Model

from scoring.matchlog.records import meta_without_log, serialize_log_entry
from scoring.models import LogEntry, Match, Player
from tournaments.files.archive.contents import (
    CLUB,
    FORMAT,
    KINDS,
    MANIFEST,
    MATCHES,
    NAMING_ENTRIES,
    REFERRED,
    SEPARATIONS_FILE,
    VERSION,
    ArchiveTable,
    renumber_entries,
)
from tournaments.files.writing import read_remaining_chunks
from tournaments.models import Club, Entry, Round

BATCH_SIZE = 500
MATCH_BATCH_SIZE = 100
Positions = dict[type[Model], dict[int, int]]
"""By model and key, the position of the row in its file, from 1."""


def export_club(club: Club, file: IO[bytes]) -> Mapping[str, int]:
    """Write the archive of a club; return the number of rows by file.

    The same club gives the same bytes. The archive is a consistent snapshot, on PostgreSQL as
    well as on SQLite.
    """
    positions: Positions = {}
    files: dict[str, dict[str, Any]] = {}
    is_outermost = not connection.in_atomic_block
    with transaction.atomic(), ZipFile(file, "w") as archive:
        if is_outermost and connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        club_line = {
            **_row_values(CLUB, Club.objects.get(pk=club.pk), {}),
            "logo": b64encode(club.logo_image()).decode(),
        }
        files[CLUB.file_name] = _write_lines(archive, CLUB.file_name, [club_line])
        for kind in KINDS:
            lines = (
                _match_lines(club, positions)
                if kind is MATCHES
                else _table_lines(kind, club, positions)
            )
            files[kind.file_name] = _write_lines(archive, kind.file_name, lines)
        entries = positions[Entry]
        pairs = Entry.apart.through.objects.filter(
            from_entry__tournament__club=club, from_entry__lt=F("to_entry")
        )
        keys = pairs.order_by("from_entry", "to_entry").values_list(
            "from_entry", "to_entry"
        )
        separations = [
            {"entry": entries[entry_1], "other": entries[entry_2]}
            for entry_1, entry_2 in keys
        ]
        files[SEPARATIONS_FILE] = _write_lines(archive, SEPARATIONS_FILE, separations)
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "club": club.slug,
            "name": club.name,
            "files": files,
        }
        with archive.open(_zip_info(MANIFEST), "w") as manifest_file:
            manifest_file.write(json.dumps(manifest, indent=1, sort_keys=True).encode())
    return {name: info["lines"] for name, info in files.items()}


def archive_chunks(club: Club) -> Iterator[bytes]:
    """Yield the archive of a club in chunks; it is first written to disk."""
    with TemporaryFile() as file:
        export_club(club, file)
        file.seek(0)
        yield from read_remaining_chunks(file)


def _zip_info(name: str) -> ZipInfo:
    info = ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    info.compress_type = ZIP_DEFLATED
    return info


def _write_lines(
    archive: ZipFile, name: str, lines: Iterable[dict[str, Any]]
) -> dict[str, Any]:
    """Write a file; return the number of its lines and its SHA-256 for the manifest."""
    digest, count = sha256(), 0
    with archive.open(_zip_info(name), "w", force_zip64=True) as member:
        for line in lines:
            content = json.dumps(line, ensure_ascii=False, sort_keys=True).encode()
            digest.update(content + b"\n")
            member.write(content + b"\n")
            count += 1
    return {"lines": count, "sha256": digest.hexdigest()}


def _row_values(kind: ArchiveTable, row: Model, positions: Positions) -> dict[str, Any]:
    """Return a row as a line, with references as positions of rows in their files."""
    values: dict[str, Any] = {}
    for column in kind.fields():
        value = getattr(row, column.attname)
        if isinstance(column, ForeignKey) and value is not None:
            value = positions[column.related_model].get(value)
        elif kind.model is Round and column.name in NAMING_ENTRIES:
            value = renumber_entries(column.name, value, positions[Entry].get)
        values[column.name] = _json_value(value)
    return values


def _json_value(value: Any) -> Any:
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat()
        case date():
            return value.isoformat()
        case UUID():
            return str(value)
        case _:
            return value


def _table_lines(
    kind: ArchiveTable, club: Club, positions: Positions
) -> Iterator[dict[str, Any]]:
    row_positions = (
        positions.setdefault(kind.model, {}) if kind.model in REFERRED else None
    )
    rows = kind.rows(club).order_by("pk").iterator(chunk_size=BATCH_SIZE)
    for place, row in enumerate(rows, start=1):
        if row_positions is not None:
            row_positions[row.pk] = place
        yield _row_values(kind, row, positions)


def _match_lines(club: Club, positions: Positions) -> Iterator[dict[str, Any]]:
    """Yield the lines of a club's matches with their seats and logs."""
    keys = array("q", MATCHES.rows(club).order_by("pk").values_list("pk", flat=True))
    player_positions = positions[Player]
    match_positions = positions.setdefault(Match, {})
    match_positions.update((key, place) for place, key in enumerate(keys, start=1))
    for first in range(0, len(keys), MATCH_BATCH_SIZE):
        batch = keys[first : first + MATCH_BATCH_SIZE].tolist()
        matches = Match.objects.filter(pk__in=batch).with_seats().order_by("pk")
        logs: dict[int, list[dict[str, Any]]] = {}
        log = LogEntry.objects.filter(match__in=batch).order_by("match", "version")
        for entry in log:
            value = serialize_log_entry(entry)
            if value["kind"] == LogEntry.Kind.RESEAT:
                # Refer to players by their position in their file.
                place = player_positions.get(value["body"]["player"], 0)
                value = {**value, "body": {**value["body"], "player": place}}
            logs.setdefault(entry.match_id, []).append(value)
        for match in matches:
            yield {
                "address": match.address,
                "game": match.game,
                "options": match.options,
                "started_at": _json_value(match.started_at),
                "rematch_of": match_positions.get(match.rematch_of_id or 0),
                "meta": meta_without_log(match),
                "as_it_stands": match.as_it_stands,
                "closed": match.closed,
                # Only whether the match has a secret, not the secret itself.
                "guarded": bool(match.secret),
                "seats": [
                    {"player": player_positions[seat.player_id], "name": seat.name}
                    for seat in match.seats.all()
                ],
                "log": logs.get(match.pk, []),
            }
