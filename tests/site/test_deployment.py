"""What is said to run elsewhere is there, and says the truth."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from callbreak_site.embedded import stack
from games.stream.places import MOST_AT_ONCE
from tests.site import serving

CHECKOUT = Path(__file__).resolve().parents[2]
APP_SERVICES = ("web", "web2", "stream", "worker", "beat")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    return serving.compose()


def words_of(command: list[str]) -> list[list[str]]:
    """Return the programs that a command of compose.yaml runs, each with its arguments."""
    if command[:2] != ["sh", "-c"]:
        return [command]
    parts = [part.split() for part in command[2].split("&&")]
    return [[word for word in part if word != "exec" and "=" not in word.split("--")[0]] for part in parts]


def test_compose_runs_one_image_for_web_worker_and_clock(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {"postgres", "redis", "proxy", *APP_SERVICES}
    assert {compose["services"][name]["image"] for name in APP_SERVICES} == {"callbreak"}


@pytest.mark.parametrize("name", APP_SERVICES)
def test_every_program_of_ours_in_compose_is_installed(compose: dict[str, Any], name: str) -> None:
    for program, *_ in words_of(compose["services"][name]["command"]):
        assert (
            program == "python" or shutil.which(program, path=str(CHECKOUT / ".venv" / "bin")) or shutil.which(program)
        )


def test_the_worker_listens_to_every_queue(compose: dict[str, Any]) -> None:
    command = compose["services"]["worker"]["command"]
    queues = command[command.index("--queues") + 1].split(",")
    assert set(queues) == {queue.name for queue in settings.CELERY_TASK_QUEUES}
    assert f"--queues {','.join(queues)} " in (CHECKOUT / "callbreak_site/embedded/stack.py").read_text()


def test_what_compose_speaks_of_is_there(compose: dict[str, Any]) -> None:
    assert set(compose) == {"name", "x-app", "x-web", "services", "networks", "volumes"}
    for service in compose["services"].values():
        assert {"image", "restart"} <= set(service)
        for volume in service.get("volumes", ()):
            source, target, *_ = volume.split(":")
            assert target.startswith("/")
            is_file = (CHECKOUT / source).is_file()
            assert is_file if source.endswith(".conf") else source.startswith("./") or source in compose["volumes"]
        assert set(service.get("networks", {})) <= set(compose["networks"])


def test_nothing_but_the_proxy_can_be_reached_from_outside(compose: dict[str, Any]) -> None:
    assert {name for name, service in compose["services"].items() if "ports" in service} == {"proxy"}


def test_both_web_servers_go_by_the_name_that_the_proxy_asks_for(compose: dict[str, Any]) -> None:
    assert "set $app app;" in (CHECKOUT / "proxy" / "site.conf").read_text()
    for name in ("web", "web2"):
        assert compose["services"][name]["networks"]["default"]["aliases"] == ["app"]
        assert name in compose["services"][name]["environment"]["ALLOWED_HOSTS"].split(",")


def test_streams_are_sent_to_the_service_that_serves_them(compose: dict[str, Any]) -> None:
    assert "set $stream stream;" in (CHECKOUT / "proxy" / "site.conf").read_text()
    command = compose["services"]["stream"]["command"]
    assert command[-1] == stack.WEB.split()[-1] == "callbreak_site.asgi:application"
    kill_timeout = int(command[command.index("--workers-kill-timeout") + 1])
    assert kill_timeout < int(compose["services"]["stream"]["stop_grace_period"].removesuffix("s"))
    assert int(command[command.index("--backpressure") + 1]) > MOST_AT_ONCE


def test_the_web_servers_believe_their_own_network_only(compose: dict[str, Any]) -> None:
    (network,) = compose["networks"]["default"]["ipam"]["config"]
    assert compose["services"]["web"]["environment"]["TRUSTED_PROXIES"] == network["subnet"]


def test_whoever_is_told_to_stop_is_given_time_to(compose: dict[str, Any]) -> None:
    def seconds(name: str) -> int:
        return int(compose["services"][name]["stop_grace_period"].removesuffix("s"))

    assert seconds("worker") > settings.CELERY_TASK_TIME_LIMIT
    command = compose["services"]["web"]["command"][2].split()
    kill_timeout = int(command[command.index("--workers-kill-timeout") + 1])
    assert settings.STATEMENT_TIMEOUT_MS / 1000 < kill_timeout < seconds("web")


def test_every_web_server_takes_the_same_requests(compose: dict[str, Any]) -> None:
    own = stack.WEB[stack.WEB.index("--no-ws") :].partition("--backpressure")[0].split()
    image = re.sub(r'[",\\\n ]+', " ", (CHECKOUT / "Dockerfile").read_text())
    streams = " ".join(compose["services"]["stream"]["command"])
    for shipped in (compose["services"]["web"]["command"][2], image, streams):
        assert " ".join(own) in shipped


def test_every_service_waits_for_what_it_needs(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for service in services.values():
        for other in service.get("depends_on", {}):
            assert "healthcheck" in services[other]


def test_the_example_environment_has_what_compose_asks_for(compose: dict[str, Any]) -> None:
    offered = set(re.findall(r"^([A-Z_]+)=", (CHECKOUT / ".env.example").read_text(), re.M))
    asked = set(re.findall(r"\$\{([A-Z_]+)", (CHECKOUT / "compose.yaml").read_text()))
    assert asked | {"SECRET_KEY", "ALLOWED_HOSTS"} <= offered


def test_the_image_does_not_run_as_root() -> None:
    lines = (CHECKOUT / "Dockerfile").read_text().splitlines()
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    assert users
    assert users[-1] not in ("root", "0")
    assert lines.index(f"USER {users[-1]}") < next(n for n, line in enumerate(lines) if line.startswith("CMD"))


def test_the_readme_names_every_variable_that_is_read() -> None:
    readme = (CHECKOUT / "README.md").read_text()
    source = "\n".join(path.read_text() for path in (CHECKOUT / "callbreak_site").rglob("*.py"))
    read = set(re.findall(r"env\.\w+\(\s*\"([A-Z_]+)\"", source)) | set(
        re.findall(r"environ\.get\(\"([A-Z_]+)\"", source)
    )
    internal = {"DJANGO_SETTINGS_MODULE", "CB_FAILPOINTS"}
    lanes = {name for name in read if name.startswith("THROTTLE_")}
    assert {name for name in read - internal - lanes if f"`{name}`" not in readme} == set()
    assert {lane for lane in lanes if f"_{lane.removeprefix('THROTTLE_')}`" not in readme} == set()


def test_every_make_target_of_the_readme_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (CHECKOUT / "Makefile").read_text(), re.M))
    named = set(re.findall(r"(?:^|`|\w+=\S+ )make ([a-z-]+)", (CHECKOUT / "README.md").read_text(), re.M))
    assert {"run", "test", "admin", "backup", "restore"} <= named <= targets


def test_everything_pinned_has_a_hash_and_no_address() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        text = (CHECKOUT / name).read_text()
        packages = re.findall(r"^[a-zA-Z0-9][^\n]*==[^\n]*(?:\n    --hash[^\n]*)*", text, re.M)
        assert packages
        assert all("--hash=sha256:" in package for package in packages)
        assert "://" not in text


def test_the_import_contract_is_kept() -> None:
    done = subprocess.run(
        [CHECKOUT / ".venv/bin/lint-imports", "--no-logo"], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_every_app_is_placed_in_the_import_contract_whole() -> None:
    contracts = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    exhaustive = {name for c in contracts if c.get("exhaustive") for name in c["containers"]}
    assert exhaustive == {"callbreak_site", "players", "games", "bots"}


def test_no_file_is_long() -> None:
    for folder in ("callbreak_site", "players", "games", "bots"):
        for path in (CHECKOUT / folder).rglob("*.py"):
            if "migrations" not in path.parts:
                assert len(path.read_text().splitlines()) < 300, path
