"""The tables are read as they were at one moment, whatever goes on meanwhile."""

import os
from random import Random
from urllib.parse import urlsplit

import pytest
from django.db import connection

from tests.faults.checker import at_one_moment
from tests.faults.record import records
from tests.games.tables import act, four_at_a_table, play_on


@pytest.mark.django_db(transaction=True)
def test_a_game_that_goes_on_while_games_are_read_is_read_as_it_was() -> None:
    first, second = (play_on(four_at_a_table()[0], Random(1), acts=6) for _ in range(2))
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}").geturl()
    with at_one_moment(url) as reading:
        read = records(reading)
        assert next(read).id == first.id
        act(second, Random(1))
        record = next(read)
    assert (record.id, record.game["version"]) == (second.id, second.version)
    assert [event["version"] for event in record.events] == list(range(1, second.version + 1))
