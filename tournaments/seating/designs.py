"""Schedules from algebra in which no pair meets twice, or all pairs equally often.

A design is a list of rounds, a round a list of tables, a table a tuple of players
counted from 0. Sources: tournaments of Bose's type (3q+1), Kirkman's schoolgirls,
transversal designs (the rainbow movement in bridge), the circle method for tables of two, and
cyclic starters found by search and listed here.
"""

from functools import cache
from math import gcd
from typing import TypeAlias

from tournaments.seating.field import FiniteField, prime_and_exponent

Table: TypeAlias = tuple[int, ...]
Design: TypeAlias = list[list[Table]]

STARTERS: dict[tuple[int, int], tuple[int, list[list[int]]]] = {
    (24, 4): (
        7,
        [
            [2, 11, 15, 21],
            [5, 12, 19, 22],
            [0, 13, 18, 23],
            [7, 6, 10, 9],
            [1, 3, 4, 20],
            [17, 14, 8, 16],
        ],
    ),
    (36, 4): (
        11,
        [
            [9, 19, 25, 33],
            [6, 18, 29, 34],
            [10, 15, 28, 35],
            [20, 3, 1, 14],
            [24, 30, 12, 21],
            [17, 13, 16, 32],
            [7, 4, 8, 11],
            [23, 26, 27, 2],
            [0, 5, 22, 31],
        ],
    ),
    (15, 3): (7, [[4, 13, 14], [6, 1, 5], [9, 3, 8], [0, 7, 11], [10, 12, 2]]),
}
"""By players and table size: the modulus, and the tables of the first round. Each further
round adds one within every orbit of that many players; the players left over stay."""


WHIST: dict[tuple[int, int], tuple[int, list[list[int]]]] = {
    (8, 4): (7, [[7, 5, 4, 2], [1, 6, 3, 0]]),
    (12, 4): (11, [[6, 5, 3, 9], [8, 1, 11, 7], [2, 0, 4, 10]]),
}
"""Starters of schedules in which all pairs meet three times."""


def triple_meeting_design(players: int, size: int) -> Design:
    """Return a schedule in which all pairs meet three times; empty if none is known."""
    starter = WHIST.get((players, size))
    return _rotate_starter(players, *starter) if starter else []


@cache
def longest_design(players: int, size: int) -> Design:
    """Return the longest known schedule without repeats, at least one round.

    Raises ValueError if the players do not fill tables of this size.
    """
    tables = players // size
    if players % size or tables == 0:
        raise ValueError(f"{players} players do not fill tables of {size}")
    one_round = [tuple(range(first, first + size)) for first in range(0, players, size)]
    candidates = [[one_round], _transversal_design(tables, size)]
    if (players, size) in STARTERS:
        candidates.append(_rotate_starter(players, *STARTERS[players, size]))
    if size == 2:
        # The circle method: one player stays, the others rotate.
        turning = players - 1
        circle: Design = [
            [
                (turning, shift),
                *(
                    ((shift + step) % turning, (shift - step) % turning)
                    for step in range(1, players // 2)
                ),
            ]
            for shift in range(turning)
        ]
        candidates.append(circle)
    if size == 3:
        candidates.append(_kirkman_design(tables))
    if size == 4 and players % 3 == 1:
        candidates.append(_bose_design((players - 1) // 3))
    return max(candidates, key=len)


def _transversal_design(tables: int, size: int) -> Design:
    """Return the schedule in which each line of players moves by its own step.

    Player (c, i) of line c is number c · tables + i. Players of one line do not meet; if the
    size of the tables divides their number, further rounds schedule each line the same way.
    """
    if prime_and_exponent(tables) and tables >= size:
        field = FiniteField(tables)
        steps = [
            [field.multiply(move, line) for line in range(size)]
            for move in range(tables)
        ]
        rounds = [
            [
                tuple(
                    line * tables + field.add(table, step)
                    for line, step in enumerate(steps_of_lines)
                )
                for table in range(tables)
            ]
            for steps_of_lines in steps
        ]
    else:
        least = max((gcd(tables, step) for step in range(1, size)), default=1)
        rounds = [
            [
                tuple(
                    line * tables + (table + move * line) % tables
                    for line in range(size)
                )
                for table in range(tables)
            ]
            for move in range(tables // least)
        ]
    if tables % size == 0 and tables > 1:
        rounds += [
            [
                tuple(line * tables + player for player in table)
                for line in range(size)
                for table in tables_of_line
            ]
            for tables_of_line in longest_design(tables, size)
        ]
    return rounds


def _rotate_starter(players: int, modulus: int, base: list[list[int]]) -> Design:
    fixed = players // modulus * modulus

    def move_player(player: int, shift: int) -> int:
        if player >= fixed:
            return player
        orbit, place = divmod(player, modulus)
        return orbit * modulus + (place + shift) % modulus

    return [
        [tuple(move_player(player, shift) for player in table) for table in base]
        for shift in range(modulus)
    ]


def _kirkman_design(order: int) -> Design:
    """Return (3q - 1) / 2 rounds for 3q players in threes, q ≡ 1 (mod 6) a prime power.

    Empty for other orders. Ray-Chaudhuri and Wilson's solution of Kirkman's schoolgirl
    problem. Player (x, j) is number 3x + j.
    """
    if order % 6 != 1 or not prime_and_exponent(order):
        return []
    field = FiniteField(order)
    powers = field.list_distinct_powers(field.find_primitive_element())
    third, sixth = (order - 1) // 3, (order - 1) // 6

    def across(exponent: int, shift: int, lines: tuple[int, int, int]) -> Table:
        return tuple(
            3 * field.add(powers[(exponent + step * third) % len(powers)], shift) + line
            for step, line in enumerate(lines)
        )

    halves: list[list[int]] = [[], []]
    for exponent in range(order - 1):
        halves[exponent // sixth % 2].append(exponent)
    turning = [
        [
            tuple(3 * shift + line for line in range(3)),
            *(across(e, shift, (j, j, j)) for e in range(sixth) for j in range(3)),
            *(across(e, shift, (0, 1, 2)) for e in halves[1]),
        ]
        for shift in range(order)
    ]
    straight = [
        [across(e, shift, (0, 1, 2)) for shift in range(order)] for e in halves[0]
    ]
    return [*turning, *straight]


def _bose_design(order: int) -> Design:
    """Return q rounds for 3q + 1 players in fours, q ≡ 1 (mod 4) a prime power.

    Empty for other orders. Player (x, j) is number 3x + j; the last player sits with
    (0, 0), (0, 1), (0, 2).
    """
    if order % 4 != 1 or not prime_and_exponent(order):
        return []
    field = FiniteField(order)
    powers = field.list_distinct_powers(field.find_primitive_element())
    quarter = (order - 1) // 4
    base: list[list[tuple[int, int]]] = [[(0, 0), (0, 1), (0, 2)]]
    for exponent in range(quarter):
        first, second = powers[exponent], powers[exponent + quarter]
        for line in range(3):
            next_line = (line + 1) % 3
            base.append(
                [
                    (first, line),
                    (field.negate(first), line),
                    (second, next_line),
                    (field.negate(second), next_line),
                ]
            )
    rounds = []
    for shift in range(order):
        tables = [
            tuple(3 * field.add(element, shift) + line for element, line in block)
            for block in base
        ]
        rounds.append([(*tables[0], 3 * order), *tables[1:]])
    return rounds
