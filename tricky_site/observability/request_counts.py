"""Requests by kind, status and duration, counted by all processes of a machine (docs/decisions/own-metrics.md)."""

import fcntl
import json
import time
from functools import cache
from pathlib import Path
from threading import Lock

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from tricky_site.http.middleware import Middleware

BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""Upper bounds of durations, in seconds."""
MONITORING = frozenset({"healthz", "readyz", "metrics"})
SAVE_EVERY = 1.0
"""Seconds for which a process keeps its counts in memory."""
Counts = dict[str, float]
"""Values by the names and labels that they have in `/metrics`."""


class RequestCountMiddleware(Middleware):
    """Count requests; used only if the host reads `/metrics`."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the response of the next one."""
        began = time.perf_counter()
        response = self.get_response(request)
        seconds = time.perf_counter() - began
        count_request(request_kind(request), response.status_code, seconds)
        return response


def request_kind(request: HttpRequest) -> str:
    """Return what a request is for; never its address, because addresses of matches are keys."""
    matched = request.resolver_match
    name = matched.view_name if matched else ""
    if name == "scoring:entries":
        return "entry"
    if name in MONITORING:
        return "watch"
    if request.path.startswith("/api/"):
        return "api"
    return "account" if request.path.startswith("/accounts/") else "page"


def count_request(kind: str, status: int, seconds: float) -> None:
    """Count one request."""
    duration = "tricky_request_seconds"
    counts: Counts = {f'tricky_requests_total{{kind="{kind}",status="{status}"}}': 1}
    for most in BUCKETS:
        counts[f'{duration}_bucket{{kind="{kind}",le="{most}"}}'] = seconds <= most
    counts[f'{duration}_bucket{{kind="{kind}",le="+Inf"}}'] = 1
    counts[f'{duration}_sum{{kind="{kind}"}}'] = seconds
    counts[f'{duration}_count{{kind="{kind}"}}'] = 1
    request_counts().add(counts)


class SharedCounts:
    """Counts that all processes of a machine add to one file."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of the file; either may be missing."""
        self._folder = folder
        self._path = folder / "requests.json"
        self._lock = Lock()
        self._unsaved: Counts = {}
        self._saved_at = 0.0

    def add(self, counts: Counts) -> None:
        """Add to the counts, and save them if the last save was a while ago."""
        with self._lock:
            _add(self._unsaved, counts)
            is_due = time.monotonic() - self._saved_at >= SAVE_EVERY
            if is_due:
                self._saved_at = time.monotonic()
        if is_due:
            self.save()

    def save(self) -> None:
        """Add what this process counted to the file. If it cannot be written, the next save does it."""
        with self._lock:
            unsaved, self._unsaved = self._unsaved, {}
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with (self._folder / "lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                totals = self._read()
                _add(totals, unsaved)
                # Replaced at once: whoever reads finds the old file or the new one, and a full disk leaves the old.
                new = self._path.with_suffix(".new")
                new.write_text(json.dumps(totals))
                new.replace(self._path)
        except OSError:
            with self._lock:
                _add(self._unsaved, unsaved)

    def totals(self) -> Counts:
        """Return what all processes saved, and what this one counted."""
        self.save()
        totals = self._read()
        with self._lock:
            _add(totals, self._unsaved)
        return totals

    def _read(self) -> Counts:
        try:
            totals: Counts = json.loads(self._path.read_text())
        except (OSError, ValueError):  # There is none yet, or the machine lost power.
            return {}
        return totals


def _add(totals: Counts, counts: Counts) -> None:
    for name, count in counts.items():
        totals[name] = totals.get(name, 0) + count


@cache
def shared_counts(folder: Path) -> SharedCounts:
    """Return the counts of this process for a folder."""
    return SharedCounts(folder)


def request_counts() -> SharedCounts:
    """Return the counts of requests of this site."""
    return shared_counts(settings.VAR_DIR / "counts")
