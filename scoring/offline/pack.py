"""The archive that a phone runs: the scorepad and the libraries it needs."""

import io
import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.translation import to_locale

from scoring.locales import catalogs
from scoring.offline.settings import HOST_ZONE, LANGUAGE
from scoring.offline.statics import STATICS_FILE

LIBRARIES = (
    "django",
    "asgiref",
    "sqlparse",
    "django_htmx",
    "template_partials",
    "segno",
)
"""Packages that the scorepad imports."""
EXCLUDED_PREFIXES = (
    "django/conf/app_template",
    "django/conf/project_template",
    "django/contrib/admin",
    "django/contrib/admindocs",
    "django/contrib/auth",
    "django/contrib/contenttypes",
    "django/contrib/flatpages",
    "django/contrib/gis",
    "django/contrib/postgres",
    "django/contrib/redirects",
    "django/contrib/sitemaps",
    "django/contrib/sites",
    "django/contrib/syndication",
    "django/core/management/commands",
    "django/db/backends/mysql",
    "django/db/backends/oracle",
    "django/db/backends/postgresql",
    "django/test",
    "django_htmx/static",
    "scoring/api",
    "scoring/management",
    "scoring/migrations",
    "scoring/pictures",
    "scoring/static",
)
"""Path prefixes of files that no page of the scorepad needs."""
MESSAGE_SOURCES = ("scoring/", "templates/scoring/", "templates/base.html")
"""Path prefixes of source files with messages that are translated on a phone."""
SUFFIXES = {".py", ".html", ".txt", ".mo"}
ZIP_TIME = (1980, 1, 1, 0, 0, 0)
"""Modification time of every file, so that the same files give the same archive."""
STATIC_PREFIXES = ("scoring/", "django_htmx/htmx-2.min.js")
"""Name prefixes of static files that the scorepad's pages need."""


class OfflinePack(NamedTuple):
    """An archive and its version, under which it can be cached forever."""

    archive: bytes
    version: str


@cache
def build_pack(language: str) -> OfflinePack:
    """Return the archive for phones with this language, built once in each process."""
    files = {LANGUAGE: language.encode()}
    folder = to_locale(language)
    libraries = Path(django.__file__).parent.parent
    formats = settings.BASE_DIR / "tricky_site/locales/formats"
    # Missing translations fall back to the next catalog.
    for name in {"en", language.partition("-")[0], folder}:
        for library in ("django/conf", "django/contrib/humanize"):
            package = libraries / library / "locale" / name
            for path in package.rglob("*"):
                if path.suffix in {".py", ".mo"}:
                    relative_path = path.relative_to(package).as_posix()
                    files[f"{library}/locale/{name}/{relative_path}"] = (
                        path.read_bytes()
                    )
        for path in (formats / "__init__.py", *(formats / name).glob("*.py")):
            if path.exists():
                relative_path = path.relative_to(formats).as_posix()
                files[f"formats/{relative_path}"] = path.read_bytes()
    for place in settings.LOCALE_PATHS:
        po_file = Path(place) / folder / catalogs.PO_PATH
        if po_file.exists():
            mo_content = catalogs.compile_partial_catalog(po_file, MESSAGE_SOURCES)
            files[f"locale/{folder}/{catalogs.MO_PATH}"] = mo_content
    buffer = io.BytesIO()
    buffer.write(_build_shared_archive())
    with ZipFile(buffer, "a", ZIP_DEFLATED, compresslevel=9) as archive:
        _write_files(archive, files)
    content = buffer.getvalue()
    return OfflinePack(
        archive=content, version=f"{language}-{sha256(content).hexdigest()[:16]}"
    )


def _write_files(archive: ZipFile, files: Mapping[str, bytes]) -> None:
    for name, content in sorted(files.items()):
        archive.writestr(ZipInfo(name, ZIP_TIME), content, ZIP_DEFLATED)


def find_pack(version: str) -> OfflinePack | None:
    """Return the archive of this version; None if this release has another."""
    language = version.rpartition("-")[0]
    if language not in dict(settings.LANGUAGES):
        return None
    current = build_pack(language)
    return current if current.version == version else None


@cache
def offline_static_urls() -> dict[str, str]:
    """Return the addresses of the static files that the scorepad's pages need, by name."""
    names = {
        name
        for finder in get_finders()
        for name, _storage in finder.list([])
        if name.startswith(STATIC_PREFIXES)
    }
    return {name: staticfiles_storage.url(name) for name in sorted(names)}


@cache
def _build_shared_archive() -> bytes:
    """Return an archive of the files for all languages; building it takes a second."""
    base = settings.BASE_DIR
    files = {
        "templates/base.html": (base / "templates/base.html").read_bytes(),
        STATICS_FILE: json.dumps(offline_static_urls(), sort_keys=True).encode(),
        HOST_ZONE: settings.TIME_ZONE.encode(),
        **_package_files(base / "scoring", "scoring"),
        **_package_files(base / "templates/scoring", "templates/scoring"),
    }
    for library in LIBRARIES:
        files |= _package_files(_find_package_folder(library), library)
    # Only two time zones: UTC and this site's.
    zone, tzdata = Path("zoneinfo", settings.TIME_ZONE), _find_package_folder("tzdata")
    packages = [parent / "__init__.py" for parent in zone.parents]
    for path in (Path("zoneinfo/UTC"), zone, *packages):
        files[f"tzdata/{path.as_posix()}"] = (tzdata / path).read_bytes()
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        _write_files(archive, files)
    return buffer.getvalue()


def _find_package_folder(name: str) -> Path:
    spec = find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent


def _package_files(folder: Path, name: str) -> dict[str, bytes]:
    """Return the files of a package that a phone needs in any language."""
    files = {}
    for path in folder.rglob("*"):
        file_path = f"{name}/{path.relative_to(folder).as_posix()}"
        is_excluded = (
            file_path.startswith(EXCLUDED_PREFIXES) or "/__pycache__/" in file_path
        )
        # A language has a folder of its own next to the package's `__init__.py`.
        is_language_file = "/" in file_path.partition("/locale/")[2]
        if path.suffix in SUFFIXES and not (is_excluded or is_language_file):
            files[file_path] = path.read_bytes()
    return files
