"""The pack and the server with which phones run the scorepad offline."""

import io
import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from django.urls.resolvers import get_resolver
from PIL import Image

from scoring.offline.pack import build_pack, offline_static_urls

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_pack_contains_the_current_scorepad() -> None:
    with ZipFile(io.BytesIO(build_pack("en").archive)) as archive:
        names = set(archive.namelist())
        for source in (settings.BASE_DIR / "scoring/rules").rglob("*.py"):
            name = source.relative_to(settings.BASE_DIR).as_posix()
            assert archive.read(name) == source.read_bytes()
    assert not [name for name in names if "migrations" in name and "scoring" in name]
    assert "templates/scoring/match.html" in names
    server_packages = ("scoring/api/", "ninja/", "pydantic/", "corsheaders/")
    assert not [name for name in names if name.startswith(server_packages)]


def test_phone_formats_dates_and_times_like_the_site() -> None:
    with ZipFile(io.BytesIO(build_pack("en-us").archive)) as archive:
        assert archive.read("language.txt") == b"en-us"
        assert archive.read("time_zone.txt") == b"UTC"
        source = settings.BASE_DIR / "tricky_site/locales/formats/en_US/formats.py"
        assert archive.read("formats/en_US/formats.py") == source.read_bytes()


def test_pack_is_immutable_and_old_packs_are_not_found() -> None:
    response = Client().get(
        reverse("scoring:offline_pack", args=[build_pack("en").version])
    )
    assert "immutable" in response["Cache-Control"]
    assert (
        Client().get(reverse("scoring:offline_pack", args=["en-0"])).status_code == 404
    )
    assert Client().get(reverse("scoring:offline_pack", args=["0"])).status_code == 404


def test_service_worker_is_not_cached() -> None:
    response = Client().get("/sw.js")
    assert response["Cache-Control"] == "no-cache"
    first_line, _line, _rest = response.content.decode().partition("\n")
    release = json.loads(first_line.removeprefix("const RELEASE = ").removesuffix(";"))
    assert offline_static_urls()["scoring/bundles/app.js"] in release["files"]
    assert [Client().get(page).status_code for page in release["pages"]] == [200, 200]


def test_manifest_icons_have_their_declared_sizes() -> None:
    manifest = Client().get("/manifest.webmanifest").json()
    purposes = {icon["purpose"] for icon in manifest["icons"]}
    assert purposes == {"any", "maskable", "monochrome"}
    for shortcut in manifest["shortcuts"]:
        assert Client().get(shortcut["url"]).status_code == 200
    form_factors = {screen["form_factor"] for screen in manifest["screenshots"]}
    assert form_factors == {"narrow", "wide"}
    for picture in (*manifest["icons"], *manifest["screenshots"]):
        path = finders.find(picture["src"].removeprefix("/static/"))
        assert path is not None
        with Image.open(path) as image:
            assert "{}x{}".format(*image.size) == picture["sizes"]


def test_offline_links_match_the_sites_addresses() -> None:
    phone_resolver = get_resolver("scoring.offline.urls")
    for name in ("find_tournament", "clubs", "my_clubs"):
        path = reverse(f"tournaments:{name}")
        assert phone_resolver.resolve(path).view_name == f"tournaments:{name}"


