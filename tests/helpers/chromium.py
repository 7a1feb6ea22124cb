"""Finds Chromium for the browser tests, or installs it: ``python -m tests.helpers.chromium``.

As root, it installs Debian's package; otherwise, Playwright's build. If neither is available, it prints one line and
exits with status 1, so that ``make test`` stops. Browser tests are never skipped silently.
"""

import os
import shutil
import subprocess
import sys

from dynamodb_lists.tests.helpers.chromium import find


def install() -> None:
    """Try to install Chromium, without output."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        quiet = {"env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "stdout": subprocess.DEVNULL}
        subprocess.run(["apt-get", "update", "-qq"], check=False, **quiet)  # type: ignore[call-overload]
        for package in ("chromium-headless-shell", "chromium"):  # the second one where Debian does not have the first
            subprocess.run(["apt-get", "install", "-y", "-qq", package], check=False, **quiet)  # type: ignore[call-overload]
            if find():
                return
    else:
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)


def main() -> int:
    """Install Chromium if it is missing; returns the exit status."""
    if find():
        return 0
    sys.stderr.write("Installing Chromium for the browser tests ...\n")
    install()
    if find():
        return 0
    sys.stderr.write("No Chromium: install it (apt-get install chromium) or name it in CHROMIUM, then test again.\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
