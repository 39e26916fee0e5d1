"""The archive that a phone's own server is made of, where Python's memory is that of an earlier start.

Files are no part of that memory. Nearly all modules are in it; the few others are imported from the
archive as it came, and what is read as a file is laid out once a page is drawn.
"""

import sys
from zipfile import ZipFile
from zipimport import zipimporter


class Archive:
    """An archive at a path, whose files belong into a folder."""

    def __init__(self, path: str, folder: str) -> None:
        self.path, self.folder = path, folder

    def install_importer(self) -> None:
        """Let whatever is imported from the folder come from the archive."""

        def find_importer(path: str) -> zipimporter:
            if path != self.folder and not path.startswith(f"{self.folder}/"):
                raise ImportError(path)
            return zipimporter(self.path + path.removeprefix(self.folder))

        sys.path_hooks.insert(0, find_importer)
        sys.path_importer_cache.clear()

    def lay_out(self) -> None:
        """Lay out what is read as a file: all but modules."""
        with ZipFile(self.path) as archive:
            for name in archive.namelist():
                if not name.endswith(".py"):
                    archive.extract(name, self.folder)
