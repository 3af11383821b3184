"""Play and kill at length: `python -m tests.faults.soak --minutes 25 --plays 200000 --kills-every 10`.

Prints a line a minute and a summary at the end; ends with status 1 when anything was lost, doubled, stuck or refused.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.faults.checker import faults
from tests.faults.driver import MIXED, Driver
from tests.faults.kills import Killer
from tests.faults.rig import Rig, running
from tests.faults.tables import KINDS
from tests.faults.verdict import settle

TABLES = [KINDS] * 9 + [MIXED] * 5
SHOWN = 20


def say(text: str) -> None:
    """Print *text* at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Soak:
    """One long run."""

    def __init__(self, rig: Rig, *, minutes: float, plays: int, kills_every: float, seed: int) -> None:
        self.rig, self.kills_every, self.most_plays = rig, kills_every, plays
        self.killer = Killer(rig, seed)
        self.driver = Driver(rig.port, rig.folder / "history.jsonl", tables=TABLES, seed=seed, tend=rig.tend_web)
        self.began = time.monotonic()
        self.ends_at = self.began + minutes * 60

    @property
    def is_over(self) -> bool:
        """Whether the time is up, or enough has been played, or nobody plays any more."""
        enough = self.most_plays and self.driver.plays >= self.most_plays
        return bool(enough) or time.monotonic() > self.ends_at or self.driver.is_over

    def run(self) -> int:
        """Play, kill, check; return the number of findings."""
        with self.driver:
            minute = 0
            kill_at = time.monotonic() + self.kills_every
            while not self.is_over:
                time.sleep(0.2)
                self.rig.tend_web()
                if self.kills_every and time.monotonic() > kill_at:
                    kill_at = time.monotonic() + self.kills_every
                    self.killer.kill()
                if (passed := int((time.monotonic() - self.began) / 60)) > minute:
                    minute = passed
                    say(f"{minute:3} min  {self.progress()}")
            seconds = time.monotonic() - self.began
            self.rig.disarm()
            self.rig.revive()
        self.killer.count_deadlocks()
        return self.tell(seconds, self.findings())

    def progress(self) -> str:
        """Return how far it is, on one line."""
        tally, kills = self.driver.tally, sum(self.killer.kills.values())
        return (
            f"{self.driver.plays} plays, {kills} kills, {tally.counts['games finished']} games finished, "
            f"{tally.counts['retries']} retries, longest wait {tally.longest_wait_s:.1f} s, "
            f"for a bot {tally.longest_bot_wait_s:.1f} s, {len(tally.findings)} findings"
        )

    def findings(self) -> list[str]:
        """Return all that must not be, from the driver, the tables and the product's own replay."""
        found = list(self.driver.tally.findings)
        try:
            settle(self.rig)
        except AssertionError:
            found.append("stuck: bots' turns or facts are left although everything runs")
        say("checking …")
        found += faults(self.rig.cluster.url(), self.rig.folder / "history.jsonl")
        try:
            self.rig.manage("verify_games")
        except AssertionError as error:
            found.append(f"verify_games: {error}")
        if self.killer.deadlocks:
            found.append(f"{self.killer.deadlocks} deadlocks")
        return found

    def tell(self, seconds: float, found: list[str]) -> int:
        """Print the summary; return the number of findings."""
        tally = self.driver.tally
        by_kind = Counter(text.partition(":")[0] for text in found)
        answers = {name: count for name, count in sorted(tally.errors.items()) if not name.startswith("lost")}
        lost = Counter({name[6:]: count for name, count in tally.errors.items() if name.startswith("lost")})
        other_5xx = sum(n for name, n in answers.items() if name.startswith("5") and not name.startswith("503"))
        for name, value in {
            "plays": f"{self.driver.plays} in {seconds:.0f} s, {self.driver.plays / seconds:.1f} a second",
            "games": f"{tally.counts['games finished']} finished, {self.rig.ask(GAMES)[0][0]} made",
            "kills": f"{sum(self.killer.kills.values())}: {_listed(self.killer.kills)}",
            "lost or told wrongly (b)": by_kind["b"],
            "doubled or out of order (a, c, h)": by_kind["a"] + by_kind["c"] + by_kind["h"],
            "against the rules (d, e)": by_kind["d"] + by_kind["e"],
            "rows, calls (f, g)": by_kind["f"] + by_kind["g"],
            "stuck > 60 s": by_kind["stuck"],
            "longest wait": f"{tally.longest_wait_s:.1f} s for an answer, {tally.longest_bot_wait_s:.1f} s for a bot",
            "retries": tally.counts["retries"],
            "connections lost": _listed(lost) or "none",
            "refusals": _listed(Counter(answers)) or "none",
            "5xx other than 503": other_5xx,
            "deadlocks": self.killer.deadlocks,
            "findings": len(found),
        }.items():
            say(f"{name:34} {value}")
        for text in found[:SHOWN]:
            say(f"FOUND {text}")
        return len(found)


GAMES = "SELECT count(*) FROM games_game"


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{count} × {name}" for name, count in counts.most_common())


def main(arguments: list[str] | None = None) -> int:
    """Read the command line and run; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--plays", type=int, default=0, help="end earlier, after so many bids and plays")
    parser.add_argument("--kills-every", type=float, default=10, help="seconds between kills; 0 for none")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    with running() as rig:
        soak = Soak(rig, minutes=asked.minutes, plays=asked.plays, kills_every=asked.kills_every, seed=asked.seed)
        found = 1
        try:
            found = soak.run()
        finally:
            if found:
                keep(rig)
    return 1 if found else 0


def keep(rig: Rig) -> None:
    """Keep what tells how it came to a finding, or to the end of the run itself."""
    kept = Path(tempfile.mkdtemp(prefix="callbreak-soak-"))
    shutil.copytree(rig.folder / "logs", kept / "logs")
    shutil.copy(rig.folder / "history.jsonl", kept)
    shutil.copy(rig.cluster.log, kept / "logs")
    say(f"The history and the logs are in {kept}.")


if __name__ == "__main__":
    sys.exit(main())
