"""``manage.py run_demo`` with little data. With ``HOLD`` it waits for a signal as soon as it has written the hotels."""

import os
import signal
import sys
from typing import Any

import django
from django.core.management import call_command, execute_from_command_line

SIZES: dict[str, Any] = {"rooms": [40, 30, 20], "guests": 12, "orders": 30, "reviews": 15}


def small(name: str, **options: Any) -> None:
    """Call a command as ``run_demo`` does, and ``seed_demo`` with these sizes."""
    call_command(name, **options, **SIZES if name == "seed_demo" else {})


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelapp.settings")
    django.setup()
    from hotelapp.demo.management.commands import run_demo
    from rooms import commands

    vars(run_demo)["call_command"] = small
    if "HOLD" in os.environ:
        commands.save_rooms = lambda *_: signal.pause()  # type: ignore[assignment]
    execute_from_command_line(sys.argv)
