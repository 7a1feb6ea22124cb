"""Clients that read pages as fast as a server sends them, in a process of their own."""

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection


@dataclass(frozen=True)
class Job:
    """What the clients read: each client has a cookie, and reads the page at an address."""

    port: int
    address: str
    cookies: Sequence[str]
    seconds: float


@dataclass(frozen=True)
class Load:
    """What the clients have read: whole pages, the bytes of a page, and how many pages a second."""

    pages: int
    page_bytes: float
    rate: float


def load(job: Job) -> Load:
    """Read pages for so many seconds, each client over one connection. Pages that have begun are read to the end."""
    start = threading.Barrier(len(job.cookies))
    with ThreadPoolExecutor(len(job.cookies)) as threads:
        loads = list(threads.map(lambda cookie: _read(job, cookie, start), job.cookies))
    pages = sum(each.pages for each in loads)
    return Load(pages, sum(each.page_bytes * each.pages for each in loads) / pages, sum(each.rate for each in loads))


def _read(job: Job, cookie: str, start: threading.Barrier) -> Load:
    with closing(HTTPConnection("localhost", job.port, timeout=60)) as connection:
        start.wait()
        begin, pages, read = time.perf_counter(), 0, 0
        while time.perf_counter() < begin + job.seconds:
            read += len(page(connection, job.address, cookie))
            pages += 1
        return Load(pages, read / pages, pages / (time.perf_counter() - begin))


def page(connection: HTTPConnection, address: str, cookie: str) -> bytes:
    """A whole page, uncompressed. Raises :class:`RuntimeError` if the server does not send it."""
    connection.request("GET", address, headers={"Cookie": cookie})
    response = connection.getresponse()
    content = response.read()
    if response.status != 200:
        raise RuntimeError(f"{address} answered {response.status}: {content[:500].decode(errors='replace')}")
    return content
