"""The score sheet: its content, read with a constant number of queries, the notices above it, and its link preview."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from itertools import zip_longest

from django.contrib.humanize.templatetags.humanize import apnumber
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop, ngettext, ngettext_lazy

from scoring.competition import NextTableNotice, Notice, ResultState, competition
from scoring.games.registry import table_game
from scoring.games.table_game import TableGame
from scoring.games.words import describe_calls, result_headline
from scoring.locales.numbers import format_number
from scoring.locales.sentences import join_names, translate
from scoring.matchlog.append import read_match
from scoring.matchlog.commands import MatchSnapshot
from scoring.matchlog.confirmations import checksum_words_line
from scoring.matchlog.replay import ReplayedMatch
from scoring.matchlog.seat_occupants import describe_handovers
from scoring.models import LogEntry, Match
from scoring.models.matches import demo_address
from scoring.pages.charts import (
    Chart,
    CountedHand,
    MatchHighlight,
    find_match_highlights,
    totals_chart,
)
from scoring.pages.race import (
    Lane,
    PegRace,
    RosetteRing,
    WinnerPeg,
    draw_race,
    draw_rosette,
    draw_winner_pegs,
)
from scoring.rules import PLAYED_KEY, MatchState

WRITES = (LogEntry.Kind.ENTER, LogEntry.Kind.CONTRACT, LogEntry.Kind.PEN)
"""Kinds of entries that make their phone the scorer, until another phone has one."""
DIGEST_LENGTH = 8
MOVED = gettext_noop(
    "This match was moved from another server. Join again on every phone and "
    "continue only on this server. The phone that enters the next hand becomes the "
    "scorer’s phone."
)


def poll_version(match: Match) -> str:
    """Return the log's version, with a digest of other state that decides who may enter hands.

    The digest covers whether the match is closed or counts unfinished, its secret, its
    agreement and the state of its competition. A friendly match that is open has none.
    """
    agreement, competition_state = (
        competition().confirmation_rules(match),
        competition().poll_state(match),
    )
    state = (
        match.closed,
        match.as_it_stands,
        match.secret,
        agreement,
        competition_state,
    )
    if state == (False, False, "", None, None):
        return str(match.version)
    digest = sha256(repr(state).encode()).hexdigest()
    return f"{match.version}-{digest[:DIGEST_LENGTH]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One column of the sheet."""

    index: int
    name: str
    total: int
    rank: int
    won: bool
    needs: int | None
    reason: str
    """The tie-break that puts it before another with the same total; empty if none."""

    @property
    def initials(self) -> str:
        """Return one or two letters for the seat's mark."""
        words = self.name.split()
        return "".join(word[0] for word in words[:2]).upper() if words else "?"


