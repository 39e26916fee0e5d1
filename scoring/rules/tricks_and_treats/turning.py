"""Chance on the board of Tricks and Treats: laying out, turning, mixing.

Random numbers depend on the seed and the number of actions so far. Each purpose has its
own generator, so that earlier draws have no influence.
"""

from collections.abc import Mapping
from dataclasses import replace

# Generators are never shared: each starts from a stored seed.
from random import Random  # noqa: TID251

from scoring.rules.game import Options
from scoring.rules.tricks_and_treats.board import (
    Board,
    Cell,
    UnclaimedTrick,
    lay_out_tokens,
)
from scoring.rules.tricks_and_treats.pieces import CARDS, DEFAULT_MIX
from scoring.rules.wording import (
    CountedNoun,
    SeatIndex,
    Word,
    ngettext_noop,
    tokens_in_words,
)
from scoring.rules.wording import gettext_noop as _

TURNED_AT_ONCE = 5
"""Tokens turned at once (treats.start, treats.refill)."""
LEAST_TRUMPS = 2


def new_board(seats: int, options: Options, seed: int) -> Board:
    """Return the board before the first trick (treats.start).

    The options are those of a match state: complete and checked.
    """
    rng = Random(seed)  # noqa: S311 - a game, not a secret
    faces = list_all_faces(options["treats"])
    rng.shuffle(faces)
    start = next(face for face in faces if face in CARDS)
    faces.remove(start)
    # Without this, tokens searched before the start would all be treats at the front.
    rng.shuffle(faces)
    empty_rows: tuple[tuple[str, ...], ...] = ((),) * seats
    board = Board(
        seats=seats,
        options=options,
        seed=seed,
        start_token=start,
        grid=lay_out_tokens(faces),
        pile=(start,),
        claimed_tokens=empty_rows,
        treats=empty_rows,
        deck=(),
        tricks_left=0,
    )
    board = board.with_action_effect(
        "treats.start", _("The player with %(card)s starts."), card=start
    )
    return refill_trumps(deal_cards(board), "treats.start")


def list_all_faces(mix: Mapping[str, int]) -> list[str]:
    """Return all 82 tokens, in an order that does not depend on the order of the mix."""
    treats = [kind for kind in DEFAULT_MIX for _treat in range(mix.get(kind, 0))]
    return [*CARDS, *treats]


def deal_cards(board: Board) -> Board:
    """Return the board with the cards dealt (treats.cards).

    In a shrinking deck a card stays while its token can still come face up: in the
    grid or the mixer pile. The rules do not cover a deck with fewer cards than players;
    the full deck is used again then, so that the game can end.
    """
    deck = tuple(CARDS)
    if board.options["shrinking_deck"]:
        available_faces = {*board.pile, *(cell.face for cell in board.grid)}
        available_cards = tuple(card for card in CARDS if card in available_faces)
        deck = available_cards if len(available_cards) >= board.seats else deck
    board = replace(board, deck=deck, played_cards=frozenset())
    board = replace(board, tricks_left=board.cards_each)
    return board.with_action_effect(
        "treats.cards",
        _("Everyone gets %(each)s, from a deck of %(deck)s."),
        each=CountedNoun(board.cards_each, ngettext_noop("card", "cards")),
        deck=len(board.deck),
    )


def refill_trumps(board: Board, clause: str = "treats.refill") -> Board:
    """Return the board with at least two trump tokens face up, if the rules require it.

    If there are fewer before the third mixer, five tokens are turned, then one at a
    time; treats among them go to the mixer pile, including bombs and mixers.
    """
    trumps_needed = LEAST_TRUMPS - len(board.face_up_trumps)
    if trumps_needed <= 0 or not board.has_mixers_left or not board.face_down_cells:
        return board
    turned_cells: list[Cell] = []
    for cell in _random_generator(board, "refill").sample(
        board.face_down_cells, len(board.face_down_cells)
    ):
        if len(turned_cells) >= TURNED_AT_ONCE and trumps_needed <= 0:
            break
        turned_cells.append(cell)
        trumps_needed -= cell.face in CARDS
    for cell in turned_cells:
        is_card = cell.face in CARDS
        board = (
            board.with_cell_face_up(cell) if is_card else board.pile_token(cell.place)
        )
    return board.with_action_effect(
        clause,
        _("Tokens turned over: %(tokens)s. Any treats go to the mixer pile."),
        tokens=", ".join(Word.from_record(cell.face) for cell in turned_cells),
    )


def turn_random_token(board: Board, trick: UnclaimedTrick) -> Board:
    """Return the board with a token turned by the winner (treats.trick.turn)."""
    cell = _random_generator(board, "turn").choice(board.face_down_cells)
    player = SeatIndex(trick.seat)
    if cell.face == "bomb":
        neighbours = board.surrounding_cells(cell.place)
        board = board.remove_token(cell.place)
        for neighbour in neighbours:
            board = board.pile_token(neighbour.place)
        return board.with_action_effect(
            "treats.bomb",
            _(
                "%(who)s turns over a bomb, which takes %(count)s around it from the "
                "grid."
            ),
            who=player,
            count=tokens_in_words(len(neighbours)),
        )
    if cell.face in trick.cards:
        board = board.claim_token(trick.seat, cell.place)
        template = _(
            "%(who)s turns over %(token)s and claims it, because it matches a card in "
            "the trick."
        )
    elif cell.face in CARDS:
        board = board.with_cell_face_up(cell)
        template = _("%(who)s turns over %(token)s, which stays face up.")
    elif cell.face != "mixer":
        board = board.take_treat(trick.seat, cell.place)
        template = _("%(who)s turns over a treat and takes it: %(treat)s.")
    elif board.is_mixer_on_box:
        board = board.pile_token(cell.place)
        template = _("%(who)s turns over another mixer, which goes to the mixer pile.")
    else:
        board = board.put_mixer_on_box(cell.place)
        template = _("%(who)s turns over a mixer, which goes on the box.")
    return board.with_action_effect(
        "treats.trick.turn",
        template,
        who=player,
        token=cell.face,
        treat=Word.from_record(cell.face),
    )


def apply_mixer_on_box(board: Board) -> Board:
    """Return the board after the mixer on the box takes effect (treats.mixer)."""
    faces = [*board.pile, *(cell.face for cell in board.grid)]
    board = replace(board, mixers=board.mixers + 1)
    # The mixer pile ends with the third mixer, and the bombs with it (treats.bomb).
    bombs = [] if board.has_mixers_left else [face for face in faces if face == "bomb"]
    faces = [face for face in faces if face not in bombs]
    _random_generator(board, "mix").shuffle(faces)
    board = replace(
        board,
        grid=lay_out_tokens(faces),
        pile=(),
        removed=(*board.removed, "mixer", *bombs),
        is_mixer_on_box=False,
    )
    return board.with_action_effect(
        "treats.mixer",
        _("Mixer %(number)s lays out %(count)s tokens again."),
        number=board.mixers,
        count=len(faces),
    )


def _random_generator(board: Board, purpose: str) -> Random:
    """Return the random generator of this action for one purpose."""
    return Random(f"{board.seed}:{board.action_count}:{purpose}")  # noqa: S311 - as above
