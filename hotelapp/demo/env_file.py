"""Creates the demo's ``.env``: ``python -m hotelapp.demo.env_file``. In an existing file, it adds missing variables.

It uses only the standard library, because the settings cannot be loaded before the file exists.
"""

import os
import platform
import re
import secrets
import sys
from pathlib import Path

from hotelapp import private_files

ENV_FILE = Path(os.environ.get("ENV_FILE") or Path(__file__).resolve().parents[2] / ".env")
FIRST_PORT, PORTS = 20_000, 10_000
PLAIN, QUOTED = re.compile(r"[\w.:/-]*"), re.compile(r"\A'(.*)'\Z")
HEADER = "# Created by `make run` for the demo on this machine. Other commands read it, too. You may change it.\n"


def read(path: Path = ENV_FILE) -> dict[str, str]:
    """Return the variables in the file; empty if there is no file."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    pairs = (line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))
    return {name.strip(): QUOTED.sub(r"\1", value.strip()) for name, value in pairs}


def write(values: dict[str, str], path: Path = ENV_FILE) -> None:
    """Set these variables in the file and keep every other line.

    Only the owner may read the file, because it has secrets. The file is replaced at once, so that they are not lost
    if the disk is full.
    """
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else [HEADER.strip()]
    other_lines = [line for line in lines if line.split("=", 1)[0].strip() not in values]
    for name, value in values.items():  # quoted, if a part of the value could be read as a comment or a reference
        other_lines.append(f"{name}={value}" if PLAIN.fullmatch(value) else f"{name}='{value}'")
    private_files.write(path, "\n".join(other_lines) + "\n")


def main() -> None:
    """Create the file, or add missing variables. Raises: ``SystemExit`` with the reason if the file cannot be written.

    A file without ``DEMO`` does not belong to the demo, and is not changed.
    """
    defaults = {
        "DEMO": "1",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "DEMO_USERNAME": "demo",
        "DEMO_PASSWORD": secrets.token_urlsafe(9),
        "DYNAMODB_ENGINE_HOST": engine_host(),
        "DYNAMODB_ENGINE_PORT": str(FIRST_PORT + secrets.randbelow(PORTS)),
    }
    chosen = {name: os.environ[name] for name in ("DEMO_USERNAME", "DEMO_PASSWORD") if os.environ.get(name)}
    try:
        private_files.close(ENV_FILE)
        values = read()
        if values and "DEMO" not in values:
            sys.exit(
                "The file .env is not the demo's: it has no DEMO=1. Move it away, or run: python -m hotelapp.serving"
            )
        if changed := {name: text for name, text in (defaults | values | chosen).items() if values.get(name) != text}:
            write(changed)
    except OSError as error:
        sys.exit(f"The file .env cannot be written: {error}")


def engine_host() -> str:
    """Return a random loopback address for the engine, which has no access control. On macOS, it is always 127.0.0.1.

    A web page can call any address of this machine. It cannot guess one of sixteen million addresses and a random port.
    """
    if platform.system() != "Linux":
        return "127.0.0.1"
    return f"127.{secrets.randbelow(254) + 1}.{secrets.randbelow(256)}.{secrets.randbelow(254) + 1}"


if __name__ == "__main__":
    main()
