"""The demo: its data, its people, and its processes."""

from pathlib import Path

from django.conf import settings


def unfinished() -> Path:
    """Return the path of a file that exists while ``seed_demo --if-empty`` writes, and after it was interrupted.

    The file has the time of the newest data, so that the next command completes the same data.
    """
    return settings.VAR_DIR / "seeding"
