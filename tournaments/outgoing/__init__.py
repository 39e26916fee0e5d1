"""Speaking to addresses that strangers named: only outside, only as long as it is welcome.

Knows nothing of clubs or of what is said.
"""

from tournaments.outgoing.addresses import (
    AllowedAddress,
    NotAllowedError,
    allowed_address,
    written_address,
)
from tournaments.outgoing.posting import Answer, NoAnswerError, post

__all__ = [
    "AllowedAddress",
    "Answer",
    "NoAnswerError",
    "NotAllowedError",
    "allowed_address",
    "post",
    "written_address",
]
