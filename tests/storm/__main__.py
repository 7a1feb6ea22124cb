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

STOPPED = 130
"""The usual exit status of a command that was stopped with Ctrl-C."""


def main() -> int:
    """Run a storm; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.storm", description="Use the real portal while everything fails."
    )
    parser.add_argument("--minutes", type=float, default=2.0, help="how long (default: %(default)s)")
    parser.add_argument(
        "--seed", default="", help="the same seed gives the same troubles and writes; not the same time"
    )
    options = parser.parse_args()
    seed = options.seed or str(random.SystemRandom().randrange(10**6))
    work = Path(tempfile.mkdtemp(prefix="storm-"))
    print(f"Storm with the seed {seed}, {options.minutes:g} minutes. Its journals and logs: {work}", flush=True)
    for sign in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(sign, signal.default_int_handler)
    boot(work / "disk")
    try:
        # It can be imported only when there are settings.
        broken = bool(import_module("tests.storm.run").run(work, seed, options.minutes))
    except KeyboardInterrupt:
        print(f"\nStopped. Journals and logs: {work}.")
        return STOPPED
    if broken:
        print(f"\nThe portal broke a promise. Journals and logs: {work}. To repeat the storm: SEED={seed}.")
    else:
        shutil.rmtree(work)
        print("\nNothing was lost, doubled or broken.")
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
