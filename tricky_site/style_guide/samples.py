"""What the parts show on the page of all parts: matches and forms that no database knows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from django import forms
from django.utils import timezone

from scoring.competition import Onward
from scoring.games.drawing import DrawnPiece
from scoring.games.entry_form import EntryForm
from scoring.games.piece_by_piece import PieceByPiece
from scoring.games.random_match import play_match
from scoring.games.registry import table_game, table_games
from scoring.matchlog.commands import LoggedMatch
from scoring.matchlog.replay import replay
from scoring.models import LogEntry, Match, Seat
from scoring.pages.agreeing import Agreeing, Asked, Said, confirmers_in_words
from scoring.pages.change_preview import ChangePreview, SeatChange
from scoring.pages.charts import Chart, totals_chart
from scoring.pages.lines import ResultLine, result_lines
from scoring.pages.plots import Series, draw_bars, draw_lines
from scoring.pages.sheet import Sheet
from scoring.pages.trick_by_trick import BidLine, FeltPlace, LaidLine, bid_line
from scoring.rules import GAMES
from scoring.rules.game import ranks_of
from tournaments.hooks.delivery import off_letter
from tournaments.models import Club, Invitation, Role, User, Webhook
from tournaments.people.letters import (
    ACCOUNT_LETTERS,
    Letter,
    forgotten_letter,
    invitation_letter,
    proof_letter,
)
from tournaments.web.charts import HeatRow, heat
from tournaments.web.podium import Step, podium

NAMES = ("Rosa", "Amir", "Fleur", "Emil", "Bartholomew Q.", "Ida", "Zoë", "Øyvind")
TONES = ("ok", "wait", "bad")
BADGES = ("ok", "run", "wait", "bad", "off")
FITS = 3
"""Of the tricks of a hand, what the others have left."""
MOST_ANTE = 15
KINDS_OF_DICE = ("d4", "d6", "d8", "d10", "d12", "d20")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedSample:
    """A match of one game: how it stands, what its last hand gave, how the next is entered."""

    sheet: Sheet
    lines: Sequence[ResultLine]
    form: EntryForm | None
    """None where nothing is to be entered any more."""
    entry_templates: Sequence[str]
    """The first that is there is how a hand is entered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidSample:
    """A board in one of its states."""

    sheet: Sheet
    context: Mapping[str, object]
    """What its page draws besides the sheet."""
    board_templates: Sequence[str]
    """The first that is there is the board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTray:
    """The tray of a game as a script opens it for a number."""

    game: str
    form: EntryForm
    panel: str
    asks: str
    numbers: Sequence[int]
    """Each has a key of its own; none on the keypad."""
    fits: int | None
    """The number that is left of a row's total, where there is one."""
    has_steppers: bool
    next: str
    winners: Sequence[str] = ()
    antes: Sequence[int] = ()
    """Of a tally: who may have won a trick, and the antes that it may have brought."""

    @property
    def has_no_total(self) -> bool:
        """Tell whether a number stands for itself, so that none is stepped up or down."""
        return self.fits is None


@dataclass(frozen=True, slots=True, kw_only=True)
class TallySample:
    """A hand of which a trick is tallied, and the keys for the next."""

    sample: PlayedSample
    tray: OpenTray


class FieldsSample(forms.Form):
    """A field of each kind, one of them refused."""

    name = forms.CharField(label="A name")
    rounds = forms.IntegerField(label="A number that is refused", max_value=9)
    format = forms.ChoiceField(
        label="One of several", choices=[("swiss", "Swiss"), ("league", "League")]
    )
    shown = forms.ChoiceField(
        label="One of a few, a tap each",
        choices=[
            ("live", "Live"),
            ("closed", "After each round"),
            ("end", "At the end"),
        ],
        widget=forms.RadioSelect,
    )
    agreed = forms.BooleanField(label="Yes or no")


def fields_sample() -> FieldsSample:
    """Return the form as somebody filled it."""
    form = FieldsSample(
        {"name": "Rosa", "rounds": "12", "format": "swiss", "shown": "closed"}
    )
    form.is_valid()
    return form


def pieces() -> list[list[DrawnPiece]]:
    """Return dice of every kind, a trump among them, and pieces of each game."""
    drawn = [
        [piece for piece in map(game.draw, game.shown_pieces) if piece]
        for game in table_games()
    ]
    return [
        [_die(kind, kind[1:]) for kind in KINDS_OF_DICE],
        [replace(_die("d20", "7"), is_trump=True)],
        *filter(None, drawn),
        [replace(row[-1], is_trump=True) for row in drawn if row],
    ]


def _die(kind: str, face: str) -> DrawnPiece:
    return DrawnPiece(kind=kind, face=face, words=f"{kind} {face}")


