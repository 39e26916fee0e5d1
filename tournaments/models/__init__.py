"""Clubs, tournaments, and all data of an evening."""

from tournaments.models.appointments import Appointment
from tournaments.models.auto_steps import AutoStep
from tournaments.models.circuits import (
    Circuit,
    CircuitClub,
    CircuitTournament,
    SamePerson,
)
from tournaments.models.clubs import Club, Follow, Invitation, Logo, Membership, Role
from tournaments.models.entries import Entry, RemovedEntry
from tournaments.models.history import Placing, Result, Revision
from tournaments.models.identities import Claim, Merge, Profile
from tournaments.models.imports import Arrival, Import, Upload
from tournaments.models.night_events import NightEvent
from tournaments.models.people import User
from tournaments.models.programs import ApiOrigin, ApiToken, Scope
from tournaments.models.rounds import (
    PUBLISHED_STATES,
    Bye,
    Place,
    Round,
    Table,
    last_entered_at_by_match,
)
from tournaments.models.seasons import FinalRow, LeaderboardRules, Season
from tournaments.models.security import Guesses, SecurityEvent
from tournaments.models.standings import (
    Penalty,
    Standings,
    StandingsRow,
    tournament_page_state,
)
from tournaments.models.subscriptions import Subscription
from tournaments.models.tournaments import Announcement, Tournament
from tournaments.models.webhooks import Delivery, Happening, HookEvent, Webhook

__all__ = [
    "PUBLISHED_STATES",
    "Announcement",
    "ApiOrigin",
    "ApiToken",
    "Appointment",
    "Arrival",
    "AutoStep",
    "Bye",
    "Circuit",
    "CircuitClub",
    "CircuitTournament",
    "Claim",
    "Club",
    "Delivery",
    "Entry",
    "FinalRow",
    "Follow",
    "Guesses",
    "Happening",
    "HookEvent",
    "Import",
    "Invitation",
    "LeaderboardRules",
    "Logo",
    "Membership",
    "Merge",
    "NightEvent",
    "Penalty",
    "Place",
    "Placing",
    "Profile",
    "RemovedEntry",
    "Result",
    "Revision",
    "Role",
    "Round",
    "SamePerson",
    "Scope",
    "Season",
    "SecurityEvent",
    "Standings",
    "StandingsRow",
    "Subscription",
    "Table",
    "Tournament",
    "Upload",
    "User",
    "Webhook",
    "last_entered_at_by_match",
    "tournament_page_state",
]
