"""Somebody who follows a game as a browser does: he comes back where he was whenever the stream breaks off."""

import json
import threading
from contextlib import suppress
from http.client import HTTPException
from typing import Any, Self

from tests.games.stream.house import open_connection, wait_until

SECONDS_BEFORE_AGAIN = 0.2


class Listener(threading.Thread):
    """Hears the events of a game until the end is told, or until told to stop."""

    def __init__(self, port: int, game_id: str, *, cookie: str = "", source: str = "127.0.0.1", after: int = 0) -> None:
        super().__init__(daemon=True)
        self.port, self.path = port, f"/games/{game_id}/stream?after={after}"
        self.cookie, self.source, self.last_id = cookie, source, ""
        self.events: list[dict[str, Any]] = []
        self.text: list[str] = []
        self.statuses: list[int] = []
        self.is_at_end = False
        self.failure = ""
        self._is_told_to_stop = threading.Event()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.tell_to_stop()
        self.join(15)
        assert not self.failure, self.failure

    def tell_to_stop(self) -> None:
        """Let him go after the next line that he hears."""
        self._is_told_to_stop.set()

    @property
    def versions(self) -> list[int]:
        return [event["version"] for event in self.events]

    def run(self) -> None:
        try:
            while not (self.is_at_end or self._is_told_to_stop.is_set()):
                with suppress(OSError, HTTPException):
                    self._follow()
                self._is_told_to_stop.wait(SECONDS_BEFORE_AGAIN)
        except Exception as error:
            self.failure = repr(error)
            raise

    def _follow(self) -> None:
        told = {"Last_Event_ID": self.last_id} if self.last_id else {}
        with open_connection(self.port, self.path, cookie=self.cookie, source=self.source, **told) as answer:
            self.statuses.append(answer.status)
            if answer.status != 200:
                self._is_told_to_stop.set()
                return
            message: dict[str, str] = {}
            while not self._is_told_to_stop.is_set() and (line := answer.readline()):
                text = line.decode().rstrip("\n")
                self.text.append(text)
                if text:
                    name, _, value = text.partition(":")
                    message[name] = value.removeprefix(" ")
                elif "id" in message:
                    self.last_id = message["id"]
                    self.events.append(json.loads(message["data"]))
                    assert self.events[-1]["version"] == int(self.last_id)
                    message = {}
                elif message.get("event") == "end":
                    self.is_at_end = True
                    return
                else:
                    message = {}

    def wait_for(self, version: int, seconds: float = 10) -> float:
        """Wait until an event is told, and return how long that took."""
        return wait_until(
            lambda: bool(self.events) and self.events[-1]["version"] >= version, seconds, lambda: f"{self.versions}"
        )

    def wait_to_begin(self) -> None:
        wait_until(lambda: bool(self.text), 10, lambda: f"{self.statuses}")
