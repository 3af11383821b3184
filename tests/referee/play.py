"""Play through the contract against a running service, as strangers who believe nothing.

    python -m tests.referee.play http://127.0.0.1:8000 [--scenario NAME ...] [--seed N] [--times N]

Prints a line for each scenario and ends with status 1 when any went wrong.
"""

import argparse
import random
import sys
import time
import traceback

from .scenarios import SCENARIOS
from .shapes import Wrong
from .tables import World


def say(text):
    """Print *text* at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def run(world, name):
    """Play one scenario, say how it went, and return whether it went well."""
    start = time.monotonic()
    try:
        remark = SCENARIOS[name](world)
    except Wrong as wrong:
        say(f"WRONG {name:28} {time.monotonic() - start:6.1f} s")
        say("".join(traceback.format_tb(wrong.__traceback__)[-4:-1]))
        say(str(wrong))
        return False
    except (LookupError, TypeError, ValueError, AttributeError):
        say(f"WRONG {name:28} {time.monotonic() - start:6.1f} s: an answer that the referee could not read")
        say(traceback.format_exc())
        return False
    say(f"ok    {name:28} {time.monotonic() - start:6.1f} s{'  ' + remark if remark else ''}")
    return True


def main(arguments=None):
    """Read the command line and play; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base_url", help="where the service is, like http://127.0.0.1:8000")
    parser.add_argument("--scenario", action="append", choices=list(SCENARIOS), help="only this one; may be repeated")
    parser.add_argument("--seed", type=int, default=None, help="makes the choices of the players repeatable")
    parser.add_argument("--times", type=int, default=1, help="how often to play all of it")
    parser.add_argument("--patience", type=float, default=30, help="seconds that a bot may take")
    asked = parser.parse_args(arguments)
    seed = asked.seed if asked.seed is not None else random.SystemRandom().randrange(10**6)
    say(f"seed {seed}")
    world = World(asked.base_url, random.Random(seed), patience_s=asked.patience)
    wrong = 0
    for _ in range(asked.times):
        wrong += sum(not run(world, name) for name in asked.scenario or SCENARIOS)
    say(f"{wrong} wrong" if wrong else "all well")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
