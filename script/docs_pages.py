"""Documents beside `docs/` as pages of the site, which mkdocs calls for each build; links follow."""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
BESIDE = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""They stand where whoever opens the code looks first; the first of them is the site's first page."""
LINK = re.compile(r"\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)")


def on_files(files: Any, config: Any) -> Any:
    """Return what becomes a page, with the documents beside the folder."""
    from mkdocs.structure.files import File  # type: ignore[import-not-found]

    for name in BESIDE:
        # None of its own lies there, so that no page is built twice.
        files.append(
            File(name, str(ROOT), config["site_dir"], config["use_directory_urls"])
        )
    return files


def on_page_markdown(markdown: str, page: Any, **_options: Any) -> str:
    """Return a document whose links lead to pages; what is no page is named without one."""
    here = page.file.src_uri
    return LINK.sub(lambda link: _link(link[1], link[2], here), markdown)


def _link(words: str, target: str, here: str) -> str:
    """Return a link of a document as the site has it.

    >>> _link("how", "docs/files.md#feed", "README.md"), _link("it", "../README.md", "api.md")
    ('[how](files.md#feed)', '[it](README.md)')
    >>> _link("compose.yaml", "../compose.yaml", "live.md")
    '`compose.yaml`'
    """
    if here in BESIDE:
        return f"[{words}]({target.removeprefix('docs/')})"
    path, mark, anchor = target.partition("#")
    above, name = path.count("../"), path.split("/")[-1]
    depth = here.count("/")
    if above <= depth:
        return f"[{words}]({target})"
    if name in BESIDE:
        return f"[{words}]({'../' * depth}{name}{mark}{anchor})"
    return f"`{words.strip('`')}`"
