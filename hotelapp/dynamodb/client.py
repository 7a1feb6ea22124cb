"""The one configured client, which boto3 calls and every PynamoDB model share."""

import os
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import boto3
import botocore.session
from botocore.config import Config
from django.conf import settings

from hotelapp.dynamodb import ledger
from hotelapp.dynamodb.parsing import ItemParserFactory

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


_making = Lock()
USER_AGENT = "hotel-portal"  # a fixed one: the SDK puts its long one together anew for each request


def client() -> "DynamoDBClient":
    """The process's DynamoDB client: thread-safe, so one connection pool serves every thread.

    Timeouts are short, because a page that waits helps nobody; ``adaptive`` retries slow down by themselves
    when DynamoDB throttles.
    """
    with _making:  # the first requests come at once, and must not make one each
        return _made()


def forget() -> None:
    """Make a new client at the next call: the endpoint has changed. For tests and benchmarks."""
    _made.cache_clear()


@cache
def _made() -> "DynamoDBClient":
    core = botocore.session.Session()
    core.register_component("response_parser_factory", ItemParserFactory())
    made: DynamoDBClient = boto3.session.Session(botocore_session=core).client(
        "dynamodb",
        region_name=settings.AWS_REGION,
        endpoint_url=settings.DYNAMODB_ENDPOINT_URL,
        config=Config(
            connect_timeout=settings.DYNAMODB_CONNECT_TIMEOUT,
            read_timeout=settings.DYNAMODB_READ_TIMEOUT,
            retries={"mode": "adaptive", "total_max_attempts": settings.DYNAMODB_MAX_ATTEMPTS},
            max_pool_connections=settings.DYNAMODB_POOL_SIZE,
            tcp_keepalive=True,
            user_agent=USER_AGENT,
            parameter_validation=False,  # PynamoDB makes the requests, and DynamoDB checks them
        ),
        **_credentials(core),
    )
    ledger.watch(made)
    return made


def _credentials(core: botocore.session.Session) -> dict[str, Any]:
    """Nothing where the SDK finds credentials by itself, else words that a local engine accepts.

    With ``DYNAMODB_ENGINE=aws`` every place is asked, for an endpoint of one's own, too: environment, profile, shared
    files, the role of the machine. Otherwise only the environment counts: a role takes seconds to say that it is none.
    """
    if settings.DYNAMODB_ENGINE == "aws":
        found = settings.DYNAMODB_ENDPOINT_URL is None or core.get_credentials() is not None
    else:
        found = bool(os.environ.keys() & {"AWS_ACCESS_KEY_ID", "AWS_PROFILE"})
    return {} if found else {"aws_access_key_id": "local", "aws_secret_access_key": "local"}
