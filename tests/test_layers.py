"""The layers hold: a wrong import planted in each of them is refused, and so is a loose module."""

import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import grimp
import pytest
from django.conf import settings
from importlinter.contracts.layers import LayersContract

ROOT = Path(settings.BASE_DIR)
LINTER = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
LAYERED = [
    contract
    for contract in LINTER["contracts"]
    if contract["type"] == "layers" and "containers" in contract
]
APPS = [contract["containers"][0] for contract in LAYERED]


def rooms_of(layer: str) -> list[str]:
    return [room.strip() for room in layer.split("|")]


BORDERS = [
    (app, rooms_of(upper)[0], room)
    for app, contract in zip(APPS, LAYERED, strict=True)
    for upper, lower in pairwise(contract["layers"])
    for room in rooms_of(lower)
]


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    """Return who imports whom, as the checkout stands."""
    return grimp.build_graph(
        *LINTER["root_packages"], include_external_packages=True, cache_dir=None
    )


def contract_of(app: str) -> LayersContract:
    written: dict[str, Any] = LAYERED[APPS.index(app)]
    # The linter reads its options as text.
    options = {
        key: str(value) if isinstance(value, bool) else value
        for key, value in written.items()
        if key not in {"name", "type"}
    }
    options["unmatched_ignore_imports_alerting"] = "none"
    return LayersContract(
        name=written["name"],
        session_options={"root_packages": LINTER["root_packages"]},
        contract_options=options,
    )


def test_every_app_has_layers() -> None:
    assert APPS == ["backups", "scoring", "tournaments"]


@pytest.mark.parametrize("app", APPS)
def test_the_house_keeps_its_layers(graph: grimp.ImportGraph, app: str) -> None:
    assert contract_of(app).check(graph, verbose=False).kept


@pytest.mark.parametrize(("app", "upper", "lower"), BORDERS)
def test_an_import_that_points_back_is_refused(
    graph: grimp.ImportGraph, app: str, upper: str, lower: str
) -> None:
    importer, imported = f"{app}.{lower}", f"{app}.{upper}"
    graph.add_import(
        importer=importer, imported=imported, line_number=1, line_contents="planted"
    )
    try:
        assert not contract_of(app).check(graph, verbose=False).kept
    finally:
        graph.remove_import(importer=importer, imported=imported)


@pytest.mark.parametrize("app", APPS)
def test_a_module_that_stands_in_no_layer_is_refused(
    graph: grimp.ImportGraph, app: str
) -> None:
    graph.add_module(f"{app}.loose")
    try:
        assert not contract_of(app).check(graph, verbose=False).kept
    finally:
        graph.remove_module(f"{app}.loose")


@pytest.mark.parametrize("app", APPS)
def test_an_app_has_at_most_ten_loose_modules(app: str) -> None:
    loose = [path for path in (ROOT / app).glob("*.py") if path.name != "__init__.py"]
    assert len(loose) <= 10


@pytest.mark.parametrize(
    "package",
    sorted(path.parent for app in APPS for path in (ROOT / app).rglob("__init__.py")),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_every_room_says_what_it_is_for(package: Path) -> None:
    text = (package / "__init__.py").read_text()
    silent = {"migrations", "management", "commands", "templatetags"}
    assert package.name in silent or text.startswith('"""')
