"""Uploaded files: records, archives and pictures. Lists have their own property tests."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from random import Random
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from PIL import Image

from scoring.matchlog.records import export_match, get_or_import_match
from scoring.models import Match
from scoring.rules import Refusal
from tests.factories.archives import build_archive
from tests.factories.matches import NOW
from tests.fuzz.hostile import change_document, mangle, write_json
from tests.fuzz.site import (
    RECORD_DOCUMENTS,
    Fault,
    Site,
    describe_fault,
    take_writes,
)
from tournaments.changes import RefusedError
from tournaments.files.archive.reading import ArchiveError, import_club
from tournaments.people.looks import set_logo

NAMES = b"Nr;Name;Club\n1;Bo Lee;West\n2;Cy;East\n3;\xc3\x89lodie;S\xc3\xbcd\n"
PAST = b"""date,tournament,round,table,player,points
2024-03-01,March,1,1,Ann,40
2024-03-01,March,1,1,Bo,31
2024-03-01,March,1,2,Cy,31.5
2024-03-01,March,1,2,Di,12
"""
REFUSALS = (Refusal, ArchiveError, RefusedError)
READERS: Mapping[str, Callable[[Site, bytes], object]] = {
    "record": lambda site, content: get_or_import_match(content, now=NOW),
    "archive": lambda site, content: import_club(
        BytesIO(content), now=NOW, slug="another", director=site.director
    ),
    "logo": lambda site, content: set_logo(club_id=site.club.pk, file=BytesIO(content)),
}


@dataclass(frozen=True)
class HostileFile:
    reader: str
    content: bytes
    kind: str = "files"

    def play(self, site: Site) -> Fault | None:
        """Read the file; return the fault, if any."""
        try:
            READERS[self.reader](site, self.content)
        except REFUSALS as refusal:
            if writes := take_writes():
                return Fault(f"refused {self.reader} and wrote {sorted(writes)}")
            message = str(refusal).strip()
            return None if message else Fault(f"refused {self.reader} wordless")
        except Exception as error:
            return describe_fault(error, self.reader)
        take_writes()
        return None


class Files:
    """Creates files of a site with random changes."""

    def __init__(self, site: Site) -> None:
        self.archive = build_archive(site.club)
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
            *(NAMES, PAST, self.archive, self.logo),
            b'[{"name": "Ann"}, {"name": "Bo"}]',
        ]

    def file(self, rng: Random) -> HostileFile:
        reader = rng.choice(("record", "record", "archive", "logo"))
        if reader == "record":
            document = change_document(rng.choice(self.records), rng, self.records[:3])
            return HostileFile(reader, write_json(document, rng))
        if reader == "logo":
            return HostileFile(reader, mangle(self.logo, rng))
        change = mangle if rng.random() < 0.2 else change_line
        return HostileFile(reader, change(self.archive, rng))


def change_line(content: bytes, rng: Random) -> bytes:
    """Return an archive of a club with one line changed, and a matching manifest."""
    with ZipFile(BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    non_empty = [
        name for name, part in parts.items() if part and name.endswith(".jsonl")
    ]
    name = rng.choice(non_empty)
    lines = parts[name].splitlines()
    index = rng.randrange(len(lines))
    lines[index] = write_json(change_document(json.loads(lines[index]), rng), rng)
    parts[name] = b"".join(line + b"\n" for line in lines)
    manifest = json.loads(parts["manifest.json"])
    manifest["files"][name] |= {
        "lines": parts[name].count(b"\n"),
        "sha256": sha256(parts[name]).hexdigest(),
    }
    parts["manifest.json"] = json.dumps(manifest).encode()
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return file.getvalue()
