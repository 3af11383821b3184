"""The embedded PostgreSQL and Redis of one data folder, ready to start."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

from callbreak_site.embedded import binaries, folders, orphans, postgres, reach
from callbreak_site.embedded.postgres import Cluster
from callbreak_site.embedded.redis import Redis

Say = Callable[[str], None]
# One small machine for everything; PostgreSQL's own defaults otherwise.
FAST_SHUTDOWN = signal.SIGINT
SETTINGS = {"max_connections": "100", "shared_buffers": "128MB", "timezone": "UTC", "log_timezone": "UTC"}
# Statements hold cards and addresses, and so does the detail of what fails: no log, no list of activities shows them.
DISCREET = {
    "log_statement": "none",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_min_duration_statement": "-1",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "track_activities": "off",
}
SETTINGS |= DISCREET


def cluster_of(data: Path, say: Say) -> Cluster:
    """Return the cluster of *data*, which may not have been made yet."""
    user = postgres.unprivileged_user()
    home = reach.postgres_home(data, user, say)
    bindir = reach.reachable_bindir(binaries.postgres_bindir(home), data, user, say)
    return Cluster(
        home, folders.sockets(home.parent / "postgres-run", user), bindir, data / "logs" / "postgres.log", user
    )


def start_cluster(cluster: Cluster, data: Path, say: Say) -> subprocess.Popen[bytes]:
    """Start the cluster of *data*, making it first if it is new, and have the database in it."""
    orphans.end_server(cluster.pgdata / "postmaster.pid", "postgres", FAST_SHUTDOWN)
    if not cluster.pgdata.exists():
        say("Making the database …")
        cluster.create()
    reach.link_postgres(data, cluster.pgdata)
    server = cluster.start(SETTINGS)
    cluster.create_database()
    return server


def redis_of(data: Path) -> Redis:
    """Return the Redis of *data*; unlike PostgreSQL it runs as whoever we are."""
    return Redis(
        data / "redis", folders.sockets(data / "redis-run", None), binaries.redis_server(), data / "logs" / "redis.log"
    )


def start_redis(redis: Redis) -> subprocess.Popen[bytes]:
    """Start the Redis, ending one that an earlier run left behind."""
    orphans.end_server(redis.pidfile, "-server", signal.SIGTERM)
    return redis.start()
