"""Recovery of accounts that lost their passkey, app and codes.

Adding them took the password and, if the site sends e-mail, access to the account's address. Losing them takes no
less: a proof goes to that address, and the password still signs in.
"""

from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction

from tournaments.models import SecurityEvent, User
from tournaments.people.languages import override_recipient_language
from tournaments.people.letters import factors_removed_letter, proof_letter
from tournaments.people.security import UNKNOWN_VISITOR, note_event
from tournaments.people.sign_ins import end_sessions


class UnprovenError(ValueError):
    """The proof was not sent to this account, or is no longer valid."""


class ProofGenerator(PasswordResetTokenGenerator):
    """Makes proofs that become invalid if the password or the factors change."""

    key_salt = "tournaments.people.lost_factors"

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        factors = Authenticator.objects.filter(user=user).order_by("pk")
        keys = ",".join(str(pk) for pk in factors.values_list("pk", flat=True))
        return f"{super()._make_hash_value(user, timestamp)}{keys}"


proofs = ProofGenerator()


def is_proof_required() -> bool:
    """Return whether the site sends e-mail, so that addresses are confirmed."""
    return bool(settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory")


def send_proof(*, user: User, site: str) -> None:
    """Send a proof to the account's address. Raises OSError if the mail server fails."""
    with override_recipient_language(user.email):
        proof_letter(site=site, proof=proofs.make_token(user)).build_message(
            user.email
        ).send()


def forget_factors(*, user: User, proof: str, reason: str, site: str) -> int:
    """Delete passkeys, app and codes, end all sessions, notify the account, and return how many were deleted.

    Raises UnprovenError if the site sends e-mail and the proof is not valid.
    """
    with transaction.atomic():
        authenticators = Authenticator.objects.select_for_update().filter(user=user)
        if is_proof_required() and not proofs.check_token(user, proof):
            raise UnprovenError
        _rows, deleted = authenticators.delete()
        end_sessions(user, except_key=None, visitor=UNKNOWN_VISITOR)
        note_event(SecurityEvent.Kind.FACTORS_FORGOTTEN, user=user, detail=reason)
    with override_recipient_language(user.email):
        factors_removed_letter(site=site).build_message(user.email).send()
    return int(deleted.get("mfa.Authenticator", 0))
