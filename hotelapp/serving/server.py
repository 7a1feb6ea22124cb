"""The server: gunicorn's master process, with workers that buffer requests."""

import ctypes
import gc
import math
import os
from typing import Any

from django.conf import settings
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from dynamodb_lists.connection import private_files
from hotelapp.serving.options import ServerOptions
from hotelapp.serving.worker import BufferingWorker

ARENAS = 2  # heaps of a process; by default glibc has one for each thread, and each keeps what is freed in it
M_ARENA_MAX = -8  # mallopt(3)
FROZEN_SECONDS = 30  # a process whose loop stands still for this long is replaced


class Supervisor(Arbiter):
    """gunicorn's master process. SIGHUP stops it, because that is what a terminal sends when it closes."""

    def handle_hup(self) -> None:
        self.handle_term()


class PortalServer(BaseApplication):
    """An application of gunicorn that takes its settings from the options alone: from no command line and no file."""

    def __init__(self, application: Any, options: ServerOptions) -> None:
        self.application, self.options = application, options
        super().__init__()

    def load_config(self) -> None:
        options = self.options
        greeting = f"Serving on {options.address} in {options.processes} processes with {options.threads} threads each."
        values = {
            "bind": options.address,
            "workers": options.processes,
            "worker_class": BufferingWorker,
            "timeout": FROZEN_SECONDS,
            "graceful_timeout": math.ceil(options.stop_seconds),
            "logconfig_dict": settings.LOGGING,
            "control_socket_disable": True,
            "when_ready": lambda _: print(greeting, flush=True),
        }
        for name, value in values.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The WSGI application. It was loaded before the processes were forked, so that a new one is there at once."""
        return self.application

    def run(self) -> None:
        Supervisor(self).run()


def serve(application: Any, options: ServerOptions) -> None:
    """Serve a WSGI application until SIGTERM, SIGINT or SIGHUP arrives.

    It ends within ``stop_seconds``: after SIGTERM and SIGHUP, requests that run may finish; after SIGINT they may not.
    """
    os.umask(private_files.OTHERS)
    _save_memory()
    PortalServer(application, options).run()


def _save_memory() -> None:
    """Let the processes share what is loaded now, and give memory back. A collection would copy what they share."""
    if hasattr(libc := ctypes.CDLL(None), "mallopt"):  # other C libraries than glibc have one heap
        libc.mallopt(M_ARENA_MAX, ARENAS)
    gc.collect()
    gc.freeze()
