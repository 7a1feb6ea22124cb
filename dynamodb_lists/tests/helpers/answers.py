"""Answers that a healthy engine does not give: throttling, conflicts, lost answers."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

from dynamodb_lists.connection.client import client
from dynamodb_lists.connection.configuration import connection


def endpoint() -> str:
    """Return the endpoint that the tests talk to."""
    return str(connection().read().endpoint_url)


@contextmanager
def answering(respond: Callable[..., Any], operation: str = "TransactWriteItems") -> Iterator[None]:
    """Let ``respond`` answer instead of the engine. If it returns ``None``, the engine does. Blank: any operation."""
    event = f"before-send.dynamodb.{operation}".removesuffix(".")
    client().meta.events.register(event, respond)
    try:
        yield
    finally:
        client().meta.events.unregister(event, respond)


class Raw(BytesIO):
    """A response body that botocore can stream."""

    def stream(self, **_: Any) -> Iterator[bytes]:
        """Yield the body in one piece."""
        yield self.read()


def answer(status: int, **body: Any) -> AWSResponse:
    """Return an answer of DynamoDB."""
    return AWSResponse(endpoint(), status, HTTPHeaders(), Raw(json.dumps(body).encode()))


def refusal(code: str, **more: Any) -> AWSResponse:
    """DynamoDB's answer for an error."""
    return answer(400, __type=f"com.amazonaws.dynamodb.v20120810#{code}", message=code, **more)


def cancelled(code: str) -> AWSResponse:
    """DynamoDB's answer for a transaction that it cancelled for this reason."""
    return refusal("TransactionCanceledException", CancellationReasons=[{"Code": code, "Message": code}])
