"""What directors fill in."""

from tournaments.forms.clubs import ClubForm, MemberForm
from tournaments.forms.entries import NamesForm, SubstituteForm
from tournaments.forms.tournaments import PenaltyForm, TournamentForm

__all__ = [
    "ClubForm",
    "MemberForm",
    "NamesForm",
    "PenaltyForm",
    "SubstituteForm",
    "TournamentForm",
]
