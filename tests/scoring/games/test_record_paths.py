"""The attributes of a page's inputs describe the hand that its form parses."""

import json
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils.datastructures import MultiValueDict

from scoring.games.entry_form import EntryForm
from scoring.games.random_match import generate_hand
from scoring.games.record_paths import build_body
from scoring.games.registry import table_game
from scoring.rules import (
    GAMES,
    MatchState,
    fill_in_derived_parts,
    normalize_unfinished_hand,
    play,
    start,
)
from tests.factories import new_match
from tests.scoring.games.test_entry_forms import NAMES

Inputs = list[tuple[dict[str, Any], str | None]]


class Page(HTMLParser):
    """The inputs of a page, as scripts find them."""

    def __init__(self, html: str) -> None:
        """Parse the page."""
        super().__init__()
        self.inputs: Inputs = []
        self.form: dict[str, Any] = {}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the entry form and its inputs."""
        attributes = dict(attrs)
        if tag == "form" and "data-empty-record" in attributes:
            self.form = attributes
        unchecked = attributes.get("type") in (
            "radio",
            "checkbox",
        ) and "checked" not in (attributes)
        if tag == "input" and "data-path" in attributes and not unchecked:
            default = "on" if attributes.get("type") == "checkbox" else ""
            self.inputs.append((attributes, attributes.get("value") or default))


def render_form(form: EntryForm) -> Page:
    """Return the page that renders a form."""
    form.add_screen_only_fields()
    return Page("".join(str(field) for field in form))


def fill_form(state: MatchState, raw: dict[str, Any], *, by_tricks: bool) -> EntryForm:
    """Return the form of a hand, filled in and posted."""
    game = table_game(state.game.id)
    form_class = game.select_form({"played"} if by_tricks else ())
    values = {
        name: "on" if v is True else v for name, v in displayed_values(form_class, raw)
    }
    data = {name: [str(value)] for name, value in values.items() if value is not None}
    form = form_class(MultiValueDict(data), names=NAMES[: state.seats], state=state)
    form.is_valid()
    return form


def displayed_values(
    form_class: type[EntryForm], raw: dict[str, Any]
) -> list[tuple[str, Any]]:
    initial = form_class.initial_values(raw)
    return [(name, value) for name, value in initial.items() if value is not False]


RECORDED = [
    (game, by_tricks)
    for game in GAMES
    for by_tricks in (False, True)[: 1 + GAMES[game].records_tricks]
]
"""Each game by sums, and also by tricks if it records them."""


@pytest.mark.parametrize(("game", "by_tricks"), RECORDED)
@pytest.mark.parametrize("seed", range(12))
def test_form_parses_the_paths_of_its_page(
    game: str, seed: int, *, by_tricks: bool
) -> None:
    rng = Random(seed)
    state = start(game, rng.choice(GAMES[game].seats), {})
    for _hand in range(3):
        raw = generate_hand(state, rng, tricks=by_tricks)
        if any(raw.pop(key, None) is not None for key in state.game.lead_keys):
            raw.pop("bids", None)
        before, (state, scored) = state, play(state, raw)
        form = fill_form(before, raw, by_tricks="tricks" in raw)
        page = render_form(form)
        body = build_body(page.inputs, form.empty_body, before.seats)
        assert fill_in_derived_parts(before, body) == form.raw_hand()
        assert normalize_unfinished_hand(before, body) == form.raw_unfinished_hand()
        assert play(before, form.raw_hand())[1].scores == scored.scores
        if state.finished:
            break


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.django_db
def test_hand_page_contains_the_empty_record(game: str) -> None:
    seats = GAMES[game].seats[-1]
    match = new_match(game, seats)
    page = Page(Client().get(f"{match.get_absolute_url()}hands/new/").content.decode())
    form = table_game(game).entry_form(names=NAMES[:seats], state=start(game, seats))
    assert json.loads(page.form["data-empty-record"]) == form.empty_body
    assert page.form["data-seats"] == str(seats)


CASES = Path(settings.BASE_DIR) / "tests/js/record_cases.json"


def build_cases() -> list[dict[str, Any]]:
    """Return the inputs of hands of all games, and the bodies that they build."""
    cases = []
    for number, game in enumerate(GAMES):
        rng = Random(number)
        state = start(game, GAMES[game].seats[-1])
        for by_tricks in [tricks for game_id, tricks in RECORDED if game_id == game]:
            raw = generate_hand(state, rng, tricks=by_tricks)
            form = fill_form(state, raw, by_tricks=by_tricks)
            inputs = render_form(form).inputs
            body = build_body(inputs, form.empty_body, state.seats)
            controls = [
                {
                    "value": text,
                    **{
                        name.removeprefix("data-"): value
                        for name, value in attrs.items()
                        if name in PATH_ATTRIBUTES
                    },
                }
                for attrs, text in inputs
            ]
            case = {"game": game, "controls": controls, "body": body}
            cases.append({**case, "blank": form.empty_body, "seats": state.seats})
    return cases


PATH_ATTRIBUTES = {
    f"data-{name}"
    for name in ("path", "format", "json", "part", "default", "exclusive")
}


def test_scripts_are_tested_with_the_same_cases() -> None:
    expected = json.dumps(build_cases(), indent=1, ensure_ascii=False) + "\n"
    if not CASES.exists():
        CASES.write_text(expected)
    assert CASES.read_text() == expected, f"delete {CASES}: this test writes it"
