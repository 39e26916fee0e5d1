"""A wire to a server, which can be cut: browsers that no test can take offline."""

import socket
from contextlib import suppress
from threading import Lock, Thread


class Wire:
    """A port of this machine that leads to another, as long as it is whole."""

    def __init__(self, host: str, port: int) -> None:
        """Lead to that port."""
        self._goal = (host, port)
        self._lock = Lock()
        self._is_cut = False
        self._ends: list[socket.socket] = []
        self._listener = self._listen(0)
        self.port: int = self._listener.getsockname()[1]

    def _listen(self, port: int) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", port))
        Thread(target=self._accept, args=[listener], daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _address = listener.accept()
                self._lead_on(near)

    def _lead_on(self, near: socket.socket) -> None:
        """Connect somebody, unless the wire was cut while they came."""
        try:
            far = socket.create_connection(self._goal)
        except OSError:
            return near.close()
        with self._lock:
            if self._is_cut:
                near.close()
                return far.close()
            self._ends += [near, far]
        for one, other in ((near, far), (far, near)):
            Thread(target=_carry, args=[one, other], daemon=True).start()
        return None

    def cut(self) -> None:
        """Refuse everybody, and drop who is connected."""
        with self._lock:
            self._is_cut = True
            ends, self._ends = [self._listener, *self._ends], []
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def mend(self) -> None:
        """Lead there again."""
        self._is_cut = False
        self._listener = self._listen(self.port)


def _carry(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while part := one.recv(65536):
            other.sendall(part)
    for end in (one, other):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
