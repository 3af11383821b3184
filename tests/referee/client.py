"""A client of the API that remembers every request and answer, and doubts each of them a little."""

import json
import re
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

import httpx

from . import leaks, shapes
from .shapes import Wrong, must

LONGEST_WAIT_S = 90
LONGEST_TEXT = 6000
REMEMBERED = 40
READS = ("GET", "HEAD")
IN_A_GAME = re.compile(r"/games/[0-9a-f]{32}")


@dataclass(frozen=True)
class Exchange:
    """One request and its answer."""

    caller: str
    method: str
    url: str
    sent: Any
    status: int
    headers: httpx.Headers
    text: str
    key: str | None = None

    @property
    def answer(self):
        """The body as JSON, None when there is none."""
        return json.loads(self.text) if self.text else None

    def __str__(self):
        headers = {name: value for name, value in self.headers.items() if name.lower() != "set-cookie"}
        lines = [
            f"{self.caller}: {self.method} {self.url}",
            *([f"  Idempotency-Key: {self.key}"] if self.key else []),
            f"  sent: {json.dumps(self.sent)}",
            f"  answered {self.status} {headers}",
            f"  {self.text[:LONGEST_TEXT]}",
        ]
        return "\n".join(lines)


class Client:
    """Speaks as one caller, with *token* or without; raises Wrong for an answer that no request may get.

    An answer 429 is obeyed: the request is sent again after the time it names, a bounded number of times.
    """

    def __init__(self, base_url, token=None, name="nobody", transport=None):
        self.base_url = base_url.rstrip("/")
        self.name = name
        self.token = token
        self.transport = transport
        self.http = httpx.Client(base_url=self.base_url, transport=transport, timeout=30, follow_redirects=False)
        self.exchanges = deque(maxlen=REMEMBERED)
        self.count = 0

    def with_token(self, token, name=None):
        """Return a client of the same service that shows *token* instead."""
        return Client(self.base_url, token, name or self.name, self.transport)

    def send(self, method, path, body=None, *, key=None, raw=None, headers=None):
        """Send one request, once, and return the Exchange; *raw* bytes go out instead of *body* as JSON."""
        url = path if path.startswith(("/", "http")) else f"/api/v1/{path}"
        content = raw if raw is not None else None if body is None else json.dumps(body).encode()
        sending = {"Accept": "application/json"}
        if content is not None:
            sending["Content-Type"] = "application/json"
        if self.token:
            sending["Authorization"] = f"Bearer {self.token}"
        if key is not None:
            sending["Idempotency-Key"] = key
        try:
            answer = self.http.request(method, url, content=content, headers=sending | (headers or {}))
        except httpx.TransportError as fault:
            sent = f"{self.name}: {method} {url}\n  sent: {content!r}"
            raise Wrong(f"no answer: {fault!r}\n{sent}", is_blamed=True) from fault
        sent = body if raw is None else raw.decode("latin-1")
        shown_key = key.decode("latin-1") if isinstance(key, bytes) else key
        exchange = Exchange(self.name, method, url, sent, answer.status_code, answer.headers, answer.text, shown_key)
        self.exchanges.append(exchange)
        self.count += 1
        return exchange

    def ask(self, method, path, body=None, *, expect=None, hurry=False, **how):
        """Send a request, obeying 429, and return the Exchange after checking what holds for every answer.

        *expect* is the status, or a tuple of them, that alone is right; in a *hurry* a 429 is returned too.
        """
        waited_s = 0.0
        while True:
            exchange = self.send(method, path, body, **how)
            with blame(exchange):
                check_answer(exchange)
                if exchange.status != 429 or hurry:
                    break
                wait_s = int(exchange.headers["Retry-After"])
                waited_s += wait_s
                must(waited_s <= LONGEST_WAIT_S, f"asked to wait {waited_s} s in all")
            time.sleep(wait_s)
        if expect is not None:
            wanted = expect if isinstance(expect, tuple) else (expect,)
            with blame(exchange):
                must(exchange.status in wanted, f"status {exchange.status} where {expect} is right")
        return exchange

    def get(self, path, expect=200, **how):
        """Return the JSON of a GET that must succeed."""
        return self.ask("GET", path, expect=expect, **how).answer

    def post(self, path, body=None, expect=(200, 201), **how):
        """Return the JSON of a POST that must succeed."""
        return self.ask("POST", path, {} if body is None else body, expect=expect, **how).answer

    def refused(self, status, code, method, path, body=None, **how):
        """Send a request that must be refused with *status* and *code* (one, several, None for any) and return it."""
        exchange = self.ask(method, path, body, expect=status, **how)
        with blame(exchange):
            codes = code if isinstance(code, tuple) else (code,)
            found = exchange.answer["code"]
            must(code is None or found in codes, f"code {found!r} where {code!r} is right")
            if found == "invalid":
                must(bool(exchange.answer.get("errors")), "a refusal `invalid` without `errors`")
        return exchange

    def pages(self, path, most=200):
        """Return all results of a list, following `next` at most *most* times."""
        results, url = [], path
        for _ in range(most):
            exchange = self.ask("GET", url, expect=200)
            with blame(exchange):
                shapes.check(exchange.answer, shapes.PAGE, "list")
            results += exchange.answer["results"]
            url = exchange.answer["next"]
            if not url:
                break
        return results


