"""The server: gunicorn starts processes and replaces those that die; waitress serves in each.

waitress receives requests and sends answers in one loop without blocking, so a slow client costs a connection and no
thread. Clients that stay slow for ever are the concern of the proxy in front (docs/production.md).
"""

import ctypes
import gc
import logging
import math
import os
import time
from collections.abc import Callable
from types import FrameType
from typing import Any, NoReturn

from django.conf import settings
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher

from dynamodb_lists.connection import private_files
from hotelapp.serving.options import ServerOptions

ARENAS = 2  # heaps of a process; by default glibc has one for each thread, and each keeps what is freed in it
M_ARENA_MAX = -8  # mallopt(3)
FROZEN_SECONDS = 30  # a process whose loop stands still for this long is replaced
MAX_HEADER_BYTES = 32 * 1024  # a filter with many long values has an address of 8,190 bytes
MAX_CONNECTIONS = 800  # of a process; with what else it opens, it stays below the usual limit of 1,024 files
IDLE_SECONDS = 75  # until a connection ends on which nothing happens
LOOP_SECONDS = 0.5  # the longest time until a stop is noticed
LAST_SECONDS = 1.0  # of the time to stop, for noticing it and for the end of the process


ROOM = 70_000
"""Values in a frame, which CPython keeps in chunks of 16 KB: a loop whose calls cross the end of one maps and unmaps
the next, and takes a hundred times as long (3.11 to 3.13). This frame gets a chunk of 1 MB, and leaves half of it."""


def with_room(function: Callable[[int], None], number: int) -> None:
    """Call a function so that no call inside it crosses the end of a chunk of frames."""
    function(number)


with_room.__code__ = with_room.__code__.replace(co_stacksize=ROOM)


class Threads(ThreadedTaskDispatcher):
    """waitress' threads, whose pages take the same time at any depth of calls."""

    def handler_thread(self, thread_no: int) -> None:
        with_room(super().handler_thread, thread_no)


class WaitressWorker(Worker):
    """A process that serves with waitress."""

    app: "PortalServer"

    def run(self) -> None:
        """Serve until gunicorn says stop, or is gone. Then finish the requests that run."""
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns whenever a request has to wait
        sockets: dict[int, Any] = {}
        self.booted = False  # an error until now ends gunicorn; later ones start another process
        listeners = [getattr(each, "sock", each) for each in self.sockets]
        application: Any = self.wsgi
        threads = Threads()
        threads.set_thread_count(self.app.options.threads)
        adjustments = _adjustments(self.app.options)
        server: Any = create_server(application, sockets, sockets=listeners, _dispatcher=threads, **adjustments)
        self.booted = True
        while self.alive and os.getppid() == self.ppid:
            self.notify()
            wasyncore.loop(LOOP_SECONDS, use_poll=True, map=sockets, count=1)
        self._finish(server, sockets)

    def handle_quit(self, sig: int, frame: FrameType | None) -> NoReturn:
        """End at once. What the interpreter does at its end would wait for the threads of requests that run."""
        os._exit(0)

    def _finish(self, server: Any, sockets: dict[int, Any]) -> NoReturn:
        """Accept no more connections, let requests that run finish for a while, and end the process."""
        wasyncore.dispatcher.close(server)
        deadline = time.monotonic() + max(self.app.options.stop_seconds - LAST_SECONDS, 0)
        while any(map(_is_at_work, server.active_channels.values())) and time.monotonic() < deadline:
            self.notify()
            wasyncore.loop(0.05, use_poll=True, map=sockets, count=1)
        logging.shutdown()
        os._exit(0)  # see handle_quit


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
            "worker_class": WaitressWorker,
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


def _is_at_work(channel: Any) -> bool:
    """Whether a request of the connection runs, or its answer is not sent yet."""
    return bool(channel.requests or channel.total_outbufs_len)


def _adjustments(options: ServerOptions) -> dict[str, Any]:
    """The options, by the names that waitress has for them."""
    proxy: dict[str, Any] = {}
    if options.trusted_proxy:
        proxy = {
            "trusted_proxy": options.trusted_proxy,
            "trusted_proxy_count": 1,
            "trusted_proxy_headers": "x-forwarded-for x-forwarded-proto",
        }
    return {
        "connection_limit": MAX_CONNECTIONS,
        "channel_timeout": IDLE_SECONDS,
        "log_socket_errors": False,
        "max_request_header_size": MAX_HEADER_BYTES,
        "max_request_body_size": settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        "ident": None,
        **proxy,
    }


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
