"""The demo: its data, its people, and its processes."""

from pathlib import Path

from django.conf import settings


def unfinished() -> Path:
    """The file that exists while ``seed_demo --if-empty`` writes, and after it was interrupted. It has the time of the
    newest data, so that the next command completes the same data.
    """
    return settings.VAR_DIR / "seeding"
