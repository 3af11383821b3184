"""GET /bots: which bots may be seated."""

import json

import pytest

from bots.engine import LEVELS
from tests.contract import Api
from tests.players.people import asha, guest

pytestmark = pytest.mark.django_db


def test_the_bots_are_listed_with_level_name_and_description() -> None:
    answer = json.loads(asha().get("/bots").content)
    assert [(bot["level"], bot["name"]) for bot in answer["results"]] == [
        ("easy", "Easy bot"),
        ("medium", "Medium bot"),
    ]
    assert [bot["description"] for bot in answer["results"]] == [level.description for level in LEVELS.values()]
    assert answer["next"] is None


def test_a_guest_may_see_them_and_a_stranger_may_not() -> None:
    assert guest().get("/bots").status_code == 200
    assert Api().get("/bots").status_code == 401


def test_they_are_only_to_be_read() -> None:
    assert asha().post("/bots", {}).status_code == 405
