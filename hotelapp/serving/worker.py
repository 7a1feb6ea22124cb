"""The process that serves requests. gunicorn starts it, and starts another one if it dies."""

import logging
import os
import resource
import time
from types import FrameType
from typing import Any, NoReturn

from django.conf import settings
from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from hotelapp.serving.connections import TimedServer
from hotelapp.serving.options import ServerOptions

MAX_HEADER_BYTES = 32 * 1024  # a filter with many long values has an address of 8,190 bytes
MAX_WAITING_BYTES = 1024 * 1024  # of an answer, before the application waits for its reader
MEMORY_BYTES = 64 * 1024  # of a request's body; the rest is in a temporary file
NEVER = 2**31  # seconds: waitress's own time-out, which end_late replaces
SPARE_CONNECTIONS = 50  # between ending old connections and refusing new ones
SPARE_FILES = 200  # for what is no connection of a client: DynamoDB, SQL, static files
LOOP_SECONDS = 0.5  # the longest time until a stop is noticed
LAST_SECONDS = 1.0  # of the time to stop, for noticing it and for the end of the process


class BufferingWorker(Worker):
    """A gunicorn worker on waitress: one loop for all clients, and threads for requests that have arrived."""

    app: Any  # hotelapp.serving.server.PortalServer, which imports this module

    def run(self) -> None:
        """Serve until gunicorn says stop, or is gone. Then finish the requests that run."""
        self.options: ServerOptions = self.app.options
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it warns whenever a request has to wait
        _allow_files(self.options.connections + SPARE_CONNECTIONS + SPARE_FILES)
        sockets: dict[int, Any] = {}
        self.booted = False  # an error until now ends gunicorn; later ones start another process
        server = self._server(sockets)
        self.booted = True
        last = time.monotonic()
        while self.alive and os.getppid() == self.ppid:
            self.notify()
            wasyncore.loop(LOOP_SECONDS, use_poll=True, map=sockets, count=1)
            if time.monotonic() > last + 1:
                last = time.monotonic()
                server.end_late(time.time())
        self._finish(server, sockets)

    def handle_quit(self, sig: int, frame: FrameType | None) -> NoReturn:
        """End at once. What the interpreter does at its end would wait for the threads of requests that run."""
        os._exit(0)

    def _server(self, sockets: dict[int, Any]) -> TimedServer:
        threads = ThreadedTaskDispatcher()
        threads.set_thread_count(self.options.threads)
        listener = getattr(self.sockets[0], "sock", self.sockets[0])
        place = (listener.family, listener.type, listener.proto, listener.getsockname())
        return TimedServer(
            self.options,
            self.wsgi,
            sockets,
            True,
            listener,
            threads,
            Adjustments(**_adjustments(self.options)),
            place,
            bind_socket=False,
        )

    def _finish(self, server: TimedServer, sockets: dict[int, Any]) -> NoReturn:
        """Close the socket and idle connections, let requests that run finish for a while, and end the process."""
        server.stop_accepting()
        deadline = time.monotonic() + max(self.options.stop_seconds - LAST_SECONDS, 0)
        while server.end_waiting() and time.monotonic() < deadline:
            self.notify()
            wasyncore.loop(0.05, use_poll=True, map=sockets, count=1)
        logging.shutdown()
        os._exit(0)  # see handle_quit


def _adjustments(options: ServerOptions) -> dict[str, Any]:
    """The options, by the names that waitress has for them."""
    proxy: dict[str, Any] = {"clear_untrusted_proxy_headers": True}
    if options.trusted_proxy:
        proxy |= {
            "trusted_proxy": options.trusted_proxy,
            "trusted_proxy_count": 1,
            "trusted_proxy_headers": "x-forwarded-for x-forwarded-proto",
        }
    return {
        "threads": options.threads,
        "connection_limit": options.connections + SPARE_CONNECTIONS,
        "cleanup_interval": NEVER,
        "log_socket_errors": False,
        "outbuf_high_watermark": MAX_WAITING_BYTES,
        "inbuf_overflow": MEMORY_BYTES,
        "max_request_header_size": MAX_HEADER_BYTES,
        "max_request_body_size": settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        "ident": None,
        **proxy,
    }


def _allow_files(count: int) -> None:
    """Raise this process's limit of open files, as far as the system allows it. Each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
