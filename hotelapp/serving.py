"""The production server: ``python -m hotelapp.serving``. docs/operate.md lists its variables.

gunicorn starts processes, replaces processes that die, and serves with threads in each of them. A thread serves one
request at a time, so a client that sends or reads slowly keeps a thread. The proxy in front buffers requests and
answers (docs/operate.md). This server also cuts off a client that stops. Without this, 40 connections that send half a
header block a process of 16 threads for ever; with it, for 20 seconds.
"""

import ctypes
import gc
import logging
import math
import os
import re
import socket
import struct
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http import HTTPStatus
from ipaddress import ip_address
from types import FrameType
from typing import Any, NoReturn

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.http import errors
from gunicorn.util import write_nonblock
from gunicorn.workers.gthread import ThreadWorker

from hotelapp import environment as env
from hotelapp import private_files

HOST_AND_PORT = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[\w.-]+):(?P<port>[0-9]{1,5})")
LOCAL_HOSTS = {"127.0.0.1": "127.0.0.1", "localhost": "127.0.0.1", "[::1]": "::1"}
ANY_PROXY = "*"
ARENAS = 2  # heaps of a process; by default glibc has one for each thread, and each keeps what is freed in it
M_ARENA_MAX = -8  # mallopt(3)
FROZEN_SECONDS = 30  # a process whose loop stands still for this long is replaced
MAX_LINE_BYTES = 8190  # with the address: a filter may have many long values
MAX_HEADER_BYTES = 16 * 1024  # of each header, such as the address of the page before
MAX_CONNECTIONS = 800  # of a process; with what else it opens, it stays below the usual limit of 1,024 files
IDLE_SECONDS = 75  # until a connection ends on which nothing happens; a proxy must end it sooner
STALLED_SECONDS = {socket.SO_RCVTIMEO: 10, socket.SO_SNDTIMEO: 30}
"""How long a thread waits for the next byte of a request, and for a client to read the next of an answer."""

