"""The configured DynamoDB client that boto3 calls and every PynamoDB model share."""

import os
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any

import boto3
import botocore.session
from botocore.config import Config
from django.conf import settings

from hotelapp.dynamodb.connection import ledger, outcomes, tallies, timed_http
from hotelapp.dynamodb.connection.errors import CREDENTIALS_HINT, Refused
from hotelapp.dynamodb.connection.item_parser import ItemParserFactory

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


_lock = Lock()
MAX_ATTEMPTS = 3  # for one request, the first included; the SDK waits before each retry
USER_AGENT = "hotel-portal"  # a fixed text: the SDK composes its own long one for each request


def client() -> "DynamoDBClient":
    """The process's DynamoDB client. It is thread-safe, so all threads share one connection pool.

    Timeouts are short, because a user is waiting. Retries are ``standard``: ``adaptive`` ones limit the rate of the
    whole client, so one throttled table would slow down every other table. All of it ends at the page's deadline.
    Raises :class:`~hotelapp.dynamodb.connection.errors.Refused` while no AWS credentials can be had. Nothing is kept
    then, so the next call searches for credentials again.
    """
    with _lock:  # several first requests at once must not create a client each
        return _client()


def forget() -> None:
    """Create a new client at the next call, because the endpoint has changed. For tests and benchmarks."""
    _client.cache_clear()


@cache
def _client() -> "DynamoDBClient":
    core = botocore.session.Session()
    core.register_component("response_parser_factory", ItemParserFactory())
    dynamodb: DynamoDBClient = boto3.session.Session(botocore_session=core).client(
        "dynamodb",
        region_name=settings.AWS_REGION,
        endpoint_url=settings.DYNAMODB_ENDPOINT_URL,
        config=Config(
            connect_timeout=settings.DYNAMODB_CONNECT_TIMEOUT,
            read_timeout=settings.DYNAMODB_READ_TIMEOUT,
            retries={"mode": "standard", "total_max_attempts": MAX_ATTEMPTS},
            max_pool_connections=2 * settings.SERVER_THREADS,
            tcp_keepalive=True,
            user_agent=USER_AGENT,
            parameter_validation=False,  # PynamoDB composes the requests, and DynamoDB validates them
        ),
        **_credentials(core),
    )
    ledger.watch(dynamodb)
    tallies.watch(dynamodb)
    outcomes.watch(dynamodb)
    timed_http.watch(dynamodb)
    return dynamodb


def _credentials(core: botocore.session.Session) -> dict[str, Any]:
    """No arguments where the SDK finds credentials by itself; else placeholders that a local engine accepts.

    With ``DYNAMODB_ENGINE=aws`` the SDK searches every source: environment, profile, shared files, machine role.
    Otherwise only the environment counts, because asking for a machine role takes seconds where there is none.
    """
    if settings.DYNAMODB_ENGINE == "aws":
        has_credentials = core.get_credentials() is not None
        if settings.DYNAMODB_ENDPOINT_URL is None and not has_credentials:
            raise Refused("No AWS credentials were found", "NoCredentialsError", CREDENTIALS_HINT)
    else:
        has_credentials = bool(os.environ.keys() & {"AWS_ACCESS_KEY_ID", "AWS_PROFILE"})
    return {} if has_credentials else {"aws_access_key_id": "local", "aws_secret_access_key": "local"}
