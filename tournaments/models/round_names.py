"""Names of rounds: by number, or by how many tables are left."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models.tournaments import Tournament

if TYPE_CHECKING:
    from tournaments.models.rounds import Round


def round_name(round_: "Round", table_count: int | None = None) -> str:
    """Return the name of a round, as in `Final` or `Round 3`.

    The tables are counted if their number is not given.
    """
    finals = {1: _("Final"), 2: _("Semi-finals"), 4: _("Quarter-finals")}
    return _choose_round_name(round_, table_count, _("Matches"), finals)


def round_subject(round_: "Round", table_count: int | None = None) -> str:
    """Return the subject of a sentence about a round, as in `The final` or `Round 3`."""
    finals = {1: _("The final"), 2: _("The semi-final"), 4: _("The quarter-final")}
    return _choose_round_name(round_, table_count, _("The league"), finals)


def _choose_round_name(
    round_: "Round", table_count: int | None, league: str, finals: Mapping[int, str]
) -> str:
    if round_.tournament.is_league and not round_.stage:
        return league
    if round_.is_playoff:
        if table_count is None:
            table_count = round_.tables.count()
        if table_count in finals:
            return finals[table_count]
    return _("Round %(number)s") % {"number": round_.number}


def round_subject_by_number(tournament: Tournament, number: int) -> str:
    """Return the subject of a sentence about the round with a number, which may not be drawn yet."""
    knockout = tournament.format == Tournament.Format.KNOCKOUT
    if not (knockout or number > tournament.rounds_planned):
        return _("Round %(number)s") % {"number": number}
    drawn_round = tournament.rounds.filter(number=number).first()
    return round_subject(drawn_round) if drawn_round else _("The next round")


def join_round_names(rounds: Iterable["Round"]) -> str:
    """Return a short list of rounds, as in `rounds 1, 2, Final`."""
    names = [(round_, round_name(round_)) for round_ in rounds]
    numbers = [str(round_.number) for round_, _name in names if not round_.is_playoff]
    label = ngettext("round %(numbers)s", "rounds %(numbers)s", len(numbers))
    numbered = [label % {"numbers": ", ".join(numbers)}] if numbers else []
    return ", ".join(
        [*numbered, *(name for round_, name in names if round_.is_playoff)]
    )