@dataclass(frozen=True, slots=True, kw_only=True)
class HandRow:
    """One line of the sheet."""

    number: int
    state: str
    cells: Sequence[tuple[int, int | None]]
    """The score and bid of each seat; empty if the hand does not count."""
    bidder: int | None
    findings: Sequence[str]
    corrected: bool
    has_conflict: bool
    """Whether another phone has a different version, and none is chosen yet."""
    notes: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndMatchAction:
    """The command that ends a match, if its players decide when."""

    number: int
    """The number of the last hand."""
    body: str
    """The body of that hand, marked as the last one, as JSON."""
    names: Sequence[str]
    """The names of the leaders; empty if all are level."""


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The whole sheet; parts are computed on access."""

    match: Match
    logged: MatchSnapshot
    names: Sequence[str]

    @property
    def replayed(self) -> ReplayedMatch:
        return self.logged.replayed

    def with_names_of_hand(self, number: int) -> "Sheet":
        """Return the same sheet with the names of the players of a hand."""
        (names,) = self.logged.names_by_hand([number])
        return replace(self, names=names)

    @cached_property
    def names_by_hand(self) -> Sequence[Sequence[str]]:
        return self.logged.names_by_hand(
            hand.number for hand in self.replayed.scored_hands
        )

    @property
    def handover_sentences(self) -> Sequence[str]:
        """Return a sentence for each seat that was handed over."""
        return describe_handovers(self.logged.log)

    @property
    def house_rule_sentences(self) -> Sequence[str]:
        return self.game.house_rule_sentences(self.state)

    @cached_property
    def poll_version(self) -> str:
        return poll_version(self.match)

    @property
    def game(self) -> TableGame:
        return table_game(self.match.game)

    @property
    def state(self) -> MatchState:
        return self.replayed.state

    @cached_property
    def seats(self) -> Sequence[SeatView]:
        state = self.state
        return [
            SeatView(
                index=index,
                name=name,
                total=state.totals[index],
                rank=state.ranks[index],
                won=self.replayed.is_over and index in state.winners,
                needs=needs,
                reason=_tie_break_reason(state, index, self.names),
            )
            for index, (name, needs) in enumerate(
                zip(self.names, state.points_needed, strict=True)
            )
        ]

    @cached_property
    def leading_seats(self) -> Sequence[int]:
        """Return the seats that lead or have won; empty if all are level."""
        if self.replayed.is_over:
            return list(self.state.winners)
        first = [index for index, rank in enumerate(self.state.ranks) if rank == 1]
        return first if len(first) < len(self.names) else []

    @cached_property
    def new_leading_seats(self) -> Sequence[int]:
        """Return the seats that took the lead with the last hand; empty after the first hand."""
        if len(self.replayed.scored_hands) < 2:
            return []
        ranks_before = self.replayed.state_before(
            self.replayed.scored_hands[-1].number
        ).ranks
        return [seat for seat in self.leading_seats if ranks_before[seat] != 1]

    @cached_property
    def peg_race(self) -> PegRace:
        """Return the race to the target, or without a target to a little beyond the leader."""
        state = self.state
        return draw_race(
            state.totals,
            self.leading_seats,
            goal=state.options.get("target"),
            points_a_hole=self.game.points_a_hole,
            fewest_points_win=state.game.fewest_points_win,
        )

    @cached_property
    def rosette(self) -> Sequence[RosetteRing]:
        """Return the rings of a match that is over, the winner's first."""
        return draw_rosette(self.state.totals, self.state.ranks)

    @property
    def highlights(self) -> Sequence[MatchHighlight]:
        """Return the highlights of a match that is over."""
        counted_hands = [
            CountedHand(hand.number, names, hand.scored.scores, ranks, hand.hand.bidder)
            for hand, names, ranks in zip(
                self.replayed.scored_hands,
                self.names_by_hand,
                self.replayed.ranks_by_hand,
                strict=True,
            )
            if hand.scored
        ]
        return find_match_highlights(self.state.game, counted_hands)

    @property
    def winner_initials_and_pegs(self) -> Sequence[tuple[str, WinnerPeg]]:
        """Return each winner's initial and peg in the middle of the rosette."""
        pegs = draw_winner_pegs(self.rosette)
        return [(self.seats[peg.seat].initials[:1], peg) for peg in pegs]

    @property
    def ranked_seats(self) -> Sequence[SeatView]:
        return sorted(self.seats, key=lambda seat: (seat.rank, seat.index))

    @property
    def lanes(self) -> Sequence[tuple[SeatView, Lane]]:
        return list(zip(self.seats, self.peg_race.lanes, strict=True))

    @cached_property
    def rows(self) -> Sequence[HandRow]:
        return [
            HandRow(
                number=hand.number,
                state=hand.state,
                cells=list(zip_longest(hand.scored.scores, hand.hand.seat_bids))
                if hand.scored
                else (),
                bidder=hand.hand.bidder,
                findings=[
                    self.game.translate_with_pieces(finding.message, self.names)
                    for finding in (hand.scored.findings if hand.scored else ())
                ],
                corrected=len(hand.history) > 1
                and any(entry.kind == "replace" for entry in hand.history),
                has_conflict=bool(hand.proposals),
                notes=hand.notes,
            )
            for hand in self.replayed.hands
            if hand.state != "contract"
        ]

    @cached_property
    def chart(self) -> Chart | None:
        """Return a chart of the totals; None before two hands."""
        scored = [hand for hand in self.replayed.scored_hands if hand.scored]
        if len(scored) < 2:
            return None
        return totals_chart(
            self.names,
            [hand.scored.totals for hand in scored if hand.scored],
            self.replayed.ranks_by_hand,
            self.leading_seats,
            is_over=self.is_final,
            numbers=[hand.number for hand in scored],
            names_by_hand=self.names_by_hand,
            notes=self.handover_sentences,
        )

    @property
    def lead_sentence(self) -> str:
        """Return the leaders and their margin in words; empty before the first hand and after the end."""
        state, names = self.state, self.names
        if not state.number or state.finished:
            return ""
        leaders = [
            name for name, rank in zip(names, state.ranks, strict=True) if rank == 1
        ]
        if len(leaders) > 1:
            template = gettext("%(names)s share the lead.")
            return template % {"names": join_names(leaders)}
        by_rank = sorted(zip(state.ranks, state.totals, strict=True))
        first, second = by_rank[0][1], by_rank[1][1]
        if first == second:
            # The game breaks ties of points before the end.
            return gettext("%(name)s leads, %(reason)s.") % {
                "name": leaders[0],
                "reason": _tie_break_reason(state, state.ranks.index(1), names),
            }
        return gettext("%(name)s leads by %(points)s.") % {
            "name": leaders[0],
            "points": format_number(abs(first - second)),
        }

    @property
    def planned_last_hand_number(self) -> int | None:
        """Return the number of the last hand; None if the number of hands is not fixed.

        A phone without the rules counts up to it.
        """
        state = self.state
        hands = self.game.fixed_hand_count(len(self.names), state.options)
        if hands is None:
            return None
        return self.replayed.next_number + hands - state.number - 1

    @property
    def next_starter_sentence(self) -> str:
        turn = self.state.next_lead_seats
        return self.game.describe_next_starter(turn, self.names) if turn else ""

    @property
    def remaining_sentence(self) -> str:
        """Return the remaining hands or other conditions of the end in words; empty at the last hand."""
        is_over = self.state.finished or self.match_over_notice
        if is_over or competition().is_last_hand_called(self.match):
            return ""
        return self.game.describe_remaining_play(self.state)

    @cached_property
    def match_over_notice(self) -> str:
        """Return a notice that further hands are late; empty while the match may go on."""
        return competition().match_over_notice(self.match)

    @property
    def pending_hand_text(self) -> str:
        """Return a description of the hand that is being played; empty if there is none."""
        pending = self.replayed.pending_hand
        if pending is None:
            return ""
        state_before = self.replayed.state_before(pending.number)
        return self.game.describe_unfinished_hand(state_before, pending.raw, self.names)

    @property
    def contract_text(self) -> str:
        """Return the contract of the hand that is being played, in words; empty if none is known."""
        pending = self.replayed.pending_hand
        return self.game.describe_contract(pending.hand, self.names) if pending else ""

    @property
    def auction(self) -> Sequence[tuple[str, str]]:
        """Return names and bids for the hand that is being played; empty if none are known."""
        pending = self.replayed.pending_hand
        return describe_calls(pending.hand.bids, self.names) if pending else ()

    @property
    def has_pending_hand_with_pieces(self) -> bool:
        """Return whether the pending hand is being recorded piece by piece."""
        pending = self.replayed.pending_hand
        return pending is not None and PLAYED_KEY in pending.raw

    @property
    def has_more_than_contract(self) -> bool:
        """Return whether more of a pending hand than its contract was entered."""
        pending = self.replayed.pending_hand
        return pending is not None and self.game.has_more_than_contract(pending.hand)

    @property
    def end_reason(self) -> str:
        """Return the reason for the end of a match, or for its going on; empty before."""
        if self.state.end_reason is None:
            return ""
        reason = translate(self.state.end_reason.text, self.names)
        return f"{reason[:1].upper()}{reason[1:]}."

    @cached_property
    def checksum_words_line(self) -> str:
        """Return the checksum words that two phones compare."""
        return checksum_words_line(self.replayed)

    @cached_property
    def result_state(self) -> ResultState:
        return competition().result_state(self.match)

    @property
    def is_final(self) -> bool:
        """Return whether the match is over and its result needs no further confirmation."""
        return self.replayed.is_over and self.result_state == ResultState.FINAL

    @property
    def result_headline(self) -> str:
        return result_headline(self.winner_names, self.result_state)

    @property
    def winner_names(self) -> Sequence[str]:
        return [seat.name for seat in self.seats if seat.won]

    @cached_property
    def end_match_action(self) -> EndMatchAction | None:
        """Return the command that ends the match after its last hand; None if the rules decide when."""
        replayed = self.replayed
        is_open = not (
            self.state.finished or replayed.pending_hand or replayed.conflicting_hands
        )
        if not (is_open and replayed.scored_hands):
            return None
        last = replayed.scored_hands[-1]
        body = self.game.mark_last_hand_as_end(self.state, last.raw)
        if body is None:
            return None
        leaders = [self.names[seat] for seat in self.leading_seats]
        return EndMatchAction(number=last.number, body=json.dumps(body), names=leaders)

    @property
    def can_play_on_board(self) -> bool:
        """Return whether the next hand can be played on a board."""
        board = self.game.board
        return board is not None and board.is_offered(self.logged)

    @cached_property
    def board_hand_progress(self) -> str:
        """Return the progress of the hand on the board; empty if none is being played."""
        board = self.game.board
        return "" if board is None else board.describe_progress(self.logged)

    @property
    def hand_progress(self) -> str:
        """Return the progress of the hand that is being played; empty if unknown."""
        pending = self.replayed.pending_hand
        if pending is None:
            return self.board_hand_progress
        state_before = self.replayed.state_before(pending.number)
        trick = self.game.current_trick_number(state_before, pending.raw)
        if trick is None:
            return ""
        template = gettext("Hand %(hand)s, trick %(trick)s")
        return template % {"hand": pending.number, "trick": trick}

    @property
    def last_entry_by_scorer(self) -> LogEntry | None:
        """Return the scorer phone's last entry; None if there is none on this server."""
        scorer_entries = (
            entry
            for entry in reversed(self.logged.log)
            if entry.phone
            and entry.kind in WRITES
            and entry.version > self.match.imported_at_version
        )
        return next(scorer_entries, None)

    @property
    def rematch_body(self) -> str:
        """Return the body of the entry that starts a rematch, as JSON."""
        start = {
            "game": self.match.game,
            "players": list(self.names),
            "options": self.match.options,
            "rematch_of": self.match.address,
        }
        return json.dumps(start)

    @property
    def totals_line(self) -> str:
        """Return all totals in one line, best first, for sharing."""
        totals = ", ".join(
            f"{seat.rank}. {seat.name} {seat.total}" for seat in self.ranked_seats
        )
        line = f"{self.match.title}: {totals}"
        return (
            line
            if self.is_final
            else f"{self.result_headline.removesuffix('.')}. {line}"
        )


