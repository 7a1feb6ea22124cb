"""A read answers, fails and is recorded as one of the SDK's own client."""

import json
import ssl
from collections.abc import Sequence
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from botocore.credentials import Credentials
from botocore.exceptions import BotoCoreError, ClientError
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import Operation, client, read, translated
from dynamodb_lists.connection.errors import Unavailable
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.tests.helpers.answers import answer, answering, refusal
from dynamodb_lists.tests.helpers.configured import configured
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.tests.trials import LOG as TABLE
from dynamodb_lists.tests.trials import LogItem

pytestmark = [pytest.mark.usefixtures("tables"), pytest.mark.engine]  # each engine says things in its own way
PARTITION = "é#thin"
HASH, RANGE = LogItem.key_names()
METHODS = {"Query": "query", "GetItem": "get_item", "BatchGetItem": "batch_get_item"}

CERTIFICATE = Path(__file__).parents[1] / "helpers" / "localhost.pem"
"""A certificate for ``localhost`` that signs itself, and its key. It is good for these tests alone."""

RECORDED = [field.name for field in fields(Call) if field.name not in {"started", "milliseconds", "wave"}]

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
numbers = st.decimals(-(10**20), 10**20, allow_nan=False, places=9).map(lambda number: f"{number.normalize():f}")
names = st.sampled_from(["a", "B", "BS", "é", "N", "rate", "Items"])
attributes: st.SearchStrategy[Any] = st.recursive(
    st.builds(lambda value: {"S": value}, texts)
    | st.builds(lambda value: {"N": value}, numbers)
    | st.builds(lambda value: {"B": value}, st.binary(max_size=4))
    | st.builds(lambda value: {"BOOL": value}, st.booleans())
    | st.just({"NULL": True})
    | st.builds(lambda values: {"SS": sorted(values)}, st.sets(texts.filter(bool), min_size=1, max_size=3))
    | st.builds(lambda values: {"NS": sorted(map(str, values))}, st.sets(st.integers(), min_size=1, max_size=3))
    | st.builds(lambda values: {"BS": sorted(values)}, st.sets(st.binary(min_size=1, max_size=3), min_size=1)),
    lambda inner: (
        st.builds(lambda values: {"L": values}, st.lists(inner, max_size=3))
        | st.builds(lambda values: {"M": values}, st.dictionaries(names, inner, max_size=3))
    ),
    max_leaves=6,
)
items = st.lists(st.dictionaries(names, attributes, max_size=5), min_size=1, max_size=5)


def key(number: int) -> dict[str, Any]:
    return {HASH: {"S": PARTITION}, RANGE: {"S": f"{number:03}"}}


def outcome(call: Any, *args: Any, **request: Any) -> tuple[Any, list[Any]]:
    """Return what a call answers, or how it fails; and what the ledger has of it, without the time."""
    with ledger.recording() as calls:
        try:
            found = call(*args, **request)
            found.pop("ResponseMetadata", None)
        except ClientError as error:
            found = type(error).__name__, str(error), error.response["Error"], error.operation_name
        except BotoCoreError as error:
            found = type(error).__name__, str(error)
    return found, [[getattr(call, name) for name in RECORDED] for call in calls.calls]


def both_ways(operation: Operation, **request: Any) -> Any:
    """Return what both clients answer, which must be the same."""
    thin, theirs = outcome(read, operation, dict(request)), outcome(getattr(client(), METHODS[operation]), **request)
    assert thin == theirs
    return thin[0]


