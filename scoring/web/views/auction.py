"""Bidding, bid by bid: the auction so far is in the URL, and nothing is stored.

Going back undoes a bid. The result is entered with the hand.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from scoring.games.record_paths import format_bids, parse_bids
from scoring.games.words import describe_calls
from scoring.locales.sentences import translate
from scoring.pages.sheet import load_sheet
from scoring.rules import AuctionState, Refusal, parse_auction
from scoring.rules.hand import calls_or_empty
from scoring.web.views.requests import get_match_and_set_locale

BID_BUTTONS = 3
"""The number of bids with a button; others can be typed."""
ROUND = 5
"""Players usually raise to multiples of this number."""


@require_safe
def hand_bidding(request: HttpRequest, address: str) -> HttpResponse:
    """Show the bids, the next player and their options; redirect to the sheet if the match is over."""
    match = get_match_and_set_locale(request, address)
    if not match.rules.has_contract:
        raise Http404
    sheet = load_sheet(match)
    if sheet.state.finished:
        return redirect(match)
    earlier_bids = parse_bids(request.GET.get("bids", ""))
    state = sheet.replayed.state_before(sheet.replayed.next_number)
    faults: Sequence[str] = ()
    try:
        bids, auction = earlier_bids, parse_auction(state, earlier_bids)
        call = request.GET.get("call", "").strip()
        if call and auction.seat is not None:
            bids = [*earlier_bids, [auction.seat, *parse_bids(f"0:{call}")[0][1:]]]
            auction = parse_auction(state, bids)
    except Refusal as refusal:
        faults = [translate(f.message, sheet.names) for f in refusal.faults]
        try:
            bids, auction = earlier_bids, parse_auction(state, earlier_bids)
        except Refusal:
            bids, auction = [], parse_auction(state, [])
    calls = calls_or_empty(bids)
    call_labels = describe_calls(calls, sheet.names)
    bid_indexes = [place for place, call in enumerate(calls) if call.bid != "pass"]
    highest, leader = bid_indexes[-1] if bid_indexes else None, ""
    if highest is not None:
        name, bid = call_labels[highest]
        leader = gettext("%(name)s has the highest bid: %(bid)s.") % {
            "name": name,
            "bid": bid,
        }
    offered = likely_bids(auction)
    context = {
        "sheet": sheet,
        "number": sheet.replayed.next_number,
        "faults": faults,
        "auction": auction,
        "due": None if auction.seat is None else sheet.names[auction.seat],
        "lines": auction_table(
            [
                (call.seat, label)
                for call, (_, label) in zip(calls, call_labels, strict=True)
            ],
            len(sheet.names),
            highest_index=highest,
            next_seat=auction.seat,
        ),
        "bids": format_bids(bids),
        "back": format_bids(bids[:-1]) if bids else None,
        "offered": offered,
        # A line of digits, and next to it a bid.
        "keypad_lines": list(zip(("123", "456", "789"), offered, strict=False)),
        "leader": leader,
    }
    return render(request, "scoring/hand_bids.html", context)


def likely_bids(auction: AuctionState) -> list[int]:
    """Return the next bids: the lowest and then round ones, or all if there is a highest."""
    if auction.least is None:
        return []
    if auction.most is not None:
        return list(range(auction.least, auction.most + 1))
    first = auction.least - auction.least % ROUND + ROUND
    return [auction.least, *range(first, first + ROUND * BID_BUTTONS, ROUND)][
        :BID_BUTTONS
    ]


class AuctionTableCell(NamedTuple):
    """The call of one seat in one time round."""

    label: str = ""
    """Empty if it has not called, or its turn is still to come."""
    is_highest: bool = False
    """Whether it is the highest bid."""
    is_due: bool = False
    """Whether this seat calls next."""


def auction_table(
    calls: Sequence[tuple[int, str]],
    seat_count: int,
    *,
    highest_index: int | None,
    next_seat: int | None,
) -> list[list[AuctionTableCell]]:
    """Return the lines of an auction, each with a cell for every seat.

    `calls` are seats and their calls, in order; `highest_index` is that of the highest bid
    in them, `next_seat` the seat that calls next.

    >>> calls = [(1, "90"), (2, "pass"), (0, "95")]
    >>> lines = auction_table(calls, 3, highest_index=2, next_seat=1)
    >>> [[cell.label for cell in line] for line in lines]
    [['', '90', 'pass'], ['95', '', '']]
    """
    lines: list[list[AuctionTableCell]] = []
    last = seat_count
    cells = [
        (seat, AuctionTableCell(label, is_highest=place == highest_index))
        for place, (seat, label) in enumerate(calls)
    ]
    if next_seat is not None:
        cells.append((next_seat, AuctionTableCell(is_due=True)))
    for seat, cell in cells:
        # A seat before that of the last call begins the next time round.
        if seat <= last:
            lines.append([AuctionTableCell()] * seat_count)
        lines[-1][seat] = cell
        last = seat
    return lines
