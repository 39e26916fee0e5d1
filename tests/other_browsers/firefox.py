"""Debian's Firefox, driven by WebDriver BiDi without a driver program."""

import json
import re
import subprocess
import tempfile
from base64 import b64decode
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from selenium.webdriver.remote.websocket_connection import WebSocketConnection

from tests.other_browsers.phone import PATIENCE, SIZE, Phone, ScriptError

LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


class Firefox(Phone):
    def __init__(self, origin: str, binary: str) -> None:
        super().__init__(origin)
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        log = Path(self._profile.name, "log.txt")
        command = [binary, "--headless", "--remote-debugging-port=0"]
        command += ["--profile", self._profile.name, "--no-remote", "about:blank"]
        with log.open("wb") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output)
        self._socket = WebSocketConnection(
            f"{_find_address(log)}/session", PATIENCE, 0.01
        )
        self._send("session.new", {"capabilities": {}})
        self._send("session.subscribe", {"events": ["log.entryAdded"]})
        (self._page, *_more) = self._send("browsingContext.getTree", {})["contexts"]
        size = {"width": SIZE[0], "height": SIZE[1]}
        self._send("browsingContext.setViewport", {**self._context, "viewport": size})

    @property
    def _context(self) -> dict[str, Any]:
        return {"context": self._page["context"]}

    def _send(self, method: str, params: dict[str, Any]) -> Any:
        reply = self._socket.send_cmd(method, params)
        assert "error" not in reply, (method, reply)
        return reply["result"]

    def navigate(self, url: str) -> None:
        self._send(
            "browsingContext.navigate",
            {**self._context, "url": url, "wait": "complete"},
        )

    def evaluate(self, script: str) -> Any:
        request = {
            "expression": f"Promise.resolve({script}).then((v) => JSON.stringify(v ?? null))",
            "target": self._context,
            "awaitPromise": True,
        }
        reply = self._socket.send_cmd("script.evaluate", request)
        evaluation = reply.get("result", {})
        if evaluation.get("type") != "success":
            if "exceptionDetails" in evaluation:
                raise ScriptError(evaluation["exceptionDetails"]["text"])
            return None
        return json.loads(evaluation["result"]["value"])

    def tap_at(self, x: float, y: float) -> None:
        finger = {
            "type": "pointer",
            "id": "finger",
            "parameters": {"pointerType": "touch"},
            "actions": [
                {"type": "pointerMove", "x": round(x), "y": round(y)},
                {"type": "pointerDown", "button": 0},
                {"type": "pause", "duration": 30},
                {"type": "pointerUp", "button": 0},
            ],
        }
        self._send("input.performActions", {**self._context, "actions": [finger]})

    def picture(self) -> bytes:
        screenshot = self._send("browsingContext.captureScreenshot", self._context)
        return b64decode(screenshot["data"])

    def close(self) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait()
        self._profile.cleanup()


def _find_address(log: Path) -> str:
    """Return the WebSocket URL of Firefox, once it is in its log."""
    deadline = monotonic() + PATIENCE
    while monotonic() < deadline:
        if match := LISTENING.search(log.read_text(errors="replace")):
            return match[1]
        sleep(0.1)
    raise AssertionError(log.read_text(errors="replace"))
