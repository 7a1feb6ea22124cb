"""Reads without most of the SDK's work.

botocore validates, routes, serializes and parses each request by its description of the service, which takes longer
than all the rest. Requests and answers of reads are the same in Python as in DynamoDB's JSON, except for bytes, so this
client sends and returns them as they are. All else is the shared client's own: credentials and signer, connections,
which judge the answers, the rules and the quota of retries, and errors. It emits the events of botocore to
which anybody listens, so deadlines, outages, the ledger and tests need not know by which client a call is made.
"""

import json
import sys
import time
from base64 import b64decode, b64encode
from http import HTTPStatus
from itertools import count
from typing import Any, Literal, cast
from urllib.parse import urlsplit

from botocore.awsrequest import AWSPreparedRequest
from botocore.exceptions import BotoCoreError
from botocore.hooks import first_non_none_response

from dynamodb_lists.connection.answers import Answer
from dynamodb_lists.connection.client import USER_AGENT, client

Operation = Literal["Query", "Scan", "GetItem", "BatchGetItem"]


class _Request(AWSPreparedRequest):
    """A request that botocore's signer can sign as it is."""

    body: bytes
    params = None


def read(operation: Operation, request: dict[str, Any]) -> Answer:
    """DynamoDB's answer, as the method of the shared client would return it, with less ``ResponseMetadata``.

    Raises the errors of that method.
    """
    shared: Any = client()
    emit, model = shared.meta.events.emit, shared.meta.service_model.operation_model(operation)
    context: dict[str, Any] = {}
    emit(f"before-parameter-build.dynamodb.{operation}", params=request, model=model, context=context)
    headers = {
        "Host": urlsplit(shared.meta.endpoint_url).netloc,
        "X-Amz-Target": f"{shared.meta.service_model.metadata['targetPrefix']}.{operation}",
        "Content-Type": "application/x-amz-json-1.0",
        "User-Agent": USER_AGENT,
    }
    sent = {"headers": headers, "body": json.dumps(request, default=_base64).encode(), "context": context}
    emit(f"before-call.dynamodb.{operation}", model=model, params=sent, context=context)
    http = None
    try:
        http, answer = _exchange(shared, model, sent)
    finally:
        if http is None:  # whatever the error is, a listener must count the call no more
            emit(f"after-call-error.dynamodb.{operation}", exception=sys.exception(), context=context)
    emit(f"after-call.dynamodb.{operation}", http_response=http, parsed=answer, model=model, context=context)
    if http.status_code >= HTTPStatus.MULTIPLE_CHOICES:
        raise shared.exceptions.from_code(answer.get("Error", {}).get("Code"))(answer, operation)
    return answer


def _exchange(shared: Any, model: Any, sent: dict[str, Any]) -> tuple[Any, Answer]:
    """The answer to the last attempt, with that of HTTP. The client's listeners decide whether to try again, and when.

    Raises the error of the last attempt that had no answer.
    """
    for attempts in count(1):
        request, response, error = _signed(shared, model.name, sent), None, None
        try:
            response = _received(shared, model, request)
        except BotoCoreError as caught:
            error = caught
        decisions = shared.meta.events.emit(
            f"needs-retry.dynamodb.{model.name}",
            response=response,
            endpoint=shared._endpoint,
            operation=model,
            attempts=attempts,
            caught_exception=error,
            request_dict=sent,
        )
        delay = first_non_none_response(decisions)
        if delay is None or delay is False:
            break
        time.sleep(delay)
    if response is None:
        raise cast(BotoCoreError, error)
    response[1]["ResponseMetadata"]["RetryAttempts"] = attempts - 1  # the retries' listener has made the dict
    return response


def _signed(shared: Any, operation: str, sent: dict[str, Any]) -> _Request:
    """A request that is signed with the credentials of this moment, which may have been renewed."""
    url, headers = f"{shared.meta.endpoint_url.rstrip('/')}/", cast(Any, {**sent["headers"]})
    request = _Request("POST", url, headers, sent["body"], False, {})
    shared._request_signer.sign(operation, request)
    return request


def _received(shared: Any, model: Any, request: _Request) -> tuple[Any, Answer]:
    """The answer to one attempt, or that of a listener. Raises the errors of botocore's connections."""
    answers = shared.meta.events.emit(f"before-send.dynamodb.{model.name}", request=request)
    http = first_non_none_response(answers)
    if http is None:
        http = shared._endpoint.http_session.send(request)
    body: bytes = http.content
    if http.status_code >= HTTPStatus.MULTIPLE_CHOICES:  # botocore parses errors, which are rare
        parser = shared._endpoint._response_parser_factory.create_parser("json")
        response = {"headers": http.headers, "status_code": http.status_code, "body": body}
        return http, cast(Answer, parser.parse(response, model.output_shape))
    has_bytes = b'"B"' in body or b'"BS"' in body
    return http, json.loads(body, object_hook=_with_bytes) if has_bytes else http.raw.answer


def _with_bytes(value: dict[str, Any]) -> dict[str, Any]:
    """A JSON object; with bytes if it is a Binary or a set of them. An attribute named so would hold an object."""
    if isinstance(text := value.get("B"), str):
        return {"B": b64decode(text)}
    texts = value.get("BS")
    if isinstance(texts, list) and texts and isinstance(texts[0], str):
        return {"BS": [*map(b64decode, texts)]}
    return value


def _base64(value: bytes) -> str:
    return b64encode(value).decode()
