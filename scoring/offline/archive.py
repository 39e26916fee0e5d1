"""The archive with the code of a phone's own server, used when Python starts from a memory snapshot.

Files are not part of the snapshot. Nearly all modules are in it; the few others are imported
from the archive, and data files are extracted before the first page is rendered.
"""

import sys
from zipfile import ZipFile
from zipimport import zipimporter


class Archive:
    """An archive at a path, with files that belong in a folder."""

    def __init__(self, path: str, folder: str) -> None:
        self.path, self.folder = path, folder

    def install_importer(self) -> None:
        """Install an import hook that reads modules of the folder from the archive."""

        def find_importer(path: str) -> zipimporter:
            if path != self.folder and not path.startswith(f"{self.folder}/"):
                raise ImportError(path)
            return zipimporter(self.path + path.removeprefix(self.folder))

        sys.path_hooks.insert(0, find_importer)
        sys.path_importer_cache.clear()

    def lay_out(self) -> None:
        """Extract all files except Python modules."""
        with ZipFile(self.path) as archive:
            for name in archive.namelist():
                if not name.endswith(".py"):
                    archive.extract(name, self.folder)
