"""The tables of competitions for the matches on a phone, as the server described them.

No tournament runs on a phone. The data needed to confirm a result there comes along with the
match.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest

from scoring.competition import (
    Competition,
    ConfirmationRules,
    FixedLocaleDefaults,
    LocaleDefaults,
    ResultState,
)
from scoring.models import Match
from scoring.offline.clocks import CLOCKS

TABLES: dict[str, Mapping[str, Any]] = {}
"""The `table` objects of `held.json`, by the address of the match."""


class OfflineCompetition(Competition):
    """A competition with the tables that the phone has received."""

    def locale_defaults(self, match: Match) -> LocaleDefaults:
        return FixedLocaleDefaults(time_zone=CLOCKS.get(match.address, ""))

    def table_url(self, match: Match) -> str:
        """Return the page of the table, which needs the network."""
        return str(TABLES[match.address]["page"]) if match.address in TABLES else ""

    def confirmation_rules(self, match: Match) -> ConfirmationRules | None:
        """Return the confirmation rules at the table, with the seats of this phone's owners."""
        table = TABLES.get(match.address)
        if table is None:
            return None
        return ConfirmationRules(
            required=table["wanted"],
            own=table["own"],
            # Data stored by a page of an earlier release has no family.
            family=table.get("family", ()),
            at_table=table["at_table"],
            is_disputed=table.get("disputed", False),
        )

    def result_state(self, match: Match) -> ResultState:
        """Return the state of a result from the confirmations that the phone knows."""
        agreement = self.confirmation_rules(match)
        if agreement is None:
            return ResultState.FINAL
        if agreement.is_disputed:
            return ResultState.DISPUTED
        agreed = match.seats.exclude(confirmed_at=None).count()
        enough = agreed >= agreement.required
        return ResultState.FINAL if enough else ResultState.UNCONFIRMED

    def own_seat(self, match: Match, request: HttpRequest) -> int | None:
        agreement = self.confirmation_rules(match)
        return agreement.own if agreement else None

    def seats_on_same_phone(self, match: Match, request: HttpRequest) -> Sequence[int]:
        agreement = self.confirmation_rules(match)
        return agreement.family if agreement else ()

    def can_others_confirm_on_this_phone(
        self, match: Match, request: HttpRequest
    ) -> bool:
        agreement = self.confirmation_rules(match)
        return agreement is not None and agreement.at_table
