"""Several deliveries at once, beside whatever else a process does."""

import logging
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Lock

from django.db import connection
from django.utils import timezone

from tournaments.hooks.delivery import deliver
from tournaments.models import Delivery

logger = logging.getLogger(__name__)

AT_ONCE, TO_ONE = 8, 2
"""Deliveries that a process makes at once, and those to one webhook among them: one that
never answers holds up no other."""
LOOKED_AT = 500
_senders = ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="webhooks")
_begun: dict[int, int] = {}
"""The webhook by the delivery that is being made to it."""
_lock = Lock()


def begin_due(*, now: datetime) -> int:
    """Return how many of the due deliveries were begun; nobody waits for them."""
    due = Delivery.objects.due(now).values_list("pk", "webhook")[:LOOKED_AT]
    begun = [pk for pk, hook in list(due) if _may_begin(pk, hook)]
    for pk in begun:
        _senders.submit(_deliver, pk)
    return len(begun)


def _may_begin(delivery_id: int, webhook_id: int) -> bool:
    """Note a delivery as begun, where there is room for it."""
    with _lock:
        to_each = Counter(_begun.values())
        is_room = len(_begun) < AT_ONCE and to_each[webhook_id] < TO_ONE
        if delivery_id in _begun or not is_room:
            return False
        _begun[delivery_id] = webhook_id
        return True


def _deliver(delivery_id: int) -> None:
    try:
        deliver(delivery_id=delivery_id, now=timezone.now())
    except Exception:
        logger.exception("Delivery %s to a webhook broke off.", delivery_id)
    finally:
        connection.close()
        with _lock:
            del _begun[delivery_id]
