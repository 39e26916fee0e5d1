"""What the parts show on the page of all parts: matches and forms that no database knows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any
from uuid import UUID

from django import forms
from django.utils import timezone

from scoring.competition import Onward
from scoring.games.drawing import DrawnPiece
from scoring.games.entry_form import EntryForm
from scoring.games.pieces import PieceByPiece
from scoring.games.random_match import play_match
from scoring.games.registry import table_game, table_games
from scoring.matchlog.commands import LoggedMatch
from scoring.matchlog.replay import replay
from scoring.models import LogEntry, Match, Seat
from scoring.pages.agreeing import Agreeing, Asked, Said, confirmers_in_words
from scoring.pages.change_preview import ChangePreview, SeatChange
from scoring.pages.charts import Chart, totals_chart
from scoring.pages.lines import result_lines
from scoring.pages.plots import Series, draw_bars, draw_lines
from scoring.pages.sheet import Sheet
from scoring.pages.trick_by_trick import FeltPlace, LaidLine, bid_line
from scoring.rules import GAMES
from scoring.rules.game import rank_values
from tournaments.hooks.delivery import off_letter
from tournaments.models import Club, Invitation, Role, User, Webhook
from tournaments.people.letters import (
    ACCOUNT_LETTERS,
    Letter,
    forgotten_letter,
    invitation_letter,
    proof_letter,
)
from tournaments.web.charts import heat
from tournaments.web.standings.lines import podium
from tricky_site.style_guide.tournaments import night_sample, tournament_sample

NAMES = ("Rosa", "Amir", "Fleur", "Emil", "Bartholomew Q.", "Ida", "Zoë", "Øyvind")
FITS = 3
"""Of the tricks of a hand, what the others have left."""
MOST_ANTE = 15


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


def samples() -> dict[str, Any]:
    """Return what the parts show, by the names that their templates have for it."""
    played = [_played(game.id, max(GAMES[game.id].seats)) for game in table_games()]
    fields = FieldsSample(
        {"name": "Rosa", "rounds": "12", "format": "swiss", "shown": "closed"}
    )
    fields.is_valid()
    podium_lines = [
        (1, "Rosa", "312"),
        (2, "Amir", "288½"),
        (2, "Bartholomew Quist", "288½"),
    ]
    return {
        "games": table_games(),
        "names": NAMES,
        "tones": ("ok", "wait", "bad"),
        "badges": ("ok", "run", "wait", "bad", "off"),
        "pieces": _pieces(),
        "suits": "SHDC",
        "felt": _felt(),
        "bids": [
            bid_line(PieceByPiece(), goal, taken, NAMES[:5], side, is_over=is_over)
            for goal, taken, side, is_over in (
                (156, 58, [0], False),
                (6, 4, [2, 4], False),
                (6, 7, [1, 3], True),
                (1156, 1058, [4], True),
            )
        ],
        "fields": fields,
        "letters": letters(),
        "steps": podium(podium_lines),
        "charts": _charts(),
        "heat": heat(NAMES[:3], [[None, 20, 80], [80, None, None], [20, None, None]]),
        "places": [1, 2, 3, 1, 4],
        "played": played,
        "entered": [sample for sample in played if sample["form"]],
        "tallies": list(_tallies(played)),
        "calls": list(zip(NAMES, ("90", "passes", "148", "passes"), strict=False)),
        "boards": list(_boards()),
        "event": tournament_sample(NAMES),
        "night": night_sample(NAMES),
        "agreeing": _agreeing(),
        "finished": _played(table_games()[0].id, 4, hands=None),
        "changes": _changes(),
        "onward": Onward(
            sentence="Round 3 begins at 21:10.",
            seats=["Rosa: table 2, seat 1", "Bartholomew Q.: table 5, seat 4"],
            address="#Onward",
            label="To table 2",
        ),
    }


def _pieces() -> list[list[DrawnPiece]]:
    """Return dice of every kind, a trump among them, and pieces of each game."""
    drawn = [
        [piece for piece in map(game.draw, game.shown_pieces) if piece]
        for game in table_games()
    ]
    return [
        [_die(f"d{faces}", str(faces)) for faces in (4, 6, 8, 10, 12, 20)],
        [replace(_die("d20", "7"), is_trump=True)],
        *filter(None, drawn),
        [replace(row[-1], is_trump=True) for row in drawn if row],
    ]


def _die(kind: str, face: str) -> DrawnPiece:
    return DrawnPiece(kind=kind, face=face, words=f"{kind} {face}")


def _felt() -> list[FeltPlace]:
    """Return a trick of two dice each: one seat has played, one is at it, two are to come."""
    laid = [[_die("d20", "12"), _die("d8", "7")], [_die("d10", "4")], [], []]
    return [
        FeltPlace(
            seat=seat,
            name=NAMES[seat],
            laid=[LaidLine(seat=seat, name=NAMES[seat], pieces=pieces, is_ante=False)],
            unset=range(2 - len(pieces)),
            taken=[58, 0, 41, 112][seat],
            leads=seat == 0,
            is_next=seat == 1,
        )
        for seat, pieces in enumerate(laid)
    ]


def _changes() -> ChangePreview:
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


def _charts() -> list[Chart]:
    """Return who led a match, ranks of five, a rating in its band, and bars."""
    rows = [
        [56, 489, 49, 90],
        [177, 607, 149, 40],
        [400, 483, 530, 122],
        [393, 983, 247, 610],
    ]
    led = [rank_values(row) for row in rows]
    totals = totals_chart(NAMES[:4], rows, led, [1], is_over=False)
    assert totals is not None
    days = ["21 Jul", "1 Sep", "13 Oct", "27 Oct"]
    courses = [[2, 3, 2, 1], [4, 1, 1, 2], [1, 2, 4, 3], [3, 5, 5, 3], [5, 4, 3, 5]]
    ranks = [
        Series(name=name, values=course, main=not number, won=not number)
        for number, (name, course) in enumerate(zip(NAMES, courses, strict=False))
    ]
    middle = [1500, 1580, 1560, 1774]
    low, high = ([number + width for number in middle] for width in (-90, 90))
    rating = [Series(name=NAMES[0], values=middle, low=low, high=high, main=True)]
    places, counts = ["1", "2", "3", "4"], [17, 12, 8, 4]
    tables = [Series(name="tables", values=counts, main=True)]
    drawn = [
        ("ranks", days, ranks, draw_lines(days, ranks, ranks=True)),
        ("rating", days, rating, draw_lines(days, rating, ranks=False)),
        ("places", places, tables, draw_bars(places, counts)),
    ]
    charts = [
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
    ]
    return [totals, *charts]


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


def _boards() -> Iterator[dict[str, Any]]:
    """Yield the boards of games that are played on one, in each state."""
    for game in table_games():
        if game.board is None:
            continue
        templates = [f"{name}#board" for name in game.templates("board")]
        for logged, context in game.board.samples(_sheet(game.id, 4, []).logged):
            sheet = Sheet(match=logged.match, logged=logged, names=logged.names)
            yield {"sheet": sheet, "board_templates": templates, **context}


def _tallies(played: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield hands of which a trick is tallied, with the keys for the next."""
    for sample in played:
        if hasattr(sample["form"], "tally"):
            form = _form(sample["sheet"], {"winner_0": "1", "antes_0": "6 11 3"})
            form.is_valid()
            tray = {
                "panel": "tally",
                "asks": form["antes_1"].label,
                "winners": sample["sheet"].names,
                "antes": range(MOST_ANTE + 1),
            }
            yield {**sample, "form": form, "tray": tray}


