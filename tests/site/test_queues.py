"""Each queue gets its own messages, once."""

import pytest
import redis
from django.conf import settings

from callbreak_site.celery import app


def declare_queues_as_a_worker_does(client: redis.Redis) -> None:
    client.flushdb()
    with app.connection_for_write() as connection, connection.channel() as channel:
        for queue in app.amqp.queues.consume_from.values():
            queue(channel).declare()


@pytest.mark.parametrize("queue", [queue.name for queue in settings.CELERY_TASK_QUEUES])
def test_a_message_lands_in_its_queue_once(queue: str) -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        declare_queues_as_a_worker_does(client)
        app.send_task("nobody.listens", queue=queue)
        assert {name: client.llen(name) for name in ("turns", "maintenance")} == {"turns": 0, "maintenance": 0} | {
            queue: 1
        }
        client.flushdb()


def test_what_names_no_queue_is_maintenance() -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        declare_queues_as_a_worker_does(client)
        app.send_task("nobody.listens")
        assert (client.llen("turns"), client.llen("maintenance")) == (0, 1)
        client.flushdb()
