"""The pages of the board: every step by forms, without a script."""

import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from scoring.games.tricks_and_treats.board.forms import BoardTrickForm
from scoring.matchlog.rebuild import rebuild_match
from scoring.models import Match
from scoring.rules import score_record
from scoring.rules.tricks_and_treats import GAME
from scoring.rules.tricks_and_treats.treats import TRICK_TREATS, USES
from scoring.web.forms import NewMatchForm
from tests.factories import new_match
from tests.scoring.games.tricks_and_treats.test_board_log import (
    board,
    laid_match,
    mark,
    play,
    play_until_usable,
)
from tests.scoring.rules.tricks_and_treats.boards import build_board, play_board

pytestmark = pytest.mark.django_db


def form_fields(action: Mapping[str, Any]) -> dict[str, str]:
    """Return the form fields that make an action of the rules."""
    fields = {
        key: str(action[key])
        for key in ("kind", "seat", "with", "box", "leader")
        if key in action
    }
    if "plays" in action:
        fields["plays"] = " ".join(action["plays"])
    if "cell" in action:
        fields["cell"] = ",".join(map(str, action["cell"]))
    for name, place in zip(("first", "cell"), action.get("cells", ()), strict=False):
        fields[name] = ",".join(map(str, place))
    if "treat" in action:
        fields["loot"] = f"{action['from']},{action['treat']}"
    for number, eye in enumerate(action.get("evil_eye", ())):
        fields[f"eye_{eye['seat']}_{number}"] = json.dumps(eye)
    for seat in action.get("master_trump", ()):
        fields[f"master_{seat}"] = "on"
    return fields


def board_page(match: Match, query: str = "") -> str:
    response = Client().get(f"/m/{match.address}/board/{query}")
    assert response.status_code == 200
    return response.content.decode()


def displayed_points(html: str) -> list[int]:
    """Return the points of each seat that the board shows."""
    table = html.partition('<table class="holdings"')[2].partition("</table>")[0]
    cells = re.findall(r'<b class="num">([^<]+)</b>', table)
    return [int(cell.replace("\N{MINUS SIGN}", "-")) for cell in cells]


def page_state(html: str) -> str:
    """Return the state with which a board page polls."""
    return html.partition('data-version="')[2].partition('"')[0]


def post(match: Match, **fields: str) -> Any:
    data = {"key": str(uuid4()), **fields}
    return Client().post(f"/m/{match.address}/board/", data)


ONE_EACH = dict.fromkeys((*USES, *TRICK_TREATS), 1)


@pytest.mark.one_database
@pytest.mark.long(4)
def test_game_played_by_forms_matches_sheet_and_scores() -> None:
    # Bombs keep the game short; with this seed every other treat is used, too.
    match = laid_match(46, seats=4, treats={"mixer": 3, "bomb": 10, **ONE_EACH})
    used: set[str] = set()
    for action, after in play_board(board(match), Random(46)):
        used |= {key for key in action if action[key]} | {action["kind"]}
        response = post(match, after=mark(match), **form_fields(action))
        assert response.status_code == 302, response.content.decode()
        assert ("/peek/" in response.url) == (action["kind"] == "spy")
        if action["kind"] == "end_deal":
            assert board(match) == after
    assert used >= ONE_EACH.keys()
    assert board(match).is_finished
    assert "The match is over." in board_page(match)
    match.refresh_from_db()
    assert match.finished
    record = Client().get(f"{match.get_absolute_url()}record.json").content.decode()
    scored = score_record(record)
    totals = scored["hands"][-1]["totals"]
    assert scored["finished"]
    assert len(scored["hands"]) == len(board(match).deals)
    assert displayed_points(board_page(match)) == totals
    assert list(match.seats.order_by("index").values_list("total", flat=True)) == totals
    assert rebuild_match(match_id=match.pk, check_only=True) == []


def test_replay_shows_only_played_actions() -> None:
    match = laid_match(3)
    first = board(match)
    action, after = next(play_board(first, Random(4)))
    assert post(match, after=mark(match), **form_fields(action)).status_code == 302
    replay = f"/m/{match.address}/board/replay/"
    first_step = Client().get(f"{replay}0/")
    assert first_step.context["view"].board == first
    assert f"{replay}1/" in first_step.content.decode()
    assert "<form" not in first_step.content.decode().split("<main", 1)[1]
    last_step = Client().get(f"{replay}1/")
    assert last_step.context["view"].board == after
    assert last_step.context["following"] is None
    assert Client().get(f"{replay}2/").status_code == 404
    empty_match = new_match(GAME.id)
    assert Client().get(f"/m/{empty_match.address}/board/replay/0/").status_code == 404


def test_pages_contain_no_face_down_tokens() -> None:
    match = laid_match(3)
    hidden = {cell.face for cell in board(match).face_down_cells} - {"mixer"}
    drawing = r"(?s)<form class=\"trick\".*?</form>|<svg.*?</svg>"
    # The address is random and may contain text like a card.
    html = re.sub(drawing, "", board_page(match)).replace(match.address, "")
    visible_words = set(re.findall(r"\b[A-Z]\d+\b", html))
    assert visible_words
    assert {face for face in hidden if face[-1].isdigit()} & visible_words == set()


def test_refused_action_is_explained_and_stays_in_the_form() -> None:
    match = laid_match()
    html = post(match, kind="trick", leader="0", plays="G1 G1 Q9").content.decode()
    assert 'class="refusal" role="alert"' in html
    assert 'value="G1 G1 Q9"' in html
    assert board(match).action_count == 0
    stale = post(match, kind="undo", after="0" * 12).content.decode()
    assert "from another phone" in stale


