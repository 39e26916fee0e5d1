"""Names of rounds and stages in standings."""

from collections.abc import Collection

from django.utils.translation import gettext as _

from tournaments.models import Round, Tournament
from tournaments.models.round_names import round_name


def round_of_all(round_: Round) -> str:
    """Return the number of a round and of how many, or that it is the final."""
    planned = round_.tournament.rounds_planned
    open_ended = round_.tournament.format == Tournament.Format.KNOCKOUT
    if round_.stage or open_ended or round_.number > planned:
        return round_name(round_)
    values = {"number": round_.number, "count": planned}
    return _("Round %(number)s of %(count)s") % values


def in_round_words(round_: Round) -> str:
    """Return during which round standings are as they are, to go on a sentence."""
    match round_.tables_left:
        case 1:
            return _("in the final")
        case 2:
            return _("in the semi-final")
        case 4:
            return _("in the quarter-final")
        case _:
            return _("in round %(number)s") % {"number": round_.number}


def after_round_words(round_: Round) -> str:
    """Return after which round standings are as they are, to go on a sentence."""
    match round_.tables_left:
        case 1:
            return _("after the final")
        case 2:
            return _("after the semi-final")
        case 4:
            return _("after the quarter-final")
        case _:
            return _("after round %(number)s") % {"number": round_.number}


def after_round(round_: Round) -> str:
    """Return what one says of standings once a round is over."""
    if round_.tournament.is_league and not round_.stage:
        return _("After the league")
    match round_.tables_left:
        case 1:
            return _("After the final")
        case 2:
            return _("After the semi-final")
        case 4:
            return _("After the quarter-final")
        case _:
            return _("After round %(number)s") % {"number": round_.number}


def stage_headings(tournament: Tournament, stages: Collection[int]) -> dict[int, str]:
    """Return by stage what stands above its lines in standings of these stages.

    Only who reached the last of them is not out; a knockout ends for some with each round.
    """
    rounds = tournament.rounds.filter(stage__in=stages).order_by("number")
    last_rounds = {round_.stage: round_ for round_ in rounds}
    headings = {}
    for stage in stages:
        round_ = last_rounds.get(stage)
        if round_ is None or not round_.plays_off:
            headings[stage] = _("All rounds before")
        elif stage == max(stages):
            headings[stage] = round_name(round_)
        else:
            headings[stage] = _("Out %(after)s") % {"after": after_round_words(round_)}
    return headings