def load_sheet(match: Match) -> Sheet:
    """Return the score sheet of a match at its version; one query for its log, one for its seats.

    Later commits are ignored: otherwise a page could show the scores of a finished match with
    the buttons of an unfinished one.
    """
    logged = read_match(match, max_version=match.version)
    return Sheet(match=match, logged=logged, names=logged.names)


def _tie_break_reason(state: MatchState, seat: int, names: Sequence[str]) -> str:
    """Return the tie-break that puts a seat before the next one with the same total; else empty."""
    lower_ranked = [
        (rank, other_seat)
        for other_seat, rank in enumerate(state.ranks)
        if rank > state.ranks[seat] and state.totals[other_seat] == state.totals[seat]
    ]
    explanation = (
        state.game.explain_tie_break(state, seat, min(lower_ranked)[1])
        if lower_ranked
        else None
    )
    return translate(explanation, names) if explanation else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetNotices:
    """The lines above a sheet, for one viewer."""

    lines: Sequence[Notice] = ()
    next_table: NextTableNotice | None = None

    @property
    def digest(self) -> str:
        """Return a digest of the notices; empty if there are none."""
        if not self.lines and self.next_table is None:
            return ""
        # Lazy translations are evaluated here, in the viewer's language.
        lines = [
            (str(line.text), line.address, line.urgent, line.ends_at, line.paused_at)
            for line in self.lines
        ]
        next_table = self.next_table and (
            str(self.next_table.sentence),
            [str(seat) for seat in self.next_table.seats],
            self.next_table.address,
        )
        return sha256(repr((lines, next_table)).encode()).hexdigest()[:12]


