"""The documents lead where they say, and stand in their site: `script/docs` builds it."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.parse import unquote

import polib
import pytest
from django.conf import settings

from tournaments.standings import TIE_BREAKS

ROOT = Path(settings.BASE_DIR)
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LOCAL = re.compile(r'(?:href|src)="(?![\w+]+:|/)([^"#?]*)(?:#([^"]*))?"')
EMPHASIS = re.compile(r"(?<![\w*])\*([^\s*][^*]*?)\*(?![\w*])")
CATALOG = ROOT / "locale/de/LC_MESSAGES/django.po"
EXAMPLE = re.compile(r"%\\\(\w+\\\)s")
"""A variable of a message, for which documents write an example; escaped."""
RECIPE = re.compile(r"\]\((how-to/[\w-]+\.md)\)")
FOR_CLUBS = (
    *sorted(ROOT.glob("docs/learn/*.md")),
    *(
        ROOT / "docs" / recipe
        for audience in ("players", "directors")
        for recipe in RECIPE.findall((ROOT / f"docs/{audience}.md").read_text())
    ),
    *(ROOT / f"docs/reference/{name}.md" for name in ("files", "history")),
)
"""Documents in which what is emphasized is what a screen says."""
LINK = re.compile(r"\]\((?![\w+]+:)([^)#\s]*)#?([^)\s]*)")
FOLDERS = (
    *("backups", "scoring", "tests", "tournaments", "tricky_site"),
    *("docs", "script", "templates"),
)
A_PATH = re.compile(
    rf"(?<![\w/.:<])(?:(?:{'|'.join(FOLDERS)}|\.ci)/(?:[\w./*-]|<\w+>)+)"
)


def relative_path(document: Path) -> str:
    return str(document.relative_to(ROOT))


def emphasized(document: Path) -> set[str]:
    found = EMPHASIS.findall(FENCED.sub("", document.read_text()))
    return {" ".join(words.split()) for words in found}


def slugs(text: str) -> list[str]:
    """Return what leads to each heading of a document, in their order.

    >>> slugs("# For A\\n```\\n# no heading\\n```\\n## Für *dich*?\\n")
    ['for-a', 'für-dich']
    """
    headings = re.findall(r"^#+ (.+?)\s*$", FENCED.sub("", text), re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return [heading.replace(" ", "-") for heading in plain]


def anchors(text: str) -> set[str]:
    """Return what leads to the headings of a document, where all readers agree about it.

    >>> sorted(anchors("# For A & B\\n## Who does *what*?\\n"))
    ['who-does-what']
    """
    # Where two spaces would meet, one reader writes two dashes and another one.
    return {slug for slug in slugs(text) if "--" not in slug}


def find_paths(text: str) -> list[str]:
    """Return the paths in our tree that a text names, `<game>` and the like as `*`.

    >>> find_paths("See docs/reference/ratings.md, and `scoring/rules/<game>/`. Not tests/...")
    ['docs/reference/ratings.md', 'scoring/rules/*/']
    """
    found = A_PATH.findall(text.replace("<br>", " "))
    whole = [path.rstrip(".") for path in found if not path.endswith("...")]
    return [re.sub(r"<\w+>", "*", path) for path in whole]


def missing_targets(document: Path) -> list[str]:
    """Return the links of a document to no file or no heading, and the paths that are not there."""
    text = document.read_text()
    links = [
        (document.parent / path if path else document, to)
        for path, to in LINK.findall(FENCED.sub("", text))
    ]
    return [
        *(
            f"{target}#{to}"
            for target, to in links
            if not target.exists() or (to and to not in anchors(target.read_text()))
        ),
        *(path for path in find_paths(text) if not any(ROOT.glob(path))),
    ]


def test_every_link_and_path_in_a_document_leads_somewhere() -> None:
    missing = {each: missing_targets(each) for each in DOCUMENTS}
    assert {
        relative_path(each): found for each, found in missing.items() if found
    } == {}


def linked_documents(document: Path) -> set[Path]:
    """Return the documents to which a document links."""
    targets = re.findall(r"\]\(([^)#\s]+\.md)", document.read_text())
    return {(document.parent / target).resolve() for target in targets}


@pytest.mark.parametrize("start", ["README.md", "docs/de/README.md"])
def test_every_document_is_reachable_from_its_languages_readme(start: str) -> None:
    folder = (ROOT / start).parent
    reached, new = set[Path](), {ROOT / start}
    while new:
        reached |= new
        new = {to for document in new for to in linked_documents(document)} - reached
    missing = {document for document in DOCUMENTS if document.is_relative_to(folder)}
    if start == "README.md":
        missing -= set(ROOT.glob("docs/de/**/*.md"))
    assert sorted(map(relative_path, missing - reached)) == []


def test_readme_fits_two_screens_and_changelog_has_the_version() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 80
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text()


def test_club_documents_quote_texts_of_the_interface() -> None:
    catalog = polib.pofile(str(CATALOG))
    messages = {words for each in catalog for words in (each.msgid, each.msgid_plural)}
    patterns = [EXAMPLE.sub("[^ ]+", re.escape(words)) for words in messages if words]
    # A document may leave out how a message ends.
    said = re.compile(rf"(?:{'|'.join(patterns)})", re.IGNORECASE)
    begun = "\n".join(messages)
    assert [
        (relative_path(document), words)
        for document in FOR_CLUBS
        for words in sorted(emphasized(document))
        if not said.fullmatch(words.rstrip(".,"))
        and not re.search(rf"(?im)^{re.escape(words.rstrip('.,'))}(?!\w)", begun)
    ] == []


GLOSSARY = re.compile(r"^\| ([^|]+) \| [^|]+ \| (.+) in `([\w/.]+)` \|$", re.MULTILINE)


def test_glossary_terms_are_unique_defined_and_documented() -> None:
    rows = GLOSSARY.findall((ROOT / "docs/reference/glossary.md").read_text())
    assert len(rows) >= 30
    words = [word.strip() for row in rows for word in row[0].split(",")]
    assert len(words) == len(set(words))
    for word, names, place in rows:
        path = ROOT / place
        files = [path] if path.is_file() else sorted(path.rglob("*.py"))
        source = "\n".join(file.read_text() for file in files)
        for name in re.findall(r"`(\w+)`", names):
            defined = rf"(class|def) {name}\b|^ *{name}(:[^=]+)? = |\b{name}: "
            assert re.search(defined, source, re.MULTILINE), (word, name)
            if declared := re.search(rf"^class {name}\b.*\n(.*)", source, re.MULTILINE):
                assert declared[1].lstrip().startswith('"""'), (
                    f"{name} has no docstring"
                )


