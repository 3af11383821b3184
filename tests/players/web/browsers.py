"""Browsers of people who have an account, are guests, or are nobody yet."""

import re
from typing import Any

from django.contrib.auth import get_user_model
from django.test import Client

from players.services import accounts
from tests.players.people import PASSWORD

CHROME = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36"
)
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"


def person(name: str = "asha", email: str = "") -> Any:
    """Open an account without a request."""
    opened = accounts.open_account(username=name, password=PASSWORD, email=email)
    return get_user_model().objects.get(pk=opened.id)


def browser(name: str | None = None, password: str = PASSWORD, agent: str = CHROME, **options: Any) -> Client:
    """Open a browser, and sign in if somebody is named."""
    client = Client(headers={"User-Agent": agent}, **options)
    if name is not None:
        answer = sign_in(client, name, password)
        assert answer.status_code == 302, words_of(answer)
    return client


def sign_in(client: Client, name: str, password: str = PASSWORD, **more: str) -> Any:
    """Send the form of the door."""
    return client.post("/account/sign-in", {"username": name, "password": password, **more})


def guest_browser() -> tuple[Client, Any]:
    """Open a browser in which a guest plays; return who it is, too."""
    client = browser()
    player = get_user_model().objects.get(pk=accounts.open_guest().id)
    client.force_login(player, backend="players.web.backend.OpenAccounts")
    return client, player


def is_signed_in(client: Client) -> bool:
    """Tell whether the site knows who is in front of this browser."""
    return bool(client.get("/account/").status_code == 200)


def words_of(answer: Any) -> str:
    """Return the text of a page."""
    main = answer.content.decode().partition("<main")[2].partition(">")[2].partition("</main>")[0]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", main))
