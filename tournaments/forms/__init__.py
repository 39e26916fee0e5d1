"""What directors fill in."""

from tournaments.forms.clubs import ClubForm, MemberForm
from tournaments.forms.entries import JoinForm, NamesForm, SubstituteForm
from tournaments.forms.tournaments import (
    PenaltyForm,
    TournamentForm,
    WizardForm,
)

__all__ = [
    "ClubForm",
    "JoinForm",
    "MemberForm",
    "NamesForm",
    "PenaltyForm",
    "SubstituteForm",
    "TournamentForm",
    "WizardForm",
]
