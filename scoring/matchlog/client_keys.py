"""Keys that clients make, so that sending something twice does it once."""

from uuid import UUID

from django.utils.crypto import salted_hmac


def derive_key_for_owner(key: UUID, *owner: object) -> UUID:
    """Return the key under which to store something that a client started with `key`.

    The same key of the same owner gives the same result, and no other owner's key does. It
    cannot be computed without the site's secret, so guessing another client's key does not help
    to take its place.

    >>> from uuid import UUID
    >>> derive_key_for_owner(UUID(int=1), "league", 7) == derive_key_for_owner(UUID(int=1), "league", 7)
    True
    >>> derive_key_for_owner(UUID(int=1), "league", 7) == derive_key_for_owner(UUID(int=1), "league", 8)
    False
    """
    text = "\x00".join(map(str, (*owner, key)))
    digest = salted_hmac(__name__, text, algorithm="sha256").digest()
    return UUID(bytes=digest[:16], version=4)
