"""Third-party material that Tricky ships or runs on: a bill of materials, and the licences.

    .venv/bin/python script/materials.py --bill FILE
    .venv/bin/python script/materials.py --licences [--check]

The bill is CycloneDX 1.6 and reproducible: all packages of the two lock files except those for
development, with the pinned digests, and each file that is sent to browsers, with its digest in the
tree. The licences are the table of docs/reference/licences.md.
"""

import json
import re
import sys
import tomllib
from argparse import ArgumentParser
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple
from uuid import NAMESPACE_URL, uuid5

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/reference/licences.md"
ALLOWED = {
    *(
        "0BSD",
        "Apache-2.0",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "ISC",
        "MIT",
        "MIT-0",
        "MIT-CMU",
    ),
    *("OFL-1.1", "PSF-2.0"),
    # These apply only to their own files: changes to those must be published.
    *("LGPL-3.0-only", "MPL-2.0"),
}
"""Licences that shipped material may have."""
KNOWN_LICENCES: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "amqp",
            "billiard",
            "click-plugins",
            "colorama",
            "django-csp",
            "prompt-toolkit",
        ),
        "BSD-3-Clause",
    ),
    **dict.fromkeys(("qrcode", "segno", "sqlparse", "vine"), "BSD-3-Clause"),
    **dict.fromkeys(
        ("django-ninja", "django-template-partials", "resvg-py", "wcwidth"), "MIT"
    ),
    **dict.fromkeys(("aiosignal", "async-timeout"), "Apache-2.0"),
    "pyrage": "MIT",
    "fido2": "BSD-2-Clause AND Apache-2.0 AND MPL-2.0",
    "python-dateutil": "Apache-2.0 OR BSD-3-Clause",
}
"""Licences that packages state in their files, but not exactly in their metadata."""
SERVED: Mapping[str, Sequence[str]] = {
    "@fontsource-variable/sofia-sans": (
        "scoring/static/scoring/fonts/*.woff2",
        "scoring/pictures/fonts/*.ttf",
    ),
    "idb": ("scoring/static/scoring/bundles/app.js",),
    "lucide-static": ("templates/scoring/icons/*.html",),
    "pyodide": ("scoring/static/scoring/vendor/pyodide-*/*",),
    "qr": ("scoring/static/scoring/bundles/codes.js",),
}
"""Files in the tree by the npm package they come from; the fonts are made from both families."""


REGISTRY = "https://registry.npmjs.org/"
"""The registry of all packages in package-lock.json."""


class Material(NamedTuple):
    """A third-party package or file."""

    name: str
    version: str
    licence: str
    purl: str
    purpose: str
    digests: Mapping[str, str]
    """Digests of the installed file, by algorithm."""
    source: str = ""
    files: Sequence[Path] = ()
    needs: Sequence[str] = ()


def packages() -> Iterator[Material]:
    """Yield every Python package that the site needs on any system."""
    lock = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    packages_by_name = {package["name"]: package for package in lock}
    own = packages_by_name["tricky"]["dependencies"]
    reached: set[tuple[str, tuple[str, ...]]] = set()
    waiting = list(own)
    while waiting:
        need = waiting.pop()
        key = (need["name"], tuple(need.get("extra", ())))
        if key not in reached:
            reached.add(key)
            waiting += _needs(packages_by_name[key[0]], key[1])
    for name in sorted({name for name, _extras in reached}):
        package = packages_by_name[name]
        file = package.get("sdist") or package["wheels"][0]
        needs = _needs(package, ())
        yield Material(
            name=name,
            version=package["version"],
            licence=find_licence(name),
            purl=f"pkg:pypi/{name}@{package['version']}",
            purpose="asked for"
            if any(name == dependency["name"] for dependency in own)
            else "needed",
            digests={"SHA-256": file["hash"].removeprefix("sha256:")},
            source=file["url"],
            needs=sorted({dependency["name"] for dependency in needs}),
        )


def _needs(package: Mapping[str, Any], extras: Sequence[str]) -> list[Any]:
    needs = list(package.get("dependencies", ()))
    for extra in extras:
        needs += package.get("optional-dependencies", {}).get(extra, ())
    return needs


def find_licence(name: str) -> str:
    """Return the licence of a package as an SPDX expression; empty if unknown."""
    if name in KNOWN_LICENCES:
        return KNOWN_LICENCES[name]
    package_metadata = metadata.metadata(name)
    licences = [
        package_metadata[key]
        for key in ("License-Expression", "License")
        if key in package_metadata
    ]
    return licences[0] if licences else ""


def scripts() -> Iterator[Material]:
    """Yield every npm package with content that is sent to browsers."""
    lock = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    for name in lock[""]["dependencies"]:
        package = lock[f"node_modules/{name}"]
        algorithm, _dash, digest = package["integrity"].partition("-")
        files = [
            path
            for pattern in SERVED.get(name, ())
            for path in sorted(ROOT.glob(pattern))
        ]
        yield Material(
            name=name,
            version=package["version"],
            licence=package["license"].strip("()"),
            purl=f"pkg:npm/{name.replace('@', '%40')}@{package['version']}",
            purpose="sent to browsers",
            digests={algorithm.upper().replace("SHA", "SHA-"): b64decode(digest).hex()},
            source=f"{REGISTRY}{name}/-/{name.rpartition('/')[2]}-{package['version']}.tgz",
            files=files,
        )


