"""Webhooks are delivered by a real Celery worker with children, on PostgreSQL."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.processes import wait_until
from tests.site import hosted
from tests.statics import collect_statics
from tests.tournaments.outgoing.receiver import Receiver
from tournaments.hooks import delivery

WAITING = """
    SELECT count(*) FROM tournaments_delivery JOIN tournaments_webhook
    ON webhook_id = tournaments_webhook.id WHERE url LIKE '%/ok' AND state = 'waiting'
"""
FAILED = "SELECT min(failing_since) FROM tournaments_webhook WHERE url LIKE '%/hang'"
DELIVERED_BETWEEN = """
    SELECT count(*) FROM tournaments_delivery WHERE state = 'delivered'
    AND last_at BETWEEN %s AND %s
"""


@pytest.mark.services
@pytest.mark.long(40)
def test_worker_delivers_despite_an_unresponsive_webhook(
    receiver: Receiver, tmp_path_factory: Any
) -> None:
    name = f"hooks_{uuid4().hex[:8]}"
    with hosted(name, collect_statics(tmp_path_factory), has_worker=False) as site:
        site.environment |= {
            "OUTGOING_TRUSTED": receiver.host,
            "RECEIVER": f"http://{receiver.host}",
            "RECEIVER_PATHS": "/hang /ok",
        }
        site.start_worker(has_beat=True, children=2)
        site.until_worker_works()
        with site.database() as database:
            site.run("tell_webhooks")
            wait_until(lambda: database.execute(WAITING).fetchone() == (0,), site.log)
            wait_until(lambda: database.execute(FAILED).fetchone() != (None,), site.log)
            ((failing_since,),) = database.execute(FAILED).fetchall()
            period = (
                failing_since,
                failing_since + timedelta(seconds=delivery.SECONDS),
            )
            ((delivered_count,),) = database.execute(
                DELIVERED_BETWEEN, period
            ).fetchall()
        receiver.release()
        assert delivered_count
        assert "Traceback" not in site.log()