OFFLINE_PROGRAM = """
import json
import os
from base64 import b64encode
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import reset_tzpath
from uuid import uuid4
os.environ["DJANGO_SETTINGS_MODULE"] = "scoring.offline.settings"
os.environ["TRICKY_ORIGIN"] = "https://club.example"
from scoring.offline import server
reset_tzpath([])

def page(method, path, **fields):
    return json.loads(server.answer(method, path, json.dumps(fields)))

assert json.loads(server.replace_held_matches('{"matches": [], "entries": []}')) == []
begun = page("POST", "/matches/new/", key=str(uuid4()), game="tricky_bid", name_0="A", name_1="B")
address = begun["location"].split("/")[2]
wire = {"format": "trick-entry", "version": 1}
hand = {**wire, "key": str(uuid4()), "kind": "enter", "number": 1, "base": 0, "body": {"points": [3, 4]}}
assert json.loads(server.deliver(address, json.dumps(hand)))["status"] == 200
sheet = page("GET", f"/m/{address}/")["text"]
assert sheet.count('data-hand="1"') == 1
assert f"https://club.example/m/{address}/" in sheet and 'src="data:image/svg+xml' in sheet
record = json.loads(server.record(address))
again = {**hand, "key": str(uuid4()), "number": 2, "address": "other"}
bad = {**again, "key": str(uuid4()), "number": 9}
told = {"matches": [{"address": "other", "record": record}], "entries": [again, bad]}
assert [one["status"] for one in json.loads(server.replace_held_matches(json.dumps(told)))] == [200, 422]
home = page("GET", "/")["text"]
assert "/m/other/" in home and address not in home
newer = json.loads(server.record("other"))
assert json.loads(server.refresh_match(json.dumps({"address": "other", "record": record, "entries": []}))) == []
assert 'data-hand="2"' not in page("GET", "/m/other/")["text"]
told = {"address": "other", "record": newer, "entries": [again]}
assert [one["status"] for one in json.loads(server.refresh_match(json.dumps(told)))] == [200]
assert page("GET", "/m/other/")["text"].count('data-hand="2"') == 1
head = {"format": "trick-record", "version": 1, "game": "tricky_bid", "options": {}, "players": ["A", "B"], "hands": []}
begins = {**wire, "key": str(uuid4()), "kind": "start", "body": head}
told = {"address": address, "record": None, "entries": [begins]}
assert [one["status"] for one in json.loads(server.refresh_match(json.dumps(told)))] == [200]
home = page("GET", "/")["text"]
assert "/m/other/" in home and address in home
assert page("GET", "/clubs/")["status"] == 200
missing = page("GET", "/m/nowhere/")
assert missing["status"] == 404 and "on this phone yet" in missing["text"]
assert json.loads(server.deliver("nowhere", json.dumps(bad)))["status"] == 422
assert json.loads(server.score(json.dumps(record)))["hands"][0]["totals"] == [3, 4]
assert "error" in json.loads(server.score("{"))
broken = {**record, "players": ["A"]}
told = [{"address": "broken", "record": broken}, {"address": "other", "record": record}]
unread = {**hand, "kind": [], "address": "other"}
answers = json.loads(server.replace_held_matches(json.dumps({"matches": told, "entries": [unread, again]})))
assert [one["status"] for one in answers] == [422, 200]
home = page("GET", "/")["text"]
assert "/m/other/" in home and "/m/broken/" not in home
try:
    server.refresh_match(json.dumps({"address": "other", "record": broken, "entries": []}))
except Exception:
    assert 'data-hand="2"' in page("GET", "/m/other/")["text"]
else:
    raise AssertionError("it was read")
last = {**again, "key": str(uuid4()), "number": 2}
table = {"wanted": 2, "own": 1, "at_table": True, "page": "/t/x/rounds/1/tables/1/"}
told = {"address": "other", "record": record, "table": table, "entries": [last]}
assert [one["status"] for one in json.loads(server.refresh_match(json.dumps(told)))] == [200]
sheet = page("GET", "/m/other/")["text"]
assert "Confirm as B" in sheet and "Pass the phone to A" in sheet and "Rematch" not in sheet
words = sheet.split('data-check-words="')[1].split('"')[0]
assert "A, is this right?" in page("GET", "/m/other/agree/0/")["text"]
def agree(seat, by):
    body = {"seat": seat, "words": words, "by": by}
    said = {**wire, "key": str(uuid4()), "kind": "confirm", "base": 2, "body": body}
    return json.loads(server.deliver("other", json.dumps(said)))["status"]
assert [agree(0, "own"), agree(1, "own"), agree(0, "table")] == [422, 200, 200]
sheet = page("GET", "/m/other/")["text"]
assert "on their own phone" in sheet and "on a shared phone" in sheet and "Confirmed" in sheet
seats = {"own": 1, "elsewhere": [0]}
told = {"address": "other", "record": record, "seats": seats, "entries": [last]}
server.refresh_match(json.dumps(told))
assert [agree(0, "table"), agree(1, "table")] == [422, 200]
sheet = page("GET", "/m/other/")["text"]
assert "A confirms on their own phone" in sheet and "A: looks right" not in sheet
assert "on their own phone" in sheet and "Withdraw" in sheet and "belongs to B" in sheet
told = {"matches": [{"address": "other", "record": record}], "entries": [last]}
server.replace_held_matches(json.dumps(told))
assert "Rematch" in page("GET", "/m/other/")["text"]
told = {"address": "other", "record": record, "closed": True, "entries": [last]}
assert [one["status"] for one in json.loads(server.refresh_match(json.dumps(told)))] == [410]
sheet = page("GET", "/m/other/")["text"]
assert "This match is closed" in sheet and "data-new-hand-link" not in sheet
written = datetime.fromisoformat(record["meta"]["tricky"]["log"][-1]["made_at"])
def hours(clocks):
    told = {"address": "other", "record": record, "clocks": clocks, "entries": []}
    server.refresh_match(json.dumps(told))
    return page("GET", "/m/other/hands/1/")["text"]
rules = b64encode(Path(os.environ["ZONES"], "Asia/Tokyo").read_bytes()).decode()
there = hours({"zone": "Asia/Tokyo", "rules": rules})
assert f"{written + timedelta(hours=9):%H:%M}" in there and 'data-time-zone="Asia/Tokyo"' in there
assert 'data-time-zone="UTC"' in page("GET", "/")["text"]
assert f"{written:%H:%M}" in hours(None)
"""


