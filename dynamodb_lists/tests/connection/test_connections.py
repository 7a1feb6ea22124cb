"""Several connections in one process: lists of the same tables at two engines never meet."""

import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists import BadCursor, Connection, List, Put, Record, Table, WrongDeclaration, commit, configure, ledger
from dynamodb_lists.connection import client as clients
from dynamodb_lists.connection import configuration, engine
from dynamodb_lists.connection.configuration import connection
from dynamodb_lists.connection.ledger import Call
from dynamodb_lists.declared.shapes import Shape
from dynamodb_lists.lists.list import lists_by_name
from dynamodb_lists.maintenance.list_rules import rules
from dynamodb_lists.maintenance.migration import migrate_list
from dynamodb_lists.maintenance.verification import TableCheck
from dynamodb_lists.schema import tables
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.tests.helpers import dynamodb_local
from dynamodb_lists.tests.helpers.configured import configured

NOWHERE = "http://127.0.0.1:1"


@dataclass(frozen=True, kw_only=True)
class Crate(Record):
    port: str
    number: str
    goods: str
    weight: int
    title: str = ""


def crates_at(where: Connection | None) -> List[Crate]:
    """Return the list of crates of a connection: everywhere of the same table, name and kind."""
    found = List(
        Crate,
        owner="port",
        id="number",
        facets="goods",
        sorts="weight",
        words="title",
        table="crates",
        connection=where,
    )
    found.create_table()
    return found


def crates_in(port: str, goods: str) -> list[Crate]:
    return [Crate(port=port, number=f"{n:02}", goods=goods, weight=n, title=f"{goods} {n}") for n in range(60)]


@pytest.fixture(scope="module")
def away(endpoint: str) -> Iterator[Connection]:
    """A connection to another engine. Afterwards, no command of other tests knows its lists."""
    lists, models = {**lists_by_name}, {**tables._registry}
    with engine.start(engine.find_binary(dynamodb_local.ROOT), engine.free_port()) as running:
        yield Connection("away", endpoint_url=running.url)
    for known, before in ((lists_by_name, lists), (tables._registry, models)):
        for name in [*known.keys() - before.keys()]:
            del known[name]


@pytest.fixture(scope="module")
def there(away: Connection) -> List[Crate]:
    return crates_at(away)


@pytest.fixture(scope="module")
def here(endpoint: str) -> List[Crate]:
    return crates_at(None)


def all_of(listed: List[Crate], port: str, goods: str) -> list[Any]:
    """Return what a list says after it was written, migrated, checked and read in every way."""
    listed.save(crates_in(port, goods))
    listed.update(listed.get(port=port, id="59", consistent=True), title=f"{goods} last", number="99")
    listed.delete(listed.create(Crate(port=port, number="no", goods="no", weight=0)))
    listed.reader.store_shape(Shape())
    unmigrated = migrate_list(listed)
    listed.reader.store_shape(Shape.of(listed.declaration))
    check = TableCheck(listed.models.item.Meta.table_name, rules(listed), repair=True)
    query = pickle.loads(pickle.dumps(listed.query(port=port)))
    page = query.where(goods=goods).order_by("-weight").page(25)
    return [
        [*map(str, check.faults(lambda _: None)), *unmigrated],
        page.facets["goods"],
        {row.goods for row in (*page.rows, *query.page(25, query.page(25).next).rows, *query)},
        [row.number for row in query.search(f"{goods} last").page(25).rows],
        {row.goods for row in listed.get_many([{"port": port, "number": "01"}, {"port": port, "number": "99"}])},
        query.count(),
        tables.create_table(listed.models.item.Meta.table_name),
    ]


def right(goods: str) -> list[Any]:
    return [[], {goods: 60}, {goods}, ["99"], {goods}, 60, False]


def test_lists_of_the_same_table_at_two_engines_never_meet(here: List[Crate], there: List[Crate]) -> None:
    with ThreadPoolExecutor() as pool:
        found = [pool.submit(all_of, here, "P", "tea"), pool.submit(all_of, there, "P", "wine")]
        assert [each.result() for each in found] == [right("tea"), right("wine")]


def test_nothing_of_a_list_is_sent_to_another_connection(there: List[Crate]) -> None:
    """Configure an address that leads nowhere: reads of a list with a connection of its own still succeed."""
    with configured(endpoint_url=NOWHERE), ledger.recording() as calls:
        assert all_of(there, "Q", "wine") == right("wine")
    assert {call.connection for call in calls.calls} == {"away"}


