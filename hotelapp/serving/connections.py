"""Connections that are ended when the client is too slow. The rest is waitress.

waitress receives requests and sends answers in one loop without blocking. A thread gets a request once it has arrived
completely. But waitress has a time limit only for connections on which nothing happens at all, and none while a request
runs. So a client that sends a byte from time to time, or does not read its answer, could keep its connection for ever.

Only exports are so long that a thread waits for their reader. They have a quarter of the threads (``EXPORT_PLACES``).
"""

import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.http import parse_cookie
from waitress.channel import HTTPChannel
from waitress.proxy_headers import MalformedProxyHeader, parse_proxy_headers
from waitress.server import TcpWSGIServer
from waitress.task import WSGITask

from accounts.logins.addresses import network
from accounts.sessions import known_sessions
from dynamodb_lists.connection.errors import Crowded
from hotelapp.serving.options import ANY_PROXY, ServerOptions
from portal.turns import REFUSED, Turns

FORWARDED = "X_FORWARDED_FOR"  # as waitress spells headers
READ_RATE = 4096  # bytes a second that a client must read of a waiting answer
SEND_BYTES = 64 * 1024  # waitress reads this much at each attempt to send; megabytes by default
SYSTEM_BYTES = 128 * 1024  # of an answer in the system's own buffer, which takes twice as much
USER_SHARE = 4  # a user's requests get one thread of four, and one more: a quarter of all may wait for a password
USER_WAITING = 12  # more requests of a user wait: a browser has 6 connections, and a proxy may pass on a dozen at once


class TurnTask(WSGITask):
    """A request that the application runs, or refuses. After a refusal the connection is closed.

    So later requests that the client has sent already are not run.
    """

    def execute(self) -> None:
        channel: TimedChannel = self.channel  # type: ignore[assignment]
        if not channel.holder:
            self.set_close_on_finish()
            self.get_environment()[REFUSED] = True
        super().execute()


class TimedChannel(HTTPChannel):
    """A connection that knows since when it waits for its client: for the rest of a request, or to read an answer."""

    server: "TimedServer"
    task_class = TurnTask

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.sendbuf_len = min(self.sendbuf_len, SEND_BYTES)
        self.request_since = self.creation_time
        self.sent_bytes = self.sent_before = 0
        self.sending_since: float | None = None
        self.answered = False
        self.holder = ""  # of the turns of the next request; blank if it is refused

    def received(self, data: bytes) -> bool:
        if self.request is None:
            self.request_since = time.time()
        return super().received(data)

    def service(self) -> None:
        self.answered = True
        holder = self.holder  # before waitress adds the next request that the client has sent
        try:
            super().service()
        finally:
            if holder:
                self.server.turns.leave(holder, self.begin)

    def begin(self) -> None:
        """Let a thread run the request as soon as one is free."""
        self.server.task_dispatcher.add_task(self)  # type: ignore[arg-type]  # the stubs have another class

    def send(self, data: bytes, do_close: bool = True) -> int:
        sent: int = super().send(data, do_close)
        self.sent_bytes += sent
        return sent

    def is_late(self, now: float) -> bool:
        """Whether to end the connection."""
        if self.total_outbufs_len:
            return self._reads_slowly(now)
        self.sending_since = None
        if self.requests:
            return False  # the application is at work
        if self.request is not None or not self.answered:
            return now - self.request_since > self.server.options.request_seconds
        return now - self.last_activity > self.server.options.idle_seconds

    def is_waiting(self) -> bool:
        """Whether the connection waits for its client, and no request of it runs."""
        return not self.requests and not self.total_outbufs_len

    def _reads_slowly(self, now: float) -> bool:
        """Whether too little was sent in the last seconds."""
        if self.sending_since is None:
            self.sending_since, self.sent_before = now, self.sent_bytes
        elapsed = now - self.sending_since
        if elapsed < self.server.options.read_seconds:
            return False
        slow = self.sent_bytes - self.sent_before < READ_RATE * elapsed
        self.sending_since, self.sent_before = now, self.sent_bytes
        return slow


class TimedServer(TcpWSGIServer):
    """The server of one process. It ends late connections, and the longest idle ones when there are too many."""

    channel_class = TimedChannel
    active_channels: dict[int, TimedChannel]  # type: ignore[assignment]  # the stubs have the type of one value

    def __init__(self, options: ServerOptions, *args: Any, **adjustments: Any) -> None:
        self.options = options
        self.turns = Turns("requests of one user or address", options.threads // USER_SHARE + 1, USER_WAITING)
        super().__init__(*args, **adjustments)

    def add_task(self, channel: TimedChannel) -> None:  # type: ignore[override]  # the stubs have the base class
        channel.holder = holder_of(channel.requests[0].headers, channel.addr[0], self.options.trusted_proxy)
        try:
            self.turns.enter(channel.holder, channel.begin)
        except Crowded:
            channel.holder = ""
            channel.begin()

    def end_late(self, now: float) -> None:
        """End connections that are late. To be called once a second.

        ``will_close`` would wait until the client reads. waitress's ``maintenance`` is called too early to close a
        connection: the loop might take the next one with its number for it.
        """
        for channel in list(self.active_channels.values()):
            if channel.is_late(now):
                channel.handle_close()

    def set_socket_options(self, conn: socket.socket) -> None:
        super().set_socket_options(conn)
        conn.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BYTES)

    def handle_accept(self) -> None:
        """Accept a connection. If there are too many, the one that has waited longest for its client ends."""
        if len(self.active_channels) >= self.options.connections:
            waiting = [channel for channel in self.active_channels.values() if not channel.will_close]
            waiting = [channel for channel in waiting if channel.is_waiting()]
            if waiting:
                min(waiting, key=lambda channel: channel.last_activity).will_close = True
        super().handle_accept()

    def stop_accepting(self) -> None:
        """Close the listening socket. Open connections stay."""
        self.accepting = False
        self.del_channel()
        assert self.socket
        self.socket.close()

    def end_waiting(self) -> bool:
        """End the connections on which no request runs. Returns whether others are left."""
        channels = list(self.active_channels.values())
        for channel in channels:
            if channel.is_waiting():
                channel.will_close = True
        return any(not channel.is_waiting() for channel in channels)


def holder_of(headers: Mapping[str, str], peer: str, trusted_proxy: str) -> str:
    """The holder of the turns of a request from the address ``peer``: its user if this process knows the session.

    Otherwise it is the client's network. Reads no database.
    """
    cookie = parse_cookie(headers.get("COOKIE", "")).get(settings.SESSION_COOKIE_NAME, "")
    user_id = known_sessions.user_id_of(cookie)
    if user_id is not None:
        return f"user {user_id}"
    return network(_client(headers, peer, trusted_proxy))


def _client(headers: Mapping[str, str], peer: str, trusted_proxy: str) -> str:
    """The client's address, as the application will be told."""
    told = {"REMOTE_ADDR": peer}
    if FORWARDED in headers and trusted_proxy in {ANY_PROXY, peer}:
        told[f"HTTP_{FORWARDED}"] = headers[FORWARDED]
        with suppress(MalformedProxyHeader, IndexError):  # such a request is refused later
            parse_proxy_headers(told, trusted_proxy_count=1, trusted_proxy_headers={"x-forwarded-for"})
    return told["REMOTE_ADDR"]
