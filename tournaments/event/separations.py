"""Pairs of players that are kept apart: teammates, and those that the director chose."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from itertools import combinations

from django.utils.translation import gettext as _

from tournaments.changes import RefusedError
from tournaments.models import Entry, Round, Tournament
from tournaments.seating import teammate_pairs

Pair = tuple[int, int]


class SeparatedPairsError(RefusedError):
    """Seats would put players at one table that are kept apart: the director decides."""

    def __init__(self, sentences: list[str]) -> None:
        """Take a sentence about each pair."""
        super().__init__("together", " ".join(sentences))
        self.sentences = sentences


def separated_pairs(tournament: Tournament) -> list[Pair]:
    """Return the pairs to keep apart: those that the director chose, and teammates."""
    pairs = Entry.apart.through.objects.filter(from_entry__tournament=tournament)
    separated = list(pairs.values_list("from_entry", "to_entry"))
    if not (tournament.team_size and tournament.separates_teammates):
        return separated
    # In a round robin all players meet, teammates included.
    if tournament.format == Tournament.Format.ROUND_ROBIN:
        return separated
    teams = tournament.entries.all().by_team().values()
    return separated + teammate_pairs([[entry.pk for entry in team] for team in teams])


def separated_entry_ids(entry_id: int, pairs: Collection[Pair]) -> set[int]:
    """Return the entries that an entry is kept apart from."""
    return {
        other
        for pair in pairs
        if entry_id in pair
        for other in pair
        if other != entry_id
    }


@contextmanager
def check_separations(round_: Round, *, allows_together: bool) -> Iterator[None]:
    """Raise SeparatedPairsError if the block seats a separated pair at one table of the round.

    Pairs that shared a table before, or are allowed to, raise nothing.
    """
    pairs = () if allows_together else separated_pairs(round_.tournament)
    separated = {(min(pair), max(pair)) for pair in pairs}
    before = _pairs_at_tables(round_) if separated else set()
    yield
    if separated:
        together = separated & (_pairs_at_tables(round_) - before)
        if together:
            raise SeparatedPairsError(_describe_pairs(round_.tournament, together))


def _pairs_at_tables(round_: Round) -> set[Pair]:
    entries_by_table: dict[int, list[int]] = {}
    for table, entry in round_.places.values_list("table", "entry").order_by("entry"):
        entries_by_table.setdefault(table, []).append(entry)
    return {
        pair
        for entries in entries_by_table.values()
        for pair in combinations(entries, 2)
    }


def _describe_pairs(tournament: Tournament, pairs: Collection[Pair]) -> list[str]:
    entries = tournament.entries.in_bulk({entry for pair in pairs for entry in pair})
    sentences = []
    for one, other in sorted(pairs):
        first, second = entries[one], entries[other]
        are_teammates = bool(first.team) and first.team == second.team
        text = (
            _("%(one)s and %(other)s are on the same team.")
            if are_teammates
            else _("%(one)s and %(other)s are kept apart.")
        )
        sentences.append(text % {"one": first.name, "other": second.name})
    return sentences