STATUSES = {
    errors.LimitRequestLine: HTTPStatus.REQUEST_URI_TOO_LONG,
    errors.LimitRequestHeaders: HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    errors.ExpectationFailed: HTTPStatus.EXPECTATION_FAILED,
    errors.UnsupportedTransferCoding: HTTPStatus.NOT_IMPLEMENTED,
    errors.ParseException: HTTPStatus.BAD_REQUEST,
    Exception: HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""The answer to what is no request, by its error. The first one that fits counts."""

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True)
class ServerOptions:
    """The options of the server. ``threads`` are those of each process."""

    address: str = "127.0.0.1:8000"
    processes: int = 2
    threads: int = field(default_factory=lambda: settings.SERVER_THREADS)
    stop_seconds: float = 8
    trusted_proxy: str = ""


def server_options() -> ServerOptions:
    """Return the options that the environment names. Raises ``ImproperlyConfigured``, which names the variable."""
    address = env.text("SERVER_ADDRESS", ServerOptions.address)
    match = HOST_AND_PORT.fullmatch(address)
    if match is None or not 0 < int(match["port"]) < 2**16:
        raise ImproperlyConfigured(f"SERVER_ADDRESS must be host:port, such as 0.0.0.0:8000; it is {address!r}.")
    processes = env.number("SERVER_PROCESSES", ServerOptions.processes, 1, 64)
    return ServerOptions(address, processes, trusted_proxy=_trusted_proxy(address))


def _trusted_proxy(address: str) -> str:
    """The address of the proxy whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` count; blank if there is none.

    A server that only this machine reaches has its proxy on this machine. Otherwise the proxy must be named: whoever is
    trusted here can choose the address by which logins are limited.
    """
    host = address.rpartition(":")[0]
    local = LOCAL_HOSTS.get(host, "") if settings.BEHIND_TLS_PROXY else ""
    named = env.text("TRUSTED_PROXY", local)
    if not named and settings.BEHIND_TLS_PROXY:
        raise ImproperlyConfigured(
            f"TRUSTED_PROXY is not set. With BEHIND_TLS_PROXY and the address {address}, name the proxy's IP address, "
            "or * if the proxy alone can reach this address."
        )
    try:
        return named if named in {"", ANY_PROXY} else str(ip_address(named))
    except ValueError as error:
        raise ImproperlyConfigured(f"TRUSTED_PROXY must be an IP address, or *; it is {named!r}.") from error


class PortalWorker(ThreadWorker):
    """A process that serves, and ends at once when its time is over.

    Python would wait for threads that still run: 10 seconds for a page whose engine is stopped.
    """

    def run(self) -> NoReturn:
        """Serve until gunicorn says stop, or is gone. Then finish the requests that run."""
        super().run()
        logging.shutdown()
        os._exit(0)

    def handle_quit(self, sig: int, frame: FrameType | None) -> NoReturn:
        os._exit(0)

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """Answer an invalid request by a status alone. gunicorn would send and log parts of the request."""
        status = next(status for kind, status in STATUSES.items() if isinstance(exc, kind))
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            self.log.error("A request was not served", exc_info=exc)
        head = f"HTTP/1.1 {status} {status.phrase}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        write_nonblock(client, head.encode())


class Supervisor(Arbiter):
    """gunicorn's master process. SIGHUP stops it, because that is what a terminal sends when it closes."""

    def handle_hup(self) -> None:
        self.handle_term()


class PortalServer(BaseApplication):
    """An application of gunicorn whose settings are the options alone: no command line and no file."""

    def __init__(self, application: Application, options: ServerOptions) -> None:
        self.application, self.options = application, options
        super().__init__()

    def load_config(self) -> None:
        options = self.options
        values = {
            "bind": options.address,
            "workers": options.processes,
            "threads": options.threads,
            "worker_class": PortalWorker,
            "worker_connections": MAX_CONNECTIONS,
            "keepalive": IDLE_SECONDS,
            "timeout": FROZEN_SECONDS,
            "graceful_timeout": math.ceil(options.stop_seconds),
            "limit_request_line": MAX_LINE_BYTES,
            "limit_request_field_size": MAX_HEADER_BYTES,
            "forwarded_allow_ips": options.trusted_proxy,
            "forwarder_headers": "",
            "secure_scheme_headers": {"X-FORWARDED-PROTO": "https"},
            "logconfig_dict": settings.LOGGING,
            "control_socket_disable": True,
            "when_ready": self._ready,
        }
        for name, value in values.items():
            self.cfg.set(name, value)

    def _ready(self, master: Arbiter) -> None:
        """Limit how long connections may stall, before the processes are forked, which inherit the limit."""
        for listener in master.LISTENERS:
            for option, seconds in STALLED_SECONDS.items():
                listener.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", seconds, 0))
            if hasattr(socket, "TCP_DEFER_ACCEPT"):  # a connection on which nothing is sent reaches no process
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_DEFER_ACCEPT, IDLE_SECONDS)
        o = self.options
        print(f"Serving on {o.address} in {o.processes} processes with {o.threads} threads each.", flush=True)

    def load(self) -> Any:
        """Return the WSGI application, which gets only the client's address from the headers of the trusted proxy.

        The application was loaded before the processes were forked, so that a new process serves at once.
        """

        def seen(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            told = {name: environ.pop(name) for name in [*environ] if name.startswith("HTTP_X_FORWARDED_")}
            trusted = self.options.trusted_proxy in {ANY_PROXY, environ["REMOTE_ADDR"]}
            if trusted and (clients := told.get("HTTP_X_FORWARDED_FOR")):
                environ["REMOTE_ADDR"] = clients.rpartition(",")[2].strip()
            return self.application(environ, start_response)

        return seen

    def run(self) -> None:
        Supervisor(self).run()


def serve(application: Application, options: ServerOptions) -> None:
    """Serve a WSGI application until SIGTERM, SIGINT or SIGHUP arrives.

    It ends within ``stop_seconds``: after SIGTERM and SIGHUP, requests that run may finish; after SIGINT they may not.
    """
    os.umask(private_files.OTHERS)
    # The processes share what is loaded now, and give memory back: a server of one process takes 132 MB, not 156.
    if hasattr(libc := ctypes.CDLL(None), "mallopt"):  # other C libraries than glibc have one heap
        libc.mallopt(M_ARENA_MAX, ARENAS)
    gc.collect()
    gc.freeze()  # a collection would copy what they share
    PortalServer(application, options).run()


def main() -> None:
    """Serve. If the settings or the static files are wrong, say so in one line; the exit status is 1."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelapp.settings")
    try:
        application = import_string("hotelapp.wsgi.application")
        options = server_options()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    serve(application, options)


if __name__ == "__main__":
    main()
