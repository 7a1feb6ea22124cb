"""What sessions store and read, for ``manage.py estimate_cost``."""

from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from hotelapp.dynamodb.deployment.workloads import PageLoad, Read, Sample, Stock, Workload, encoded, positive, register
from hotelapp.sessions.models import SessionModel

DEFAULT_SESSIONS = 5000
LOGIN = "x" * 250
"""As long as the data of a login that Django has signed."""

EXPIRY = datetime(2027, 1, 15, 10, 22, 31, tzinfo=UTC)


@register
class SessionWorkload(Workload):
    """A session for each user; every page reads one."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        """How many sessions."""
        parser.add_argument("--sessions", type=positive, default=DEFAULT_SESSIONS, metavar="N")

    def stocks(self, options: Mapping[str, Any]) -> Iterator[Stock]:
        """The sessions."""
        keys = [f"{number:032d}" for number in range(2)]
        sessions = [SessionModel(key, data=LOGIN, expires_at=EXPIRY) for key in keys]
        yield Stock(
            SessionModel, [Sample({}, encoded(item)) for item in sessions], options["sessions"], {}, imported=False
        )

    def pages(self, options: Mapping[str, Any]) -> Iterator[PageLoad]:
        """Each page reads its session."""
        yield PageLoad("session of any page", [Read(SessionModel)], None)
