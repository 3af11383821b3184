"""Gauges: read from the rows and the broker when somebody asks, so that they are right whichever process answers."""

import logging
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.conf import settings
from django.db import Error, connection, transaction
from django.utils.module_loading import import_string
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

log = logging.getLogger(__name__)

MILLISECONDS_TO_READ = 2_000
DATABASE_UP = "callbreak_database_up"


@dataclass(frozen=True)
class Reading:
    """One value: what it is called, what it says, and whether it only ever grows."""

    name: str
    help: str
    value: float
    labels: dict[str, str] = field(default_factory=dict)
    is_counter: bool = False


class Readings(Collector):
    """Everything that the settings name as to be read."""

    def collect(self) -> Iterator[Metric]:
        """Read; while the database is away only that is told, and what is not in it."""
        yield from families([*of_broker(), *of_rows()])


def of_broker() -> list[Reading]:
    """Return what is read without the database."""
    return [reading for name in settings.READINGS_OF_BROKER for reading in import_string(name)()]


def of_rows() -> list[Reading]:
    """Return what is read from the database, and whether it answered."""
    told = "Whether the database answers."
    try:
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(MILLISECONDS_TO_READ)])
            found = [reading for name in settings.READINGS_OF_ROWS for reading in import_string(name)()]
    except Error as error:
        log.warning("nothing read for the metrics: %s", type(error).__name__)
        return [Reading(DATABASE_UP, told, 0)]
    return [*found, Reading(DATABASE_UP, told, 1)]


def of_server() -> list[Reading]:
    """Return what PostgreSQL itself counts of this database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        (deadlocks,) = cursor.fetchone()
        cursor.execute("SELECT relname, n_tup_ins, n_dead_tup FROM pg_stat_user_tables")
        tables = cursor.fetchall()
    readings = [Reading("callbreak_deadlocks", "Deadlocks in the database.", deadlocks, is_counter=True)]
    for table, inserted, dead in tables:
        label = {"table": table}
        readings.append(Reading("callbreak_rows_inserted", "Rows inserted.", inserted, label, is_counter=True))
        readings.append(Reading("callbreak_dead_rows", "Rows that wait for a vacuum.", dead, label))
    return readings


def families(readings: list[Reading]) -> Iterator[Metric]:
    """Return *readings* as Prometheus has them, those of one name together."""
    by_name = defaultdict(list)
    for reading in readings:
        by_name[reading.name].append(reading)
    for name, same in by_name.items():
        labels = list(same[0].labels)
        kind = CounterMetricFamily if same[0].is_counter else GaugeMetricFamily
        family = kind(name, same[0].help, labels=labels)
        for reading in same:
            family.add_metric([reading.labels[label] for label in labels], reading.value)
        yield family
