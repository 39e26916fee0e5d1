"""Single tricks of a recorded hand: shown one by one, and corrected in place."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.games.registry import table_game
from scoring.locales.sentences import translate
from scoring.pages.sheet import Sheet, load_sheet
from scoring.pages.trick_by_trick import recorded_tricks
from scoring.rules import PLAYED_KEY
from scoring.rules.changed_trick import (
    CorrectionReplay,
    change_trick,
    pieces_by_trick_seat_and_kind,
)
from scoring.web.forms import ChangeTrickForm
from scoring.web.views.entry import build_entry_form
from scoring.web.views.hands import get_hand_or_404, show_or_store_correction
from scoring.web.views.requests import (
    check_access_and_add_error_if_closed,
    check_access_and_redirect_if_closed,
    get_match_and_set_locale,
)


def preview_trick_correction(
    request: HttpRequest, address: str, number: int, trick: int
) -> HttpResponse:
    """Change one trick of a hand; then show the effects to confirm."""
    match = get_match_and_set_locale(request, address)
    if request.method != "POST" and (
        redirect_response := check_access_and_redirect_if_closed(request, match)
    ):
        return redirect_response
    sheet = load_sheet(match)
    replayed = get_hand_or_404(sheet, number)
    pieces = table_game(match.game).pieces
    if pieces is None or not replayed.raw.get("tricks"):
        raise Http404
    state = sheet.replayed.state_before(number)
    places = pieces_by_trick_seat_and_kind(state, replayed.raw)
    laid = {
        (s, piece_kind): trick_pieces
        for (n, s, piece_kind), trick_pieces in places.items()
        if n == trick - 1
    }
    if not laid:
        raise Http404
    form = ChangeTrickForm(
        request.POST or None,
        laid=laid,
        names=sheet.names,
        initial={"base": match.version},
    )
    if request.method == "POST":
        check_access_and_add_error_if_closed(request, match, form)
    if form.is_valid():
        changed = change_trick(state, replayed.raw, trick - 1, form.pieces)
        if changed.tricks >= trick:
            return _render_correction_page(request, sheet, number, changed)
        if changed.refusal is None:
            form.add_error(None, gettext("A card or die is missing from this trick."))
        else:
            for fault in changed.refusal.faults:
                form.add_error(None, translate(fault.message, sheet.names))
    # In Tricky Bid the hand has no trump, and an ante is never trump.
    trump = pieces.hand_trump(replayed.hand)
    context = {
        "sheet": sheet,
        "number": number,
        "trick": trick,
        "form": form,
        "pad": pieces.form.pad,
        "drawn": [
            (piece, pieces.draw_with_trump(piece, trump))
            for piece in pieces.form.pad.pieces
        ],
    }
    return render(request, "scoring/correct_trick.html", context)


def _render_correction_page(
    request: HttpRequest, sheet: Sheet, number: int, changed: CorrectionReplay
) -> HttpResponse:
    """Return the correction page of the hand with these pieces, as if they were entered."""
    raw = get_hand_or_404(sheet, number).raw_with_sums
    form = build_entry_form(sheet, number, raw=raw, by_tricks=True)
    data = {
        **form.data,
        **{name: request.POST.get(name, "") for name in ("key", "base")},
        PLAYED_KEY: " ".join(changed.pieces),
    }
    note = ""
    if not changed.is_complete:
        template = gettext(
            "Enter the hand again from trick %(number)s. Earlier tricks stay as they "
            "are."
        )
        faults = changed.refusal.faults if changed.refusal else ()
        reasons = [translate(fault.message, sheet.names) for fault in faults]
        note = " ".join([template % {"number": changed.tricks + 1}, *reasons])
    return show_or_store_correction(
        request, sheet, number, data, by_tricks=True, note=note
    )


@require_safe
def hand_replay(
    request: HttpRequest, address: str, number: int, trick: int = 1
) -> HttpResponse:
    """Show one trick of a recorded hand, and everyone's points or tricks after it."""
    match = get_match_and_set_locale(request, address)
    sheet = load_sheet(match).with_names_of_hand(number)
    lines = recorded_tricks(sheet, number)
    if not 1 <= trick <= len(lines):
        raise Http404
    scored = get_hand_or_404(sheet, number).scored
    context = {
        "match": match,
        "game": sheet.game,
        "number": number,
        "trick": lines[trick - 1],
        "tricks": lines,
        "following": trick + 1 if trick < len(lines) else None,
        "findings": [
            sheet.game.translate_with_pieces(finding.message, sheet.names)
            for finding in (scored.findings if scored else ())
            if finding.trick == trick
        ],
    }
    return render(request, "scoring/hand_replay.html", context)
