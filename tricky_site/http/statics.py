"""Static files with names that change with their content."""

import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import brotli
from whitenoise.storage import CompressedManifestStaticFilesStorage

COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    ".br": brotli.decompress,
    ".gz": gzip.decompress,
}
SPOILT = (brotli.error, gzip.BadGzipFile, zlib.error, EOFError)
"""Errors for a compressed file that a power cut left incomplete."""


class IncrementallyCompressedStatics(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Compresses only files that have changed since the last start."""

    def compress_files(self, paths: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Compress files that have no complete, current compressed copy."""
        yield from super().compress_files(
            [path for path in paths if not self._is_compressed(path)]
        )

    def _is_compressed(self, path: str) -> bool:
        content = Path(self.path(path)).read_bytes()
        try:
            return all(
                decompress(Path(self.path(path + suffix)).read_bytes()) == content
                for suffix, decompress in COMPRESSIONS.items()
            )
        except (FileNotFoundError, *SPOILT):
            return False
