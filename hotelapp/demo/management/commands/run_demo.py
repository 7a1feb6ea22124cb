"""``manage.py run_demo``: the whole portal on this machine. ``make run`` calls it."""

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.db.migrations.exceptions import InconsistentMigrationHistory

from dynamodb_lists.connection import engine
from hotelapp import environment, serving
from hotelapp.demo import env_file, people

LAST_PORT = 65_535
UNUSABLE = (
    "If the data is damaged, or of another version of the portal, begin with new data: move the folder var away, or "
    "set DYNAMODB_TABLE_PREFIX."
)
Process = subprocess.Popen[bytes]
START_SECONDS = 120.0
STOP_SECONDS = 6.0  # then requests that still run are cut off
PR_SET_PDEATHSIG = 1  # prctl(2)
_LIBC = ctypes.CDLL(None)
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Command(BaseCommand):
    """Starts the engine, creates tables and the login, starts the server, and writes demo data. Ctrl-C stops both.

    The portal can be used while demo data is written. If the make that started it is gone, the demo stops, too.
    """

    help = "Start the embedded engine, create tables, demo data and a demo login, and serve the portal."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", default="8000", help="Port of the portal (default: %(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until a signal arrives. Raises :class:`CommandError`, which says what to do, if a part cannot start."""
        if not settings.DEMO:
            raise CommandError("This command is for the demo. In production, run: python -m hotelapp.serving")
        if not options["port"].isdecimal() or not 0 < (port := int(options["port"])) <= LAST_PORT:
            raise CommandError(f"PORT must be a whole number from 1 to {LAST_PORT}; it is {options['port']!r}.")
        try:
            self.login = environment.text("DEMO_USERNAME"), environment.text("DEMO_PASSWORD")
            # On AWS, demo data would cost money, so it is written only on demand.
            self.seed = environment.boolean("SEED", settings.DYNAMODB_ENDPOINT_URL is not None)
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        for sign in SIGNALS:
            signal.signal(sign, _interrupt)
        with suppress(KeyboardInterrupt):
            self._serve(port)
        with suppress(OSError):  # the terminal may be closed
            self.stdout.write("\nStopped. Your data is kept.")

    def _serve(self, port: int) -> None:
        with ExitStack() as stack:
            # First the engine: another demo with the same data holds its lock, and the error names the process to stop.
            running = [process] if (process := stack.enter_context(_engine())) else []
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                raise CommandError(f"Port {port} is taken. Choose another one: make run PORT={port + 1}")
            self._prepare()
            running.append(stack.enter_context(server(settings.BASE_DIR, port)))
            self.stdout.write(f"\nThe portal is up:  http://localhost:{port}/")
            self.stdout.write("Log in as:         {}  with the password  {}".format(*self.login))
            self.stdout.write("Stop it with Ctrl-C.\n")
            self.stdout.flush()
            if self.seed:
                call_command("seed_demo", if_empty=True, stdout=self.stdout)
            _watch(running)

    def _prepare(self) -> None:
        try:
            call_command("migrate", verbosity=0)
            call_command("create_tables", stdout=self.stdout, stderr=self.stderr)
        except (CommandError, DatabaseError, InconsistentMigrationHistory) as error:
            raise CommandError(f"{error} {UNUSABLE}") from error
        name, password = self.login
        user, _ = get_user_model().objects.get_or_create(username=name)
        if not (user.is_staff and user.is_superuser and user.check_password(password)):
            user.is_staff = user.is_superuser = True
            user.set_password(password)
            user.save()
        people.ensure(user.password)  # which is hashed


def end_with_parent() -> None:
    """Let the kernel stop this process when its parent has ended, even by ``kill -9``. Only Linux can.

    To be called in a new process before its program starts.
    """
    if sys.platform == "linux":
        _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


@contextmanager
def server(folder: Path, port: int) -> Iterator[Process]:
    """Start the portal's server as in production, and yield its process once it answers."""
    process = subprocess.Popen(
        [sys.executable, "-m", serving.__name__],
        cwd=folder,
        env=os.environ | {"SERVER_ADDRESS": f"127.0.0.1:{port}"},
        start_new_session=True,
        preexec_fn=end_with_parent,  # noqa: PLW1509 (no other thread of the demo is at work now)
    )
    try:
        _wait(process, port)
        yield process
    finally:
        engine.stop(process, STOP_SECONDS)


def _wait(process: Process, port: int) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5):
            return
        time.sleep(0.05)
    raise CommandError("The server did not start. See its messages above.")


@contextmanager
def _engine() -> Iterator[Process | None]:
    """Start the embedded engine, and yield its process; ``None`` if the settings name another endpoint or AWS."""
    if settings.DYNAMODB_NAMED_ENDPOINT or settings.DYNAMODB_ENGINE != "embedded":
        yield None
        return
    try:
        port = engine.free_port(settings.DYNAMODB_ENGINE_PORT, settings.DYNAMODB_ENGINE_HOST)
        running = engine.start(
            engine.find_binary(settings.BASE_DIR),
            port,
            settings.DYNAMODB_ENGINE_FILE,
            settings.VAR_DIR / "engine.log",
            host=settings.DYNAMODB_ENGINE_HOST,
            preexec_fn=end_with_parent,
        )
    except (engine.EngineError, OSError) as error:
        raise CommandError(str(error)) from error
    with running:
        if port != settings.DYNAMODB_ENGINE_PORT:  # tell the server and other commands the new port
            env_file.write({"DYNAMODB_ENGINE_PORT": str(port)})
            os.environ["DYNAMODB_ENGINE_PORT"] = str(port)
            settings.DYNAMODB_ENDPOINT_URL = running.url
        yield running.process


def _watch(running: list[Process]) -> None:
    """Wait until a signal arrives, or make ends. Raises :class:`CommandError` if a process ends by itself.

    The server is the last of the processes.
    """
    parent = os.getppid()
    while all(process.poll() is None for process in running):
        if "MAKELEVEL" in os.environ and os.getppid() != parent:  # a shell may end, and leave the demo running
            return
        time.sleep(0.5)
    name = "engine" if running[-1].poll() is None else "server"
    raise CommandError(
        f"The {name} ended by itself, or was killed. See the messages above, or in var/engine.log. "
        "Your data is kept. Run make run again."
    )


def _interrupt(*_: object) -> None:
    """Begin to stop. Further signals do not interrupt that; it ends within seconds."""
    for sign in SIGNALS:
        signal.signal(sign, signal.SIG_IGN)
    raise KeyboardInterrupt
