"""The shape that all games have at a table: what a game may say, and what it is spared."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

from django import forms
from django.urls import URLPattern
from django.utils.html import format_html_join
from django.utils.translation import gettext, ngettext

from scoring.games.drawing import DrawnPiece, PlayedExample, translate_with_pieces
from scoring.games.entry_form import EntryForm
from scoring.games.examples import (
    Example,
    HandExample,
    TrickExample,
    Worked,
    work_hands,
    work_trick,
)
from scoring.games.keypad import TrickForm
from scoring.games.pieces import PieceByPiece
from scoring.games.words import describe_dealer, describe_seats
from scoring.matchlog.commands import Change, Command, LoggedMatch
from scoring.rules import PLAYED, Game, MatchState, follow, start
from scoring.rules.game import Options, Raw
from scoring.rules.wording import Sentence

Names = Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameBoard:
    """A board on which a game is played, stored in the log of its match."""

    urls: Callable[[], Sequence[URLPattern]]
    """Addresses of its pages, below the address of a match."""
    is_offered: Callable[[LoggedMatch], bool]
    """Whether the next hand can be played on a board."""
    progress: Callable[[LoggedMatch], str]
    """Deal and trick on the board; empty while none is being played."""
    act: Callable[[LoggedMatch, Command], Change]
    """Returns the change of an action; raises Refusal."""
    check: Callable[[LoggedMatch], None]
    """Raises Refusal or ValueError for a log from which no board follows."""


class TableGame:
    """One game at the table. What is not said here, by a game, has these defaults."""

    rules: Game

    # A hand, entered and told.
    entry_form: type[EntryForm]
    pieces: PieceByPiece | None = None
    """How a hand is recorded piece by piece; None where it is not."""
    board: GameBoard | None = None

    # A new match, and how long it takes.
    option_fields: Mapping[str, forms.Field] = MappingProxyType({})
    """What a new match offers, by the name of the option."""
    points_a_hole: int = 0
    """Between two holes of a lane of the race; 0 for twenty holes, whatever they are worth."""
    minutes_a_hand: int = 6
    """An estimate for people who know the game."""
    typical_hands: int = 8
    """The mean of random matches, for a game without a fixed number of hands."""

    # Pages about the game.
    examples: Mapping[str, Example] = MappingProxyType({})
    """What was played in each example; what it comes to, the rules say."""
    clauses: Mapping[str, str] = MappingProxyType({})
    """What its rules say, clause by clause, where the game has no page of its own; pages translate it."""
    tables: Mapping[str, Any] = MappingProxyType({})
    """Tables of the rules that the page of the game shows as they are."""
    shown_pieces: tuple[str, ...] = ()
    """Some of its pieces, as records write them, to be looked at beside one another."""
    trick_form: type[TrickForm] | None = None
    """Asks who won a lone trick; None where nobody can."""

    # What people did in it, over the years.
    bid_band: int | None = None
    """How wide a size of bid is; None where nobody bids for a contract."""
    has_partners: bool = False

    # Matches played by chance, and the demo season.
    random_hand: Callable[..., dict[str, Any]]
    """Returns a legal next hand of `state`, drawn by `rng`; with every trick if `tricks` and recordable."""
    likely_tables: tuple[int, ...] = ()
    """Sizes of its tables in a club; none to leave it out."""
    demo_options: Mapping[str, Any] = MappingProxyType({})
    demo_evenings: int = 0
    """How often the demo club plays it among itself."""
    mixed_up: ClassVar[tuple[str, ...]] = ()
    """Parts of a hand that two seats can mix up when they write it down."""
    contract_keys: ClassVar[tuple[str, ...]] = ()
    """Parts of a hand that can be noted before it is played."""
    carried: ClassVar[tuple[str, ...]] = ()
    """Parts of a hand that stay as the next one is entered, until somebody changes them."""

    @property
    def id(self) -> str:
        return self.rules.id

    @property
    def name(self) -> str:
        return self.rules.name

    def templates(self, page: str) -> list[str]:
        """Return the templates for a part of a page: the game's own first, then the common one."""
        return [f"scoring/games/{self.id}/{page}.html", f"scoring/games/{page}.html"]

    def select_form(self, fields: Container[str]) -> type[EntryForm]:
        """Return the form that reads these fields: sums, or pieces where there are some."""
        if self.pieces is not None and PLAYED in fields:
            return self.pieces.form
        return self.entry_form

    def carried_values(self, raw: Raw) -> dict[str, Any]:
        """Return what stays from the last hand as the next one is entered."""
        return {part: raw[part] for part in self.carried}

    def mark_as_last_hand(self, state: MatchState, last: Raw) -> dict[str, Any] | None:
        """Return the last hand as the one that ends the match; None where its rules say when.

        `state` is that after the last hand. Where the players agree on the end as they go,
        it is part of the hand after which they did.
        """
        return None

    # A hand in words.

    def describe(self, raw: Raw, names: Names) -> list[str]:
        """Return sentences that say everything of a hand but its single tricks.

        What makes no sense is left out. A game that describes no hand has each value
        listed by seat shown as it is.
        """
        state = start(self.id, len(names))
        return self.describe_hand(self.rules.parse_loosely(state, raw), names) or [
            sentence
            for key, values in raw.items()
            if isinstance(values, list | tuple) and len(values) == len(names)
            if all(isinstance(value, int | str) for value in values)
            for sentence in describe_seats(
                key.replace("_", " ").capitalize(), values, names
            )
        ]

    def describe_hand(self, hand: Any, names: Names) -> list[str]:
        """Return the sentences of a hand of this game."""
        return []

    def describe_contract(self, hand: Any, names: Names) -> str:
        """Return the contract in words; empty if there is none."""
        return ""

    def describe_pending(self, state: MatchState, raw: Raw, names: Names) -> str:
        """Return what is known of a hand that is being played."""
        hand = self.rules.parse_loosely(state, raw)
        sentences = [self.describe_contract(hand, names)]
        if trick := self.current_trick(state, raw):
            words = gettext("Trick %(number)s is being played.")
            sentences.append(words % {"number": trick})
        return format_html_join(" ", "{}", ((one,) for one in sentences if one))

    def current_trick(self, state: MatchState, raw: Raw) -> int | None:
        """Return which trick of a hand is being played; None if it is not recorded trick by trick."""
        recorded = follow(state, raw) if PLAYED in raw else None
        if recorded is None or recorded.turn is None:
            return None
        return len(recorded.tricks) + 1

    def is_partial(self, hand: Any) -> bool:
        """Tell whether a hand was entered by halves, and more than its contract."""
        return False

    def describe_turn(self, turn: Mapping[str, int], names: Names) -> str:
        """Return who begins the next hand, in words; empty if it makes no difference."""
        return describe_dealer(turn, names) if "dealer" in turn else ""

    def describe_remaining(self, state: MatchState) -> str:
        """Return what is missing to the end besides points, in words; empty for nothing."""
        hands = self.fixed_hands(state.seats, state.options)
        if hands is None:
            return ""
        left = hands - state.number
        words = ngettext("%(n)s hand to go.", "%(n)s hands to go.", left)
        return words % {"n": left}

    # Examples.

    @cached_property
    def worked_examples(self) -> Mapping[str, Worked]:
        """Return the examples by name, each with what the rules make of it."""
        return MappingProxyType(
            {
                name: work_hands(self.id, example)
                if isinstance(example, HandExample)
                else work_trick(example, self.trick_document(example))
                for name, example in self.examples.items()
            }
        )

    def trick_document(self, example: TrickExample) -> dict[str, Any]:
        """Return a lone trick as `manage.py trick` reads it, seat 0 leading."""
        seats = {"game": self.id, "players": example.seats}
        return {**seats, "leader": 0, **example.trick}

    def draw_trick(self, trick: Raw) -> list[PlayedExample]:
        """Return what everybody played in an example, as a page draws it."""
        return []

    # Its pieces, and sentences about them.

    def draw(self, piece: str, trump: str = "") -> DrawnPiece | None:
        """Return how a piece looks that a record writes like this; None where it is none.

        With the `trump` of its hand it is drawn as one where it is one.
        """
        if self.pieces is None or piece not in self.pieces.form.pad.pieces:
            return None
        return self.pieces.draw_with_trump(piece, trump)

    @property
    def kinds(self) -> Sequence[DrawnPiece]:
        """Return a piece of each kind that the game is played with, as they look."""
        return ()

    def speak(self, sentence: Sentence, names: Names, trump: str = "") -> str:
        """Return a sentence of the rules as pages show it, with its pieces drawn."""
        return translate_with_pieces(
            sentence, names, lambda piece: self.draw(piece, trump)
        )

    # How long it takes.

    def usual_hands(self, seats: int) -> int:
        options = self.rules.option_defaults(seats)
        return self.fixed_hands(seats, options) or self.typical_hands

    def fixed_hands(self, seats: int, options: Options) -> int | None:
        """Return the hands of a match that are settled before it begins, if they are."""
        return None
