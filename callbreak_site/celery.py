"""The Celery application, for workers and beat."""

import os

from celery import Celery
from celery.signals import beat_init, setup_logging, worker_init

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