def felt_sample() -> list[FeltPlace]:
    """Return a trick of two dice each: one seat has played, one is at it, two are to come."""
    shown = [("d20", "12"), ("d8", "7"), ("d10", "4")]
    pieces = [_die(kind, face) for kind, face in shown]
    laid = [pieces[:2], pieces[2:], [], []]
    return [
        FeltPlace(
            seat=seat,
            name=name,
            laid=[LaidLine(seat=seat, name=name, pieces=laid[seat], is_ante=False)],
            unset=range(2 - len(laid[seat])),
            taken=[58, 0, 41, 112][seat],
            leads=seat == 0,
            is_next=seat == 1,
        )
        for seat, name in enumerate(NAMES[:4])
    ]


def bids_sample() -> list[BidLine]:
    """Return bids of hands that are recorded: underway, alone and with a partner, made and missed."""
    return [
        bid_line(PieceByPiece(), goal, taken, NAMES[:5], side, is_over=is_over)
        for goal, taken, side, is_over in (
            (156, 58, [0], False),
            (6, 4, [2, 4], False),
            (6, 7, [1, 3], True),
            (1156, 1058, [4], True),
        )
    ]


def podium_sample() -> list[Step]:
    """Return a podium on which two share the second step."""
    lines = [(1, "Rosa", "312"), (2, "Amir", "288½"), (2, "Bartholomew Quist", "288½")]
    return podium(lines)


def changes_sample() -> ChangePreview:
    """Return a change of one seat's score, before it is made."""
    before, after = (140, 672, 101), (112, 672, 101)
    return ChangePreview(
        rows=[
            SeatChange(
                seat=seat,
                name=NAMES[seat],
                hand_before=before[seat],
                hand_after=after[seat],
                total_before=1000 + before[seat],
                total_after=1000 + after[seat],
            )
            for seat in range(len(before))
        ],
        summary="",
        sentences=["The winner stays the same."],
        stays="Two stay as before.",
    )


def charts() -> list[Chart]:
    """Return who led a match, ranks of five, a rating in its band, and bars."""
    rows = [
        [56, 489, 49, 90],
        [177, 607, 149, 40],
        [400, 483, 530, 122],
        [393, 983, 247, 610],
    ]
    totals = totals_chart(
        NAMES[:4], rows, [ranks_of(row) for row in rows], [1], is_over=False
    )
    assert totals is not None
    days = ["21 Jul", "1 Sep", "13 Oct", "27 Oct"]
    courses = [[2, 3, 2, 1], [4, 1, 1, 2], [1, 2, 4, 3], [3, 5, 5, 3], [5, 4, 3, 5]]
    ranks = [
        Series(name=name, values=course, main=not number, won=not number)
        for number, (name, course) in enumerate(zip(NAMES, courses, strict=False))
    ]
    middle = [1500, 1580, 1560, 1774]
    rating = Series(
        name=NAMES[0],
        values=middle,
        low=[number - 90 for number in middle],
        high=[number + 90 for number in middle],
        main=True,
    )
    places = ["1", "2", "3", "4"]
    counts = [17, 12, 8, 4]
    drawn = [
        ("ranks", days, ranks, draw_lines(days, ranks, ranks=True)),
        ("rating", days, [rating], draw_lines(days, [rating], ranks=False)),
        (
            "places",
            places,
            [Series(name="tables", values=counts, main=True)],
            draw_bars(places, counts),
        ),
    ]
    return [
        totals,
        *(
            Chart(
                id=name,
                title=f"A chart of {name}",
                caption=f"What a chart of {name} says.",
                across="Day",
                labels=labels,
                series=series,
                plot=plot,
            )
            for name, labels, series, plot in drawn
        ),
    ]


def heat_sample() -> list[HeatRow]:
    """Return who was ahead of whom of three, of whom two met too rarely."""
    return heat(NAMES[:3], [[None, 20, 80], [80, None, None], [20, None, None]])


def letters() -> dict[str, Letter]:
    """Return each letter that goes out, as its reader has it, by a name for its address."""
    invitation = Invitation(
        club=Club(name="Thursday Club", slug="thursday"),
        email="rosa@example.org",
        role=Role.SCORER,
        link="https://tricky.example/invitations/3f9a/",
        made_by=User(first_name="Fleur", last_name="Quist"),
    )
    context = {
        "current_site": SimpleNamespace(domain="tricky.example"),
        "activate_url": "https://tricky.example/accounts/confirm-email/MTI3/",
        "password_reset_url": "https://tricky.example/accounts/password/reset/key/b-d4z/",
        "signup_url": "https://tricky.example/accounts/signup/",
    }
    about_accounts = {
        name.removeprefix("account/email/"): letter(context)
        for name, letter in ACCOUNT_LETTERS.items()
    }
    hook = Webhook(
        pk=1,
        club=invitation.club,
        url="https://chat.example/hook",
        site="https://tricky.example",
        off_because=Webhook.Because.FAILING,
    )
    return {
        "invitation": invitation_letter(invitation),
        "webhook_off": off_letter(hook),
        **about_accounts,
        "lost_factors": proof_letter(
            site="https://tricky.example",
            proof="d4k1a2-01234567890123456789012345678901",
        ),
        "forgotten_factors": forgotten_letter(site="https://tricky.example"),
    }


def played_samples() -> Iterator[PlayedSample]:
    """Yield a match of each game that goes on, as wide as its game allows."""
    for game in table_games():
        seats = max(GAMES[game.id].seats)
        yield _sample(game.id, seats, hands=3)


