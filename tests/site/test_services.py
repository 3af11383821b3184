"""The plugin gives every run a PostgreSQL and a Redis of its own."""

import os

import pytest
import redis
from django.db import connection


@pytest.mark.django_db
def test_the_tests_run_on_a_real_postgresql_that_keeps_utc() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT version(), current_setting('TimeZone'), current_setting('lock_timeout')")
        version, zone, lock_timeout = cursor.fetchone()
    assert version.startswith("PostgreSQL")
    assert (zone, lock_timeout) == ("UTC", "3s")


def test_the_tests_run_on_a_real_redis() -> None:
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        assert client.ping()