def within() -> Iterator[Material]:
    """Yield third-party files that are part of another package."""
    static = metadata.distribution("django-htmx").locate_file(
        "django_htmx/static/django_htmx"
    )
    htmx = Path(str(static)) / "htmx-2.min.js"
    content = htmx.read_bytes()
    (version,) = re.findall(rb'version:"([0-9.]+)"', content)
    yield Material(
        name="htmx.org",
        version=version.decode(),
        licence="0BSD",
        purl=f"pkg:npm/htmx.org@{version.decode()}",
        purpose="sent to browsers, from django-htmx",
        digests={"SHA-256": sha256(content).hexdigest()},
    )
    (lock,) = ROOT.glob("scoring/static/scoring/vendor/pyodide-*/pyodide-lock.json")
    python = json.loads(lock.read_text())["info"]["python"]
    library = (lock.parent / "python_stdlib.zip").read_bytes()
    yield Material(
        name="cpython",
        version=python,
        licence="PSF-2.0",
        purl=f"pkg:generic/cpython@{python}",
        purpose="sent to browsers, within Pyodide",
        digests={"SHA-256": sha256(library).hexdigest()},
    )


def materials() -> list[Material]:
    return [*packages(), *scripts(), *within()]


def names_of_licences(licence: str) -> set[str]:
    """Return the names of the licences in an SPDX expression.

    >>> sorted(names_of_licences("Apache-2.0 OR (MIT AND ISC)"))
    ['Apache-2.0', 'ISC', 'MIT']
    """
    return set(re.split(r"\s+(?:AND|OR)\s+|[()]", licence)) - {""}


def bill() -> dict[str, Any]:
    all_materials = materials()
    own = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    purls = {material.name: material.purl for material in all_materials}
    tricky = {
        "type": "application",
        "bom-ref": "tricky",
        "name": own["name"],
        "version": own["version"],
        "licenses": [{"license": {"id": "MIT"}}],
    }
    direct = [item.purl for item in all_materials if item.purpose != "needed"]
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": tricky},
        "components": [component(material) for material in all_materials],
        "dependencies": [
            {"ref": "tricky", "dependsOn": direct},
            *(
                {"ref": item.purl, "dependsOn": [purls[name] for name in item.needs]}
                for item in all_materials
            ),
        ],
    }
    # The serial number depends only on the content.
    serial = uuid5(NAMESPACE_URL, json.dumps(document))
    return {**document, "serialNumber": f"urn:uuid:{serial}"}


def component(material: Material) -> dict[str, Any]:
    """Return the entry of a material in the bill."""
    entry: dict[str, Any] = {
        "type": "library",
        "bom-ref": material.purl,
        "name": material.name,
        "version": material.version,
        "purl": material.purl,
        "licenses": [{"expression": material.licence}],
    }
    digests = [
        {"alg": algorithm, "content": digest}
        for algorithm, digest in material.digests.items()
    ]
    if material.source:
        entry["externalReferences"] = [
            {"type": "distribution", "url": material.source, "hashes": digests}
        ]
    else:
        entry["hashes"] = digests
    if material.files:
        entry["components"] = [
            {
                "type": "file",
                "bom-ref": f"{material.purl}#{path.relative_to(ROOT)}",
                "name": str(path.relative_to(ROOT)),
                "hashes": [
                    {"alg": "SHA-256", "content": sha256(path.read_bytes()).hexdigest()}
                ],
            }
            for path in material.files
        ]
    return entry


def table() -> str:
    """Return the table of docs/reference/licences.md. Raises SystemExit for a licence that is not allowed."""
    lines = ["| what | licence | why it is there |", "| --- | --- | --- |"]
    for material in sorted(materials(), key=lambda material: material.name):
        if not material.licence or names_of_licences(material.licence) - ALLOWED:
            sys.exit(
                f"{material.name}: {material.licence!r} is none that Tricky ships."
            )
        lines.append(f"| {material.name} | {material.licence} | {material.purpose} |")
    return "\n".join(lines)


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--bill", metavar="FILE", type=Path)
    parser.add_argument("--licences", action="store_true")
    parser.add_argument(
        "--check", action="store_true", help="only compare the licences"
    )
    arguments = parser.parse_args()
    if arguments.bill:
        arguments.bill.write_text(json.dumps(bill(), indent=1) + "\n")
    if arguments.licences:
        page = PAGE.read_text()
        page_start, _head, page_rest = page.partition("| what |")
        _old, separator, page_end = page_rest.partition("\n\n")
        new_page = (
            f"{page_start}{table()}{separator}{page_end}"
            if separator
            else f"{page_start}{table()}\n"
        )
        if arguments.check and new_page != page:
            sys.exit(
                f"{PAGE.name} is not that of the locks: script/materials.py --licences"
            )
        PAGE.write_text(new_page)


if __name__ == "__main__":
    main()