def laid_samples() -> Iterator[LaidSample]:
    """Yield the boards of games that are played on one, in each state."""
    for game in table_games():
        if game.board is None:
            continue
        empty = _sheet(game.id, 4, []).logged
        for logged, context in game.board.samples(empty):
            sheet = Sheet(match=logged.match, logged=logged, names=logged.names)
            yield LaidSample(
                sheet=sheet,
                context=context,
                board_templates=[f"{name}#board" for name in game.templates("board")],
            )


def open_trays(played: Sequence[PlayedSample]) -> Iterator[OpenTray]:
    """Yield the tray of each game: for a number that has keys of its own, or else for its first."""
    for sample in played:
        if sample.form is None:
            continue
        asked = [
            (field, field.field.widget.attrs)
            for field in sample.form
            if field.field.widget.attrs.get("data-pad") in ("grid", "keypad")
        ]
        field, attrs = min(asked, key=lambda each: each[1]["data-pad"])
        is_grid = attrs["data-pad"] == "grid"
        yield OpenTray(
            game=sample.sheet.match.game,
            form=sample.form,
            panel=attrs["data-pad"],
            asks=attrs.get("data-asks", field.label),
            numbers=range(attrs["data-least"], attrs["data-most"] + 1)
            if is_grid
            else (),
            fits=FITS if "data-total" in attrs else None,
            has_steppers="data-treats" not in attrs,
            next=f"Next: {NAMES[4]}",
        )


def tallies(played: Sequence[PlayedSample]) -> Iterator[TallySample]:
    """Yield what is tallied trick by trick, underway, with its keys."""
    for sample in played:
        if not hasattr(sample.form, "tally"):
            continue
        names = sample.sheet.names
        form = _form(sample.sheet, {"winner_0": "1", "antes_0": "6 11 3"})
        form.is_valid()
        yield TallySample(
            sample=replace(sample, form=form),
            tray=OpenTray(
                game=sample.sheet.match.game,
                form=form,
                panel="tally",
                asks=str(form["antes_1"].label),
                numbers=(),
                fits=None,
                has_steppers=False,
                next="",
                winners=names,
                antes=range(MOST_ANTE + 1),
            ),
        )


def agreeing_sample() -> Agreeing:
    """Return a table of which one has agreed, on a phone that can be given to the others."""
    return Agreeing(
        said=[
            Said(
                seat=0,
                name=NAMES[0],
                way="",
                shared_phone="0" * 32,
                is_from_here=True,
                is_own=False,
                body="{}",
            )
        ],
        is_enough=False,
        is_disputed=False,
        confirmers=confirmers_in_words(4, 4),
        own=None,
        others=[
            Asked(seat=seat, name=name, body="{}")
            for seat, name in enumerate(NAMES[1:4], start=1)
        ],
        elsewhere=[],
        without_phone=[],
        is_friendly=False,
    )


def finished_sample() -> PlayedSample:
    """Return a match that has a winner."""
    return _sample(table_games()[0].id, 4, hands=None)


def _sample(game: str, seats: int, *, hands: int | None) -> PlayedSample:
    played = play_match(game, seats, None, Random(7))
    sheet = _sheet(game, seats, played.hands[:hands])
    scored = sheet.replayed.scored[-1].scored
    lines = result_lines(sheet.names, scored) if scored else []
    return PlayedSample(
        sheet=sheet,
        lines=lines,
        form=None if sheet.state.finished else _form(sheet),
        entry_templates=table_game(game).templates("entry"),
    )


def _form(sheet: Sheet, entered: Mapping[str, str] | None = None) -> EntryForm:
    form_class = table_game(sheet.match.game).form_for(())
    form = form_class(
        entered,
        names=sheet.names,
        state=sheet.state,
        initial=form_class.initial_from({}),
    )
    form.add_empty_fields()
    return form


def _sheet(game: str, seats: int, hands: Sequence[Mapping[str, Any]]) -> Sheet:
    match = Match(game=game, address=f"sample-{game}", options={}, version=len(hands))
    log = [
        LogEntry(
            match=match,
            version=number,
            key=UUID(int=number),
            kind=LogEntry.Kind.ENTER,
            hand_number=number,
            body=dict(hand),
            made_by=NAMES[0],
            made_at=timezone.now(),
        )
        for number, hand in enumerate(hands, start=1)
    ]
    seated = [
        Seat(match=match, index=index, name=name)
        for index, name in enumerate(NAMES[:seats])
    ]
    logged = LoggedMatch(
        match=match,
        version=match.version,
        log=log,
        seats=seated,
        replayed=replay(game, seats, match.options, log),
    )
    return Sheet(match=match, logged=logged, names=logged.names)


def onward_sample() -> Onward:
    """Return where those of a table go on, which is known for all of them."""
    return Onward(
        sentence="Round 3 begins at 21:10.",
        seats=["Rosa: table 2, seat 1", "Bartholomew Q.: table 5, seat 4"],
        address="#Onward",
        label="To table 2",
    )
