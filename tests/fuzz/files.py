"""Files that people bring in: lists, records, archives."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from io import BytesIO
from random import Random
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from openpyxl import Workbook
from PIL import Image

from scoring.matchlog.records import export_match, import_record
from scoring.models import Match
from scoring.rules import Refusal
from tests.factories.archives import archive_of
from tests.factories.matches import NOW
from tests.fuzz.attempt import Fault
from tests.fuzz.commands import RECORD_DOCUMENTS
from tests.fuzz.faults import fault_of
from tests.fuzz.hostile import changed, mangled, some_text, written
from tests.fuzz.site import Site, written_since
from tournaments.changes import RefusedError
from tournaments.event.setup.entry_lists import AmbiguousListError, names_in_file
from tournaments.event.setup.spreadsheets import UnreadableListError, rows_in_file
from tournaments.files.archive.reading import ArchiveError, import_club
from tournaments.history.imports.past_results import MOST_LINES, read_past
from tournaments.people.looks import give_logo

NAMES = "Nr;Name;Club\n1;Bo Lee;West\n2;Cy;East\n3;Élodie;Süd\n"
PAST = """date,tournament,round,table,player,points
2024-03-01,March,1,1,Ann,40
2024-03-01,March,1,1,Bo,31
2024-03-01,March,1,2,Cy,31.5
2024-03-01,March,1,2,Di,12
"""
REFUSALS = (
    UnreadableListError,
    AmbiguousListError,
    Refusal,
    ArchiveError,
    RefusedError,
)


def read_names(site: Site, content: bytes) -> object:
    """Read a list of names."""
    return names_in_file("names.csv", content)


def read_results(site: Site, content: bytes) -> object:
    """Read past results."""
    cells = rows_in_file("past.csv", content, most=MOST_LINES)
    return read_past(cells, game="tricky", today=date(2026, 3, 12)).faults


def read_record(site: Site, content: bytes) -> object:
    """Store the match of a record."""
    return import_record(content, now=NOW)


def read_archive(site: Site, content: bytes) -> object:
    """Store the club of an archive."""
    return import_club(
        BytesIO(content), now=NOW, slug="another", director=site.director
    )


def read_logo(site: Site, content: bytes) -> object:
    """Draw a logo anew."""
    return give_logo(club_id=site.club.pk, file=BytesIO(content))


READERS: Mapping[str, Callable[[Site, bytes], object]] = {
    "names": read_names,
    "results": read_results,
    "record": read_record,
    "archive": read_archive,
    "logo": read_logo,
}


@dataclass(frozen=True)
class Brought:
    """A file, and who reads it."""

    reader: str
    content: bytes
    kind: str = "files"

    def with_content(self, content: bytes) -> "Brought":
        """Return the same with another content."""
        return replace(self, content=content)

    def play(self, site: Site) -> Fault | None:
        """Read it; return what should not have come of it."""
        try:
            READERS[self.reader](site, self.content)
        except REFUSALS as refused:
            if what := written_since():
                return Fault(f"refused {self.reader} and wrote {sorted(what)}")
            return (
                None
                if str(refused).strip()
                else Fault(f"refused {self.reader} wordless")
            )
        except Exception as error:
            return fault_of(error, self.reader)
        written_since()
        return None


class Files:
    """Draws files that a site could have written, but for something."""

    def __init__(self, site: Site) -> None:
        """Let the site write files of every kind."""
        self.archive = archive_of(site.club)
        self.spreadsheets = [spreadsheet(NAMES.replace(";", ",")), spreadsheet(PAST)]
        matches = Match.objects.filter(
            address__in=[phone.address for phone in site.phones]
        )
        self.records: list[Any] = [
            *RECORD_DOCUMENTS,
            *(json.loads(export_match(match)) for match in matches),
        ]
        picture = BytesIO()
        Image.new("RGB", (80, 80), "red").save(picture, "PNG")
        self.logo = picture.getvalue()
        self.uploads = [
            *(
                NAMES.encode(),
                PAST.encode(),
                self.archive,
                *self.spreadsheets,
                self.logo,
            ),
            b'[{"name": "Ann"}, {"name": "Bo"}]',
        ]

    def file(self, chance: Random) -> Brought:
        """Return a file that is hostile somewhere."""
        reader = chance.choice((*("names", "results", "record") * 4, "archive", "logo"))
        return Brought(reader, getattr(self, f"_{reader}")(chance))

    def _names(self, chance: Random) -> bytes:
        if chance.random() < 0.2:
            names = [{"name": "Ann"}, {"name": "Bo", "number": 2}]
            document = {
                "format": "table",
                "version": 1,
                "table": "entries",
                "rows": names,
            }
            return written(changed(chance.choice((names, document)), chance), chance)
        return self._table(NAMES, 0, chance)

    def _results(self, chance: Random) -> bytes:
        return self._table(PAST, 1, chance)

    def _table(self, text: str, number: int, chance: Random) -> bytes:
        if chance.random() < 0.03:
            whole = self.spreadsheets[number]
            return chance.choice((repacked, repacked, mangled))(whole, chance)
        separator = ";" if ";" in text else ","
        lines = [line.split(separator) for line in text.splitlines()]
        for _change in range(chance.choice((1, 1, 2, 3))):
            line = chance.choice(lines)
            line[chance.randrange(len(line))] = some_text(chance)
        ends = chance.choice(("\n", "\n", "\r\n", "\r"))
        separator = chance.choice((separator, separator, "\t", ";"))
        joined = ends.join(separator.join(line) for line in lines)
        coding = chance.choice(("utf-8", "utf-8", "utf-8", "utf-16", "cp1252"))
        errors = "replace" if coding == "cp1252" else "surrogatepass"
        content = joined.encode(coding, errors)
        return mangled(content, chance) if chance.random() < 0.2 else content

    def _record(self, chance: Random) -> bytes:
        return written(
            changed(chance.choice(self.records), chance, self.records[:3]), chance
        )

    def _logo(self, chance: Random) -> bytes:
        return mangled(self.logo, chance)

    def _archive(self, chance: Random) -> bytes:
        if chance.random() < 0.2:
            return mangled(self.archive, chance)
        return with_other_lines(self.archive, chance)


def spreadsheet(text: str) -> bytes:
    """Return separated values as a spreadsheet."""
    book, file = Workbook(), BytesIO()
    for line in text.splitlines():
        book.active.append(line.split(","))
    book.save(file)
    return file.getvalue()


def parts_of(content: bytes) -> dict[str, bytes]:
    """Return the files of an archive."""
    with ZipFile(BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: Mapping[str, bytes]) -> bytes:
    """Return an archive of these files."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return file.getvalue()


def repacked(content: bytes, chance: Random) -> bytes:
    """Return an archive that is whole, and of which one file is not."""
    parts = parts_of(content)
    name = chance.choice(list(parts))
    part = parts[name]
    if chance.random() < 0.5:
        part = part.replace(
            b"<v>", b"<v>" + some_text(chance).encode("utf-8", "replace"), 1
        )
    return packed({**parts, name: mangled(part, chance)})


def with_other_lines(content: bytes, chance: Random) -> bytes:
    """Return an archive of a club with another line somewhere, of which its manifest tells."""
    parts = parts_of(content)
    filled = [name for name, part in parts.items() if part and name.endswith(".jsonl")]
    name = chance.choice(filled)
    lines = parts[name].splitlines()
    place = chance.randrange(len(lines))
    lines[place] = written(changed(json.loads(lines[place]), chance), chance)
    parts[name] = b"".join(line + b"\n" for line in lines)
    manifest = json.loads(parts["manifest.json"])
    manifest["files"][name] = {
        **manifest["files"][name],
        "lines": parts[name].count(b"\n"),
        "sha256": sha256(parts[name]).hexdigest(),
    }
    parts["manifest.json"] = json.dumps(manifest).encode()
    return packed(parts)
