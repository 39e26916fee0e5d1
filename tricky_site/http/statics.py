"""Static files under names that change with what is in them."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import brotli
from django.contrib.staticfiles.storage import HashedFilesMixin
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from tricky_site.http.joins import joined

_, IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]

BLOCK = r"/\*(?:(?!\*/)[\s\S])*\*/"
COMMENTS = rf"(?m)^[ \t]*{BLOCK}[ \t]*\n|^[ \t]*//.*\n|(?=/\*\* @){BLOCK} ?"
"""Comments on lines of their own, and types within a line: as our own scripts write them."""
NOTHING = ""
JOINED = (
    "scoring/css/site.css",
    "tournaments/css/site.css",
    "tournaments/css/history.css",
)
IMPORTED_STYLES = r"""@import url\("(?P<file>[\w.]+)"\);"""
CONTENT = "what is imported, in its place"
SCRIPTS, DATABASE = "scoring/js/", "scoring/vendor/idb-"
"""Where our own scripts are; and the one of others that all pages have."""
JOINED_SCRIPTS = tuple(
    f"{SCRIPTS}{name}.js"
    for name in ("phone/start", "pad", "draft", "entry", "pieces", "sheet", "seats")
)
"""Scripts that are sent with all that they import: first what every page has."""
COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    ".br": brotli.decompress,
    ".gz": gzip.decompress,
}
SPOILT = (brotli.error, gzip.BadGzipFile, zlib.error, EOFError)
"""What they raise where somebody pulled the plug while it was written."""


def is_joined(name: str) -> bool:
    """Tell whether a script is one that others may have within them."""
    return name.startswith((SCRIPTS, DATABASE)) and name.endswith(".js")


def without_comments(script: str) -> str:
    """Return a script of ours as phones are sent it."""
    return re.sub(COMMENTS, NOTHING, script)


class HashedStatics(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Also what our own scripts import is imported by such a name.

    The style sheets that every page has are sent as one, and so are our scripts with what
    they import: each further request takes a phone with a slow network longer than all
    they say. Whoever asks for a module within is told of the script that it is in.

    Scripts of others are left as they are, because they speak of imports that are
    none; but for the reader of codes, whose two files are in fact two. Of ours the
    comments stay behind, which are a third of them.
    """

    patterns = (
        # First: what the sheets within it name has names of the same kind.
        *((name, ((IMPORTED_STYLES, CONTENT),)) for name in JOINED),
        *CompressedManifestStaticFilesStorage.patterns,
        ("scoring/js/*.js", ((COMMENTS, NOTHING), *IMPORTS)),
        ("tournaments/js/*.js", ((COMMENTS, NOTHING),)),
        ("scoring/vendor/qr-*.js", IMPORTS),
    )
    max_post_process_passes = 20
    """As long as a chain of imports may be: each pass settles the names of one more."""

    def post_process(
        self, paths: dict[str, Any], *, dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str, bool]]:
        """Give each file under the name that it has from now on, scripts joined."""
        modules = {
            name: without_comments(storage.open(path).read().decode())
            for name, (storage, path) in paths.items()
            if is_joined(name)
        }
        scripts, homes = joined(modules, JOINED_SCRIPTS)
        held = InMemoryStorage()
        for name in modules:
            if name in scripts:
                held.save(name, ContentFile(scripts[name].encode()))
                paths[name] = (held, name)
            else:
                del paths[name]
        yield from super().post_process(paths, dry_run=dry_run, **options)
        if dry_run:
            return
        for module, home in homes.items():
            self.hashed_files[module] = self.hashed_files[home]
        self.save_manifest()

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress what does not lie here compressed already, whole and unchanged."""
        yield from super().compress_files(
            [path for path in paths if not self._is_compressed(path)]
        )

    def _is_compressed(self, path: str) -> bool:
        content = Path(self.path(path)).read_bytes()
        try:
            return all(
                decompress(Path(self.path(path + ending)).read_bytes()) == content
                for ending, decompress in COMPRESSIONS.items()
            )
        except (FileNotFoundError, *SPOILT):
            return False

    def url_converter(
        self, name: str, hashed_files: dict[str, str], template: str | None = None
    ) -> Callable[[re.Match[str]], str]:
        """Return what writes something else in the place of what a pattern matches."""
        if template == NOTHING:
            return lambda _comment: NOTHING
        if template == CONTENT:
            folder = PurePosixPath(name).parent
            return lambda found: Path(
                self.path(str(folder / found["file"]))
            ).read_text()
        converter: Callable[[re.Match[str]], str] = super().url_converter(
            name, hashed_files, template
        )
        return converter
