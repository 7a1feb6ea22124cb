"""Makes the demo's ``.env``: ``python -m hotelapp.demo.env``. Needs nothing but Python; settings cannot load before it.

A file that exists is kept as it is, but for what it does not say yet.
"""

import os
import re
import secrets
import sys
from pathlib import Path
from zlib import crc32

ROOT = Path(__file__).resolve().parent.parent.parent
ENV_FILE = Path(os.environ.get("ENV_FILE") or ROOT / ".env")
FIRST_PORT, PORTS = 20_000, 10_000
PLAIN, QUOTED = re.compile(r"[\w.:/-]*"), re.compile(r"\A'(.*)'\Z")
HEADER = "# Made by `make run` for the demo on this machine; other commands read it, too. Change it freely.\n"


def read(path: Path = ENV_FILE) -> dict[str, str]:
    """The variables of the file; nothing if there is none."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    return {name.strip(): QUOTED.sub(r"\1", value.strip()) for name, value in pairs}


def write(values: dict[str, str], path: Path = ENV_FILE) -> None:
    """Set these variables in the file and keep every other line. Only its owner may read it: it holds secrets."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else [HEADER.strip()]
    kept = [line for line in lines if line.split("=", 1)[0].strip() not in values]
    text = "\n".join([*kept, *(f"{name}={_quoted(value)}" for name, value in values.items())]) + "\n"
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")


def main() -> int:
    """Make the file, or complete it. A file that is not the demo's is left alone, with a word of why."""
    known = read()
    if known and "DEMO" not in known:
        sys.stderr.write(".env is not the demo's: it has no DEMO=1. Move it away, or start gunicorn yourself.\n")
        return 1
    defaults = {
        "DEMO": "1",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "DEMO_USERNAME": os.environ.get("DEMO_USERNAME", "demo"),
        "DEMO_PASSWORD": os.environ.get("DEMO_PASSWORD", secrets.token_urlsafe(9)),
        "DYNAMODB_ENGINE_PORT": str(own_port()),
    }
    chosen = {name: os.environ[name] for name in ("DEMO_USERNAME", "DEMO_PASSWORD") if os.environ.get(name)}
    changed = {name: value for name, value in {**defaults, **known, **chosen}.items() if known.get(name) != value}
    if changed:
        write(changed)
    return 0


def _quoted(value: str) -> str:
    """The value as ``.env`` holds it: quoted if a reader could take part of it for a comment or a reference."""
    return value if PLAIN.fullmatch(value) else f"'{value}'"


def own_port() -> int:
    """A port that is this folder's own, so that the commands of one clone never talk to another one's engine."""
    return FIRST_PORT + crc32(str(ROOT).encode()) % PORTS


if __name__ == "__main__":
    raise SystemExit(main())
