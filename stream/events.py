"""Events as a browser's EventSource reads them."""

import json
from collections.abc import Sequence

from stream.topics import Part

RETRY = 3000
"""Milliseconds after which a listener whose connection ended comes again."""
WELCOME = f"retry: {RETRY}\n\n".encode()
HEARTBEAT = b": still here\n\n"
GONE = b"event: gone\ndata: {}\n\n"
"""Told last, where a thing is there no more for who listens."""


def written(parts: Sequence[Part], state_id: str) -> bytes:
    r"""Return the events for some parts; the last bears the id of the state that they lead to.

    >>> written([Part("match", 7, "/api/v1/matches/x")], "7").decode()
    'event: match\ndata: {"version": 7, "link": "/api/v1/matches/x"}\nid: 7\n\n'
    """
    events = [
        f"event: {part.event}\n"
        f"data: {json.dumps({'version': part.version, 'link': part.link})}\n"
        for part in parts
    ]
    # Whose connection ends between two of them has not heard the whole.
    return ("\n".join(events) + f"id: {state_id}\n\n").encode() if events else b""
