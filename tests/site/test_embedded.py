"""The embedded servers: which programs, which folder, whose, and that nothing outlives its parent."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from callbreak_site.embedded import binaries, folders, orphans, processes, reach
from callbreak_site.embedded.processes import EmbeddedError
from callbreak_site.embedded.supervisor import Service, Supervisor, shorten
from tests.site.running import data_folder, is_gone

AS_ROOT = pytest.mark.skipif(os.getuid() != 0, reason="needs root, to become somebody else")
SLEEP = "import time; time.sleep(60)"


def wait_until(condition: object, seconds: float = 10) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


class TestPrograms:
    def test_the_environment_names_them(self, tmp_path: Path) -> None:
        (tmp_path / "postgres").write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 17.3'\n")
        (tmp_path / "postgres").chmod(0o755)
        assert binaries.postgres_bindir(tmp_path / "rows", {"PG_BINDIR": str(tmp_path)}) == tmp_path
        assert binaries.redis_server({"REDIS_SERVER": str(tmp_path / "postgres")}) == tmp_path / "postgres"

    def test_a_wrong_name_gets_a_sentence(self, tmp_path: Path) -> None:
        with pytest.raises(EmbeddedError, match=r"PG_BINDIR is .*, but there is no program `postgres` in it"):
            binaries.postgres_bindir(tmp_path, {"PG_BINDIR": str(tmp_path)})
        with pytest.raises(EmbeddedError, match=r"REDIS_SERVER is .*, but there is no such program"):
            binaries.redis_server({"REDIS_SERVER": str(tmp_path / "redis")})

    def test_new_data_get_the_newest_wheel(self, tmp_path: Path) -> None:
        assert binaries.major_version(binaries.postgres_bindir(tmp_path, {})) == "18"

    def test_old_data_get_the_version_that_made_them(self, tmp_path: Path) -> None:
        (tmp_path / "PG_VERSION").write_text("16\n")
        assert binaries.major_version(binaries.postgres_bindir(tmp_path, {})) == "16"

    def test_data_of_a_version_that_is_not_there_get_a_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "PG_VERSION").write_text("9.6\n")
        with pytest.raises(EmbeddedError, match=r"made by PostgreSQL 9\.6, and no PostgreSQL 9\.6 was found"):
            binaries.postgres_bindir(tmp_path, {})


class TestFolder:
    def test_it_is_held_by_one_process_at_a_time(self, tmp_path: Path) -> None:
        folders.make(tmp_path)
        with folders.held(tmp_path):
            assert folders.is_held(tmp_path)
            with (
                pytest.raises(EmbeddedError, match=rf"already runs on the data in .* \(process {os.getpid()}\)"),
                folders.held(tmp_path),
            ):
                pass
        assert not folders.is_held(tmp_path)

    def test_a_file_in_its_place_gets_a_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "var").touch()
        with pytest.raises(EmbeddedError, match="is not a folder"):
            folders.make(tmp_path / "var")

    def test_sockets_of_a_long_path_go_to_a_short_one(self, tmp_path: Path) -> None:
        long = tmp_path / ("d" * 100) / "run"
        short = folders.sockets(long, None)
        assert len(str(short / folders.LONGEST_SOCKET_NAME)) <= folders.LONGEST_SOCKET_PATH
        assert short == folders.sockets(long, None)
        assert short.stat().st_mode & 0o777 == 0o700
        short.rmdir()

    def test_sockets_are_not_put_where_somebody_else_was_first(self, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "run").symlink_to(tmp_path / "elsewhere")
        with pytest.raises(EmbeddedError, match="should be a folder of user number"):
            folders.sockets(tmp_path / "run", None)

    @AS_ROOT
    def test_as_root_a_folder_in_use_by_another_is_left_to_them(self, tmp_path: Path) -> None:
        folders.make(tmp_path)
        os.chown(tmp_path / "lock", 1234, 1234)
        with pytest.raises(EmbeddedError, match="belongs to user number 1234: run as that user"):
            folders.make(tmp_path)


@AS_ROOT
class TestReach:
    """As root, PostgreSQL runs as somebody else, who cannot enter root's home."""

    NOBODY = (65534, 65534)

    @pytest.fixture
    def data(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
        """A data folder below one that only root may enter."""
        monkeypatch.setattr(reach, "FOR_ALL", Path("/tmp"))
        closed = tmp_path / "home"
        closed.mkdir(mode=0o700)
        folders.make(closed / "var")
        yield closed / "var"
        shutil.rmtree(reach.elsewhere(closed / "var"), ignore_errors=True)

    def test_rows_go_where_their_server_can_reach_them_and_are_found_again(self, data: Path) -> None:
        told: list[str] = []
        home = reach.postgres_home(data, self.NOBODY, told.append)
        assert home.parent == reach.elsewhere(data)
        assert "PostgreSQL does not run as root" in told[0]
        assert str(home.parent) in told[0]
        assert reach.may_enter(home.parent, self.NOBODY)
        home.mkdir()
        reach.link_postgres(data, home)
        assert reach.postgres_home(data, self.NOBODY, told.append) == home
        assert len(told) == 1

    def test_rows_that_are_gone_are_not_silently_made_anew(self, data: Path) -> None:
        (data / "postgres").symlink_to(data / "gone")
        with pytest.raises(EmbeddedError, match="which is gone"):
            reach.postgres_home(data, self.NOBODY, print)

    def test_rows_stay_in_a_folder_that_others_may_enter(self) -> None:
        with data_folder() as data:
            folders.make(data)
            assert reach.postgres_home(data, self.NOBODY, print) == data / "postgres"

    def test_programs_out_of_reach_are_copied_once_with_their_libraries(self, data: Path) -> None:
        wheel = binaries.postgres_bindir(data, {}).parent.parent
        for folder in (wheel / "pginstall18", wheel.with_name(f"{wheel.name}.libs")):
            shutil.copytree(folder, data / folder.relative_to(wheel.parent), symlinks=True)
        bindir, told = data / wheel.name / "pginstall18" / "bin", []
        assert not reach.can_run(bindir / "initdb", self.NOBODY)
        copy = reach.reachable_bindir(bindir, data, self.NOBODY, told.append)
        assert copy != bindir
        assert reach.can_run(copy / "initdb", self.NOBODY)
        assert "using a copy in" in told[0]
        assert reach.reachable_bindir(bindir, data, self.NOBODY, told.append) == copy
        assert len(told) == 1


class TestLeash:
    def test_a_child_ends_with_its_killed_parent(self) -> None:
        code = f"""
import sys, time
from callbreak_site.embedded.processes import start
print(start([sys.executable, "-c", {SLEEP!r}]).pid, flush=True)
time.sleep(60)
"""
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
            assert parent.stdout
            child = int(parent.stdout.readline())
            assert not is_gone(child)
            parent.kill()
        wait_until(lambda: is_gone(child))

    def test_elsewhere_than_on_linux_a_watcher_ends_it(self) -> None:
        code = f"""
import subprocess, sys, time
from callbreak_site.embedded import leash
print(subprocess.Popen([sys.executable, "-c", '''
import os, sys
from callbreak_site.embedded import leash
sys.exit(leash.watch(os.getppid(), 15, [sys.executable, "-c", {SLEEP!r}]))
''']).pid, flush=True)
time.sleep(60)
"""
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as parent:
            assert parent.stdout
            watcher = int(parent.stdout.readline())
            children = Path(f"/proc/{watcher}/task/{watcher}/children")
            wait_until(lambda: children.read_text().split())
            child = int(children.read_text().split()[0])
            parent.kill()
        wait_until(lambda: is_gone(child) and is_gone(watcher))

    @AS_ROOT
    def test_it_gives_up_root(self, tmp_path: Path) -> None:
        log = tmp_path / "log"
        processes.start(["/usr/bin/id", "-un"], user=(65534, 65534), log=log).wait()
        assert log.read_text().strip() == "nobody"

    def test_what_does_not_stop_when_asked_is_ended_with_its_children(self) -> None:
        stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); print(flush=True); time.sleep(60)"
        child = processes.start(["/bin/sh", "-c", f"trap '' TERM; {sys.executable} -c '{stubborn}' & wait; wait"])
        children = Path(f"/proc/{child.pid}/task/{child.pid}/children")
        wait_until(lambda: children.read_text().split())
        grandchild = int(children.read_text().split()[0])
        assert not processes.stop(child, signal.SIGTERM, 0.3)
        wait_until(lambda: is_gone(child.pid) and is_gone(grandchild))


