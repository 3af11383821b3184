"""One command starts everything, and what was played survives whatever ends it."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from callbreak_site.embedded import orphans
from tests.site.running import Running, data_folder, free_port, kill, manage, parent_of, wait_until_gone

pytestmark = pytest.mark.slow
SECONDS_FOR_A_SECOND_START = 10


@pytest.fixture(scope="module")
def data() -> Iterator[Path]:
    with data_folder() as folder:
        yield folder


@pytest.fixture
def running(data: Path) -> Iterator[Running]:
    service = Running(data, free_port())
    try:
        service.wait_until_ready()
        yield service
    finally:
        everything = service.processes()
        service.stop()
        kill(everything)


def test_it_starts_refuses_a_second_start_and_stops_cleanly(running: Running) -> None:
    data, port = running.data, running.port
    assert any(f"http://127.0.0.1:{port}/" in line for line in running.told)
    assert any("make admin" in line for line in running.told)
    assert running.get("/readyz")["status"] == "ready"

    again = manage(data, "up", PORT=str(free_port()))
    assert again.returncode == 1
    assert f"Callbreak already runs on the data in {data} (process {running.process.pid})" in again.stderr
    with data_folder() as other_data:
        taken = manage(other_data, "up", PORT=str(port))
    assert taken.returncode == 1
    assert f"Port {port} is taken by another program" in taken.stderr
    assert "Traceback" not in again.stderr + taken.stderr

    everything = running.processes()
    assert running.stop(signal.SIGINT) == 0
    running.wait_for("Stopped.")
    wait_until_gone(everything, seconds=2)
    assert orphans.marked(data) == []
    assert "shut down" in (data / "logs" / "postgres.log").read_text().splitlines()[-1]


def test_a_second_start_is_ready_within_ten_seconds_with_everything_there(data: Path) -> None:
    first = Running(data, free_port())
    try:
        first.wait_until_ready()
        token = str(first.post("/api/v1/players/guest", {})["token"])
        me = first.get("/api/v1/me", token)
        everything = first.processes()
        assert len(everything) > 8
        kill(everything)
        wait_until_gone(everything)
        assert first.process.wait(5) == -signal.SIGKILL
    finally:
        kill(first.processes())
    second = Running(data, free_port())
    try:
        assert second.wait_until_ready() < SECONDS_FOR_A_SECOND_START
        assert second.get("/api/v1/me", token) == me
        assert second.stop() == 0
    finally:
        kill(second.processes())


def test_nothing_outlives_a_killed_supervisor_and_the_next_start_need_not_wait(data: Path) -> None:
    first = Running(data, free_port())
    first.wait_until_ready()
    everything = first.processes()
    kill(everything[:1])
    # At once, while the children still stop.
    second = Running(data, first.port)
    try:
        second.wait_until_ready()
        wait_until_gone(everything)
        assert second.stop() == 0
    finally:
        kill(everything + second.processes())


def test_every_part_that_dies_comes_back(running: Running) -> None:
    told = json.loads((running.data / "services.json").read_text())
    assert told["pid"] == running.process.pid
    kill([child for child in running.processes() if parent_of(child) == running.process.pid])
    for name in ("database", "Redis", "web server", "worker", "clock"):
        running.wait_for(f"The {name} ended (SIGKILL); starting it again in 1 s.")


def test_a_database_or_redis_that_is_named_but_away_gets_a_sentence(data: Path) -> None:
    for environment, sentence in (
        (
            {"DATABASE_URL": "postgres://u:s3cret@127.0.0.1:1/x"},
            "The database that DATABASE_URL names does not answer: ",
        ),
        ({"REDIS_URL": "redis://:s3cret@127.0.0.1:1/0"}, "The Redis that REDIS_URL names does not answer: "),
        ({"PORT": "eight"}, "PORT is 'eight'"),
    ):
        done = manage(data, "up", **environment)
        assert (done.returncode, done.stdout) == (1, "")
        assert sentence in done.stderr
        assert "Traceback" not in done.stderr
        assert "s3cret" not in done.stderr
