"""Threads that race: each call runs on a connection of its own, all of them let go at once."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from django.db import connection

from callbreak_site.errors import ServiceError


def race(*calls: Callable[[], object]) -> list[object]:
    """Run *calls* at the same moment; return each one's answer, or the code of its refusal."""
    gate = threading.Barrier(len(calls))

    def run(call: Callable[[], object]) -> object:
        try:
            connection.ensure_connection()
            gate.wait()
            return call()
        except ServiceError as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
