"""The service in parts: each can be killed and frozen alone, and nothing of it outlives whoever started it."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.rig import Rig, wait_until
from tests.services import PREFIX
from tests.site.running import CHECKOUT, is_gone, wait_until_gone

pytestmark = pytest.mark.slow

ALL_PARTS = """
import json, time
from tests.faults.rig import Rig, wait_until
from tests.services import temporary_folder
from tests.site.running import family_of
with temporary_folder() as folder:
    rig = Rig(folder)
    rig.database.start()
    rig.cluster.create_database()
    rig.revive()
    wait_until(lambda: len(rig.web.children()) >= 2 and len(rig.workers[0].children()) >= 2, 60, rig.last_words)
    print(json.dumps([pid for part in rig.parts for pid in family_of(part.pid)]), flush=True)
    time.sleep(600)
"""


def test_nothing_is_left_of_a_test_run_that_is_killed() -> None:
    run = subprocess.Popen([sys.executable, "-c", ALL_PARTS], cwd=CHECKOUT, stdout=subprocess.PIPE, text=True)
    try:
        assert run.stdout
        processes = json.loads(run.stdout.readline())
        assert len(processes) > 10
    finally:
        run.kill()
        run.communicate()
    wait_until_gone(processes, 30)
    for folder in Path("/tmp").glob(f"{PREFIX}{run.pid}-*"):
        shutil.rmtree(folder)


def test_each_part_can_be_killed_and_comes_back_alone(rig: Rig) -> None:
    for part in rig.parts:
        others = [other.pid for other in rig.parts if other is not part]
        before = part.pid
        part.kill()
        assert is_gone(before) and not part.is_running
        assert rig.revive() == [part.name]
        assert part.is_running and part.pid != before
        assert [other.pid for other in rig.parts if other is not part] == others
    rig.wait_until_ready()


def test_a_frozen_part_answers_nobody_until_it_is_thawed(rig: Rig) -> None:
    rig.broker.freeze()
    assert not rig.redis.is_ready()
    rig.broker.thaw()
    wait_until(rig.redis.is_ready, 10)
