"""How many requests were answered, how, and how soon: counted as answers go out."""

import time
from collections.abc import Callable
from functools import cache
from itertools import accumulate
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from tricky_site.observability.metrics.shared import SharedCounts
from tricky_site.observability.metrics.text import Metric, Sample

KINDS = ("entry", "api", "account", "watch", "page")
"""What is asked for: a phone delivers, a program asks, somebody signs in, somebody watches, the rest."""
STATUSES = (
    *(200, 201, 202, 204, 206, 301, 302, 303, 304),
    *(400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 429),
    *(500, 502, 503, 504, 507),
)
OTHER = "other"
WITHIN = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Seconds."""
WATCHERS = frozenset({"healthz", "readyz", "metrics"})
MICROSECONDS = 1_000_000
COUNTED = "tricky_site.observability.metrics.requests.counted"
"""Stands among the middleware where somebody watches."""
Answer = Callable[[HttpRequest], HttpResponse]


@cache
def counts_in(folder: Path) -> SharedCounts:
    """Return what all processes count together that have the folder."""
    names = [
        *(f"{kind}_{status}" for kind in KINDS for status in (*STATUSES, OTHER)),
        *(
            f"{kind}_within_{place}"
            for kind in KINDS
            for place in range(len(WITHIN) + 1)
        ),
        *(f"{kind}_microseconds" for kind in KINDS),
    ]
    return SharedCounts(folder, names)


def counts() -> SharedCounts:
    """Return what this site's processes count together."""
    return counts_in(settings.VAR_DIR / "counts")


def counted(answer: Answer) -> Answer:
    """Count what is answered; it stands in the way only where the host has somebody watch."""
    counts()

    def answer_and_count(request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = answer(request)
        took = time.perf_counter() - began
        count_answer(kind_of(request), response.status_code, took)
        return response

    return answer_and_count


def count_answer(kind: str, code: int, took: float) -> None:
    """Count one answer, given after so many seconds."""
    status = code if code in STATUSES else OTHER
    place = next((at for at, most in enumerate(WITHIN) if took <= most), len(WITHIN))
    counts().add(
        **{
            f"{kind}_{status}": 1,
            f"{kind}_within_{place}": 1,
            f"{kind}_microseconds": int(took * MICROSECONDS),
        }
    )


def kind_of(request: HttpRequest) -> str:
    """Return what is asked for: never an address, which is a key."""
    matched = request.resolver_match
    name = matched.view_name if matched else ""
    if name == "scoring:entries":
        return "entry"
    if name in WATCHERS:
        return "watch"
    if request.path.startswith("/api/"):
        return "api"
    return "account" if request.path.startswith("/accounts/") else "page"


def metrics_of_requests() -> list[Metric]:
    """Return what all processes of this machine have counted."""
    sums = counts().sums()
    answered = [
        Sample(sums[f"{kind}_{status}"], {"kind": kind, "status": str(status)})
        for kind in KINDS
        for status in (*STATUSES, OTHER)
        if sums[f"{kind}_{status}"]
    ]
    return [
        Metric("tricky_requests_total", "counter", "Requests answered.", answered),
        Metric(
            "tricky_request_seconds",
            "histogram",
            "How long the answers took.",
            [sample for kind in KINDS for sample in _buckets(kind, sums)],
        ),
    ]


def _buckets(kind: str, sums: dict[str, int]) -> list[Sample]:
    """Return how many answers of a kind took at most so long, all of them and their seconds."""
    each = [sums[f"{kind}_within_{place}"] for place in range(len(WITHIN) + 1)]
    seconds = sums[f"{kind}_microseconds"] / MICROSECONDS
    mosts = [*(str(most) for most in WITHIN), "+Inf"]
    return [
        *(
            Sample(count, {"kind": kind, "le": most}, "_bucket")
            for most, count in zip(mosts, accumulate(each), strict=True)
        ),
        Sample(seconds, {"kind": kind}, "_sum"),
        Sample(sum(each), {"kind": kind}, "_count"),
    ]