def test_configuring_again_moves_no_list(here: List[Crate], away: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    here.save(crates_in("R", "tea"))
    monkeypatch.setattr(configuration, "_usual", [connection()])
    later = configure(endpoint_url=away.read().endpoint_url, secret="another", table_prefix="later-")
    assert here.query(port="R").first() == here.get(port="R", id="00")
    boxes = List(Crate, owner="port", id="number", kind="box", name="boxes")
    assert boxes.create_table()
    assert boxes.models.item.Meta.table_name.connection is later
    assert boxes.models.item.Meta.table_name == "later-boxes"
    cursor = boxes.query(port="R").page(25).last or here.query(port="R").page(25).next
    assert len(here.query(port="R").page(25, cursor).rows) == 25, "its cursors have the secret that it had"


def test_a_cursor_is_of_one_connection(here: List[Crate], there: List[Crate]) -> None:
    here.save(crates_in("R", "tea"))
    there.save(crates_in("R", "wine"))
    with pytest.raises(BadCursor):
        there.query(port="R").page(25, here.query(port="R").page(25).next)


def test_a_transaction_of_two_connections_is_refused(here: List[Crate], there: List[Crate]) -> None:
    crate = Crate(port="S", number="1", goods="tea", weight=1)
    both = [Put(each.models.item.item(crate)) for each in (here, there)]
    with pytest.raises(WrongDeclaration, match="of one connection, but these writes are of '' and 'away'"):
        commit(both)
    copying = here.with_writes(lambda changes, by: [Put(there.models.item.item(each.after)) for each in changes])
    with pytest.raises(WrongDeclaration, match="of one connection"):
        copying.create(crate)
    assert [*here.query(port="S"), *there.query(port="S")] == []


def test_an_outage_of_one_connection_refuses_no_page_of_another(away: Connection) -> None:
    before = [clients.waiting(each).calls for each in (connection(), away)]
    clients.waiting(away).begin()
    assert [clients.waiting(each).calls for each in (connection(), away)] == [before[0], before[1] + 1]
    clients.waiting(away).end({"call": Call("GetItem", {"TableName": "x"})}, exception=TimeoutError())


TASKS = Table("crated-tasks", key=("PK", "SK"))


@dataclass(frozen=True, kw_only=True)
class Task(Record):
    team: str
    task: str
    state: str


def test_a_table_of_others_is_at_each_connection(away: Connection) -> None:
    lists = [
        List(Task, table=TASKS, id="task", key=("TEAM#{team}", "TASK#{task}"), writes=True, connection=each)
        for each in (None, away)
    ]
    for number, listed in enumerate(lists):
        name = listed.declaration.of.name  # type: ignore[attr-defined]
        sdk, key = clients.client(name), {"PK": {"S": "TEAM#t"}, "SK": {"S": "TASK#1"}}
        definition: Any = {
            "AttributeDefinitions": [{"AttributeName": each, "AttributeType": "S"} for each in key],
            "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        }
        sdk.create_table(TableName=name, BillingMode="PAY_PER_REQUEST", **definition)
        sdk.put_item(TableName=name, Item={**key, "state": {"S": f"of {number}"}})
    for number, listed in enumerate(lists):
        (task,) = listed.query(team="t").page().rows
        assert task.state == f"of {number}"
        listed.update(task, state=f"seen at {number}")
    assert [[task.state for task in listed.query(team="t")] for listed in lists] == [["seen at 0"], ["seen at 1"]]


def test_a_model_is_where_its_table_is(away: Connection) -> None:
    @tables.register
    class HookModel(ItemModel):
        kind, entity, key_templates = "hook", Task, ("TEAM#{team}", "TASK#{task}")
        pk = UnicodeAttribute(hash_key=True)
        sk = UnicodeAttribute(range_key=True)

        class Meta:
            table_name = tables.table_name("hooks", away)

    assert tables.create_table(HookModel.Meta.table_name)
    hooks = List(Task, table=HookModel, id="task", name="hooks")
    with configured(endpoint_url=NOWHERE):
        hooks.create(Task(team="t", task="1", state="new"))
        assert [each.state for each in hooks.query(team="t").page().rows] == ["new"]
    assert (hooks.name, HookModel.all_models["away.hook"]) == ("away.hooks", HookModel)
    with pytest.raises(WrongDeclaration, match="has another connection already"):
        List(Task, table=HookModel, id="task", name="hooks", connection=connection())


def test_a_connection_has_what_is_configured_but_for_what_it_says(away: Connection) -> None:
    with configured(secret="changed", client=object()):
        assert (away.read().secret, away.read().client) == ("changed", None)
    with pytest.raises(WrongDeclaration, match="already a connection 'away'"):
        Connection("away")
    with pytest.raises(TypeError, match="regoin"):
        Connection("other", regoin="eu-west-1")
