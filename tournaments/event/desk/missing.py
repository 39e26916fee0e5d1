"""What a table still needs before it is done, in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.matchlog.append import replay_match
from scoring.pages.agreeing import confirmers_in_words
from tournaments.event.rounds import is_table_confirmed
from tournaments.event.table_results import quorum_of
from tournaments.models import Table


def missing_at(table: Table) -> str:
    """Return what keeps a table from being done; empty for nothing.

    `table` came with people, its round and its tournament.
    """
    match, quorum = table.match, table.round.tournament.quorum
    if table.void:
        return _("It is void and does not count.")
    if match is None:
        return _("It still has to choose its game.")
    if undecided := replay_match(match).undecided:
        words = _("Hand %(number)s has two versions: choose one on the sheet.")
        return words % {"number": undecided[0].number}
    if not match.is_settled:
        words = _("The match goes on with hand %(number)s.")
        return words % {"number": match.hands_played + 1}
    if not is_table_confirmed(table, quorum):
        seats = len(table.places.all())
        return confirmers_in_words(quorum_of(seats, quorum), seats)
    if match.waiting:
        words = ngettext(
            "A phone still holds %(n)s entry.",
            "Phones still hold %(n)s entries.",
            match.waiting,
        )
        return words % {"n": match.waiting}
    return ""
