"""Chromium without a window, driven through the pipe of its DevTools protocol."""

import fcntl
import itertools
import json
import os
import select
import shutil
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--remote-debugging-pipe",
)  # fmt: skip
PATIENCE = 180
"""Seconds that a condition in a page may take to come true beside busy programs."""


class Browser:
    """One tab. Requests that the page makes are kept in ``requests``."""

    def __init__(self, write: int, read: int) -> None:
        self._write, self._read = write, read
        self._buffer = b""
        self._numbers = itertools.count(1)
        self._session: str | None = None
        self.requests: list[str] = []
        self.events: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and wait for its result."""
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def open(self, path: Path, width: int, *, dark: bool = False) -> None:
        """Load a file into a window of this width and wait until it is there."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.requests.clear()
        self.events.clear()
        self.call("Page.navigate", url=path.as_uri())
        while "Page.loadEventFired" not in self.events:
            self._receive()

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def _receive(self) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE
        while b"\0" not in self._buffer:
            ready = select.select([self._read], [], [], max(deadline - time.monotonic(), 0))[0]
            assert ready, "the browser does not answer"
            self._buffer += os.read(self._read, 1 << 20)
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        if "method" in message:
            self.events.append(message["method"])
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
        return message


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """Start Chromium with a new profile; end it at the end."""
    to_read, to_write = os.pipe()
    from_read, from_write = os.pipe()
    # The protocol uses descriptors 3 and 4 of the browser, which may be taken here.
    ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 20) for end in (to_read, from_write)]
    silent = os.open(os.devnull, os.O_RDWR)
    connections = [(ends[0], 3), (ends[1], 4), (silent, 1), (silent, 2)]
    process = os.posix_spawn(
        PROGRAM,
        [PROGRAM, *_FLAGS, f"--user-data-dir={profile}"],
        os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, ours, its) for ours, its in connections],
    )
    for end in (to_read, from_write, *ends, silent):
        os.close(end)
    try:
        yield Browser(to_write, from_read)
    finally:
        os.close(to_write)  # the browser ends when nobody listens any more
        os.close(from_read)
        os.kill(process, signal.SIGTERM)
        os.waitpid(process, 0)
