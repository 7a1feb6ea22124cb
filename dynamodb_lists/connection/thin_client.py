"""Reads without most of the SDK's work.

botocore validates, routes, serializes and parses each request by its description of the service, which takes longer
than all the rest. Requests and answers of reads are the same in Python as in DynamoDB's JSON, except for bytes, so this
client sends and returns them as they are. All else is the shared client's own: credentials and signer, connections,
which judge the answers, the rules and the quota of retries, and errors. It emits the events of botocore to
which anybody listens, so deadlines, outages, the ledger and tests need not know by which client a call is made.
"""

import json
import sys
from base64 import b64decode, b64encode
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Literal, cast
from urllib.parse import urlsplit

from botocore.awsrequest import AWSPreparedRequest
from botocore.endpoint import Endpoint
from botocore.exceptions import BotoCoreError
from botocore.hooks import first_non_none_response

from dynamodb_lists.connection.answers import Answer
from dynamodb_lists.connection.client import USER_AGENT, client

Operation = Literal["Query", "Scan", "GetItem", "BatchGetItem"]


class _Request(AWSPreparedRequest):
    """A request that botocore's signer can sign as it is."""

    params = None


class _ThinEndpoint(Endpoint):
    """Sends requests and repeats them as botocore does. Of the answers, it parses errors alone, which are rare."""

    shared: Any
    """The shared client."""

    def create_request(self, params: Any, operation_model: Any = None) -> _Request:
        """A request that is signed with the credentials of this moment, which may have been renewed."""
        headers: Any = {**params["headers"]}
        request = _Request("POST", params["url"], headers, params["body"], False, {})
        self.shared._request_signer.sign(operation_model.name, request)
        return request

    def _get_response(
        self, request: Any, operation_model: Any, context: Any
    ) -> tuple[tuple[Any, Answer] | None, BotoCoreError | None]:
        """The answer to one attempt, or that of a listener; or the error of an attempt that has none."""
        try:
            answers = self.shared.meta.events.emit(f"before-send.dynamodb.{operation_model.name}", request=request)
            http = first_non_none_response(answers)
            if http is None:
                http = self.http_session.send(request)
        except BotoCoreError as error:
            return None, error
        body: bytes = http.content
        if http.status_code >= HTTPStatus.MULTIPLE_CHOICES:
            parser = self.shared._endpoint._response_parser_factory.create_parser("json")
            response = {"headers": http.headers, "status_code": http.status_code, "body": body}
            return (http, cast(Answer, parser.parse(response, operation_model.output_shape))), None
        has_bytes = b'"B"' in body or b'"BS"' in body
        return (http, json.loads(body, object_hook=_with_bytes) if has_bytes else http.raw.answer), None


@lru_cache(maxsize=1)
def _endpoint(shared: Any) -> _ThinEndpoint:
    """Where a client sends its requests, over its own connections."""
    url, events, session = shared.meta.endpoint_url, shared.meta.events, shared._endpoint.http_session
    endpoint = _ThinEndpoint(url, "dynamodb", events, http_session=session)
    endpoint.shared = shared
    return endpoint


def read(operation: Operation, request: dict[str, Any]) -> Answer:
    """DynamoDB's answer, as the method of the shared client would return it, with less ``ResponseMetadata``.

    Raises the errors of that method.
    """
    shared: Any = client()
    emit, model = shared.meta.events.emit, shared.meta.service_model.operation_model(operation)
    context: dict[str, Any] = {"client_config": shared.meta.config}
    emit(f"before-parameter-build.dynamodb.{operation}", params=request, model=model, context=context)
    headers = {
        "Host": urlsplit(shared.meta.endpoint_url).netloc,
        "X-Amz-Target": f"{shared.meta.service_model.metadata['targetPrefix']}.{operation}",
        "Content-Type": "application/x-amz-json-1.0",
        "User-Agent": USER_AGENT,
    }
    url = f"{shared.meta.endpoint_url.rstrip('/')}/"
    body = json.dumps(request, default=_base64).encode()
    sent = {"url": url, "headers": headers, "body": body, "context": context}
    emit(f"before-call.dynamodb.{operation}", model=model, params=sent, context=context)
    http = None
    try:
        http, answer = _endpoint(shared).make_request(model, sent)
    finally:
        if http is None:  # whatever the error is, a listener must count the call no more
            emit(f"after-call-error.dynamodb.{operation}", exception=sys.exception(), context=context)
    emit(f"after-call.dynamodb.{operation}", http_response=http, parsed=answer, model=model, context=context)
    if http.status_code >= HTTPStatus.MULTIPLE_CHOICES:
        raise shared.exceptions.from_code(answer.get("Error", {}).get("Code"))(answer, operation)
    return cast(Answer, answer)


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
