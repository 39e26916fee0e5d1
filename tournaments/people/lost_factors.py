"""What a host does for who lost passkey, app and codes: proof first, then they are taken away.

Who added one had shown the password and, where letters are sent, that they read the account's address. No
less is asked of who lost it: a proof goes to that address, and the password is still what signs in.
"""

from datetime import datetime
from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction

from tournaments.models import SecurityEvent, User
from tournaments.people.languages import speaking_to
from tournaments.people.letters import forgotten_letter, proof_letter
from tournaments.people.security import NOBODY_ASKED, note_event
from tournaments.people.sign_ins import end_others


class UnprovenError(ValueError):
    """Nobody has shown that it is theirs."""


class Proofs(PasswordResetTokenGenerator):
    """Makes what only the reader of a letter knows: for three days, for these factors and this password."""

    key_salt = "tournaments.people.lost_factors"

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        factors = Authenticator.objects.filter(user=user).order_by("pk")
        keys = ",".join(str(pk) for pk in factors.values_list("pk", flat=True))
        return f"{super()._make_hash_value(user, timestamp)}{keys}"


proofs = Proofs()


def wants_proof() -> bool:
    """Tell whether letters are sent, so that an address was shown to be somebody's."""
    return bool(settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory")


def ask_for_proof(*, user: User, site: str) -> None:
    """Send the account's address what its reader is to tell the host.

    Raises OSError where the mail server cannot be reached or refuses it.
    """
    with speaking_to(user.email):
        proof_letter(site=site, proof=proofs.make_token(user)).to(user.email).send()


def forget_factors(
    *, user: User, proof: str, known_by: str, site: str, now: datetime
) -> int:
    """Return how many passkeys, apps and sets of codes were taken away; the account is told, and signed out.

    Raises UnprovenError where letters are sent and this proof was not in the last one.
    """
    with transaction.atomic():
        own = Authenticator.objects.select_for_update().filter(user=user)
        if wants_proof() and not proofs.check_token(user, proof):
            raise UnprovenError
        _rows, of_kinds = own.delete()
        end_others(user=user, but=None, visitor=NOBODY_ASKED, now=now)
        note_event(SecurityEvent.Kind.FACTORS_FORGOTTEN, user=user, what=known_by)
    with speaking_to(user.email):
        forgotten_letter(site=site).to(user.email).send()
    return int(of_kinds.get("mfa.Authenticator", 0))