class TestOrphans:
    def test_what_an_earlier_run_left_is_ended(self, tmp_path: Path) -> None:
        env = os.environ | {orphans.MARK: str(tmp_path)}
        orphan = subprocess.Popen([sys.executable, "-c", SLEEP], env=env)
        other = subprocess.Popen([sys.executable, "-c", SLEEP], env=os.environ | {orphans.MARK: f"{tmp_path}x"})
        try:
            wait_until(lambda: orphans.marked(tmp_path))
            assert orphans.end_marked(tmp_path) == 1
            assert orphan.wait(5) == -signal.SIGTERM
            assert other.poll() is None
        finally:
            orphan.kill()
            other.kill()
            other.wait()

    def test_a_stale_pid_file_whose_number_now_is_another_program_is_removed(self, tmp_path: Path) -> None:
        pidfile = tmp_path / "postmaster.pid"
        pidfile.write_text(f"{os.getpid()}\n/somewhere\n")
        orphans.end_server(pidfile, "postgres", signal.SIGINT)
        assert not pidfile.exists()


class TestSupervisor:
    def service(self, log: Path, code: str) -> Service:
        return Service("worker", lambda: processes.start([sys.executable, "-c", code], log=log), log, seconds_to_stop=2)

    def test_a_child_that_dies_is_started_again_after_a_pause(self, tmp_path: Path) -> None:
        told: list[str] = []
        supervisor = Supervisor(told.append, is_ready=True)
        service = self.service(tmp_path / "log", SLEEP)
        supervisor.start(service)
        first = service.process
        assert first
        first.kill()
        first.wait()
        supervisor.look()
        assert service.process is None
        assert told == [f"The worker ended (SIGKILL); starting it again in 1 s. See {tmp_path / 'log'}."]
        service.retry_at = 0
        supervisor.look()
        assert service.process
        assert service.process.poll() is None
        supervisor.stop()
        assert service.process is None

    def test_pauses_grow_to_half_a_minute_and_a_steady_child_is_forgiven(self, tmp_path: Path) -> None:
        service = self.service(tmp_path / "log", SLEEP)
        pauses = [service.note_failure(now) for now in range(8)]
        assert pauses == [1, 2, 4, 8, 16, 30, 30, 30]
        assert service.note_failure(1000) == 1

    def test_a_child_that_never_starts_ends_the_start_with_its_last_words(self, tmp_path: Path) -> None:
        supervisor = Supervisor(lambda _: None)
        service = self.service(tmp_path / "log", "raise SystemExit('no such thing')")
        supervisor.start(service)
        with pytest.raises(EmbeddedError, match="no such thing"):
            while True:
                service.retry_at = 0
                supervisor.look()
                time.sleep(0.05)

    def test_a_long_log_is_begun_anew(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("callbreak_site.embedded.supervisor.LONGEST_LOG_BYTES", 10)
        log = tmp_path / "web.log"
        with log.open("ab", buffering=0) as writer:
            writer.write(b"a long line\n")
            shorten(log)
            writer.write(b"new\n")
        assert log.read_bytes() == b"new\n"
        assert (tmp_path / "web.log.1").read_bytes() == b"a long line\n"
