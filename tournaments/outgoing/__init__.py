"""Speaking to addresses that strangers named: only outside, only as long as it is welcome.

Knows nothing of clubs or of what is said.
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