def _tray(form: EntryForm) -> dict[str, Any]:
    """Return the tray as a script opens it: for a number with keys of its own, else for the first."""
    asked = [
        (field, field.field.widget.attrs)
        for field in form
        if field.field.widget.attrs.get("data-pad") in ("grid", "keypad")
    ]
    field, attrs = min(asked, key=lambda each: each[1]["data-pad"])
    is_grid = attrs["data-pad"] == "grid"
    return {
        "panel": attrs["data-pad"],
        "asks": attrs.get("data-asks", field.label),
        "numbers": range(attrs["data-least"], attrs["data-most"] + 1)
        if is_grid
        else (),
        "fits": FITS if "data-total" in attrs else None,
        "has_no_total": "data-total" not in attrs,
        "has_steppers": "data-treats" not in attrs,
        "next": f"Next: {NAMES[4]}",
    }


def _agreeing() -> Agreeing:
    """Return a table of which one has agreed, on a phone that can be given to the others."""
    rosa = Said(
        seat=0,
        name=NAMES[0],
        way="",
        shared_phone="0" * 32,
        is_from_here=True,
        is_own=False,
        body="{}",
    )
    return Agreeing(
        said=[rosa],
        by_director="",
        is_enough=False,
        is_disputed=False,
        confirmers=confirmers_in_words(4, 4),
        own=None,
        others=[Asked(seat=seat, name=NAMES[seat], body="{}") for seat in (1, 2, 3)],
        elsewhere=[],
        without_phone=[],
        is_friendly=False,
    )


def _played(game: str, seats: int, *, hands: int | None = 3) -> dict[str, Any]:
    """Return a match: how it stands, what its last hand gave, how the next is entered."""
    played = play_match(game, seats, None, Random(7))
    sheet = _sheet(game, seats, played.hands[:hands])
    scored = sheet.replayed.scored[-1].scored
    form = None if sheet.state.finished else _form(sheet)
    return {
        "sheet": sheet,
        "lines": result_lines(sheet.names, scored) if scored else [],
        "form": form,
        "entry_templates": table_game(game).templates("entry"),
        "tray": _tray(form) if form else None,
    }


def _form(sheet: Sheet, entered: Mapping[str, str] | None = None) -> EntryForm:
    form_class = table_game(sheet.match.game).select_form(())
    form = form_class(
        entered,
        names=sheet.names,
        state=sheet.state,
        initial=form_class.initial_values({}),
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
