"""What directors fill in."""

from tournaments.forms.clubs import ClubForm, MemberForm
from tournaments.forms.desk import AnnouncementForm, CutForm
from tournaments.forms.entries import (
    CodeForm,
    JoinForm,
    NamesForm,
    SubstituteForm,
)
from tournaments.forms.imports import ImportForm
from tournaments.forms.leaderboards import LeaderboardForm, SeasonForm
from tournaments.forms.leagues import LeagueMatchForm
from tournaments.forms.penalties import PenaltyForm
from tournaments.forms.players import EraseForm, MergeForm
from tournaments.forms.search import SearchForm
from tournaments.forms.seats import SeatsForm
from tournaments.forms.tournaments import TournamentForm
from tournaments.forms.wizard import WizardForm

__all__ = [
    "AnnouncementForm",
    "ClubForm",
    "CodeForm",
    "CutForm",
    "EraseForm",
    "ImportForm",
    "JoinForm",
    "LeaderboardForm",
    "LeagueMatchForm",
    "MemberForm",
    "MergeForm",
    "NamesForm",
    "PenaltyForm",
    "SearchForm",
    "SeasonForm",
    "SeatsForm",
    "SubstituteForm",
    "TournamentForm",
    "WizardForm",
]
