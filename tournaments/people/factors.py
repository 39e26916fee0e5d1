"""By what accounts sign in beside a password: secrets of apps sealed, codes to keep digested.

Whoever reads the database alone, or a backup without its keys, computes none of the digits that an app
shows, and has to guess each code that somebody keeps.
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
from django.db import transaction

from tournaments.models import User
from tournaments.people.security import logger

Type = Authenticator.Type
SEALED = "sealed:"
"""How what is sealed begins; what was kept before anything was does not."""
FIELD: dict[str, str] = {Type.TOTP: "secret", Type.RECOVERY_CODES: "seed"}
"""Where a factor of each kind keeps its secret."""
OF_AN_APP = 6
"""How many digits an app shows; codes to keep have more."""
ROUNDS = 210_000
"""Of PBKDF2 with SHA-512, as many as OWASP asks for passwords."""


def seal(secret: str) -> str:
    """Return a secret as the database keeps it, sealed by the site's own."""
    return SEALED + _sealer().encrypt(secret.encode()).decode()


def unseal(kept: str) -> str:
    """Return the secret that is kept; another one, which nobody has, where no secret of the site opens it."""
    try:
        return _opened(kept)
    except InvalidToken:
        logger.error("factor_unreadable")
        return str(generate_totp_secret())


def stored_code(user: User, typed: str) -> str:
    """Return what somebody typed, digested where it is no app's and codes are kept so.

    Everything else is: a digest that was read in the database opens nothing.
    """
    code: str = normalize_user_code(typed)
    if len(code) == OF_AN_APP and code.isdecimal():
        return typed
    codes = Authenticator.objects.filter(user=user, type=Type.RECOVERY_CODES).first()
    if codes is None or "salt" not in codes.data:
        return typed
    return _digest(code, salt=str(codes.data["salt"]), rounds=codes.data["rounds"])


@transaction.atomic
def store_digests(user: User, shown: Sequence[str]) -> None:
    """Replace the seed of codes that were just shown by their digests."""
    own = Authenticator.objects.select_for_update().filter(user=user)
    codes = own.filter(type=Type.RECOVERY_CODES).first()
    if codes is not None and "seed" in codes.data:
        codes.data = _digested(codes.data, shown)
        codes.save(update_fields=["data"])


def reseal(factors: Iterable[Any]) -> Counter[str]:
    """Return how many were sealed by the current secret, digested, or are unreadable."""
    became: Counter[str] = Counter()
    for factor in factors:
        field = FIELD.get(factor.type, "")
        if field not in factor.data:
            continue
        try:
            secret = _opened(factor.data[field])
        except InvalidToken:
            became["unreadable"] += 1
            continue
        if field == "seed" and factor.data.get("viewed_at"):
            shown = RecoveryCodes(factor).get_unused_codes()
            factor.data = _digested(factor.data, shown)
            became["digested"] += 1
        else:
            factor.data = {**factor.data, field: seal(secret)}
            became["sealed"] += 1
        factor.save(update_fields=["data"])
    return became


def uses_current_secret(kept: str) -> bool:
    """Return whether the current secret of the site seals it."""
    try:
        Fernet(_key(settings.SECRET_KEY)).decrypt(kept.removeprefix(SEALED))
    except InvalidToken:
        return False
    return kept.startswith(SEALED)


def _opened(kept: str) -> str:
    if not kept.startswith(SEALED):
        return kept
    return _sealer().decrypt(kept.removeprefix(SEALED)).decode()


def _sealer() -> MultiFernet:
    secrets = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_key(secret)) for secret in secrets])


def _key(secret: str) -> bytes:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"tricky.factors")
    return urlsafe_b64encode(derived.derive(secret.encode()))


def _digested(kept: dict[str, Any], codes: Sequence[str]) -> dict[str, Any]:
    salt = token_hex(16)
    digest = partial(_digest, salt=salt, rounds=ROUNDS)
    # Slow on purpose, each; OpenSSL lets others go on meanwhile.
    with ThreadPoolExecutor() as threads:
        digests = list(threads.map(digest, codes))
    rest = {name: value for name, value in kept.items() if name != "seed"}
    # What allauth compares one by one, and takes out when it was used.
    return {**rest, "migrated_codes": digests, "salt": salt, "rounds": ROUNDS}


def _digest(code: str, *, salt: str, rounds: int) -> str:
    return pbkdf2_hmac("sha512", code.encode(), bytes.fromhex(salt), rounds).hex()
