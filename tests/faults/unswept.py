"""The Celery application of a worker that never sweeps: what is not delivered again is lost."""

from django.conf import settings

from callbreak_site.celery import app

__all__ = ["app"]

settings.SWEEPS = []
