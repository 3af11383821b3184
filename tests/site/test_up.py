"""One command starts everything, and what was played survives whatever ends it."""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from callbreak_site.embedded import orphans
from tests.site.running import Running, data_folder, free_port, kill, manage, parent_of, wait_until_gone

# The tests of this file follow one another on one running service.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data() -> Iterator[Path]:
    with data_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def service(data: Path) -> Iterator[Running]:
    with Running(data, free_port()) as running:
        running.wait_until_ready()
        yield running


def test_it_tells_its_address_once_everything_is_there(service: Running) -> None:
    assert service.get("/readyz")["status"] == "ready"
    assert service.told[-4].endswith(f"http://127.0.0.1:{service.port}/")
    assert any("make admin" in line for line in service.told)


def test_a_second_one_on_the_same_data_or_port_is_refused(service: Running) -> None:
    again = manage(service.data, "up", PORT=str(free_port()))
    assert again.returncode == 1
    expected = f"Callbreak already runs on the data in {service.data} (process {service.process.pid})"
    assert expected in again.stderr
    with data_folder() as other_data:
        taken = manage(other_data, "up", PORT=str(service.port))
    assert taken.returncode == 1
    assert f"Port {service.port} is taken by another program" in taken.stderr
    assert "Traceback" not in again.stderr + taken.stderr


def test_commands_beside_it_find_its_database(service: Running) -> None:
    shown = manage(service.data, "showmigrations", "players")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "[X] 0001_initial" in shown.stdout


def test_a_backup_can_be_made_beside_it_but_not_brought_back(service: Running, tmp_path: Path) -> None:
    file = tmp_path / "callbreak.dump"
    saved = manage(service.data, "backup", str(file))
    assert (saved.returncode, saved.stderr) == (0, "")
    assert file.stat().st_mode & 0o777 == 0o600
    refused = manage(service.data, "restore", str(file))
    assert refused.returncode == 1
    assert "The service is running. Stop it first" in refused.stderr


def test_every_part_that_dies_comes_back(service: Running) -> None:
    kill([child for child in service.processes() if parent_of(child) == service.process.pid])
    missing = {"database", "Redis", "web server", "worker", "clock"}
    while missing:
        line = service.wait_for("ended (SIGKILL); starting it again in 1 s.")
        missing.remove(line.removeprefix("The ").partition(" ended")[0])
    deadline = time.monotonic() + 60
    while not service.is_ready():
        assert time.monotonic() < deadline, service.logs()
        time.sleep(0.2)


def test_what_was_played_survives_whatever_ends_it(service: Running) -> None:
    data = service.data
    token = str(service.post("/api/v1/players/guest", {})["token"])
    me = service.get("/api/v1/me", token)

    # Everything is killed. A second start takes ten seconds on a machine that is not busy with other tests.
    everything = service.processes()
    assert len(everything) > 8
    kill(everything)
    wait_until_gone(everything)
    began = time.monotonic()
    assert manage(data, "check").returncode == 0
    seconds_of_one_command = time.monotonic() - began
    with Running(data, free_port()) as second:
        assert second.wait_until_ready() < max(10, 8 * seconds_of_one_command)
        assert second.get("/api/v1/me", token) == me

        # The supervisor alone is killed; the next start need not wait for its children to end.
        everything = second.processes()
        kill(everything[:1])
        with Running(data, second.port) as third:
            third.wait_until_ready()
            wait_until_gone(everything)
            assert third.get("/api/v1/me", token) == me

            # Ctrl-C, and nothing is left.
            everything = third.processes()
            assert third.stop(signal.SIGINT) == 0
            third.wait_for("Stopped.")
            wait_until_gone(everything, seconds=2)
            assert orphans.marked(data) == []
            assert not (data / "services.json").exists()
            assert "database system is shut down" in (data / "logs" / "postgres.log").read_text().splitlines()[-1]


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
