"""Texts about a hand, in the word of its game: a deal of Tricks and Treats, a contest of DB2T.

Whole sentences, not one sentence with a word in it, because languages decline the word.
Tricky Bid says hand as well, not round, because a night has rounds of its own.
"""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from scoring.games.entry_form import Label

HAND: Mapping[str, Label] = {
    "number": _("Hand %(number)s"),
    "trick": _("Hand %(number)s, trick %(trick)s"),
    "bidding": _("Hand %(number)s: bidding"),
    "enter": _("Enter hand %(number)s"),
    "enter_anyway": _("Enter hand %(number)s anyway"),
    "continue": _("Continue hand %(number)s"),
    "save": _("Save hand %(number)s"),
    "choose": _("Choose version for hand %(number)s"),
    "correct": _("Correct hand %(number)s"),
    "correct_this": _("Correct this hand"),
    "void_this": _("Void this hand"),
    "restore_this": _("Restore this hand"),
    "void": _("Void hand %(number)s"),
    "restore": _("Restore hand %(number)s"),
    "corrected": _("Hand %(number)s corrected."),
    "voided": _("Hand %(number)s is void."),
    "restored": _("Hand %(number)s counts again."),
}

DEAL: Mapping[str, Label] = {
    "number": _("Deal %(number)s"),
    "trick": _("Deal %(number)s, trick %(trick)s"),
    "enter": _("Enter deal %(number)s"),
    "enter_anyway": _("Enter deal %(number)s anyway"),
    "continue": _("Continue deal %(number)s"),
    "save": _("Save deal %(number)s"),
    "choose": _("Choose version for deal %(number)s"),
    "correct": _("Correct deal %(number)s"),
    "correct_this": _("Correct this deal"),
    "void_this": _("Void this deal"),
    "restore_this": _("Restore this deal"),
    "void": _("Void deal %(number)s"),
    "restore": _("Restore deal %(number)s"),
    "corrected": _("Deal %(number)s corrected."),
    "voided": _("Deal %(number)s is void."),
    "restored": _("Deal %(number)s counts again."),
}

CONTEST: Mapping[str, Label] = {
    "number": _("Contest %(number)s"),
    "trick": _("Contest %(number)s, trick %(trick)s"),
    "enter": _("Enter contest %(number)s"),
    "enter_anyway": _("Enter contest %(number)s anyway"),
    "continue": _("Continue contest %(number)s"),
    "save": _("Save contest %(number)s"),
    "choose": _("Choose version for contest %(number)s"),
    "correct": _("Correct contest %(number)s"),
    "correct_this": _("Correct this contest"),
    "void_this": _("Void this contest"),
    "restore_this": _("Restore this contest"),
    "void": _("Void contest %(number)s"),
    "restore": _("Restore contest %(number)s"),
    "corrected": _("Contest %(number)s corrected."),
    "voided": _("Contest %(number)s is void."),
    "restored": _("Contest %(number)s counts again."),
}
