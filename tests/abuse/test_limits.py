"""No header, no hopping and no hurry gets more through than a limit allows."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from callbreak_site.http import throttles
from tests.contract import Api
from tests.games.api.tables import Someone
from tests.players.people import asha

pytestmark = pytest.mark.django_db
PASSWORD = "a wet otter on a bus"
FORGED: list[dict[str, str]] = [
    {},
    {"X_Forwarded_For": "192.0.2.{}"},
    {"X_Forwarded_For": "192.0.2.{}, 198.51.100.{}, 127.0.0.1"},
    {"X_Forwarded_For": "unknown, _hidden{}, ::ffff:192.0.2.{}, , "},
    {"Forwarded": 'for="[2001:db8::{}]:4711";proto=https'},
    {"X_Real_IP": "192.0.2.{}"},
    {
        "CF_Connecting_IP": "192.0.2.{}", "True_Client_IP": "192.0.2.{}", "X_Client_IP": "192.0.2.{}",
        "X_Cluster_Client_IP": "192.0.2.{}", "Fastly_Client_IP": "192.0.2.{}", "Via": "1.1 192.0.2.{}",
        "X_Forwarded": "for=192.0.2.{}", "Remote_Addr": "192.0.2.{}", "User_Agent": "browser {}",
    },
]  # fmt: skip
LIMIT = len(FORGED)
# Where a request seems to come from, for each time: whoever hops is one place.
PLACES: dict[str, Callable[[int], str]] = {
    "one address": lambda _: "203.0.113.9",
    "one address in two writings": lambda time: ["203.0.113.9", "::ffff:203.0.113.9"][time % 2],
    "one customer's IPv6 network": lambda time: f"2001:db8:0:7:{time:x}::{time + 1:x}",
    "a socket without addresses": lambda _: "",
}
SPENDERS: dict[str, Callable[[Api, int, dict[str, str]], Any]] = {
    "anonymous": lambda api, _, headers: api.get("/games/" + "0" * 32, **headers),
    "sign_up": lambda api, _, headers: api.post("/players/guest", {}, **headers),
    "sign_in_address": lambda api, time, headers: api.post(
        "/sessions", {"username": f"nobody-{time}", "password": "wrong"}, **headers
    ),
    "sign_in": lambda api, time, headers: api.post(
        "/sessions", {"username": ["asha", "ASHA", "Asha"][time % 3], "password": f"wrong-{time}"}, **headers
    ),
}


@pytest.fixture(autouse=True)
def counted_anew() -> Iterator[None]:
    """Begin with an empty count, and leave none."""
    throttles.counters.cache_clear()
    throttles.counters().shared.storage.reset()
    yield
    throttles.counters.cache_clear()


@pytest.fixture
def limited(settings: Any) -> Callable[[str], None]:
    """Return what sets the limit of one lane."""

    def limit(*lanes: str) -> None:
        settings.THROTTLES = {**settings.THROTTLES, **dict.fromkeys(lanes, f"{LIMIT}/minute")}

    return limit


def let_through(answers: Iterator[Any]) -> int:
    """Return how many of twice as many as allowed got through; fail unless the others are told to wait."""
    statuses = []
    for answer in answers:
        statuses.append(answer.status_code)
        if answer.status_code == 429:
            assert int(answer.headers["Retry-After"]) > 0
    assert 429 in statuses and set(statuses[statuses.index(429) :]) == {429}
    return statuses.index(429)


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
@pytest.mark.parametrize("lane", SPENDERS)
def test_a_limit_by_address_holds_for_one_place_whatever_is_forged(
    lane: str, place: Callable[[int], str], limited: Any
) -> None:
    asha()
    limited(lane)

    def ask(time: int) -> Any:
        forged = FORGED[time % len(FORGED)]
        headers = {name: text.replace("{}", str(time + 1)) for name, text in forged.items()}
        return SPENDERS[lane](Api(REMOTE_ADDR=place(time)), time, headers)

    assert let_through(map(ask, range(2 * LIMIT))) == LIMIT


@pytest.mark.parametrize("lane", SPENDERS)
def test_behind_our_proxy_the_limit_is_for_whoever_the_proxy_has_seen(lane: str, limited: Any, settings: Any) -> None:
    settings.TRUSTED_PROXIES = ["10.0.0.0/8"]
    limited(lane)
    times = count()

    def ask(seen: str, forged: str = "192.0.2.{}") -> Any:
        time = next(times)
        chain = ", ".join([forged.replace("{}", str(time)), seen, "10.0.0.3"])
        return SPENDERS[lane](Api(REMOTE_ADDR="10.0.0.2"), time, {"X_Forwarded_For": chain})

    assert let_through(ask("203.0.113.9") for _ in range(2 * LIMIT)) == LIMIT
    assert let_through(ask("203.0.113.10", "10.0.0.{}") for _ in range(2 * LIMIT)) == LIMIT
    assert let_through(ask(f"2001:db8:0:8::{time:x}") for time in range(2 * LIMIT)) == LIMIT
    # Past the proxy nobody's word counts.
    direct = (
        SPENDERS[lane](Api(REMOTE_ADDR="203.0.113.11"), time, {"X_Forwarded_For": f"10.0.0.{time}"}) for time in times
    )
    assert let_through(next(direct) for _ in range(2 * LIMIT)) == LIMIT


@pytest.mark.parametrize(
    ("lane", "ask"),
    [
        ("read", lambda api: api.get("/limits")),
        ("write", lambda api: api.patch("/me", {})),
        ("write", lambda api: api.post("/nothing", {})),
        ("play", lambda api: api.post(f"/games/{'0' * 32}/bids", {"bid": 1})),
    ],
)
def test_a_limit_by_token_holds_from_everywhere(lane: str, ask: Any, limited: Any) -> None:
    limited(lane)
    someone, other = Someone(), Someone()

    def one(time: int) -> Any:
        return ask(Api(someone.token, REMOTE_ADDR=f"198.51.100.{time}"))

    assert let_through(map(one, range(2 * LIMIT))) == LIMIT
    assert ask(other).status_code != 429


def test_guessing_ones_password_is_counted_by_player_whatever_the_token(limited: Any) -> None:
    tokens = [
        Api().post("/sessions", {"username": asha_signed_up(), "password": PASSWORD}).json()["token"] for _ in range(3)
    ]
    limited("sign_in")

    def guess(time: int) -> Any:
        body = {"old": f"wrong-{time}", "new": "a dry otter on a bus"}
        return Api(tokens[time % 3], REMOTE_ADDR=f"198.51.100.{time}").post("/me/password", body)

    assert let_through(map(guess, range(2 * LIMIT))) == LIMIT
    assert Api(tokens[0]).delete("/me", {"password": PASSWORD}).status_code == 429


def asha_signed_up() -> str:
    """Make sure of an account of the name that is returned."""
    Api().post("/players", {"username": "asha", "password": PASSWORD})
    return "asha"


def test_signing_in_rightly_gives_strangers_no_more_guesses(limited: Any) -> None:
    asha_signed_up()
    limited("sign_in")
    for time in range(LIMIT - 1):
        SPENDERS["sign_in"](Api(REMOTE_ADDR="203.0.113.9"), time, {})
    # Its owner, at home, is neither slowed by the stranger nor of help to him.
    at_home = Api(REMOTE_ADDR="198.51.100.1")
    assert at_home.post("/sessions", {"username": "asha", "password": PASSWORD}).status_code == 201
    stranger = [SPENDERS["sign_in"](Api(REMOTE_ADDR="203.0.113.9"), time, {}).status_code for time in range(3)]
    assert stranger == [401, 429, 429]
    assert at_home.post("/sessions", {"username": "asha", "password": PASSWORD}).status_code == 201
