"""A proxy between a site and its services that can refuse, delay, or cut the connection at a commit."""

import select
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Literal, TypeAlias

Cut: TypeAlias = Literal["before", "after"]


class Proxy:
    """Forwards bytes to a port of this machine until it refuses connections."""

    def __init__(self, target_port: int) -> None:
        self._target_port = target_port
        self.delay = 0.0
        """Delay of the client's bytes in seconds."""
        self._cuts: Cut | None = None
        self._open: set[socket.socket] = set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._accept()

    def refuse(self) -> None:
        # This wakes the thread that waits in accept().
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def cut_commit(self, when: Cut) -> None:
        """Cut the next connection that commits, before or after the database receives the commit."""
        self._cuts = when

    def restore(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", self.port))
        self._accept()

    def _accept(self) -> None:
        Thread(target=self._serve, args=[self._listening], daemon=True).start()

    def _serve(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _address = listening.accept()
                server = socket.create_connection(("127.0.0.1", self._target_port))
                self._open |= {client, server}
                Thread(target=self._forward, args=[client, server], daemon=True).start()

    def _forward(self, client: socket.socket, server: socket.socket) -> None:
        opposite = {client: server, server: client}
        with client, server, suppress(OSError):
            while True:
                for source in select.select([client, server], [], [])[0]:
                    if not (received := source.recv(65536)):
                        return
                    if source is client:
                        time.sleep(self.delay)
                        if self._cuts and b"COMMIT" in received:
                            self._cut(received, server)
                            return
                    opposite[source].sendall(received)
        self._open -= {client, server}

    def _cut(self, commit: bytes, server: socket.socket) -> None:
        if self._cuts == "after":
            server.sendall(commit)
            # Wait for the answer, which means it is committed, and drop it.
            server.recv(65536)
        self._cuts = None


@contextmanager
def running_proxy(target_port: int) -> Iterator[Proxy]:
    proxy = Proxy(target_port)
    try:
        yield proxy
    finally:
        proxy.refuse()