@pytest.mark.parametrize("site", ["mkdocs.yml", "mkdocs.de.yml"])
def test_every_document_is_listed_once_in_its_languages_navigation(site: str) -> None:
    nav = (ROOT / site).read_text().partition("\nnav:\n")[2]
    listed = re.findall(r": ([\w/-]+\.md)$", nav, re.MULTILINE)
    german = site == "mkdocs.de.yml"
    documents = [
        relative_path(document).removeprefix("docs/").removeprefix("de/")
        for document in DOCUMENTS
        if document.is_relative_to(ROOT / "docs/de") is german
    ]
    assert sorted(listed) == sorted(documents)


def test_docs_page_doctests_pass() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "doctest", "-v", ROOT / "script/docs_pages.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "7 passed" in ran.stdout


def broken_links(page: Path) -> list[str]:
    """Return the links of a built page within its site that lead to no file or no heading."""
    return [
        f"{page.name}: {link}#{anchor}"
        for link, anchor in LOCAL.findall(page.read_text())
        if not anchor_exists(
            page.parent / unquote(link) if link else page, unquote(anchor)
        )
    ]


def anchor_exists(target: Path, anchor: str) -> bool:
    return target.is_file() and (not anchor or f'id="{anchor}"' in target.read_text())


@pytest.mark.skipif(shutil.which("mkdocs") is None, reason="mkdocs is not installed")
def test_documentation_builds_without_warnings_and_external_requests(
    tmp_path: Path,
) -> None:
    site = tmp_path / "site"
    ran = subprocess.run(
        [ROOT / "script/docs", str(site)], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert "Your first night" in (site / "index.html").read_text()
    assert "Your first evening" in (site / "search/search_index.json").read_text()
    assert "Dein erster Abend" in (site / "de/search/search_index.json").read_text()
    # What is nowhere is answered by a page that leads from the root of a site.
    built = [page for page in site.rglob("*.html") if page.name != "404.html"]
    assert len(built) > 40
    assert [link for page in built for link in broken_links(page)] == []
    pages = "".join(page.read_text() for page in site.rglob("*.html"))
    assert re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="https?://', pages) == []


def test_page_about_standings_explains_every_tie_break() -> None:
    page = (ROOT / "docs/reference/standings.md").read_text()
    cells = "".join(re.findall(r"^\|(.*?)\|", page, re.M))
    assert [code for code in TIE_BREAKS if f"`{code}`" not in cells] == []
