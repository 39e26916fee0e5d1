"""A proxy of the tests' own between a site and what it stands on: it refuses everybody, is slow, or cuts a commit."""

import select
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Literal, TypeAlias

Cut: TypeAlias = Literal["before", "after"]


class Proxy:
    """Passes bytes on to a port of this machine, until it refuses."""

    def __init__(self, to: int) -> None:
        self._to = to
        self.delay = 0.0
        """Seconds that whatever a client sends takes to arrive."""
        self._cuts: Cut | None = None
        self._open: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._accept()

    def refuse(self) -> None:
        # Whoever waits to accept is woken by it.
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for each in list(self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def cut_commit(self, when: Cut) -> None:
        """Cut the connection that commits next, before the database hears of it or after."""
        self._cuts = when

    def restore(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", self.port))
        self._accept()

    def _accept(self) -> None:
        Thread(target=self._serve, args=[self._listening], daemon=True).start()

    def _serve(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _address = listening.accept()
                far = socket.create_connection(("127.0.0.1", self._to))
                self._open |= {near, far}
                Thread(target=self._forward, args=[near, far], daemon=True).start()

    def _forward(self, near: socket.socket, far: socket.socket) -> None:
        other = {near: far, far: near}
        with near, far, suppress(OSError):
            while True:
                for each in select.select([near, far], [], [])[0]:
                    if not (received := each.recv(65536)):
                        return
                    if each is near:
                        time.sleep(self.delay)
                        if self._cuts and b"COMMIT" in received:
                            self._cut(received, far)
                            return
                    other[each].sendall(received)
        self._open -= {near, far}

    def _cut(self, commit: bytes, far: socket.socket) -> None:
        if self._cuts == "after":
            far.sendall(commit)
            # It is done once it is answered, which nobody hears.
            far.recv(65536)
        self._cuts = None


@contextmanager
def running_proxy(to: int) -> Iterator[Proxy]:
    proxy = Proxy(to)
    try:
        yield proxy
    finally:
        proxy.refuse()
