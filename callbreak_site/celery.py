"""The Celery application, for workers and beat."""

import os
from typing import Any

import structlog
from celery import Celery
from celery.signals import beat_init, setup_logging, task_prerun, worker_init

from callbreak_site.checks import refuse_dangers
from callbreak_site.outbox import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "callbreak_site.settings")

broker.use()
app = Celery("callbreak")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Also for the threads of the web server, which did not import this.
app.set_default()


@setup_logging.connect
def keep_our_logging(**_: object) -> None:
    """Leave logging as the settings have it."""


@worker_init.connect
@beat_init.connect
def refuse_unsafe_production(**_: object) -> None:
    """Stop before the first task if the settings are unsafe."""
    refuse_dangers()


@task_prerun.connect
def remember_where_it_began(task_id: str, task: Any, **_: object) -> None:
    """Let the lines that a task logs share its id, and that of the request whose consequence it is."""
    structlog.contextvars.clear_contextvars()
    request_id = task.request.get("request_id")
    structlog.contextvars.bind_contextvars(task_id=task_id, **({"request_id": request_id} if request_id else {}))