@pytest.mark.parametrize("kind", ["ghost", "compass", "swap", "poison", "thief"])
def test_tapping_a_target_uses_the_treat(kind: str) -> None:
    other_treats = {"candy": 9} if kind == "thief" else {}
    match = laid_match(
        3, treats={kind: 19 - sum(other_treats.values()), **other_treats, "mixer": 3}
    )
    holder, after = play_until_usable(match, kind)
    assert f"?use={kind}&amp;seat={holder}" in board_page(match)
    step = board_page(match, f"?use={kind}&seat={holder}")
    assert f'name="kind" value="{kind}"' in step
    names = {"ghost": "cell", "compass": "box", "swap": "with", "thief": "loot"}
    fields = {}
    if kind in names:
        name = names[kind]
        found = re.search(rf'<button type="submit" name="{name}" value="([^"]+)"', step)
        assert found is not None
        fields = {name: found[1]}
    response = post(match, kind=kind, seat=str(holder), after=mark(match), **fields)
    assert response.status_code == 302
    assert board(match).action_count == after.action_count + 1


def test_a_switch_takes_two_taps() -> None:
    match = laid_match(3, treats={"switch": 19, "mixer": 3})
    holder, after = play_until_usable(match, "switch")
    query = f"?use=switch&seat={holder}"
    firsts = re.findall(r"first=(\d,\d)", board_page(match, query))
    assert len(firsts) == len(after.face_up_trumps)
    step = board_page(match, f"{query}&first={firsts[0]}")
    seconds = re.findall(r'name="cell" value="(\d,\d)"', step)
    assert sorted(seconds) == sorted(firsts[1:])
    fields = {"first": firsts[0], "cell": seconds[0]}
    assert post(match, kind="switch", seat=str(holder), **fields).status_code == 302


def test_a_trick_is_followed_card_by_card() -> None:
    match = laid_match()
    path = f"/m/{match.address}/board/preview/"

    def preview(plays: str, **fields: str) -> str:
        return Client().post(path, {"plays": plays, **fields}).content.decode()

    assert "played?" not in preview("")
    assert "Bo’s card" in preview("", leader="1")
    assert "Cy’s card" in preview("P1", leader="1")
    deck = " ".join(board(match).deck[:3])
    assert re.search("(Ann|Bo|Cy) wins.", preview(deck, leader="1"))
    assert "refusal" in preview("P1 P1 P1", leader="1")
    assert match.log.count() == 1


def test_pages_take_few_queries(django_assert_max_num_queries: Any) -> None:
    match = laid_match()
    for action, _after in play_board(board(match), Random(4)):
        play(match, **action)
        if action["kind"] == "end_deal":
            break
    client = Client()
    with django_assert_max_num_queries(4):
        response = client.get(f"/m/{match.address}/board/")
    state = page_state(response.content.decode())
    with django_assert_max_num_queries(2):
        assert (
            client.get(f"/m/{match.address}/board/live/", {"v": state}).status_code
            == 204
        )
    plays = " ".join(sorted(board(match).deck)[:3])
    with django_assert_max_num_queries(16):
        client.post(f"/m/{match.address}/board/", {"kind": "trick", "plays": plays})


MIX = "candy 10, mixer 3, spy 4, evil eye 2, ghost 3"


def start_match(treats: str) -> Any:
    names = {f"name_{seat}": name for seat, name in enumerate(("Ann", "Bo", "Cy"))}
    fields = {"key": str(uuid4()), "game": GAME.id, "treats": treats, **names}
    return Client().post("/matches/new/", fields)


def test_a_match_can_be_started_with_another_mix_of_treats() -> None:
    assert start_match(MIX).status_code == 302
    match = Match.objects.get()
    mix = {"candy": 10, "mixer": 3, "spy": 4, "evil_eye": 2, "ghost": 3}
    assert match.options == {"treats": mix}
    assert post(match, kind="begin").status_code == 302
    hidden = [cell.face for cell in board(match).face_down_cells]
    assert "bomb" not in hidden
    body = {**match.options, "game": GAME.id, "names": ["Ann", "Bo", "Cy"]}
    form = NewMatchForm({**body, "key": str(uuid4())})
    assert form.is_valid(), form.errors
    assert form.options == {"treats": mix}


@pytest.mark.parametrize(
    ("treats", "message"),
    [
        ("apple 4", "Tricky can’t read"),
        ("candy four", "Tricky can’t read"),
        ("candy 4", "22"),
    ],
)
def test_refuses_an_impossible_mix(treats: str, message: str) -> None:
    response = start_match(treats)
    assert response.status_code == 200
    assert message in response.content.decode()
    assert not Match.objects.exists()


@pytest.mark.parametrize(("seats", "sides"), [(3, "swe"), (4, "swne"), (6, "sswnne")])
def test_around_a_tablet_players_sit_clockwise(seats: int, sides: str) -> None:
    match = laid_match(4, seats=seats)
    view = Client().get(f"/m/{match.address}/board/").context["view"]
    assert "".join(side.side * len(side.seats) for side in view.table_sides) == sides
    assert [seat.seat for side in view.table_sides for seat in side.seats] == [
        *range(seats)
    ]


def test_evil_eye_targets_only_later_players() -> None:
    names = ["Ann", "Bo", "Cy"]
    board = build_board("G3 (C1)", "evil_eye", "evil_eye", leader=1)
    form = BoardTrickForm(None, board=board, names=names)
    offered = {
        field.name: [widget.choice_label for widget in field][1:]
        for field in form.treat_fields
    }
    assert offered == {"eye_1_0": ["Ann", "Cy"]}
