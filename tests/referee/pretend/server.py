"""The pretended service: callers, problems, retries with a key, and the way to the routes."""

import hashlib
import json
import re
import threading

import httpx

from . import accounts, lobby, table
from .game import Refusal, clock_at

PUBLIC = re.compile(r"/games/\w+(/events|/fairness|/rounds/\d+(/proof)?)?")
JSON_HEADERS = {"Cache-Control": "private, no-store"}
KEY = re.compile(rb"[\x21-\x7e]{1,255}")
ROUTES = [*accounts.ROUTES, *lobby.ROUTES, *table.ROUTES]


class Call:
    """One request on its way."""

    def __init__(self, server, request):
        self.server, self.request = server, request
        self.method, self.path = request.method, request.url.path.removeprefix("/api/v1")
        self.query = dict(request.url.params)
        self.caller = self.token = None
        self.headers = {}

    def need(self, scope):
        """Refuse a caller without a token, or one whose token lacks *scope*."""
        if self.caller is None:
            raise Refusal(401, "not_authenticated")
        if scope not in self.token["scopes"]:
            raise Refusal(403, "missing_scope")

    def form(self, fields, required=()):
        """Return the body once it has *required* and only *fields*, each a name with a predicate."""
        try:
            body = json.loads(self.request.content or b"{}", object_pairs_hook=once_each)
        except (ValueError, RecursionError) as fault:
            raise Refusal(400, "invalid", errors={"body": ["not JSON"]}) from fault
        if not isinstance(body, dict):
            raise Refusal(400, "invalid", errors={"body": ["not an object"]})
        faults = {name: ["unknown"] for name in body if name not in fields}
        faults |= {name: ["required"] for name in required if name not in body}
        faults |= {name: ["wrong"] for name in body if name in fields and not fields[name](body[name])}
        key = self.request.headers.get("Idempotency-Key")
        if key is not None and self.caller and not KEY.fullmatch(key.encode("latin-1")):
            faults["Idempotency-Key"] = ["1–255 visible ASCII characters"]
        if faults:
            raise Refusal(400, "invalid", errors=faults)
        return body

    def once(self, body, act):
        """Return what *act* answers, or what it answered to the same key before."""
        key = self.request.headers.get("Idempotency-Key")
        if key is None or self.caller is None:
            return act()
        stored = self.server.answers.get((self.caller["id"], self.path, key))
        if stored is None:
            status, answer = act()
            kept = {name: value for name, value in (answer or {}).items() if name != "token"}
            self.server.answers[self.caller["id"], self.path, key] = (body, status, kept if answer else None)
            return status, answer
        if stored[0] != body:
            raise Refusal(422, "idempotency_key_reused")
        you = (stored[2] or {}).get("you")
        game = self.server.games.get((stored[2] or {}).get("id"))
        if you and you["hand"] and game.seat_of(self.caller["username"]) is None:
            raise Refusal(403, "not_seated")
        self.headers["Idempotent-Replayed"] = "true"
        return stored[1:]


class Pretend:
    """The service; *speed* makes its clock run faster, *tamper* may spoil an answer's JSON to try the referee.

    With *busy* every so many-th request is answered 429.
    """

    def __init__(self, speed=1, tamper=None, busy=0, seed_sitting=0):
        self.clock, self.tamper, self.busy = clock_at(speed), tamper, busy
        self.players, self.tokens, self.games, self.reservations, self.answers = {}, {}, {}, {}, {}
        self.count = seed_sitting
        self.are_bots_awake = True
        self.lock = threading.Lock()

    def tick(self, game):
        """Let time pass in *game*."""
        table.tick(self, game)

    def transport(self):
        """Return what an httpx client sends through."""
        return httpx.MockTransport(self.answer)

    def answer(self, request):
        """Answer one request."""
        with self.lock:
            self.count += 1
            call = Call(self, request)
            if self.busy and self.count % self.busy == 0:
                status, body = 429, problem(429, "rate_limited")
                call.headers |= {"Retry-After": "0", "RateLimit": "x", "RateLimit-Policy": "x"}
            else:
                status, body = self.respond(call)
            if self.tamper and status < 400 and isinstance(body, dict):
                body = json.loads(json.dumps(body))
                body = self.tamper(call, body) or body
            return self.dress(call, status, body)

    def respond(self, call):
        """Return status and body."""
        try:
            call.token = self.tokens.get(call.request.headers.get("Authorization", "").removeprefix("Bearer "))
            call.caller = call.token and call.token["player"]
            if "Authorization" in call.request.headers and not call.token:
                raise Refusal(401, "not_authenticated")
            for method, pattern, scope, handler in ROUTES:
                match = re.fullmatch(pattern, call.path)
                if match and method == call.method:
                    is_public = method == "GET" and PUBLIC.fullmatch(call.path)
                    if scope and not (is_public and not call.caller):
                        call.need(scope)
                    return handler(call, *match.groups())
            call.need(next(iter(call.token["scopes"])) if call.token else "any")
            raise Refusal(404, "not_found")
        except Refusal as refusal:
            return refusal.status, problem(refusal.status, refusal.code, **refusal.extra)

    def dress(self, call, status, body):
        """Return the response with its headers."""
        headers = JSON_HEADERS | call.headers
        headers["Date"] = self.clock().strftime("%a, %d %b %Y %H:%M:%S GMT")
        if status >= 400:
            headers["Content-Type"] = "application/problem+json"
        if status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        if call.method == "GET" and re.fullmatch(r"/games/\w{32}", call.path) and status == 200:
            still = json.loads(json.dumps(body))
            if still["turn"]:
                still["turn"].pop("seconds_left", None)
            headers["ETag"] = f'"{hashlib.sha256(json.dumps(still).encode()).hexdigest()}"'
            if headers["ETag"] in call.request.headers.get("If-None-Match", ""):
                return httpx.Response(304, headers=headers)
        if isinstance(body, str):
            return httpx.Response(status, headers=headers, text=body)
        if body is None:
            return httpx.Response(status, headers=headers)
        content = json.dumps(body).encode()
        return httpx.Response(status, headers={"Content-Type": "application/json"} | headers, content=content)


def once_each(pairs):
    """Return *pairs* as a dict; ValueError when a name comes twice."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name twice")
    return fields


def problem(status, code, **extra):
    """Return the body of a refusal."""
    return {"type": "about:blank", "title": code, "status": status, "detail": code, "code": code, **extra}
