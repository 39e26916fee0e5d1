"""What directors fill in."""

from tournaments.web.forms.circuits import (
    CircuitDayForm,
    CircuitForm,
    InviteClubForm,
    SamePersonForm,
)
from tournaments.web.forms.clubs import (
    AccountNameForm,
    CloseAccountForm,
    ClubForm,
    ClubLanguageForm,
    ClubLookForm,
    MemberForm,
)
from tournaments.web.forms.desk import AnnouncementForm, CutForm
from tournaments.web.forms.entries import (
    CodeForm,
    JoinForm,
    NameForm,
    NamesForm,
    SubstituteForm,
)
from tournaments.web.forms.imports import ImportForm
from tournaments.web.forms.leaderboards import LeaderboardForm, SeasonForm
from tournaments.web.forms.leagues import LeagueMatchForm
from tournaments.web.forms.penalties import PenaltyForm
from tournaments.web.forms.players import EraseForm, MergeForm
from tournaments.web.forms.search import HandSearchForm, SearchForm
from tournaments.web.forms.seats import SeatsForm
from tournaments.web.forms.tournaments import TournamentForm
from tournaments.web.forms.wizard import WizardForm
from tournaments.web.forms.zones import ClubZoneForm, OwnZoneForm

__all__ = [
    "AccountNameForm",
    "AnnouncementForm",
    "CircuitDayForm",
    "CircuitForm",
    "CloseAccountForm",
    "ClubForm",
    "ClubLanguageForm",
    "ClubLookForm",
    "ClubZoneForm",
    "CodeForm",
    "CutForm",
    "EraseForm",
    "HandSearchForm",
    "ImportForm",
    "InviteClubForm",
    "JoinForm",
    "LeaderboardForm",
    "LeagueMatchForm",
    "MemberForm",
    "MergeForm",
    "NameForm",
    "NamesForm",
    "OwnZoneForm",
    "PenaltyForm",
    "SamePersonForm",
    "SearchForm",
    "SeasonForm",
    "SeatsForm",
    "SubstituteForm",
    "TournamentForm",
    "WizardForm",
]
