"""Failures on purpose happen where and when the text says, and only in tests."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytest_django import Settings

from callbreak_site import checks
from callbreak_site.failpoints import POINTS, FailureOnPurpose, failpoint

CHECKOUT = Path(__file__).resolve().parents[2]
SOURCES = [path for app in ("callbreak_site", "games", "players", "bots") for path in (CHECKOUT / app).rglob("*.py")]


def has_failed(point: str) -> bool:
    try:
        failpoint(point)
    except FailureOnPurpose:
        return True
    return False


def test_a_point_fails_as_it_is_told_and_the_others_do_not(settings: Settings) -> None:
    settings.FAILPOINTS = "bot.in_think=raise, outbox.after_send=sleep:0.2"
    assert has_failed("bot.in_think") and has_failed("bot.in_think")
    assert not has_failed("bot.before_submit")
    began = time.monotonic()
    failpoint("outbox.after_send")
    assert 0.2 <= time.monotonic() - began < 1


@pytest.mark.parametrize("environment", ["home", "production"])
def test_outside_tests_no_point_fails(settings: Settings, environment: str) -> None:
    settings.FAILPOINTS, settings.CALLBREAK_ENV = "bot.in_think=raise", environment
    assert not has_failed("bot.in_think")


def test_a_point_can_fail_one_time_only(settings: Settings) -> None:
    settings.FAILPOINTS = "outbox.after_claim=raise@3"
    assert [has_failed("outbox.after_claim") for _ in range(6)] == [False, False, True, False, False, False]


def test_a_point_can_fail_by_chance(settings: Settings) -> None:
    settings.FAILPOINTS = "outbox.before_kick=raise@30%"
    assert 200 < sum(has_failed("outbox.before_kick") for _ in range(1000)) < 400


def test_a_point_can_fail_while_a_file_is_there(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "broken"
    settings.FAILPOINTS = f"move.before_lock=raise@while:{file}"
    assert not has_failed("move.before_lock")
    file.touch()
    assert has_failed("move.before_lock") and has_failed("move.before_lock")
    file.unlink()
    assert not has_failed("move.before_lock")


def test_a_point_can_fail_once_for_each_time_that_a_file_is_put_down(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "armed"
    settings.FAILPOINTS = f"move.after_lock=raise@once:{file}"
    for _ in range(2):
        file.touch()
        assert [has_failed("move.after_lock") for _ in range(3)] == [True, False, False]


def test_an_exit_ends_the_process_at_once() -> None:
    code = "import django; django.setup(); from callbreak_site.failpoints import failpoint\n"
    code += "try:\n    failpoint('move.after_commit')\nfinally:\n    print('never told')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"CB_FAILPOINTS": "move.after_commit=exit"},
        cwd=CHECKOUT,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (9, b"")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("move.sideways=exit", "there is no point 'move.sideways'"),
        ("bot.in_think", "'' is not exit, raise or sleep:SECONDS"),
        ("bot.in_think=explode", "'explode' is not exit"),
        ("bot.in_think=sleep:long", "'sleep:long' is not exit"),
        ("bot.in_think=exit@", "'' is not a number of times"),
        ("bot.in_think=exit@0", "'0' is not a number of times"),
        ("bot.in_think=exit@120%", "'120%' is not a number of times"),
        ("bot.in_think=exit@while:", "'while:' is not a number of times"),
        ("bot.in_think=exit@once:here", "'once:here' is not a number of times"),
        ("bot.in_think=exit,bot.in_think=raise", "bot.in_think is there twice"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_in_a_sentence(settings: Settings, text: str, complaint: str) -> None:
    settings.FAILPOINTS = text
    [danger] = checks.dangers()
    assert danger.startswith(f"CB_FAILPOINTS can't be read: {complaint}")


def test_every_point_that_the_code_has_is_a_known_one() -> None:
    named = {name for path in SOURCES for name in re.findall(r'\bfailpoint\("([^"]*)"\)', path.read_text())}
    assert named <= POINTS
    assert len(named) >= 6
