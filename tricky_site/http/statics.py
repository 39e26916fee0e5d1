"""Static files under names that change with what is in them."""

import gzip
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath

import brotli
from whitenoise.storage import CompressedManifestStaticFilesStorage

JOINED = (
    "scoring/css/site.css",
    "tournaments/css/site.css",
    "tournaments/css/history.css",
)
IMPORTED_STYLES = r"""@import url\("(?P<file>[\w.]+)"\);"""
CONTENT = "what is imported, in its place"
COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    ".br": brotli.decompress,
    ".gz": gzip.decompress,
}
SPOILT = (brotli.error, gzip.BadGzipFile, zlib.error, EOFError)
"""What they raise where somebody pulled the plug while it was written."""


class HashedStatics(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Joins style sheets that every page has, and compresses only what has changed."""

    patterns = (
        # First: what the sheets within it name has names of the same kind.
        *((name, ((IMPORTED_STYLES, CONTENT),)) for name in JOINED),
        *CompressedManifestStaticFilesStorage.patterns,
    )

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
        if template == CONTENT:
            folder = PurePosixPath(name).parent
            return lambda found: Path(
                self.path(str(folder / found["file"]))
            ).read_text()
        converter: Callable[[re.Match[str]], str] = super().url_converter(
            name, hashed_files, template
        )
        return converter
