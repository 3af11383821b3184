"""A worker that lost its Redis hears of it as of a lost connection, which it expects."""

import pytest
from celery import current_app
from kombu import Connection

from callbreak_site.embedded.addresses import celery_url
from callbreak_site.outbox.broker import Transport
from tests.services import redis, temporary_folder


def test_what_celery_uses_is_our_transport() -> None:
    with current_app.connection_for_write() as connection:
        assert isinstance(connection.transport, Transport)


def test_a_channel_that_outlives_its_connection_finds_the_connection_lost() -> None:
    with temporary_folder() as folder, redis(folder) as server:
        connection = Connection(celery_url(server.url()))
        channel = connection.channel()
        connection.close()
        with pytest.raises(connection.connection_errors):
            channel.queue_purge("turns")