RESUME_PROGRAM = """
import json
import os
import sys
from pathlib import Path
from shutil import rmtree
os.environ["DJANGO_SETTINGS_MODULE"] = "scoring.offline.settings"
from scoring.offline import server
server.rehearse()
folder = os.environ["FOLDER"]
rmtree(folder)
server.resume_from_snapshot(os.environ["ARCHIVE"], folder)

def page(method, path, **fields):
    return json.loads(server.answer(method, path, json.dumps(fields)))

assert json.loads(server.replace_held_matches('{"matches": [], "entries": []}')) == []
assert not Path(folder).exists()
home = page("GET", "/")
assert home["status"] == 200 and "/m/" not in home["text"]
assert Path(folder, "templates/scoring/match.html").exists()
assert not list(Path(folder).rglob("*.py"))
begun = page("POST", "/matches/new/", key="5ca1ab1e-0000-4000-8000-000000000000", game="tricky_bid", name_0="A", name_1="B")
assert "Enter hand 1" in page("GET", begun["location"])["text"]
from django.utils import feedgenerator
assert feedgenerator.__file__.startswith(os.environ["ARCHIVE"])
"""


def run_packed_program(program: str, folder: Path, **environment: str) -> str:
    """Run a program as on a phone, with only the unpacked pack; return its errors."""
    with ZipFile(io.BytesIO(build_pack("en").archive)) as archive:
        archive.extractall(folder)
    # Hide the libraries of this environment: a phone has only the pack.
    path_setup = f"import sys; sys.path[:] = [{str(folder)!r}, *[p for p in sys.path if 'site-packages' not in p]]\n"
    process = subprocess.run(
        [sys.executable, "-I", "-B", "-c", path_setup + program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TMPDIR": str(folder.parent), **environment},
    )
    return process.stderr if process.returncode else ""


@pytest.mark.long(2)
def test_packed_scorepad_runs_on_its_own(tmp_path: Path) -> None:
    zones = files("tzdata") / "zoneinfo"
    assert not run_packed_program(OFFLINE_PROGRAM, tmp_path / "pad", ZONES=str(zones))


@pytest.mark.long(2)
def test_a_scorepad_resumes_without_unpacking(tmp_path: Path) -> None:
    archive, folder = tmp_path / "pad.zip", tmp_path / "pad"
    archive.write_bytes(build_pack("en").archive)
    assert not run_packed_program(
        RESUME_PROGRAM, folder, ARCHIVE=str(archive), FOLDER=str(folder)
    )
