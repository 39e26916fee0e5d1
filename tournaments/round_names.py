"""What a round is called, everywhere: its number, or how many tables it has left."""

from django.utils.translation import gettext as _

from tournaments.models import Round


def round_name(round_: Round, tables: int | None = None) -> str:
    """Return the name of a round, as in `Final` or `Round 3`.

    `tables` is how many it has, if that is known: otherwise it is counted.
    """
    if round_.tournament.is_league and not round_.stage:
        return _("Matches")
    match _tables_left(round_, tables):
        case 1:
            return _("Final")
        case 2:
            return _("Semi-finals")
        case 4:
            return _("Quarter-finals")
        case _:
            return _("Round %(number)s") % {"number": round_.number}


def round_subject(round_: Round, tables: int | None = None) -> str:
    """Return what begins a sentence about a round, as in `The final` or `Round 3`."""
    if round_.tournament.is_league and not round_.stage:
        return _("The league")
    match _tables_left(round_, tables):
        case 1:
            return _("The final")
        case 2:
            return _("The semi-final")
        case 4:
            return _("The quarter-final")
        case _:
            return _("Round %(number)s") % {"number": round_.number}


def _tables_left(round_: Round, tables: int | None) -> int | None:
    if tables is None:
        return round_.tables_left
    return tables if round_.plays_off else None
