"""Whether settings name only what is there."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.checks import Error, register
from django.utils.module_loading import import_string


@register()
def what_settings_name_is_there(**_: Any) -> list[Error]:
    """Report what can't be imported, and every queue that no worker has."""
    errors = []
    for setting, name in _named():
        try:
            import_string(name)
        except ImportError as error:
            errors.append(Error(f"{setting} names {name}: {error}", id="outbox.E001"))
    queues = {queue.name for queue in settings.CELERY_TASK_QUEUES}
    for kind, hearing in settings.HEARERS.items():
        if hearing["queue"] not in queues:
            errors.append(
                Error(f"HEARERS[{kind!r}] names the queue {hearing['queue']}, which is none.", id="outbox.E002")
            )
    return errors


def _named() -> Iterator[tuple[str, str]]:
    for hearing in settings.HEARERS.values():
        for name in hearing["call"]:
            yield "HEARERS", name
    for setting in ("SWEEPS", "MAINTENANCE", "READINGS_OF_BROKER", "READINGS_OF_ROWS"):
        for name in getattr(settings, setting):
            yield setting, name
