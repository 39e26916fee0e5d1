"""Static files under names that change with what is in them."""

import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, IMPORTS = HashedFilesMixin._js_module_import_aggregation_patterns  # type: ignore[attr-defined]

BLOCK = r"/\*(?:(?!\*/)[\s\S])*\*/"
COMMENTS = rf"(?m)^[ \t]*{BLOCK}[ \t]*\n|^[ \t]*//.*\n|(?=/\*\* @){BLOCK} ?"
"""Comments on lines of their own, and types within a line: as our own scripts write them."""
NOTHING = ""
JOINED = ("scoring/css/site.css", "tournaments/css/site.css")
IMPORTED_STYLES = r"""@import url\("(?P<file>[\w.]+)"\);"""
CONTENT = "what is imported, in its place"


def without_comments(script: str) -> str:
    """Return a script of ours as phones are sent it."""
    return re.sub(COMMENTS, NOTHING, script)


class HashedStatics(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Also what our own scripts import is imported by such a name.

    The style sheets that every page has are sent as one: each further request takes a
    phone with a slow network longer than all they say.

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
