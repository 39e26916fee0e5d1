"""Checksum words: three words that stand for the scores of a match.

Two phones that show the same words have the same scores, in whatever order they received the
entries. People at the table compare them by sight, with or without a network.
"""

import json
from collections.abc import Iterable, Sequence
from hashlib import sha256

from scoring.rules import MatchState

COUNT = 3
LISTED = """
acorn actor alarm album amber angel ankle apple apron arrow atlas autumn bacon badge
bagel baker bamboo banjo barrel basil basket beach beacon beard beaver bench berry bike
bison blanket blossom boat bonfire boot bottle bowl branch bread bridge broom bucket
buffalo bugle butter button cabin cactus camel camera canal candle canoe canyon carpet
carrot castle cedar cello chalk cheese cherry chess chimney cider circus cliff clock
cloud clover cobalt cocoa comet copper coral cotton cradle crane crown curtain dagger
daisy dancer desert diamond dolphin donkey dragon drum eagle easel echo elbow ember
engine falcon feather fern fiddle finger flute forest fossil fountain garden garlic
ghost ginger giraffe glacier glove goose granite grape guitar hammer harbour harp hazel
hedge helmet heron hockey honey hornet igloo indigo island ivory jacket jaguar jelly
jewel jungle kayak kettle kitten ladder lagoon lantern lemon lettuce lily lion lobster
locket lumber magnet mango maple marble meadow melon meteor mirror mitten monkey moose
mosaic mountain muffin mustard napkin needle nettle noodle nutmeg oasis ocean olive
onion orange orchid otter oyster paddle palace panda panther paper parrot peach pebble
pelican pencil pepper piano pickle pigeon pillow pirate planet plum pocket poppy potato
prairie puddle pumpkin puppet quartz quill rabbit raccoon radish raven ribbon river
robin rocket saddle saffron salmon sandal satchel saturn scarf scooter shadow shovel
silver spider spoon squirrel starling statue sunset swan tablet tango teapot temple
thistle ticket tiger timber tomato tornado trumpet tulip tunnel turtle umbrella valley
velvet violin volcano waffle walnut walrus whistle willow window winter wizard zebra
zipper
"""
WORDS = tuple(LISTED.split())
"""256 short words that are hard to confuse when called across a table."""


def checksum_words(
    state: MatchState, hands: Iterable[tuple[int, str, Sequence[int]]]
) -> tuple[str, ...]:
    """Return the words for a state and its hands, each a number, a state and scores.

    Totals alone do not determine the winner: a tie-break may be in no total. Hands with only a
    contract do not count yet.

    >>> from scoring.rules import start
    >>> checksum_words(start("tricky_bid", 2), [(1, "played", [9, 5])])
    ('valley', 'apron', 'lagoon')
    """
    counted_hands = [
        [number, state, list(scores)]
        for number, state, scores in hands
        if state != "contract"
    ]
    result = [state.totals, state.ranks, state.winners, state.finished]
    content = json.dumps([state.game.id, counted_hands, *result])
    remainder = int.from_bytes(sha256(content.encode()).digest(), "big")
    words = []
    for _place in range(COUNT):
        remainder, word = divmod(remainder, len(WORDS))
        words.append(WORDS[word])
    return tuple(words)
