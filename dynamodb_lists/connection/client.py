"""The client of each connection, which boto3's calls and all PynamoDB models share; what happens at each call; and the
meaning of its errors.

Each call keeps the deadline of its page, is refused in an outage, and leaves a record in the ledger. Five events of
botocore do all of it. :func:`read` emits these events, too.
"""

import json
import os
import sys
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from http import HTTPStatus
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urlsplit

import botocore.session
from botocore.awsrequest import AWSPreparedRequest
from botocore.config import Config
from botocore.endpoint import Endpoint
from botocore.exceptions import BotoCoreError, ClientError
from botocore.hooks import first_non_none_response
from pynamodb.exceptions import PynamoDBException

from dynamodb_lists.connection import ledger, scope
from dynamodb_lists.connection.answers import Answer, guard
from dynamodb_lists.connection.configuration import Configuration, Connection, connection_of, prefix_of_tests, secrets
from dynamodb_lists.connection.errors import CREDENTIALS_HINT, LASTING, TESTS_HINT, NotConfigured, Refused, Unavailable
from dynamodb_lists.connection.ledger import Call

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


_lock = Lock()
Operation = Literal["Query", "Scan", "GetItem", "BatchGetItem"]
LOCAL_REGION = "us-east-1"  # an engine on this machine takes any
USER_AGENT = "dynamodb-lists"  # a fixed text: the SDK composes its own long one for each request


def client(table: str = "") -> "DynamoDBClient":
    """Return the client of a table's connection; without a table, of the connection that was configured last.

    All threads share the client's pool of connections. Each call ends at the page's deadline.

    Raises: ``Refused`` while there are no AWS credentials.
    """
    with _lock:  # several first requests at once must not create a client each
        return _client(connection_of(table))


def forget() -> None:
    """Create new clients at the next calls, after the configuration has changed. For tests and benchmarks."""
    for each in (_client, _endpoint, secrets):
        each.cache_clear()


@cache
def _client(connection: Connection) -> "DynamoDBClient":
    configured, core = connection.read(), cast(Any, botocore.session.Session())
    dynamodb: DynamoDBClient = configured.client or core.create_client(
        "dynamodb",
        region_name=configured.region or (LOCAL_REGION if configured.endpoint_url else None),
        endpoint_url=configured.endpoint_url,
        config=Config(
            connect_timeout=configured.connect_timeout,
            read_timeout=configured.read_timeout,
            # Not "adaptive": that limits the whole client, so one throttled table would slow down every other table.
            retries={"mode": "standard", "total_max_attempts": scope.SDK_ATTEMPTS},
            max_pool_connections=configured.connections,
            tcp_keepalive=True,
            user_agent=USER_AGENT,
            parameter_validation=False,  # PynamoDB composes the requests, and DynamoDB validates them
        ),
        **_credentials(core, configured),
    )
    guard(dynamodb)
    calls, events = waiting(connection), cast(Any, dynamodb.meta.events)
    events.register("before-parameter-build.dynamodb", partial(_prepare, connection.name))
    events.register("before-call.dynamodb", calls.begin)
    # What must not be lost to an error of another listener comes first.
    events.register_first("needs-retry.dynamodb", _end_attempt)
    for name in ("after-call.dynamodb", "after-call-error.dynamodb"):
        events.register_first(name, calls.end)
    return dynamodb


def _credentials(core: botocore.session.Session, configured: Configuration) -> dict[str, Any]:
    """No arguments where the SDK finds credentials by itself; else placeholders that a local engine accepts.

    On AWS the SDK searches every source: environment, profile, shared files, machine role.
    Otherwise only the environment counts, because asking for a machine role takes seconds where there is none.
    """
    on_aws = configured.on_aws if configured.on_aws is not None else configured.endpoint_url is None
    if on_aws:
        has_credentials = core.get_credentials() is not None
        if configured.endpoint_url is None and not has_credentials:
            raise Refused("No AWS credentials were found", "NoCredentialsError", CREDENTIALS_HINT)
    else:
        has_credentials = bool(os.environ.keys() & {"AWS_ACCESS_KEY_ID", "AWS_PROFILE"})
    return {} if has_credentials else {"aws_access_key_id": "local", "aws_secret_access_key": "local"}


# --- What happens at each call ---------------------------------------------------------------------------


SILENT_SECONDS = 1.0
"""While the database answers at all, some answer arrives in less."""


class Waiting:
    """The calls of a connection that wait for an answer. In an outage, further calls of pages are refused at once.

    Without it, 40 users of a process of 16 threads waited 12 seconds for a static file while the engine was stopped;
    with it, a hundredth of a second. This is a circuit breaker (Nygard, Release It!, 2018).
    """

    def __init__(self, connection: Connection) -> None:
        self.connection, self.calls = connection, 0
        self._since = 0.0
        self._lock = Lock()

    def begin(self, **_: Any) -> None:
        """Count a call. Raises: ``Unavailable`` if the call has a deadline that is over, or in an outage."""
        scope.require_time()
        now = time.monotonic()
        with self._lock:
            if not self.calls:
                self._since = now
            silent = now - self._since > SILENT_SECONDS and scope.current().deadline < inf
            if silent and self.calls >= self.connection.read().waiting_calls:
                raise Unavailable(f"{self.calls} calls wait for a database that does not answer.")
            self.calls += 1

    def end(
        self,
        context: dict[str, Any],
        parsed: dict[str, Any] | None = None,
        exception: BaseException | None = None,
        **_: Any,
    ) -> None:
        """Stop counting a call, and note its answer, or its error if no attempt was answered."""
        with self._lock:
            self.calls -= 1
            if exception is None:
                self._since = time.monotonic()
        call = context["call"]
        call.end(parsed or {}, exception)
        for observe in (*scope.current().observers, *ledger.observers):
            observe(call)


