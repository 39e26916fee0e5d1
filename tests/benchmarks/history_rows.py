"""The rows of a long history, table by table of the database.

At scale 1 it has 2,000 players, 20 seasons, 2,500 tournaments, 100,000 matches and
1,000,000 hands. The hands are real ones: every table of the history is a copy of a match
of the pool.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

from tests.benchmarks.match_pool import (
    GAMES,
    OPTIONS,
    POOL,
    SEATS,
    Played,
    Row,
    play_pool,
)

PLAYERS, TOURNAMENTS, ROUNDS, TABLES = 2_000, 2_500, 4, 10
REGULARS = 240
"""So many come in a season; they are others from one to the next."""
DAYS = 3_650
END = datetime(2026, 6, 28, 19, tzinfo=UTC)


class Maker:
    """Writes the rows of a history, table by table of the database."""

    def __init__(self, scale: float, seed: int = 1) -> None:
        """Play the pool; `scale` is the share of the tournaments."""
        self.rng = Random(seed)
        self.pool = play_pool(self.rng)
        self.tournaments = max(20, round(TOURNAMENTS * scale))
        self.players = max(200, round(PLAYERS * scale))
        self.matches = self.tournaments * ROUNDS * TABLES
        self.chosen = [self._choice(match) for match in range(self.matches)]
        self.seating = [self._seating(number) for number in range(self.tournaments)]

    def _seating(self, number: int) -> list[int]:
        """Return who plays in a tournament, by entry: regulars of their time."""
        reach = min(REGULARS, self.players)
        first = (self.players - reach) * number // self.tournaments
        return self.rng.sample(range(first, first + reach), TABLES * SEATS)

    def _choice(self, match: int) -> int:
        """Return which of the pool a match is; a tournament plays one game."""
        game = match // (ROUNDS * TABLES) % len(GAMES)
        return game + len(GAMES) * self.rng.randrange(POOL // len(GAMES))

    def starts(self, number: int) -> datetime:
        """Return when a tournament begins; they are spread evenly over the years."""
        days = DAYS * (number + 1) // self.tournaments
        return END - timedelta(days=DAYS - days)

    def at(self, match: int) -> tuple[int, int, int]:
        """Return tournament, round and table of a match, each counted from 0."""
        tournament, rest = divmod(match, ROUNDS * TABLES)
        return tournament, *divmod(rest, TABLES)

    def entry(self, match: int, seat: int) -> int:
        """Return the entry at a seat, counted from 0 over the whole history."""
        tournament, number, table = self.at(match)
        if number == 0:
            place = table * SEATS + seat
        else:
            place = (table + seat * number) % TABLES + seat * TABLES
        return tournament * TABLES * SEATS + place

    def tables(self, club: int) -> Iterator[tuple[str, Sequence[str], Iterable[Row]]]:
        """Return what is written into each table of the database, in order."""
        yield (
            "scoring_player",
            ("id", "name", "created_at"),
            (
                (number + 1, f"Player {number + 1}", self.starts(0))
                for number in range(self.players)
            ),
        )
        yield from self._of_tournaments(club)
        yield from self._of_matches()

    def _of_tournaments(
        self, club: int
    ) -> Iterator[tuple[str, Sequence[str], Iterable[Row]]]:
        names, rows = self._tournament_rows(club)
        yield "tournaments_tournament", names, rows
        yield (
            "tournaments_entry",
            (
                "id",
                "tournament_id",
                "player_id",
                "name",
                "name_key",
                "number",
                "state",
                "final_points",
            ),
            (
                (
                    number * TABLES * SEATS + place + 1,
                    number + 1,
                    player + 1,
                    f"Player {player + 1}",
                    f"player {player + 1}",
                    place + 1,
                    "present",
                    "",
                )
                for number, players in enumerate(self.seating)
                for place, player in enumerate(players)
            ),
        )
        yield (
            "tournaments_round",
            (
                "id",
                "tournament_id",
                "number",
                "state",
                "stage",
                "game",
                "seed",
                "quality",
                "override",
            ),
            (
                (
                    number * ROUNDS + one + 1,
                    number + 1,
                    one + 1,
                    "closed",
                    0,
                    "",
                    1,
                    "{}",
                    "",
                )
                for number in range(self.tournaments)
                for one in range(ROUNDS)
            ),
        )

    def _tournament_rows(self, club: int) -> tuple[list[str], Iterator[Row]]:
        from tournaments.models import Tournament

        def row(number: int) -> Row:
            starts = self.starts(number)
            one = Tournament(
                id=number + 1,
                club_id=club,
                name=f"Evening {number + 1}",
                code=code_of(number),
                starts_at=starts,
                phase="finished",
                game=self.pool[self.chosen[number * ROUNDS * TABLES]].game,
                rounds_planned=ROUNDS,
                points="linear",
                version=1,
                finished_at=starts + timedelta(hours=4),
            )
            return tuple(
                json.dumps(value)
                if isinstance(value, list | dict) or name == "points"
                else value
                for name, value in ((name, getattr(one, name)) for name in names)
            )

        names = [field.attname for field in Tournament._meta.concrete_fields]
        return names, (row(number) for number in range(self.tournaments))

    def _of_matches(self) -> Iterator[tuple[str, Sequence[str], Iterable[Row]]]:
        matches = range(self.matches)
        yield (
            "scoring_match",
            (
                "id",
                "address",
                "key",
                "game",
                "options",
                "started_at",
                "version",
                "hands_played",
                "finished",
                "as_it_stands",
                "closed",
                "kept",
                "secret",
            ),
            (
                (
                    match + 1,
                    f"m{match + 1}",
                    UUID(int=match + 1),
                    self._of(match).game,
                    json.dumps(OPTIONS.get(self._of(match).game, {})),
                    self._began(match),
                    len(self._of(match).bodies),
                    len(self._of(match).bodies),
                    False,
                    False,
                    True,
                    "{}",
                    "",
                )
                for match in matches
            ),
        )
        yield (
            "scoring_seat",
            (
                "id",
                "match_id",
                "index",
                "player_id",
                "name",
                "total",
                "rank",
                "won",
                "confirmed_by",
            ),
            (self._seat(match, seat) for match in matches for seat in range(SEATS)),
        )
        yield (
            "tournaments_table",
            (
                "id",
                "round_id",
                "number",
                "game",
                "match_id",
                "void",
                "disputed",
                "extra_minutes",
            ),
            (
                (
                    match + 1,
                    match // TABLES + 1,
                    match % TABLES + 1,
                    "",
                    match + 1,
                    False,
                    False,
                    0,
                )
                for match in matches
            ),
        )
        yield (
            "tournaments_place",
            (
                "id",
                "round_id",
                "table_id",
                "index",
                "entry_id",
                "again",
                "late",
            ),
            (
                (
                    match * SEATS + seat + 1,
                    match // TABLES + 1,
                    match + 1,
                    seat,
                    self.entry(match, seat) + 1,
                    False,
                    False,
                )
                for match in matches
                for seat in range(SEATS)
            ),
        )
        yield from self._of_hands()

    def _of(self, match: int) -> Played:
        return self.pool[self.chosen[match]]

    def _began(self, match: int) -> datetime:
        tournament, number, _table = self.at(match)
        return self.starts(tournament) + timedelta(hours=number)

    def _seat(self, match: int, seat: int) -> Row:
        one, entry = self._of(match), self.entry(match, seat)
        tournament, place = divmod(entry, TABLES * SEATS)
        player = self.seating[tournament][place]
        rank = one.ranks[seat]
        return (
            match * SEATS + seat + 1,
            match + 1,
            seat,
            player + 1,
            f"Player {player + 1}",
            one.scores[-1][seat][1],
            rank,
            False,
            "",
        )

    def _hands(self) -> Iterator[tuple[int, int, int]]:
        """Return every hand of the history: its number over all, its match, its index."""
        number = 0
        for match in range(self.matches):
            for index in range(len(self._of(match).bodies)):
                number += 1
                yield number, match, index

    def _of_hands(self) -> Iterator[tuple[str, Sequence[str], Iterable[Row]]]:
        yield (
            "scoring_logentry",
            (
                "id",
                "match_id",
                "version",
                "key",
                "kind",
                "hand_number",
                "body",
                "made_by",
                "reason",
                "made_at",
                "phone",
                "fingerprint",
            ),
            (
                (
                    number,
                    match + 1,
                    index + 1,
                    UUID(int=number),
                    "enter",
                    index + 1,
                    self._of(match).bodies[index],
                    "",
                    "",
                    self._began(match) + timedelta(minutes=4 * index),
                    "",
                    "",
                )
                for number, match, index in self._hands()
            ),
        )
        yield (
            "scoring_hand",
            (
                "id",
                "match_id",
                "game",
                "number",
                "state",
                "bidder",
                "bid",
                "partner",
                "solo",
                "trump_number",
                "taken",
                "made",
                "findings",
            ),
            (
                (
                    number,
                    match + 1,
                    self._of(match).game,
                    index + 1,
                    "played",
                    *self._of(match).contracts[index],
                    self._of(match).findings[index],
                )
                for number, match, index in self._hands()
            ),
        )
        yield (
            "scoring_handscore",
            ("hand_id", "seat_id", "points", "total"),
            (
                (number, match * SEATS + seat + 1, points, total)
                for number, match, index in self._hands()
                for seat, (points, total) in enumerate(self._of(match).scores[index])
            ),
        )
        yield from self._of_play()

    def _of_play(self) -> Iterator[tuple[str, Sequence[str], Iterable[Row]]]:
        yield (
            "scoring_bid",
            ("hand_id", "order", "seat_id", "value", "solo"),
            (
                (number, order, match * SEATS + seat + 1, value, solo)
                for number, match, index in self._hands()
                for order, seat, value, solo in self._of(match).calls[index]
            ),
        )
        yield (
            "scoring_trick",
            (
                "id",
                "hand_id",
                "leader_id",
                "winner_id",
                "number",
                "worth",
                "trump",
                "trump_led",
                "turned",
                "is_last",
            ),
            (
                (
                    key,
                    hand,
                    match * SEATS + leader + 1,
                    match * SEATS + winner + 1,
                    number,
                    *rest,
                )
                for key, hand, match, (number, leader, winner, *rest), _plays in (
                    self._tricks()
                )
            ),
        )
        yield (
            "scoring_play",
            ("trick_id", "order", "seat_id", "pieces", "ante"),
            (
                (key, order, match * SEATS + seat + 1, pieces, "")
                for key, _hand, match, _trick, plays in self._tricks()
                for order, seat, pieces in plays
            ),
        )

    def _tricks(self) -> Iterator[tuple[int, int, int, Row, tuple[Row, ...]]]:
        """Return every trick: its number over all, its hand, its match, and its plays."""
        key = 0
        for hand, match, index in self._hands():
            for trick, plays in self._of(match).tricks[index]:
                key += 1
                yield key, hand, match, trick, plays


def code_of(number: int) -> str:
    """Return the code of a tournament of the history."""
    from tournaments.models.tournaments import CODE_LETTERS

    letters = []
    for _letter in range(8):
        number, rest = divmod(number, len(CODE_LETTERS))
        letters.append(CODE_LETTERS[rest])
    return "".join(letters)
