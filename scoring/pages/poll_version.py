"""The version of a sheet or an open form that its phone sends when it asks for news."""

from hashlib import sha256

from scoring.competition import competition
from scoring.models import Match

DIGEST_LENGTH = 8


def poll_version(match: Match) -> str:
    """Return the version of the match's log, with a digest of what else decides who may enter hands.

    The digest says whether the match is closed or counts unfinished, by which secret and phones its
    players enter, and what its competition says. A friendly match that is open has none.
    """
    agreement, others = competition().agreement(match), competition().poll_state(match)
    state = (match.closed, match.as_it_stands, match.secret, agreement, others)
    if state == (False, False, "", None, None):
        return str(match.version)
    digest = sha256(repr(state).encode()).hexdigest()
    return f"{match.version}-{digest[:DIGEST_LENGTH]}"