waiting = cache(Waiting)
"""The calls of a connection that wait."""


def _prepare(name: str, params: dict[str, Any], model: Any, context: dict[str, Any], **_: Any) -> None:
    call = context["call"] = Call(model.name, params, scope.current().purpose, scope.next_wave(), name)
    prefix = prefix_of_tests()
    for table in call.tables:
        if not table.startswith(prefix):
            raise NotConfigured(
                f"A test does not use {table}, but tables whose names begin with {prefix}. Name it by table_name(), "
                "and let tests begin before it is declared."
            )


def _end_attempt(
    request_dict: dict[str, Any], response: Any, attempts: int, caught_exception: Exception | None, **_: Any
) -> bool | None:
    """``False`` if there is no time for a retry; ``None`` leaves the decision to the SDK.

    The SDK waits at most ``2 ** (attempts - 1)`` seconds if it is throttled, and only milliseconds after lost answers.
    """
    request_dict["context"]["call"].add_attempt(response, caught_exception)
    longest_wait = 0 if caught_exception else 2 ** (attempts - 1)
    return None if scope.seconds_left() > longest_wait else False


# --- Reads without most of the SDK's work --------------------------------------------------------------------
#
# botocore validates, routes, serializes and parses each request by its description of the service, which takes longer
# than all the rest. Requests and answers of reads are the same in Python as in DynamoDB's JSON, except for bytes, so
# they are sent and returned as they are. All else is the client's own: credentials and signer, connections, which judge
# the answers, the rules and the quota of retries, and errors. The events of botocore are emitted to which anybody
# listens, so deadlines, outages, the ledger and tests need not know in which way a call is made.


class _ThinEndpoint(Endpoint):
    """Sends requests and repeats them as botocore does, but parses only answers that are errors."""

    shared: Any
    """The shared client."""

    def create_request(self, params: Any, operation_model: Any = None) -> AWSPreparedRequest:
        """Return a request, signed with the credentials of this moment, because credentials are renewed."""
        headers: Any = {**params["headers"]}
        request: Any = AWSPreparedRequest("POST", params["url"], headers, params["body"], False, {})
        request.params = None  # so that botocore's signer can sign it as it is
        self.shared._request_signer.sign(operation_model.name, request)
        return cast(AWSPreparedRequest, request)

    def _get_response(
        self, request: Any, operation_model: Any, context: Any
    ) -> tuple[tuple[Any, Answer] | None, BotoCoreError | None]:
        """Return the answer to one attempt, from DynamoDB or from a listener; without an answer, the error."""
        try:
            answers = self.shared.meta.events.emit(f"before-send.dynamodb.{operation_model.name}", request=request)
            http = first_non_none_response(answers)
            if http is None:
                http = self.http_session.send(request)
        except BotoCoreError as error:
            return None, error
        answer = getattr(http.raw, "answer", None)  # a listener's has none, such as that of moto
        if answer is None or http.status_code >= HTTPStatus.MULTIPLE_CHOICES:
            parser = self.shared._endpoint._response_parser_factory.create_parser("json")
            response = {"headers": http.headers, "status_code": http.status_code, "body": http.content}
            answer = cast(Answer, parser.parse(response, operation_model.output_shape))
        return (http, answer), None


@cache
def _endpoint(shared: Any) -> _ThinEndpoint:
    """Return an endpoint that sends requests over the connections of a client."""
    url, events, session = shared.meta.endpoint_url, shared.meta.events, shared._endpoint.http_session
    endpoint = _ThinEndpoint(url, "dynamodb", events, http_session=session)
    endpoint.shared = shared
    return endpoint


def read(operation: Operation, request: dict[str, Any]) -> Answer:
    """Send a request, and return DynamoDB's answer, as the method of the table's client would, without most of
    ``ResponseMetadata``.

    Raises: the errors of that method.
    """
    shared: Any = client(request.get("TableName") or next(iter(request["RequestItems"])))
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
    body = json.dumps(request, default=lambda value: b64encode(value).decode()).encode()
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


# --- What its errors mean --------------------------------------------------------------------------------


SDK_ERRORS = (PynamoDBException, BotoCoreError, ClientError)


@contextmanager
def translated() -> Iterator[None]:
    """Translate the SDKs' exceptions into :class:`Unavailable` or :class:`Refused`. ``__cause__`` is the original."""
    with ledger.recording() as calls:
        try:
            yield
        except SDK_ERRORS as error:
            tables = calls.calls[-1].blamed if calls.calls else ()
            raise translation(error, *tables, maybe_written=calls.maybe_written) from error


def translation(error: Exception, *tables: str, maybe_written: bool = False) -> Unavailable:
    """Return the error of the package for an error of :data:`SDK_ERRORS`, in a call that was about these tables."""
    # PynamoDB keeps the cause of an error, and leaves that of a transaction's error out of its text.
    cause = getattr(error, "cause", None)
    words = str(error) if str(cause or "") in str(error) else f"{error}: {cause}"
    code = type(cause or error).__name__
    if isinstance(found := cause or error, ClientError):
        code = found.response.get("Error", {}).get("Code", code)
    reasons = (reason.code for reason in getattr(error, "cancellation_reasons", []) if reason)
    names = {each.removesuffix("Exception") for each in (code, *reasons)}
    for hint, lasting in LASTING.items():  # what an administrator must do before the request can work
        if not names.isdisjoint(lasting):
            said = TESTS_HINT if prefix_of_tests() and "ResourceNotFound" in names else hint
            about = f" about {', '.join(tables)}" if tables else ""
            return Refused(f"The database refused a call{about}: {words}", code, said, maybe_written=maybe_written)
    return Unavailable(f"The database did not answer: {words}", code, maybe_written=maybe_written)
