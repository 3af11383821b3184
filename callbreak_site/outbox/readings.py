"""What operators watch of the outbox: facts that wait, who was seen when, and what waits at the broker."""

import logging
import math
from datetime import timedelta

import redis
from django.conf import settings
from django.db.models import Count, F, Min
from django.db.models.functions import Now
from redis.backoff import NoBackoff
from redis.retry import Retry

from callbreak_site.metrics.readings import Reading
from callbreak_site.outbox.models import Fact, Heartbeat

log = logging.getLogger(__name__)

SECONDS_TO_WAIT = 1
SEEN = ("sweep", "worker", "beat")
NONE = timedelta(0)


def of_rows() -> list[Reading]:
    """Return how many facts are unhandled, how old the oldest is, and how long ago each part was seen."""
    facts = Fact.objects.filter(handled_at=None).aggregate(count=Count("id"), age=Now() - Min("created_at"))
    ages = dict(Heartbeat.objects.filter(name__in=SEEN).values_list("name", Now() - F("seen_at")))
    told = "Time since this part of the service was seen."
    return [
        Reading("callbreak_unhandled_facts", "Facts that have not reached all who hear them.", facts["count"]),
        Reading("callbreak_oldest_unhandled_fact_seconds", "Age of the oldest of them.", seconds(facts["age"] or NONE)),
        *(Reading("callbreak_heartbeat_age_seconds", told, seconds(ages.get(part)), {"part": part}) for part in SEEN),
    ]


def of_broker() -> list[Reading]:
    """Return how many messages wait in each queue, and whether the broker answered within a second."""
    up, told = "callbreak_broker_up", "Whether the broker answers."
    queues = [queue.name for queue in settings.CELERY_TASK_QUEUES]
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=SECONDS_TO_WAIT,
            socket_connect_timeout=SECONDS_TO_WAIT,
            retry=Retry(NoBackoff(), 0),
        ) as client:
            lengths = [int(client.llen(queue)) for queue in queues]
    except (redis.RedisError, OSError) as error:
        log.warning("nothing read of the broker: %s", type(error).__name__)
        return [Reading(up, told, 0)]
    waiting = "callbreak_queue_messages", "Messages that no worker has taken."
    return [Reading(up, told, 1), *(Reading(*waiting, n, {"queue": q}) for q, n in zip(queues, lengths, strict=True))]


def seconds(age: timedelta | None) -> float:
    """Return *age* in seconds; what was never seen is infinitely long ago.

    >>> seconds(timedelta(minutes=1)), seconds(None)
    (60.0, inf)
    """
    return math.inf if age is None else age.total_seconds()
