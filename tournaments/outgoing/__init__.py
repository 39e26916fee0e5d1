"""Requests to addresses that users entered: only to the internet, within limits of time and size.

Knows nothing of clubs or of the content.
"""

from tournaments.outgoing.addresses import (
    AddressNotAllowedError,
    AllowedAddress,
    allowed_address,
    written_address,
)
from tournaments.outgoing.posting import NoResponseError, PostResponse, post

__all__ = [
    "AddressNotAllowedError",
    "AllowedAddress",
    "NoResponseError",
    "PostResponse",
    "allowed_address",
    "post",
    "written_address",
]
