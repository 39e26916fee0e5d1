"""A wire to a server, which can be cut: browsers that no test can take offline."""

import socket
from contextlib import suppress
from threading import Thread


class Wire:
    """A port of this machine that leads to another, as long as it is whole."""

    def __init__(self, host: str, port: int) -> None:
        """Lead to that port."""
        self._goal = (host, port)
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
                far = socket.create_connection(self._goal)
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    Thread(target=_carry, args=[one, other], daemon=True).start()

    def cut(self) -> None:
        """Refuse everybody, and drop who is connected."""
        for end in (self._listener, *self._ends):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def mend(self) -> None:
        """Lead there again."""
        self._listener = self._listen(self.port)


def _carry(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while part := one.recv(65536):
            other.sendall(part)
    for end in (one, other):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
