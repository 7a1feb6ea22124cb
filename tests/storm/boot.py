"""The storm's own settings. Nothing of the user's environment, ``.env`` or ``var/`` is read or written."""

import os
import secrets
from pathlib import Path

import django

from dynamodb_lists.connection import engine

ROOT = Path(__file__).resolve().parents[2]
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV", "DYNOXIDE_BINARY")
"""The variables of the user's environment that processes need to start."""

TOKEN = "STORM_TOKEN"
"""The variable by which the storm finds every process that it has started, however often it was forked."""

DATA = "disk"
"""The folder of all data, in the folder of a storm."""


def boot(data: Path) -> None:
    """Configure Django for this process and its children, with all data in the folder ``data``."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    os.environ.clear()
    os.environ |= kept
    os.environ |= {
        TOKEN: secrets.token_hex(8),
        "DJANGO_SETTINGS_MODULE": "hotelapp.settings",
        "ENV_FILE": "",
        "SECRET_KEY": secrets.token_urlsafe(60),
        "DEMO": "1",
        "VAR_DIR": str(data),
        "DYNAMODB_ENGINE": "embedded",
        "DYNAMODB_ENGINE_PORT": str(engine.free_port()),
    }
    django.setup()
