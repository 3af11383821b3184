"""People who play against bots over HTTP, and write down every answer that they get."""

import json
import secrets
import threading
import time
from http.client import HTTPConnection, HTTPException
from typing import Any

PASSWORD = "correct horse battery"
API = "/api/v1"


class Person(threading.Thread):
    """Somebody with an account who plays one game after the other until told to stop."""

    def __init__(self, port: int, host: str, seconds_between_requests: float = 0.0) -> None:
        super().__init__(daemon=True)
        self.port, self.host, self.pause = port, host, seconds_between_requests
        self.name_of_account = f"p{secrets.token_hex(6)}"
        self.token = ""
        self.game = ""
        self.versions: dict[str, int] = {}
        self.statuses: list[int] = []
        self.failures: list[str] = []
        self.slowest = 0.0
        self.is_told_to_stop = threading.Event()
        self._connection: HTTPConnection | None = None

    def sign_up(self) -> None:
        answer = self.ask("POST", "/players", {"username": self.name_of_account, "password": PASSWORD})
        self.token = find(answer, "token")

    def sign_in(self) -> None:
        """Get another token with name and password."""
        self.token = ""
        answer = self.ask("POST", "/sessions", {"username": self.name_of_account, "password": PASSWORD})
        self.token = find(answer, "token")

    def new_game(self) -> None:
        plan = {"ruleset": "lite", "bots": ["easy"] * 3, "time_control": {"kind": "untimed"}}
        self.game = str(self.ask("POST", "/games", plan, key=secrets.token_hex(8))["id"])

    def state(self) -> dict[str, Any]:
        return self.ask("GET", f"/games/{self.game}")

    def act(self) -> bool:
        """Bid or play if it is time for that; tell whether the game goes on."""
        state = self.state()
        you = state.get("you") or {}
        if you.get("legal_bids"):
            state = self.ask("POST", f"/games/{self.game}/bids", {"bid": you["legal_bids"][0]})
        elif you.get("legal_plays"):
            state = self.ask("POST", f"/games/{self.game}/plays", {"card": you["legal_plays"][0]})
        self.versions[self.game] = max(self.versions.get(self.game, 0), int(state.get("version", 0)))
        return state.get("status", "active") == "active"

    def play_to_the_end(self, seconds: float = 120) -> None:
        ends_at = time.monotonic() + seconds
        while self.act():
            assert time.monotonic() < ends_at, self.state()

    def run(self) -> None:
        while not self.is_told_to_stop.is_set():
            if not self.game or not self.act():
                self.new_game()
            time.sleep(self.pause)

    def stop(self) -> None:
        self.is_told_to_stop.set()
        if self.ident is not None:
            self.join(60)
        assert not self.is_alive()
        self.close()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def ask(self, method: str, path: str, body: Any = None, key: str = "") -> dict[str, Any]:
        """Ask once; what is no good answer is written down as a failure."""
        headers = {"Host": self.host, "Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= {"Idempotency-Key": key} if key else {}
        began = time.monotonic()
        try:
            if self._connection is None:
                self._connection = HTTPConnection("127.0.0.1", self.port, timeout=30)
            self._connection.request(method, API + path, json.dumps(body) if body is not None else None, headers)
            answer = self._connection.getresponse()
            status, text = answer.status, answer.read()
        except (OSError, HTTPException) as error:
            self.close()
            self.failures.append(f"{method} {path}: {error!r}")
            return {}
        self.slowest = max(self.slowest, time.monotonic() - began)
        self.statuses.append(status)
        found: dict[str, Any] = json.loads(text) if text else {}
        if status >= 400:
            self.failures.append(f"{method} {path}: {status} {found.get('code')}")
        return found


def find(answer: Any, name: str) -> str:
    """Return the text called *name*, however deep in *answer*."""
    if isinstance(answer, dict):
        if isinstance(answer.get(name), str):
            return str(answer[name])
        for inner in answer.values():
            if found := find(inner, name):
                return found
    return ""