class blame:
    """Put the request and answer concerned into whatever Wrong (or missing field) comes up inside."""

    def __init__(self, exchange):
        self.exchange = exchange

    def __enter__(self):
        return self.exchange

    def __exit__(self, kind, error, trace):
        if isinstance(error, Wrong) and not error.is_blamed:
            raise Wrong(f"{error}\n{self.exchange}", is_blamed=True) from error
        if isinstance(error, (KeyError, TypeError, IndexError, ValueError, AttributeError)):
            raise Wrong(f"{kind.__name__}: {error}\n{self.exchange}", is_blamed=True) from error


def check_answer(exchange):
    """Raise Wrong unless *exchange* has what every answer must have."""
    headers, status = exchange.headers, exchange.status
    if status == 503:
        must(headers.get("Retry-After", "").isdecimal(), "503 without Retry-After")
    must(status < 500, f"the service failed with {status}")
    if status in (204, 304):
        must(exchange.text == "", f"{status} with a body")
    elif "format=text" not in exchange.url or status >= 400:
        kind = headers.get("Content-Type", "").split(";")[0]
        wanted = "application/json" if status < 400 else "application/problem+json"
        must(kind == wanted, f"Content-Type {kind!r} where {wanted!r} is right")
    if status >= 400:
        check_problem(exchange)
    if status == 401:
        must(headers.get("WWW-Authenticate", "").startswith("Bearer"), "401 without WWW-Authenticate: Bearer")
    check_caching(exchange)
    if exchange.method == "GET" and not IN_A_GAME.search(exchange.url):
        must(not leaks.cards_shown(exchange), f"cards outside a game: {leaks.cards_shown(exchange)}")


def check_problem(exchange):
    """Raise Wrong unless the answer of *exchange* is a problem as RFC 9457 and the contract have it."""
    problem = exchange.answer
    shapes.check(problem, shapes.PROBLEM, "problem")
    must(problem["status"] == exchange.status, f"problem says status {problem['status']}")
    if exchange.status == 401:
        must(problem["code"] == "not_authenticated", f"401 with code {problem['code']!r}")
    if exchange.status == 404:
        must(problem["code"] == "not_found", f"404 with code {problem['code']!r}")
    if exchange.status == 429:
        seconds = exchange.headers.get("Retry-After", "")
        must(seconds.isdecimal(), f"429 with Retry-After {seconds!r}")
        for name in ("RateLimit", "RateLimit-Policy"):
            must(name in exchange.headers, f"429 without {name}")
    if "errors" in problem:
        must(isinstance(problem["errors"], dict), "`errors` is not by field")


def check_caching(exchange):
    """Raise Wrong unless *exchange* may not be kept by anybody; what is public and immutable may."""
    if exchange.status < 400 and exchange.method in READS:
        path = exchange.url.split("?")[0]
        if "/rounds/" in path or path.endswith(("/fairness", "/export", "/rulesets", "/bots", "/limits")):
            return
    control = {part.strip() for part in exchange.headers.get("Cache-Control", "").lower().split(",")}
    must({"private", "no-store"} <= control, f"Cache-Control {exchange.headers.get('Cache-Control')!r}")
