"""The network between a phone and the site, with faults in the deliveries."""

import urllib.request
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from random import Random
from threading import Thread
from urllib.error import HTTPError

from playwright.sync_api import BrowserContext, Error, Request, Route

from tests.site import DELIVERY_QUERY, Site

LOST_BEFORE, LOST_AFTER, TWICE = "lost before", "lost after", "sent twice"
PORTAL, DELAYED = "answered by a portal", "delayed"
SERVER_KILLED, CUT = "server killed at work", "connection cut at work"
FAULTS = (LOST_BEFORE, LOST_AFTER, TWICE, PORTAL, DELAYED, SERVER_KILLED, CUT)
IN_ORDER = frozenset({200, 409})
"""The only status codes expected for deliveries of stored entries."""


@dataclass(frozen=True, slots=True)
class Delivery:
    url: str
    headers: dict[str, str]
    body: bytes

    @classmethod
    def of(cls, request: Request) -> "Delivery":
        kept_headers = {"content-type", "x-seat-token"}
        headers = {
            name: value
            for name, value in request.headers.items()
            if name in kept_headers
        }
        return cls(request.url, headers, request.post_data_buffer or b"")

    def arrive(self) -> int:
        """Send it, and return the status of the response; 0 if there is none."""
        request = urllib.request.Request(self.url, self.body, self.headers)  # noqa: S310 - our own
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310 - our own
                return int(answer.status)
        except HTTPError as error:
            return error.code
        except (OSError, HTTPException):
            return 0


class Network:
    """The network between one phone and the site."""

    def __init__(self, site: Site, counts: Counter[str]) -> None:
        self.site, self.counts = site, counts
        self.faults: list[str] = []
        """Faults of the next deliveries, the last one first."""
        self.delayed: list[Delivery] = []
        """Deliveries that are delayed."""

    def carry_for(self, context: BrowserContext) -> None:
        context.route("**/entries/", self.carry)

    def carry(self, route: Route) -> None:
        """Let a delivery pass, or apply the next fault to it."""
        fault = self.faults.pop() if self.faults else ""
        try:
            self.counts[fault] += self._apply(fault, route)
        except Error:
            # The page was closed or went offline while it waited for the response.
            self.counts["an answer that nobody waited for"] += 1
            self._end(route)

    @staticmethod
    def _end(route: Route) -> None:
        try:
            route.abort()
        except Error:
            # It has already ended, with the page or by the fault.
            return

    def _apply(self, fault: str, route: Route) -> bool:
        if fault == LOST_BEFORE:
            route.abort()
        elif fault == LOST_AFTER:
            route.fetch()
            route.abort()
        elif fault == TWICE:
            route.fetch()
            route.continue_()
        elif fault == DELAYED:
            self.delayed.append(Delivery.of(route.request))
            route.abort()
        elif fault == PORTAL:
            route.fulfill(status=200, content_type="text/html", body="Sign in")
        elif fault == SERVER_KILLED:
            return self._strike_delivery(route, self.site.restart_server)
        elif fault == CUT:
            return self._strike_delivery(route, self.site.cut_connections)
        else:
            route.continue_()
        return True

    def _strike_delivery(self, route: Route, strike: Callable[[], None]) -> bool:
        """Call `strike` while the server is about to store a delivery; return whether that worked."""
        delivery = Delivery.of(route.request)
        address = delivery.url.split("/")[-3]
        sending = Thread(target=delivery.arrive)
        self.site.until_it_answers()
        has_worked = self.site.strike_at_work(
            address, sending.start, DELIVERY_QUERY, strike, sending.is_alive
        )
        sending.join()
        route.abort()
        return has_worked

    def deliver_late(self, rng: Random) -> int:
        """Let delayed deliveries arrive in random order, and return their number."""
        rng.shuffle(self.delayed)
        statuses = [delivery.arrive() for delivery in self.delayed]
        self.delayed.clear()
        # A server that is down never gets them, but the phone still has the entries.
        arrived = [status for status in statuses if status]
        assert set(arrived) <= IN_ORDER, f"what came late was answered {arrived}"
        return len(arrived)
