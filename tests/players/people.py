"""People who have an account already."""

from typing import Any

from players.services import accounts
from tests.contract import Api

PASSWORD = "a wet otter on a bus"


def asha(name: str = "asha", **environ: Any) -> Api:
    """Sign somebody up, without a request."""
    return Api(accounts.sign_up(username=name, password=PASSWORD).token, **environ)


def guest() -> Api:
    """Let a guest in, without a request."""
    return Api(accounts.sign_up_guest().token)
