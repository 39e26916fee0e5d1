"""Requests to addresses that users entered: only to the internet, within limits of time and size.

Knows nothing of clubs or of the content.
"""

from tournaments.outgoing.addresses import (
    AddressNotAllowedError,
    AllowedAddress,
    parse_outgoing_url,
    resolve_allowed_address,
)
from tournaments.outgoing.posting import NoResponseError, PostResponse, post

__all__ = [
    "AddressNotAllowedError",
    "AllowedAddress",
    "NoResponseError",
    "PostResponse",
    "parse_outgoing_url",
    "post",
    "resolve_allowed_address",
]
