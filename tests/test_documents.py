"""Links and names in the documents are right, and `script/docs` builds their site."""

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
CLUB_DOCUMENTS = (
    *sorted(ROOT.glob("docs/learn/*.md")),
    *(
        ROOT / "docs" / recipe
        for audience in ("players", "directors")
        for recipe in RECIPE.findall((ROOT / f"docs/{audience}.md").read_text())
    ),
    *(ROOT / f"docs/reference/{name}.md" for name in ("files", "history")),
)
"""Documents that emphasize texts of the interface."""
LINK = re.compile(r"\]\((?![\w+]+:)([^)#\s]*)#?([^)\s]*)")
FOLDERS = (
    *("backups", "scoring", "tests", "tournaments", "tricky_site"),
    *("docs", "script", "templates"),
)
REPOSITORY_PATH = re.compile(
    rf"(?<![\w/.:<])(?:(?:{'|'.join(FOLDERS)}|\.ci)/(?:[\w./*-]|<\w+>)+)"
)


def relative_path(document: Path) -> str:
    return str(document.relative_to(ROOT))


def emphasized(document: Path) -> set[str]:
    phrases = EMPHASIS.findall(FENCED.sub("", document.read_text()))
    return {" ".join(words.split()) for words in phrases}


def slugs(text: str) -> list[str]:
    """Return the anchor of each heading of a document, in order.

    >>> slugs("# For A\\n```\\n# no heading\\n```\\n## Für *dich*?\\n")
    ['for-a', 'für-dich']
    """
    headings = re.findall(r"^#+ (.+?)\s*$", FENCED.sub("", text), re.MULTILINE)
    plain = [re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings]
    return [heading.replace(" ", "-") for heading in plain]


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a document on which all renderers agree.

    >>> sorted(anchors("# For A & B\\n## Who does *what*?\\n"))
    ['who-does-what']
    """
    # Of two spaces one renderer makes two dashes, another one dash.
    return {slug for slug in slugs(text) if "--" not in slug}


def find_paths(text: str) -> list[str]:
    """Return the paths of the repository in a text, with `*` for `<game>` and the like.

    >>> find_paths("See docs/reference/ratings.md, and `scoring/rules/<game>/`. Not tests/...")
    ['docs/reference/ratings.md', 'scoring/rules/*/']
    """
    matches = REPOSITORY_PATH.findall(text.replace("<br>", " "))
    paths = [path.rstrip(".") for path in matches if not path.endswith("...")]
    return [re.sub(r"<\w+>", "*", path) for path in paths]


def missing_targets(document: Path) -> list[str]:
    """Return the broken links of a document and the paths that don't exist."""
    text = document.read_text()
    links = [
        (document.parent / path if path else document, anchor)
        for path, anchor in LINK.findall(FENCED.sub("", text))
    ]
    return [
        *(
            f"{target}#{anchor}"
            for target, anchor in links
            if not target.exists()
            or (anchor and anchor not in anchors(target.read_text()))
        ),
        *(path for path in find_paths(text) if not any(ROOT.glob(path))),
    ]


def test_every_link_and_path_in_a_document_leads_somewhere() -> None:
    missing = {document: missing_targets(document) for document in DOCUMENTS}
    assert {
        relative_path(document): targets
        for document, targets in missing.items()
        if targets
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
        new = {
            linked for document in new for linked in linked_documents(document)
        } - reached
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
    messages = {
        phrase for entry in catalog for phrase in (entry.msgid, entry.msgid_plural)
    }
    patterns = [
        EXAMPLE.sub("[^ ]+", re.escape(phrase)) for phrase in messages if phrase
    ]
    # A document may omit the end of a message.
    message_pattern = re.compile(rf"(?:{'|'.join(patterns)})", re.IGNORECASE)
    all_messages = "\n".join(messages)
    assert [
        (relative_path(document), phrase)
        for document in CLUB_DOCUMENTS
        for phrase in sorted(emphasized(document))
        if not message_pattern.fullmatch(phrase.rstrip(".,"))
        and not re.search(
            rf"(?im)^{re.escape(phrase.rstrip('.,'))}(?!\w)", all_messages
        )
    ] == []


GLOSSARY = re.compile(r"^\| ([^|]+) \| [^|]+ \| (.+) in `([\w/.]+)` \|$", re.MULTILINE)


def test_glossary_terms_are_unique_defined_and_documented() -> None:
    rows = GLOSSARY.findall((ROOT / "docs/reference/glossary.md").read_text())
    assert len(rows) >= 30
    words = [word.strip() for row in rows for word in row[0].split(",")]
    assert len(words) == len(set(words))
    for word, names, location in rows:
        path = ROOT / location
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
    completed = subprocess.run(
        [sys.executable, "-m", "doctest", "-v", ROOT / "script/docs_pages.py"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "7 passed" in completed.stdout


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
    completed = subprocess.run(
        [ROOT / "script/docs", str(site)], capture_output=True, text=True, check=False
    )
    assert (completed.returncode, completed.stdout, completed.stderr) == (0, "", "")
    assert "Your first night" in (site / "index.html").read_text()
    assert "Your first evening" in (site / "search/search_index.json").read_text()
    assert "Dein erster Abend" in (site / "de/search/search_index.json").read_text()
    # The page for missing addresses has links from the root of the site.
    built_pages = [page for page in site.rglob("*.html") if page.name != "404.html"]
    assert len(built_pages) > 40
    assert [link for page in built_pages for link in broken_links(page)] == []
    pages = "".join(page.read_text() for page in site.rglob("*.html"))
    assert re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="https?://', pages) == []


def test_page_about_standings_explains_every_tie_break() -> None:
    page = (ROOT / "docs/reference/standings.md").read_text()
    cells = "".join(re.findall(r"^\|(.*?)\|", page, re.M))
    assert [code for code in TIE_BREAKS if f"`{code}`" not in cells] == []