def match_notices(match: Match, request: HttpRequest) -> SheetNotices:
    """Return the current notices of a match for a request."""
    lines = []
    if match.is_just_imported:
        lines.append(Notice(text=gettext(MOVED), urgent=True))
    if not match.finished:
        # Two offline phones may each have started a rematch.
        template = ngettext_lazy(
            "There’s another rematch at this table, with %(hands)s hand. Open it",
            "There’s another rematch at this table, with %(hands)s hands. Open it",
            "hands",
        )
        lines += [
            Notice(
                text=template % {"hands": rematch.hands_played},
                address=rematch.get_absolute_url(),
                urgent=True,
            )
            for rematch in match.played_sibling_rematches
        ]
    return SheetNotices(
        lines=[*lines, *competition().notices(match)],
        next_table=competition().next_table_notice(match, request),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkPreview:
    """The preview of a page in a message with its link."""

    title: str
    description: str
    picture: str = ""
    """The address of the picture; empty if none."""
    in_words: str = ""
    """The alternative text of the picture."""
    is_found: bool = True
    """Whether search engines may list it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """A sentence on the state of a match."""

    sentence: str
    names: str = ""
    """The names in the sentence."""


def match_headline(sheet: Sheet, names: Sequence[str]) -> Headline:
    """Return a headline with the winners or leaders; the game's name if there are none yet.

    `names` are those of the seats, in the form to be shown.
    """
    leaders = [names[lane.seat] for lane in sheet.peg_race.lanes if lane.is_first]
    leader_names = join_names(leaders)
    if not leaders or not sheet.state.number:
        return Headline(sentence=sheet.match.title)
    if sheet.replayed.is_over:
        sentence = result_headline(leaders, sheet.result_state)
        return Headline(
            sentence=sentence, names=leader_names if leader_names in sentence else ""
        )
    template = ngettext("%(names)s leads", "%(names)s lead", len(leaders))
    return Headline(sentence=template % {"names": leader_names}, names=leader_names)


def match_summary(sheet: Sheet) -> str:
    """Return the best total and the number of hands, in words."""
    hands = sheet.state.number
    if not hands:
        return gettext("%(names)s at the table") % {
            "names": join_names([seat.name for seat in sheet.seats])
        }
    best = min(sheet.seats, key=lambda seat: seat.rank)
    points = ngettext("%(n)s point", "%(n)s points", 1 if best.total == 1 else 2)
    template = ngettext(
        "%(points)s in %(count)s hand", "%(points)s in %(count)s hands", hands
    )
    return template % {
        "points": points % {"n": format_number(best.total)},
        "count": apnumber(hands),
    }


def match_link_preview(sheet: Sheet) -> LinkPreview:
    """Return the preview of a match; search engines may list only demo matches."""
    match = sheet.match
    address = reverse("scoring:match_picture", args=[match.address])
    headline = match_headline(sheet, sheet.names).sentence
    ranked = sorted(sheet.seats, key=lambda seat: (seat.rank, seat.index))
    totals = ", ".join(f"{seat.name} {format_number(seat.total)}" for seat in ranked)
    description = gettext("%(game)s: %(under)s. %(totals)s.") % {
        "game": match.title,
        "under": match_summary(sheet),
        "totals": totals,
    }
    return LinkPreview(
        title=headline,
        description=description,
        picture=f"{address}?v={match.version}",
        in_words=f"{headline}. {totals}.",
        is_found=match.address == demo_address(match.game),
    )
