"""The stored memory of Python's first start on a phone, reused for phones of other tests.

A first start takes five seconds of a core, and dozens of tests need a phone that has started
before. Only tests of the start itself begin without it.
"""

import base64
import json
import os
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from playwright.sync_api import BrowserContext, Error

READ_SNAPSHOT = """
  async () => {
    if (!(await caches.has("tricky-memory"))) return null;
    const kept = await caches.open("tricky-memory");
    const whole = (await kept.keys()).find(({ url }) => !url.includes("&start="));
    if (!whole) return null;
    const head = await kept.match(whole);
    const [key, length] = [head.headers.get("X-Key"), Number(head.headers.get("X-Bytes"))];
    const parts = [];
    const add = (bytes) => {
      for (let at = 0; at < bytes.length; at += 30000)
        parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 30000))));
    };
    const bytesOf = async (answer) => new Uint8Array(await answer.arrayBuffer());
    const first = await bytesOf(head);
    add(first);
    for (let start = 0; start < length;) {
      const bytes = await bytesOf(await kept.match(`${whole.url}&key=${key}&start=${start}`));
      add(bytes);
      start += bytes.length;
    }
    return [whole.url, first.length, parts];
  }
"""
STORE_SNAPSHOT = """
  (async () => {
    if (!self.caches || self !== top || (await caches.has("tricky-memory"))) return;
    const given = await fetch("FILE");
    if (!given.ok) return;
    const all = await given.blob();
    const [head, memory] = [all.slice(0, HEAD), all.slice(HEAD)];
    const headers = { "X-Key": "given", "X-Bytes": String(memory.size) };
    const kept = await caches.open("tricky-memory");
    await kept.put("ADDRESS&key=given&start=0", new Response(memory));
    await kept.put("ADDRESS", new Response(head, { headers }));
  })().catch(() => {});
"""


class Memory:
    """The memory of the first phone that started, served to later ones.

    Parallel test processes share it, as it is among the static files.
    """

    def __init__(self, statics: Path) -> None:
        self.file, self.description = statics / "memory", statics / "memory.json"

    def restore_to(self, context: BrowserContext) -> None:
        """Store the memory on the phone, if there is one already."""
        if self.description.exists():
            address, head = json.loads(self.description.read_text())
            file = f"{settings.STATIC_URL}{self.file.name}"
            script = STORE_SNAPSHOT.replace("FILE", file).replace("ADDRESS", address)
            context.add_init_script(script.replace("HEAD", str(head)))

    def save_from(self, context: BrowserContext) -> None:
        for page in () if self.description.exists() else context.pages:
            # Pages of other sites and crashed pages have no memory.
            with suppress(Error):
                if snapshot := page.evaluate(READ_SNAPSHOT):
                    url, head, parts = snapshot
                    # The port differs between processes.
                    address = urlsplit(url)._replace(scheme="", netloc="").geturl()
                    write_atomically(self.file, b"".join(map(base64.b64decode, parts)))
                    write_atomically(
                        self.description, json.dumps([address, head]).encode()
                    )


def write_atomically(file: Path, content: bytes) -> None:
    """Write a file atomically."""
    unfinished = file.with_suffix(f".{os.getpid()}")
    unfinished.write_bytes(content)
    unfinished.replace(file)
