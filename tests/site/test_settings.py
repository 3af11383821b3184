"""What is unsafe in production does not start, and what can't be is told in a sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_django import Settings

from callbreak_site import checks
from callbreak_site.embedded import addresses, folders

CHECKOUT = Path(__file__).resolve().parents[2]
GOOD_KEY = "kq3-Zr8_wPm2vXc7LtY5nBf9Jd1Hs6Ga0Qe4Ui-Oy_Rp8TzW2x"
MAIL = {"EMAIL_URL": "smtp+tls://u:p@mail.example:587", "EMAIL_FROM": "Callbreak <cards@callbreak.example>"}
SAFE = {"CALLBREAK_ENV": "production", "SECRET_KEY": GOOD_KEY, "ALLOWED_HOSTS": "callbreak.example", **MAIL}


@pytest.fixture
def production(settings: Settings) -> Settings:
    settings.CALLBREAK_ENV, settings.IS_PRODUCTION = "production", True
    settings.SECRET_KEY, settings.IS_SECRET_KEY_GIVEN = GOOD_KEY, True
    settings.ALLOWED_HOSTS = ["callbreak.example"]
    settings.DEBUG, settings.FAILPOINTS = False, ""
    settings.USES_HTTPS, settings.SERVERS_GIVEN = True, {"DATABASE_URL", "REDIS_URL"}
    return settings


def test_safe_production_settings_are_not_refused(production: Settings) -> None:
    assert checks.dangers() == []
    checks.refuse_dangers()


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("DEBUG", True, "DEBUG is on"),
        ("IS_SECRET_KEY_GIVEN", False, "SECRET_KEY is not set"),
        ("SECRET_KEY", "django-insecure-" + GOOD_KEY, "SECRET_KEY is a default"),
        ("SECRET_KEY", "x" * 60, "SECRET_KEY is a default"),
        ("SECRET_KEY", GOOD_KEY[:49], "SECRET_KEY is a default"),
        ("ALLOWED_HOSTS", [], "ALLOWED_HOSTS is not set"),
        ("ALLOWED_HOSTS", ["callbreak.example", "*"], "ALLOWED_HOSTS has a *"),
        ("FAILPOINTS", "move.before_commit=exit", "CB_FAILPOINTS is set"),
        ("SERVERS_GIVEN", {"REDIS_URL"}, "DATABASE_URL is not set"),
        ("SERVERS_GIVEN", {"DATABASE_URL"}, "REDIS_URL is not set"),
        ("USES_HTTPS", False, "USES_HTTPS is off"),
        ("BEHIND_PROXY", True, "TRUSTED_PROXIES is not set"),
        ("TRUSTED_PROXIES", ["10.0.0.0/8", "::/0"], "TRUSTED_PROXIES has ::/0"),
        ("METRICS_TOKEN", "x" * 15, "METRICS_TOKEN is too easy"),
        ("CALLBREAK_ENV", "staging", "CALLBREAK_ENV is 'staging'"),
        ("THROTTLES", {"read": "a lot"}, "THROTTLE_READ is 'a lot'"),
    ],
)
def test_what_is_unsafe_in_production_refuses_to_start(
    production: Settings, name: str, value: object, complaint: str
) -> None:
    setattr(production, name, value)
    assert [error.msg for error in checks.production_is_safe()] == checks.dangers()
    with pytest.raises(SystemExit, match="Refusing to start") as refusal:
        checks.refuse_dangers()
    assert complaint in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("METRICS_TOKEN", "x" * 16),
        ("TRUSTED_PROXIES", ["10.0.0.0/8", "fc00::/7", "192.0.2.1"]),
        ("THROTTLES", {"read": ""}),
        ("ALLOWED_HOSTS", [".callbreak.example", "web"]),
        ("SECURE_HSTS_SECONDS", 0),
    ],
)
def test_what_is_unusual_but_safe_is_not_refused(production: Settings, name: str, value: object) -> None:
    setattr(production, name, value)
    assert checks.dangers() == []


def test_plain_http_is_not_refused_where_no_stranger_comes(production: Settings) -> None:
    production.USES_HTTPS, production.ALLOWED_HOSTS = False, ["192.168.1.5", "cards.local", "web"]
    assert checks.dangers() == []
    production.ALLOWED_HOSTS = ["192.168.1.5", "callbreak.example"]
    assert checks.dangers() != []


def python(tmp_path: Path, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    names = ("PATH", "DATABASE_URL", "REDIS_URL")
    env = {name: os.environ[name] for name in names} | {"CALLBREAK_DATA_DIR": str(tmp_path)} | environment
    env["DJANGO_SETTINGS_MODULE"] = "callbreak_site.settings"
    return subprocess.run(
        [sys.executable, "-c", code], env=env, cwd=CHECKOUT, capture_output=True, text=True, check=False, timeout=60
    )


def manage(tmp_path: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return python(tmp_path, f"import sys, manage; sys.argv = ['manage.py', *{words!r}]; manage.main()", **environment)


def test_web_servers_workers_and_commands_refuse_alike(tmp_path: Path) -> None:
    unsafe = {**SAFE, "DEBUG": "on"}
    worker = (
        "from celery.signals import worker_init; import callbreak_site.celery; worker_init.send(sender=None); print(1)"
    )
    for done in (
        python(tmp_path, "import callbreak_site.wsgi; print(1)", **unsafe),
        python(tmp_path, f"import django; django.setup(); {worker}", **unsafe),
        manage(tmp_path, "check", **unsafe),
        manage(tmp_path, "up", **unsafe),
    ):
        assert (done.returncode, done.stdout) == (1, "")
        assert "DEBUG is on" in done.stderr
        assert "Traceback" not in done.stderr


def test_safe_production_settings_pass_djangos_own_deployment_checks(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **SAFE)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_site_that_can_send_no_mail_is_warned_of(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", **{**SAFE, "EMAIL_URL": ""})
    assert (done.returncode, "EMAIL_URL is not set" in done.stderr) == (0, True)


def test_a_database_that_is_away_gets_a_sentence(tmp_path: Path) -> None:
    done = manage(tmp_path, "showmigrations", DATABASE_URL="postgres://nobody@127.0.0.1:1/nothing")
    assert done.returncode == 1
    assert done.stderr.startswith("The database does not answer: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("url", ["nonsense", "sqlite:///x.db", "mysql://h/x", "postgres://u@h:port/x", "postgres://h"])
def test_a_database_that_is_no_postgresql_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="DATABASE_URL must look like postgres://"):
        addresses.checked(url, "DATABASE_URL")


@pytest.mark.parametrize("url", ["redis", "http://localhost", "redis://[::1/0"])
def test_a_redis_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="REDIS_URL must look like redis://"):
        addresses.checked(url, "REDIS_URL")


def test_a_wrong_variable_gets_a_sentence(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", DATABASE_URL="mysql://localhost/x")
    assert done.stderr.strip() == (
        "The environment is not right: DATABASE_URL must look like postgres://user:password@host:5432/name"
    )


def test_the_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    key = folders.secret_key(tmp_path)
    assert len(key) >= 50
    assert folders.secret_key(tmp_path) == addresses.secret_key(tmp_path) == key
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600


def test_a_level_of_logging_that_is_none_gets_a_sentence(tmp_path: Path) -> None:
    refused = manage(tmp_path, "check", LOG_LEVEL="LOUD")
    assert refused.returncode != 0
    assert "LOG_LEVEL must be" in refused.stderr
    assert "Traceback" not in refused.stderr
