"""How late webhooks are told, by a worker with two children that has just started.

python -m tests.benchmarks.bench_webhooks
"""

from uuid import uuid4

from tests.processes import until
from tests.site import hosted
from tests.statics import kept
from tests.tournaments.outgoing.receiver import receiving

BURSTS = ("/ok", "/ok", "/ok /hang")
"""Where forty events each lead at once: an address that answers, and one that never does."""
WAITING = """
    SELECT count(*) FROM tournaments_delivery JOIN tournaments_webhook
    ON webhook_id = tournaments_webhook.id WHERE url LIKE '%/ok' AND state = 'waiting'
"""
LATENESS = """
    SELECT extract(epoch FROM percentile_cont(0.95) WITHIN GROUP (ORDER BY last_at - written_at))
    FROM tournaments_delivery WHERE state = 'delivered' GROUP BY webhook_id ORDER BY webhook_id
"""


def main() -> None:
    """Print how late nineteen of twenty events of each burst are told at most."""
    with (
        receiving() as receiver,
        hosted(f"bench_{uuid4().hex[:8]}", kept(), has_worker=False) as site,
    ):
        site.environment |= {
            "OUTGOING_TRUSTED": receiver.host,
            "RECEIVER": f"http://{receiver.host}",
        }
        site.start_worker(has_beat=True, children=2)
        site.until_worker_works()
        with site.database() as database:
            for paths in BURSTS:
                site.environment["RECEIVER_PATHS"] = paths
                site.run("tell_webhooks")
                until(lambda: database.execute(WAITING).fetchone() == (0,), site.log)
            for paths, (seconds,) in zip(
                BURSTS, database.execute(LATENESS).fetchall(), strict=True
            ):
                print(f"{paths:10} {seconds:5.2f} s")


if __name__ == "__main__":
    main()
