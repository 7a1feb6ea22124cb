"""Calls of an engine on this machine without any SDK. The engine asks for a signature, and does not check it."""

import json
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

DATE = "20261120T100000Z"
SIGNATURE = (
    f"AWS4-HMAC-SHA256 Credential=local/{DATE[:8]}/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date, Signature=x"
)


def connect(endpoint: str) -> HTTPConnection:
    """A connection to an engine, which stays open."""
    return HTTPConnection(urlsplit(endpoint).netloc)


def send(connection: HTTPConnection, operation: str, body: str) -> dict[str, Any]:
    """The engine's answer to a request in JSON."""
    headers = {
        "Content-Type": "application/x-amz-json-1.0",
        "X-Amz-Target": f"DynamoDB_20120810.{operation}",
        "X-Amz-Date": DATE,
        "Authorization": SIGNATURE,
    }
    connection.request("POST", "/", body, headers)
    answer: dict[str, Any] = json.loads(connection.getresponse().read())
    return answer
