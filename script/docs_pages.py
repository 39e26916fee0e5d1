"""Hooks of mkdocs for the documentation sites: documents outside `docs/` become pages too, links are
adapted, and each page links to its translation."""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ROOT_PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Documents in the root of the repository; the first of them is the home page of the site."""
GERMAN = ROOT / "docs/de"
LINK = re.compile(r"\[([^\]]*)\]\((?!\w+:|#)([^)\s]+)\)")


def on_files(files: Any, config: Any) -> Any:
    """Return the files of a site: its documents, in English also those of the root, and the styles."""
    from mkdocs.structure.files import (  # type: ignore[import-not-found]
        File,
        Files,
    )

    def external_file(name: str, folder: Path) -> Any:
        return File(name, str(folder), config["site_dir"], config["use_directory_urls"])

    if is_german(config):
        return Files([*files, external_file("site.css", ROOT / "docs")])
    english_files = [file for file in files if not file.src_uri.startswith("de/")]
    # The English site leaves out `de/`, so that no page is built twice.
    return Files([*english_files, *(external_file(name, ROOT) for name in ROOT_PAGES)])


def is_german(config: Any) -> bool:
    return Path(config["docs_dir"]) == GERMAN


def on_page_markdown(markdown: str, page: Any, config: Any, **_options: Any) -> str:
    """Return a document with links adapted to the pages of the site; links to other files become plain text."""
    page_path = page.file.src_uri
    link = _german_link if is_german(config) else _link
    return LINK.sub(lambda match: link(match[1], match[2], page_path), markdown)


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Return a page with a link to its translation, or to the home page of the other language."""
    name = page.file.src_uri
    root = "../" * name.count("/")
    if is_german(config):
        links = {"en": f"{root}../{page.url}", "de": root + page.url}
    else:
        german = page.url if (GERMAN / name).exists() else "index.html"
        links = {"en": root + page.url, "de": f"{root}de/{german}"}
    for language, link in links.items():
        # mkdocs itself allows no link out of its site.
        output = output.replace(f'href="#{language}"', f'href="{link}"')
    return output


def _link(label: str, target: str, page_path: str) -> str:
    """Return a link of an English document, adapted to the site.

    >>> _link("how", "docs/players.md#feed", "README.md"), _link("it", "../README.md", "api.md")
    ('[how](players.md#feed)', '[it](README.md)')
    >>> _link("German", "docs/de/README.md", "README.md")
    '<a href="de/index.html">German</a>'
    >>> _link("compose.yaml", "../compose.yaml", "players.md")
    '`compose.yaml`'
    """
    if page_path in ROOT_PAGES:
        inside = target.removeprefix("docs/")
        if inside.startswith("de/"):
            return _other_site(label, inside)
        if inside == target and target.partition("#")[0] not in ROOT_PAGES:
            return label
        return f"[{label}]({inside})"
    path, mark, anchor = target.partition("#")
    above, name = path.count("../"), path.split("/")[-1]
    depth = page_path.count("/")
    if above <= depth:
        return f"[{label}]({target})"
    if name in ROOT_PAGES:
        return f"[{label}]({'../' * depth}{name}{mark}{anchor})"
    return f"`{label.strip('`')}`"


def _german_link(label: str, target: str, page_path: str) -> str:
    """Return a link of a German document, adapted to the site.

    >>> _german_link("wie", "../players.md#feed", "reference/files.md")
    '[wie](../players.md#feed)'
    >>> _german_link("wie", "../../reference/security.md#what", "reference/files.md")
    '<a href="../../reference/security.html#what">wie</a>'
    >>> _german_link("es", "../../README.md", "players.md")
    '<a href="../index.html">es</a>'
    >>> _german_link("compose.yaml", "../../compose.yaml", "players.md")
    '`compose.yaml`'
    """
    above, depth = target.count("../"), page_path.count("/")
    if above <= depth:
        return f"[{label}]({target})"
    path = target.removeprefix("../" * above)
    if not path.partition("#")[0].endswith(".md"):
        return f"`{label.strip('`')}`" if "." in path else label
    if above == depth + 1 or path.partition("#")[0] in ROOT_PAGES:
        return _other_site(label, f"{'../' * (depth + 1)}{path}")
    return f"`{label.strip('`')}`"


def _other_site(label: str, target: str) -> str:
    """Return a link to a page in the other language. Builds cannot check it, but tests do."""
    page = target.replace("README.md", "index.md").replace(".md", ".html")
    return f'<a href="{page}">{label}</a>'
