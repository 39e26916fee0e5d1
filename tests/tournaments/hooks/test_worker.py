"""Webhooks are delivered by a real Celery worker with children, on PostgreSQL."""

import time
from typing import Any
from uuid import uuid4

import pytest

from tests.site import hosted
from tests.statics import collected
from tests.tournaments.outgoing.receiver import Receiver
from tournaments.hooks import delivery

PATIENCE = 60
WAITING = """
    SELECT count(*) FROM tournaments_delivery JOIN tournaments_webhook
    ON webhook_id = tournaments_webhook.id WHERE url LIKE '%/ok' AND state = 'waiting'
"""
LATENESS = """
    SELECT extract(epoch FROM percentile_cont(0.95) WITHIN GROUP (ORDER BY last_at - written_at))
    FROM tournaments_delivery WHERE state = 'delivered'
"""


@pytest.mark.services
@pytest.mark.long(25)
def test_worker_delivers_without_waiting_for_webhook_that_never_answers(
    receiver: Receiver, tmp_path_factory: Any
) -> None:
    name = f"hooks_{uuid4().hex[:8]}"
    with hosted(name, collected(tmp_path_factory), has_worker=False) as site:
        site.environment |= {
            "OUTGOING_TRUSTED": receiver.host,
            "RECEIVER": f"http://{receiver.host}",
        }
        site.start_worker(has_beat=True, children=2)
        site.until_worker_works()
        site.run("tell_webhooks")
        deadline = time.monotonic() + PATIENCE
        with site.database() as database:
            while database.execute(WAITING).fetchone() != (0,):
                assert time.monotonic() < deadline, site.log()
                time.sleep(0.2)
            ((lateness,),) = database.execute(LATENESS).fetchall()
        receiver.let_go()
        # Alone on two cores the latest take 2 to 3 s; beside other tests it may take more, but a delivery
        # that waits for the other webhook takes as long as one answer may.
        assert lateness < delivery.SECONDS
        assert "Traceback" not in site.log()
