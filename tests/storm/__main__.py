"""``python -m tests.storm --minutes 2 --seed 7``: exit status 1 if the portal broke a promise."""

import argparse
import random
import shutil
import signal
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from tests.helpers.own_portal import boot


def main() -> int:
    """Run a storm; returns the exit status."""
    parser = argparse.ArgumentParser(description="Use the real portal while everything fails.")
    parser.add_argument("--minutes", type=float, default=2.0, help="how long (default: %(default)s)")
    parser.add_argument("--seed", default="", help="the same seed gives the same troubles, not the same times")
    options = parser.parse_args()
    seed = options.seed or str(random.SystemRandom().randrange(10**6))
    work = Path(tempfile.mkdtemp(prefix="storm-"))
    print(f"Storm with the seed {seed}, {options.minutes:g} minutes. Its journal and logs: {work}", flush=True)
    for sign in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, signal.default_int_handler)
    boot(work)
    # It can be imported only when there are settings.
    if import_module("tests.storm.run").run(work, seed, options.minutes):
        print(f"\nThe portal broke a promise. Journal and logs: {work}. To repeat the storm: SEED={seed}.")
        return 1
    shutil.rmtree(work)
    print("\nNothing was lost, doubled or broken.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
