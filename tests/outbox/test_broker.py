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


def test_a_message_in_hand_when_redis_goes_is_a_lost_connection() -> None:
    with temporary_folder() as folder:
        with redis(folder) as server:
            connection = Connection(celery_url(server.url()))
            channel = connection.default_channel
            channel.queue_declare("turns")
            channel.basic_publish(channel.prepare_message("hello"), "", "turns")
            message = channel.basic_get("turns")
        connection.close()
        with pytest.raises(connection.connection_errors):
            channel.basic_ack(message.delivery_tag)
        channel.qos._on_collect.cancel()
