"""The pages of the board of Tricks and Treats."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from urllib.parse import urlencode
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from scoring.games.drawing import translate_with_pieces
from scoring.games.tricks_and_treats.board.forms import (
    build_board_trick_form,
    parse_action,
)
from scoring.games.tricks_and_treats.board.log import (
    BOARD_PAGE_KINDS,
    board_page_digest,
    entry_body,
    find_spy_entry_and_token,
    read_board_log,
)
from scoring.games.tricks_and_treats.board.view import (
    TREATS,
    BoardStop,
    BoardView,
    build_board_view_after_step,
    build_current_board_view,
)
from scoring.games.tricks_and_treats.form import TREAT_LOOKS
from scoring.games.tricks_and_treats.pieces import (
    draw_card,
    draw_token,
    draw_treat,
)
from scoring.matchlog.append import append, read_match
from scoring.models import LogEntry, Match
from scoring.pages.sheet import load_sheet
from scoring.rules import Fault, Refusal
from scoring.rules.tricks_and_treats import GAME
from scoring.rules.tricks_and_treats.actions import apply_action
from scoring.rules.tricks_and_treats.pieces import CARDS
from scoring.sync.rights import write_refusal_reason
from scoring.web.views.requests import (
    build_authorized_command,
    check_access_and_redirect_if_closed,
    get_match_and_set_locale,
    phone_player_name,
)

QUERY = ("use", "seat", "first", "big")
"""Query parameters with the state of the page, such as a half-chosen treat."""


def _get_board_match_and_set_locale(request: HttpRequest, address: str) -> Match:
    match = get_match_and_set_locale(request, address)
    if match.game != GAME.id:
        raise Http404
    return match


def show_board_or_act(request: HttpRequest, address: str) -> HttpResponse:
    """Show the board; a POST carries out an action on it."""
    match = _get_board_match_and_set_locale(request, address)
    if response := check_access_and_redirect_if_closed(request, match):
        return response
    if request.method != "POST":
        return render(
            request,
            "scoring/games/tricks_and_treats/board.html",
            _board_context(request, match),
        )
    action = parse_action(request.POST)
    command = build_authorized_command(request, match, LogEntry.Kind.BOARD, body=action)
    outcome = append(command, address=match.address, now=timezone.now())
    entry = outcome.entry
    if entry is None:
        faults = _describe_faults(outcome.faults, outcome.logged.names)
        context = {**_board_context(request, match, request.POST), "faults": faults}
        return render(request, "scoring/games/tricks_and_treats/board.html", context)
    if entry_body(entry).get("kind") == "spy":
        return redirect("scoring:board_peek", address, entry.key)
    return redirect(_board_url(request, match))


def _board_url(request: HttpRequest, match: Match) -> str:
    """Return the URL of the board, in its current size."""
    board = reverse("scoring:board", args=[match.address])
    return f"{board}?big=1" if "big" in request.GET else board


def _describe_faults(faults: Sequence[Fault], names: Sequence[str]) -> list[str]:
    return [translate_with_pieces(fault.message, names, draw_token) for fault in faults]


def _board_context(
    request: HttpRequest, match: Match, post_data: Mapping[str, str] | None = None
) -> dict[str, object]:
    """Return the context of the page; `post_data` is the posted action if it was refused."""
    sheet = load_sheet(match)
    query = {name: request.GET[name] for name in QUERY if name in request.GET}
    view = build_current_board_view(sheet.logged, sheet.names, query)
    closed = write_refusal_reason(request, match)
    if view and closed:
        view = replace(view, stop=BoardStop(closed))
    log = sheet.logged.log
    entries = (
        (entry.kind, entry.key) for entry in log if entry.kind in BOARD_PAGE_KINDS
    )
    is_trick = post_data is not None and post_data.get("kind") == "trick"
    live = reverse("scoring:board_live", args=[match.address])
    return {
        "sheet": sheet,
        "view": view,
        "state": board_page_digest(entries, is_closed=match.closed),
        "form": build_board_trick_form(view, post_data if is_trick else None),
        "live": f"{live}?{urlencode(query)}" if query else live,
        "is_big": "big" in query,
        "board_url": _board_url(request, match),
        "seat_name": phone_player_name(request, match),
        "key": uuid4(),
    }


@require_safe
def board_live(request: HttpRequest, address: str) -> HttpResponse:
    """Return the board if it differs from the state `v` of the page, else 204."""
    is_closed = Match.objects.filter(address=address).values_list("closed", flat=True)
    entries = LogEntry.objects.filter(
        match__address=address, kind__in=BOARD_PAGE_KINDS
    ).in_order()
    state = board_page_digest(
        entries.values_list("kind", "key"), is_closed=is_closed.first() or False
    )
    if request.GET.get("v") == state:
        return HttpResponse(status=204)
    match = _get_board_match_and_set_locale(request, address)
    return render(
        request,
        "scoring/games/tricks_and_treats/board.html#board",
        _board_context(request, match),
    )


@require_POST
def board_preview(request: HttpRequest, address: str) -> HttpResponse:
    """Show the next player, or the effect of a complete trick before it is saved."""
    match = _get_board_match_and_set_locale(request, address)
    logged = read_match(match)
    names = logged.names
    view = build_current_board_view(logged, names, {})
    if view is None or view.stop or not view.board.can_begin_trick:
        return HttpResponse()
    context = _trick_preview_context(view, request.POST.dict())
    return render(
        request, "scoring/games/tricks_and_treats/board/_trick_status.html", context
    )


def _trick_preview_context(
    view: BoardView, post_data: Mapping[str, str]
) -> dict[str, object]:
    action = parse_action({**post_data, "kind": "trick", "after": ""})
    names, card_count = view.names, len(action["plays"])
    if card_count < len(names):
        leader = action.get("leader", view.board.leader)
        if not isinstance(leader, int) or leader >= len(names):
            return {}
        return {"next": names[(leader + card_count) % len(names)]}
    try:
        after = apply_action(view.board, action)
    except Refusal as refusal:
        return {"faults": _describe_faults(refusal.faults, names)}
    assert after.pending_trick is not None
    return {
        "winner": names[after.pending_trick.seat],
        "events": [
            translate_with_pieces(effect.text, names, draw_token)
            for effect in after.last_action_effects
        ],
    }


@require_safe
def board_peek(request: HttpRequest, address: str, key: UUID) -> HttpResponse:
    """Show the token that a spy saw; the key of its entry is the permission."""
    match = _get_board_match_and_set_locale(request, address)
    logged = read_match(match)
    peek = find_spy_entry_and_token(logged, key)
    if peek is None:
        raise Http404
    entry, face = peek
    action = entry_body(entry)
    context = {
        "match": match,
        "name": logged.seats[action["seat"]].name,
        "piece": draw_card(face)
        if face in CARDS
        else draw_treat(face)
        if face in TREAT_LOOKS
        else None,
        "treat": TREATS.get(face),
        "row": action["cell"][0] + 1,
        "column": action["cell"][1] + 1,
    }
    return render(request, "scoring/games/tricks_and_treats/board/peek.html", context)


@require_safe
def board_replay(request: HttpRequest, address: str, step: int) -> HttpResponse:
    """Show the board of Tricks and Treats after its first `step` actions."""
    match = get_match_and_set_locale(request, address)
    logged = read_match(match)
    board_log = read_board_log(logged.log)
    if board_log is None or step > len(board_log.actions):
        raise Http404
    context = {
        "match": match,
        "view": build_board_view_after_step(logged, board_log, step),
        "step": step,
        "actions": len(board_log.actions),
        "before": step - 1 if step else None,
        "following": step + 1 if step < len(board_log.actions) else None,
    }
    return render(request, "scoring/games/tricks_and_treats/board/replay.html", context)
