"""Second factors of accounts: the secrets of apps are encrypted, recovery codes are digested.

The database alone, or a backup without its keys, does not reveal the digits that an app shows; recovery codes have
to be guessed one by one.

Adding factors took the password and, if the site sends e-mail, access to the account's address. An account that lost
them recovers with no less: a proof goes to that address, and the password still signs in.
"""

from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import pbkdf2_hmac
from secrets import token_hex
from typing import Any

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import generate_totp_secret
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db import transaction

from tournaments.models import SecurityEvent, User
from tournaments.people.languages import override_recipient_language
from tournaments.people.letters import factors_removed_letter, lost_factors_proof_letter
from tournaments.people.security import UNKNOWN_VISITOR, logger, store_and_log_event
from tournaments.people.sign_ins import end_sessions

Type = Authenticator.Type
SEALED = "sealed:"
"""Prefix of an encrypted secret; secrets stored before there was encryption lack it."""
FIELD: dict[str, str] = {Type.TOTP: "secret", Type.RECOVERY_CODES: "seed"}
"""Field with the secret, by kind of factor."""
APP_CODE_LENGTH = 6
"""Number of digits that an app shows; recovery codes have more."""
ROUNDS = 210_000
"""Iterations of PBKDF2 with SHA-512, as many as OWASP recommends for passwords."""


def seal(secret: str) -> str:
    """Encrypt a secret for the database with the site's secret key."""
    return SEALED + _fernet().encrypt(secret.encode()).decode()


def unseal_or_random(stored_secret: str) -> str:
    """Decrypt a stored secret; return a random one if no secret key of the site decrypts it."""
    try:
        return _decrypt(stored_secret)
    except InvalidToken:
        logger.error("factor_unreadable")
        return str(generate_totp_secret())


def digest_unless_app_code(user: User, typed: str) -> str:
    """Return a typed code, digested if it may be a recovery code and these are stored digested.

    Everything but an app's digits is digested: a digest read in the database is of no use.
    """
    code: str = normalize_user_code(typed)
    if len(code) == APP_CODE_LENGTH and code.isdecimal():
        return typed
    codes = Authenticator.objects.filter(user=user, type=Type.RECOVERY_CODES).first()
    if codes is None or "salt" not in codes.data:
        return typed
    return _digest_code(code, salt=str(codes.data["salt"]), rounds=codes.data["rounds"])


@transaction.atomic
def store_recovery_code_digests(user: User, codes_shown: Sequence[str]) -> None:
    """Replace the seed of recovery codes that were just shown with their digests."""
    authenticators = Authenticator.objects.select_for_update().filter(user=user)
    codes = authenticators.filter(type=Type.RECOVERY_CODES).first()
    if codes is not None and "seed" in codes.data:
        codes.data = _with_digested_codes(codes.data, codes_shown)
        codes.save(update_fields=["data"])


def reseal(factors: Iterable[Any]) -> Counter[str]:
    """Encrypt factors again, and digest recovery codes that were shown.

    Return how many were `sealed` with the current secret key, `digested`, or are `unreadable`.
    """
    counts: Counter[str] = Counter()
    for factor in factors:
        field = FIELD.get(factor.type, "")
        if field not in factor.data:
            continue
        try:
            secret = _decrypt(factor.data[field])
        except InvalidToken:
            counts["unreadable"] += 1
            continue
        if field == "seed" and factor.data.get("viewed_at"):
            unused_codes = RecoveryCodes(factor).get_unused_codes()
            factor.data = _with_digested_codes(factor.data, unused_codes)
            counts["digested"] += 1
        else:
            factor.data = {**factor.data, field: seal(secret)}
            counts["sealed"] += 1
        factor.save(update_fields=["data"])
    return counts


def is_sealed_with_current_key(stored_secret: str) -> bool:
    """Return whether a secret is encrypted with the current secret key of the site."""
    try:
        Fernet(_fernet_key(settings.SECRET_KEY)).decrypt(
            stored_secret.removeprefix(SEALED)
        )
    except InvalidToken:
        return False
    return stored_secret.startswith(SEALED)


def _decrypt(stored_secret: str) -> str:
    if not stored_secret.startswith(SEALED):
        return stored_secret
    return _fernet().decrypt(stored_secret.removeprefix(SEALED)).decode()


def _fernet() -> MultiFernet:
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_fernet_key(secret)) for secret in secrets])


def _fernet_key(secret: str) -> bytes:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"tricky.factors")
    return urlsafe_b64encode(derived.derive(secret.encode()))


def _with_digested_codes(data: dict[str, Any], codes: Sequence[str]) -> dict[str, Any]:
    salt = token_hex(16)
    digest = partial(_digest_code, salt=salt, rounds=ROUNDS)
    # Each is slow on purpose, and OpenSSL lets other threads run meanwhile.
    with ThreadPoolExecutor() as threads:
        digests = list(threads.map(digest, codes))
    other_data = {name: value for name, value in data.items() if name != "seed"}
    # allauth compares these one by one, and removes a used one.
    return {**other_data, "migrated_codes": digests, "salt": salt, "rounds": ROUNDS}


def _digest_code(code: str, *, salt: str, rounds: int) -> str:
    return pbkdf2_hmac("sha512", code.encode(), bytes.fromhex(salt), rounds).hex()


class InvalidProofError(ValueError):
    """The proof was not sent to this account, or is no longer valid."""


class LostFactorsTokenGenerator(PasswordResetTokenGenerator):
    """Makes proofs that become invalid if the password or the factors change."""

    key_salt = "tournaments.people.lost_factors"

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        factors = Authenticator.objects.filter(user=user).order_by("pk")
        keys = ",".join(str(pk) for pk in factors.values_list("pk", flat=True))
        return f"{super()._make_hash_value(user, timestamp)}{keys}"


proofs = LostFactorsTokenGenerator()


def is_proof_required() -> bool:
    """Return whether the site sends e-mail, so that addresses are confirmed."""
    return bool(settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory")


def send_lost_factors_proof(*, user: User, site: str) -> None:
    """Send a proof to the account's address. Raises OSError if the mail server fails."""
    with override_recipient_language(user.email):
        lost_factors_proof_letter(
            site=site, proof=proofs.make_token(user)
        ).build_message(user.email).send()


def sign_out_and_remove_factors(
    *, user: User, proof: str, reason: str, site: str
) -> int:
    """Delete passkeys, app and codes, end all sessions, notify the account, and return how many were deleted.

    Raises InvalidProofError if the site sends e-mail and the proof is not valid.
    """
    with transaction.atomic():
        authenticators = Authenticator.objects.select_for_update().filter(user=user)
        if is_proof_required() and not proofs.check_token(user, proof):
            raise InvalidProofError
        _rows, deleted = authenticators.delete()
        end_sessions(user, except_key=None, visitor=UNKNOWN_VISITOR)
        store_and_log_event(
            SecurityEvent.Kind.FACTORS_FORGOTTEN, user=user, detail=reason
        )
    with override_recipient_language(user.email):
        factors_removed_letter(site=site).build_message(user.email).send()
    return int(deleted.get("mfa.Authenticator", 0))
