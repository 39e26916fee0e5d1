"""The base class of the games at a table, with defaults for all optional parts."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

from django import forms
from django.urls import URLPattern
from django.utils.html import format_html_join
from django.utils.translation import gettext, ngettext

from scoring.games.drawing import DrawnPiece, ExamplePlay, translate_with_pieces
from scoring.games.entry_form import EntryForm, Label
from scoring.games.examples import (
    Example,
    ExampleHands,
    ExampleTrick,
    Worked,
    WorkedTrick,
    score_example_hands,
)
from scoring.games.hand_texts import HAND
from scoring.games.keypad import LoneTrickForm
from scoring.games.pieces import PieceRecording
from scoring.games.words import describe_dealer_and_starter, describe_seat_values
from scoring.locales.numbers import format_number
from scoring.matchlog.commands import Command, LogChange, MatchSnapshot
from scoring.rules import (
    PLAYED_KEY,
    Game,
    MatchState,
    parse_pieces,
    score_trick,
    start,
)
from scoring.rules.game import Options, Raw
from scoring.rules.wording import Sentence

Names = Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardHooks:
    """A board on which a game is played, stored in the log of its match."""

    urls: Callable[[], Sequence[URLPattern]]
    """URL patterns of its pages, relative to the URL of a match."""
    is_offered: Callable[[MatchSnapshot], bool]
    """Whether the next hand can be played on a board."""
    describe_progress: Callable[[MatchSnapshot], str]
    """Deal and trick on the board; empty while none is being played."""
    build_change: Callable[[MatchSnapshot, Command], LogChange]
    """Returns the change of an action. Raises Refusal if the action is impossible."""
    check_log: Callable[[MatchSnapshot], None]
    """Raises Refusal or ValueError if the log has no possible board."""


class TableGame:
    """One game at the table. Games override these defaults."""

    rules: Game

    # Entry and description of a hand.
    hand_texts: Mapping[str, Label] = HAND
    """Texts about a hand, in the game's own word."""
    entry_form: type[EntryForm]
    pieces: PieceRecording | None = None
    """Recording of hands piece by piece; None if the game has none."""
    board: BoardHooks | None = None

    # A new match, and its length.
    option_fields: Mapping[str, forms.Field] = MappingProxyType({})
    """Form fields for a new match, by the name of the option."""
    house_rule_texts: Mapping[str, Label] = MappingProxyType({})
    """Sentences about options that differ from the written rules, by option, with its `%(value)s`."""
    needs_options: bool = False
    """Whether its options are part of nearly every match, so that a new match shows them."""
    points_a_hole: int = 0
    """Points between two holes of a lane in the race chart; 0 for always twenty holes."""
    minutes_a_hand: int = 6
    """An estimate for experienced players."""
    typical_hands: int = 8
    """The mean of random matches, for a game without a fixed number of hands."""

    # Pages about the game.
    examples: Mapping[str, Example] = MappingProxyType({})
    """The hands or trick of each example, by name; the rules compute the results."""
    clauses: Mapping[str, str] = MappingProxyType({})
    """The text of the rules by clause, if the game has no page of its own; translated by the page."""
    tables: Mapping[str, Any] = MappingProxyType({})
    """Tables of the rules that the page of the game shows unchanged."""
    sample_pieces: tuple[str, ...] = ()
    """Some of its pieces, as written in records, for a page that compares their looks."""
    trick_form: type[LoneTrickForm] | None = None
    """Form for the winner of a lone trick; None if the game has none."""

    # Statistics of the players.
    bid_band: int | None = None
    """Width of the ranges in which bids are grouped; None if the game has no contracts."""
    has_partners: bool = False

    # Random matches, and the demo season.
    random_hand: Callable[..., dict[str, Any]]
    """Returns a random legal next hand of `state`; with every trick if `tricks` and recordable."""
    demo_table_sizes: tuple[int, ...] = ()
    """Sizes of its tables in the demo club; none to leave the game out."""
    demo_options: Mapping[str, Any] = MappingProxyType({})
    demo_evenings: int = 0
    """Relative number of evenings on which the demo club plays it; 0 for none."""
    swappable_keys: ClassVar[tuple[str, ...]] = ()
    """Parts of a hand in which the values of two seats are easily swapped."""
    contract_keys: ClassVar[tuple[str, ...]] = ()
    """Parts of a hand that can be entered before it is played."""
    carried_keys: ClassVar[tuple[str, ...]] = ()
    """Parts of a hand that are initial values for the next one."""

    @property
    def id(self) -> str:
        return self.rules.id

    @property
    def name(self) -> str:
        return gettext(self.rules.name)

    @property
    def seats(self) -> range:
        return self.rules.seats

    def templates(self, page: str) -> list[str]:
        """Return the templates for a part of a page: the game's own first, then the common one."""
        return [f"scoring/games/{self.id}/{page}.html", f"scoring/games/{page}.html"]

    def select_form(self, fields: Container[str]) -> type[EntryForm]:
        """Return the form for these posted fields: pieces if they have any, else sums."""
        if self.pieces is not None and PLAYED_KEY in fields:
            return self.pieces.form
        return self.entry_form

    def carried_values(self, raw: Raw) -> dict[str, Any]:
        """Return the values of the last hand that are initial values for the next one."""
        return {part: raw[part] for part in self.carried_keys}

    def mark_last_hand_as_end(
        self, state: MatchState, last: Raw
    ) -> dict[str, Any] | None:
        """Return the last hand, marked as the end of the match; None if the rules decide the end.

        `state` is that after the last hand. If the players can agree on the end during the
        match, that is stored in the last hand.
        """
        return None

    def describe_options(self, options: Options) -> str:
        """Return the title and options of a match that a phone offers again; empty for none."""
        return ""

    def house_rule_sentences(self, state: MatchState) -> list[str]:
        """Return a sentence about each option of a match that differs from the written rules."""
        usual = self.rules.option_defaults(state.seats)
        return [
            str(text) % {"value": format_number(state.options[name])}
            for name, text in self.house_rule_texts.items()
            if state.options[name] != usual[name]
        ]

    # A hand in words.

    def describe_raw_hand(self, raw: Raw, names: Names) -> list[str]:
        """Return sentences on all parts of a hand except the single tricks.

        Impossible parts are left out. For a game without descriptions, all lists with a
        value for each seat are shown unchanged.
        """
        state = start(self.id, len(names))
        return self.describe_hand(self.rules.parse_loosely(state, raw), names) or [
            sentence
            for key, values in raw.items()
            if isinstance(values, list | tuple) and len(values) == len(names)
            if all(isinstance(value, int | str) for value in values)
            for sentence in describe_seat_values(
                key.replace("_", " ").capitalize(), values, names
            )
        ]

    def describe_hand(self, hand: Any, names: Names) -> list[str]:
        """Return the sentences of a hand of this game."""
        return []

    def describe_contract(self, hand: Any, names: Names) -> str:
        """Return the contract in words; empty if there is none."""
        return ""

    def describe_unfinished_hand(
        self, state: MatchState, raw: Raw, names: Names
    ) -> str:
        """Return sentences on the known parts of a hand in play."""
        hand = self.rules.parse_loosely(state, raw)
        sentences = [self.describe_contract(hand, names)]
        if trick := self.current_trick_number(state, raw):
            template = gettext("Trick %(number)s is being played.")
            sentences.append(template % {"number": trick})
        return format_html_join(
            " ", "{}", ((sentence,) for sentence in sentences if sentence)
        )

    def current_trick_number(self, state: MatchState, raw: Raw) -> int | None:
        """Return the number of the trick in play; None if the hand is complete or has no pieces."""
        progress = parse_pieces(state, raw) if PLAYED_KEY in raw else None
        if progress is None or progress.turn is None:
            return None
        return len(progress.tricks) + 1

    def has_more_than_contract(self, hand: Any) -> bool:
        """Return whether a hand is incomplete, but has more than its contract."""
        return False

    def describe_next_starter(self, turn: Mapping[str, int], names: Names) -> str:
        """Return a sentence on the player who begins the next hand; empty if it makes no difference."""
        return describe_dealer_and_starter(turn, names) if "dealer" in turn else ""

    def hand_text(self, key: str, number: int, **values: int) -> str:
        """Return one of the `hand_texts` of this game."""
        return str(self.hand_texts[key]) % {"number": number, **values}

    def describe_remaining_play(self, state: MatchState) -> str:
        """Return a sentence on the remaining hands or another end condition; empty if only points count."""
        hands = self.fixed_hand_count(state.seats, state.options)
        if hands is None:
            return ""
        hands_left = hands - state.number
        return self.hands_left_template(hands_left) % {"n": hands_left}

    def hands_left_template(self, count: int) -> str:
        """Return how many hands are left, in the game's own word, with `%(n)s` for the number."""
        return ngettext("%(n)s hand to go.", "%(n)s hands to go.", count)

    # Examples.

    @cached_property
    def worked_examples(self) -> Mapping[str, Worked]:
        """Return the examples by name, each with its result by the rules."""
        return MappingProxyType(
            {
                name: score_example_hands(self.id, example)
                if isinstance(example, ExampleHands)
                else WorkedTrick(example, score_trick(self.trick_document(example)))
                for name, example in self.examples.items()
            }
        )

    def trick_document(self, example: ExampleTrick) -> dict[str, Any]:
        """Return a lone trick in the format of `manage.py trick`; seat 0 leads."""
        seats = {"game": self.id, "players": example.seats}
        return {**seats, "leader": 0, **example.trick}

    def draw_trick(self, trick: Raw) -> list[ExamplePlay]:
        """Return the drawings of all plays in the trick of an example."""
        return []

    # Its pieces, and sentences about them.

    def find_drawing(self, piece: str, trump: str = "") -> DrawnPiece | None:
        """Return the drawing for a text in a record; None if it is not a piece.

        With the `trump` of its hand, trumps are highlighted.
        """
        if self.pieces is None or piece not in self.pieces.form.pad.pieces:
            return None
        return self.pieces.draw_with_trump(piece, trump)

    @property
    def piece_kind_drawings(self) -> Sequence[DrawnPiece]:
        """Return the drawing of one piece of each kind in the game."""
        return ()

    def translate_with_pieces(
        self, sentence: Sentence, names: Names, trump: str = ""
    ) -> str:
        """Return a translated sentence of the rules, with its pieces as drawings."""
        return translate_with_pieces(
            sentence, names, lambda piece: self.find_drawing(piece, trump)
        )

    # How long it takes.

    def usual_hand_count(self, seats: int) -> int:
        options = self.rules.option_defaults(seats)
        return self.fixed_hand_count(seats, options) or self.typical_hands

    def fixed_hand_count(self, seats: int, options: Options) -> int | None:
        """Return the number of hands of a match; None if it is not fixed before the match."""
        return None
