"""A reading that takes longer than a reading may."""

from django.db import connection

from callbreak_site.metrics.readings import Reading


def nap() -> list[Reading]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(4)")
    return []