@given(items, st.integers(1, 4), st.booleans(), st.sampled_from(["NONE", "TOTAL", "INDEXES"]))
@settings(max_examples=examples(12))
def test_the_same_answers(stored: Sequence[Any], limit: int, ascending: bool, capacity: str) -> None:
    for number, item in enumerate(stored):
        client().put_item(TableName=TABLE, Item={**item, **key(number)})
    values: dict[str, Any] = {":pk": {"S": PARTITION}}
    condition: dict[str, Any] = {"KeyConditionExpression": f"{HASH} = :pk", "ExpressionAttributeValues": values}
    asked = {"TableName": TABLE, "Limit": limit, "ScanIndexForward": ascending, "ReturnConsumedCapacity": capacity}
    found = both_ways("Query", **condition, **asked)
    if start := found.get("LastEvaluatedKey"):
        both_ways("Query", **condition, **asked, ExclusiveStartKey=start, ConsistentRead=True)
    values[":b"] = {"B": b"\xff"}
    names = {"FilterExpression": "B > :b OR attribute_exists(#a)", "ExpressionAttributeNames": {"#a": "a"}}
    both_ways("Query", **condition, **names, **asked)
    wanted = [*map(key, range(len(stored))), key(999)]
    single = both_ways("GetItem", TableName=TABLE, Key=wanted[0], ReturnConsumedCapacity=capacity)
    again = both_ways("BatchGetItem", RequestItems={TABLE: {"Keys": wanted}}, ReturnConsumedCapacity=capacity)
    assert single["Item"] in again["Responses"][TABLE]
    assert "Item" not in both_ways("GetItem", TableName=TABLE, Key=wanted[-1])


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("Query", {"TableName": TABLE, "KeyConditionExpression": "nothing"}),
        ("Query", {"TableName": TABLE, "IndexName": "none", "KeyConditionExpression": "pk = pk"}),
        ("Query", {"TableName": "missing-table", "KeyConditionExpression": "pk = pk"}),
        ("GetItem", {"TableName": TABLE, "Key": {HASH: {"N": "1"}}}),
        ("GetItem", {"TableName": "missing-table", "Key": key(1)}),
        ("BatchGetItem", {"RequestItems": {TABLE: {"Keys": [key(1)] * 101}}}),
    ],
)
def test_the_same_errors_for_what_dynamodb_refuses(operation: Operation, request_: dict[str, Any]) -> None:
    assert isinstance(both_ways(operation, **request_), tuple)


@pytest.mark.parametrize(
    "answers",
    [
        [refusal("ThrottlingException"), refusal("ProvisionedThroughputExceededException")],
        [refusal("ThrottlingException")] * 3,
        [answer(500), answer(503, message="later")],
        [answer(500, __type="x#InternalServerError", message="no")] * 3,
        [refusal("AccessDeniedException")],
        [refusal("ExpiredTokenException")],
    ],
    ids=["throttled", "throttled for long", "down", "down for long", "denied", "expired"],
)
def test_the_same_retries(answers: list[Any]) -> None:
    def outcome_of(call: Any, *args: Any, **request: Any) -> Any:
        left = list(answers)
        for each in left:
            each.raw.seek(0)
            each._content = None
        with answering(lambda **_: left.pop(0) if left else None, "GetItem"):
            return outcome(call, *args, **request)

    asked: Any = {"TableName": TABLE, "Key": key(1), "ReturnConsumedCapacity": "TOTAL"}
    assert outcome_of(read, "GetItem", dict(asked)) == outcome_of(client().get_item, **asked)


def test_each_request_is_signed_with_the_credentials_of_its_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A role's credentials are renewed while the process runs."""
    sent: list[Any] = []
    with answering(lambda request, **_: sent.append(request.headers), "GetItem"):
        for name in ("AKIAFIRST", "AKIASECOND"):
            monkeypatch.setattr(client()._request_signer, "_credentials", Credentials(name, "secret", "token"))  # type: ignore[attr-defined]
            read("GetItem", {"TableName": TABLE, "Key": key(1)})
    assert ["AKIAFIRST" in sent[0]["Authorization"], "AKIASECOND" in sent[1]["Authorization"]] == [True, True]
    assert [headers["X-Amz-Security-Token"] for headers in sent] == ["token", "token"]


class Items(BaseHTTPRequestHandler):
    """An endpoint that answers with an item, and keeps its connection open."""

    protocol_version, asked = "HTTP/1.1", list[int]()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.asked.append(self.client_address[1])
        item = json.dumps({"Item": key(1)}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(item)))
        self.end_headers()
        self.wfile.write(item)

    def log_message(self, *_: object) -> None:
        pass


def test_a_connection_with_tls_is_checked_and_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def got() -> str:
        return str(read("GetItem", {"TableName": TABLE, "Key": key(1)})["Item"][RANGE]["S"])

    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(CERTIFICATE)
    with ThreadingHTTPServer(("127.0.0.1", 0), Items) as server:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        server.daemon_threads = True
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"https://localhost:{server.server_port}"
        with configured(endpoint_url=url), pytest.raises(Unavailable), translated():
            got()
        monkeypatch.setenv("AWS_CA_BUNDLE", str(CERTIFICATE))
        with configured(endpoint_url=url):
            assert [got() for _ in range(3)] == ["001"] * 3
        server.shutdown()
    assert len({*Items.asked}) == 1
    assert len(Items.asked) == 3
