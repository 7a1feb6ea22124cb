"""Changes of items in tables of other programs: attributes that are set, stay, or refuse the change."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynamodb_lists import ChangedMeanwhile, Index, Key, List, Record, Table, UnknownField, WrongDeclaration, WrongValue
from dynamodb_lists.connection import ledger
from dynamodb_lists.connection.client import client
from dynamodb_lists.schema.conditions import GIVEN
from dynamodb_lists.tests.helpers.examples import examples
from dynamodb_lists.writing.transactions import repeated


class Phase(StrEnum):
    OPEN = "OPEN"
    SHUT = "SHUT"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@dataclass(frozen=True, kw_only=True)
class Task(Record):
    board: str
    number: int
    title: str
    phase: Phase = Phase.OPEN
    level: Level = Level.LOW
    owner: str | None = None
    due: datetime | None = None
    day: date | None = None
    cost: Decimal | None = None
    weight: float = 0.0
    more: dict[str, Any] | None = None
    urgent: bool = False
    code: str = ""
    version: int = 0


TABLE = Table(
    "told-tasks",
    key=("PK", "SK"),
    indexes={
        "of-owner": ("owner_key", "SK"),
        "open": Index("phase_key", "cost", when=[{"phase": Phase.OPEN, "owner": GIVEN}]),
        "by-code": ("code", "SK"),
    },
    numbers=["cost"],
)
COUNTED = Table("told-tasks", key=("PK", "SK"))
KEYS: Any = {
    "owner_key": "OWNER#{owner}",
    "phase_key": Key("{board}#{phase}", when=[{"phase": Phase.OPEN, "owner": GIVEN}]),
}
NAMES: dict[str, Any] = {"id": "number", "key": ("BOARD#{board}", "{number:4}"), "name": "told_tasks"}
TASKS = List(Task, table=TABLE, keys=KEYS, writes=True, **NAMES)
REVISED = List(Task, table=COUNTED, writes=True, revision="version", **{**NAMES, "name": "told_revised"})
READ = List(Task, table=Table("told-tasks", key=("PK", "SK")), **{**NAMES, "name": "told_read"})

KEY: Any = {"PK": {"S": "BOARD#b"}, "SK": {"S": "0001"}}
OTHERS = {
    "ttl": {"N": "1893456000"},
    "votes": {"N": "5"},
    "sets": {"NS": ["5.5", "7"]},
    "bytes": {"BS": [b"\x00", b"\xff"]},
    "map": {"M": {"list": {"L": [{"NULL": True}, {"BOOL": False}, {"N": "5.5"}, {"M": {}}]}, "empty": {"S": ""}}},
    "GSI9PK": {"S": "of another program"},
}
AT = datetime(2024, 3, 1, 12, tzinfo=UTC)
STORED = {**KEY, **OTHERS, "title": {"S": "t"}, "version": {"N": "3"}, "due": {"S": "2024-03-01T12:00:00.000Z"}}


@pytest.fixture(scope="module", autouse=True)
def table(endpoint: str) -> None:
    client().create_table(
        TableName="told-tasks",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("PK", "SK", "code")],
        GlobalSecondaryIndexes=[
            {
                "IndexName": "by-code",
                "KeySchema": [{"AttributeName": "code", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
    )


def put(**attributes: Any) -> Task:
    """Store the item with these attributes, and see it."""
    item = {name: value for name, value in {**STORED, **attributes}.items() if value}
    client().put_item(TableName="told-tasks", Item=item)
    return TASKS.get(board="b", number=1, consistent=True)


def raw() -> dict[str, Any]:
    return client().get_item(TableName="told-tasks", Key=KEY, ConsistentRead=True)["Item"]


CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "title": st.text(max_size=5),
        "phase": st.sampled_from(Phase),
        "level": st.sampled_from(Level),
        "owner": st.none() | st.sampled_from(["ann", "a#b"]),
        "due": st.none() | st.integers(0, 99).map(lambda days: AT + timedelta(days=days)),
        "day": st.none() | st.integers(0, 99).map(lambda days: date(2024, 1, 1) + timedelta(days=days)),
        "cost": st.none() | st.decimals(-99, 99, places=2),
        "urgent": st.booleans(),
        "code": st.sampled_from(["x", "y"]),
    },
)


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(CHANGES, max_size=4))
def test_an_update_sets_the_fields_and_their_keys_and_leaves_all_else(several: list[dict[str, Any]]) -> None:
    task = put()
    for changes in several:
        before, seen = raw(), task
        task = TASKS.update(seen, **changes)
        assert task == replace(seen, **changes) == TASKS.get(board="b", number=1, consistent=True)
        item, moved = raw(), {name for name, value in changes.items() if getattr(seen, name) != value}
        keyed = {"owner_key": {"owner"}, "phase_key": {"owner", "phase"}}
        may = moved | {key for key, made_of in keyed.items() if made_of & moved}
        assert {name: item.get(name) for name in {*item, *before} - may} == {
            name: before.get(name) for name in {*item, *before} - may
        }
        if moved:
            assert ("owner_key" in item) == (task.owner is not None) or "owner" not in moved
            is_open = task.owner is not None and task.phase is Phase.OPEN
            assert item.get("phase_key") == ({"S": "b#OPEN"} if is_open else None)
            assert "owner" not in moved or item.get("owner_key") == (
                {"S": f"OWNER#{task.owner}"} if task.owner is not None else None
            )
        assert TASKS.update(seen, **changes) == task  # as after a lost answer
        assert raw() == item


@pytest.mark.parametrize(
    ("stored", "changes", "written"),
    [
        ({"due": {"N": "1709294400"}}, {"due": AT + timedelta(hours=1)}, {"due": {"N": "1709298000"}}),
        ({"due": {"N": "1709294400000"}}, {"due": AT + timedelta(hours=1)}, {"due": {"N": "1709298000000"}}),
        (
            {"due": {"S": "2024-03-01T12:00:00+00:00"}},
            {"due": AT + timedelta(1)},
            {"due": {"S": "2024-03-02T12:00:00+00:00"}},
        ),
        ({"due": {"NULL": True}}, {"due": AT}, {"due": {"S": "2024-03-01T12:00:00Z"}}),
        ({"day": {"S": "2024-03-01T00:00:00Z"}}, {"day": date(2024, 3, 2)}, {"day": {"S": "2024-03-02T00:00:00Z"}}),
        ({"cost": {"S": "5.50"}}, {"cost": Decimal("6.50")}, {"cost": {"S": "6.50"}}),
        ({"cost": {"S": "5.50"}}, {"title": "x"}, {"cost": {"S": "5.50"}, "title": {"S": "x"}}),
        ({"cost": {"N": "1" * 38}}, {"cost": Decimal("2" * 38)}, {"cost": {"N": "2" * 38}}),
        ({"weight": {"N": "5.5"}}, {"weight": 0.1}, {"weight": {"N": "0.1"}}),
        ({"code": {"S": "c"}}, {"code": "d"}, {"code": {"S": "d"}}),
        ({"title": {"N": "5"}}, {"title": "6"}, {"title": {"N": "6"}}),
        ({"level": {"N": "1"}}, {"level": Level.HIGH}, {"level": {"N": "2"}}),
    ],
)
def test_values_are_spelt_as_they_were(stored: Any, changes: Any, written: Any) -> None:
    seen, before = put(**stored), {**STORED, **stored}
    TASKS.update(seen, **changes)
    assert raw() == {**before, **written}


def test_a_key_that_a_rule_leaves_out_which_nobody_told_is_not_added() -> None:
    seen = put(owner={"S": "ann"}, phase={"S": "SHUT"})
    TASKS.update(seen, owner="bob")
    assert "owner_key" not in raw()
    TASKS.update(TASKS.get(board="b", number=1), phase=Phase.OPEN, title="x")  # a rule that is told
    assert raw()["phase_key"] == {"S": "b#OPEN"}


def test_a_change_is_refused_if_its_fields_are_not_as_seen() -> None:
    seen = put()
    with ledger.recording() as calls:
        TASKS.update(seen, title="theirs")
    assert [call.request.get("ConsistentRead", call.operation) for call in calls.calls] == [True, "UpdateItem"]
    with pytest.raises(ChangedMeanwhile):
        TASKS.update(seen, title="mine")
    assert TASKS.update(seen, urgent=True).title == "theirs"  # another field
    client().delete_item(TableName="told-tasks", Key=KEY)
    with pytest.raises(ChangedMeanwhile):
        TASKS.update(seen, urgent=False, title="mine")
    assert "Item" not in client().get_item(TableName="told-tasks", Key=KEY)


def test_their_revision_is_checked_and_raised() -> None:
    put()
    seen = REVISED.get(board="b", number=1)
    assert seen.revision == 3
    done = REVISED.update(seen, title="theirs")
    assert (done.revision, raw()["version"]) == (4, {"N": "4"})
    with pytest.raises(ChangedMeanwhile):
        REVISED.update(seen, urgent=True)
    assert REVISED.update(seen, title="theirs") == done  # as after a lost answer
    with pytest.raises(UnknownField):
        REVISED.update(done, version=9)
    put(version=None)
    assert REVISED.update(REVISED.get(board="b", number=1), urgent=True).revision == 1


def between_read_and_write(monkeypatch: pytest.MonkeyPatch, action: Callable[[], Any]) -> None:
    """Do something once, just before the next update is sent."""

    def first(call: Any) -> Any:
        monkeypatch.undo()
        action()
        return repeated(call)

    monkeypatch.setattr("dynamodb_lists.lists.told_writing.repeated", first)


def test_writes_between_the_read_and_the_write(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = put(owner={"S": "ann"}, owner_key={"S": "OWNER#ann"})
    between_read_and_write(monkeypatch, lambda: TASKS.update(seen, title="theirs"))
    with pytest.raises(ChangedMeanwhile):
        TASKS.update(seen, title="mine")
    seen = put(owner={"S": "ann"}, owner_key={"S": "OWNER#ann"})
    between_read_and_write(monkeypatch, lambda: TASKS.update(seen, owner="bob"))  # a part of the key of another field
    assert TASKS.update(seen, phase=Phase.SHUT).owner == "bob"
    assert "phase_key" not in raw()
    seen = put()
    between_read_and_write(monkeypatch, lambda: client().delete_item(TableName="told-tasks", Key=KEY))
    with pytest.raises(ChangedMeanwhile):
        TASKS.update(seen, title="mine")
    seen = put()
    between_read_and_write(
        monkeypatch, lambda: TASKS.update(seen, title="mine")
    )  # which is this one, whose answer was lost
    assert TASKS.update(seen, title="mine").title == "mine"


@pytest.mark.parametrize("tasks", [TASKS, REVISED])
def test_what_must_be_as_seen_can_be_named(tasks: List[Task], monkeypatch: pytest.MonkeyPatch) -> None:
    put()
    seen = tasks.get(board="b", number=1)
    theirs = tasks.update(seen, title="theirs", urgent=True)
    assert tasks.update(seen, on=("phase",), title="mine").urgent, "only the phase must be as seen"
    for read, on in (seen, ("urgent",)), (theirs, {"urgent": False}):
        with pytest.raises(ChangedMeanwhile) as refusal:
            tasks.update(read, on=on, level=Level.HIGH)
        assert refusal.value.stored == tasks.get(board="b", number=1, consistent=True)
    between_read_and_write(monkeypatch, lambda: tasks.update(seen, on=(), urgent=False))
    with pytest.raises(ChangedMeanwhile):
        tasks.update(theirs, on=("urgent",), level=Level.HIGH)
    between_read_and_write(monkeypatch, lambda: tasks.update(seen, on=(), title="theirs again", urgent=True))
    last = tasks.update(seen, on=(), title="the last")
    assert (last.title, last.urgent, last.level) == ("the last", True, Level.LOW), "the last writer of a field wins"


def test_what_is_done_is_told_by_the_stored_entity() -> None:
    seen = put()
    shut = TASKS.update(seen, phase=Phase.SHUT, due=AT)
    is_shut = lambda task: task.phase is Phase.SHUT  # noqa: E731
    assert TASKS.update(seen, on=("phase",), done=is_shut, phase=Phase.SHUT, due=AT + timedelta(1)) == shut
    assert TASKS.update(shut, done=is_shut, due=AT + timedelta(2)).due == AT + timedelta(2), "nobody has changed it"


REFUSED: list[tuple[type[Exception], str, Callable[[Task], Any]]] = [
    (UnknownField, "no field 'board' that can be changed", lambda seen: TASKS.update(seen, board="c")),
    (UnknownField, "no field 'number'", lambda seen: TASKS.update(seen, number=2)),
    (UnknownField, "no field 'titel'", lambda seen: TASKS.update(seen, titel="x")),
    (UnknownField, "no field 'revision'", lambda seen: TASKS.update(seen, revision=2)),
    (WrongValue, "title must be a text", lambda seen: TASKS.update(seen, title=None)),
    (WrongValue, "phase must be one of OPEN, SHUT, and 'LOST' is not", lambda seen: TASKS.update(seen, phase="LOST")),
    (WrongValue, "due must be a time .* time zone", lambda seen: TASKS.update(seen, due=datetime(2026, 1, 1))),
    (WrongValue, "title must be shorter", lambda seen: TASKS.update(seen, title="x" * 450_000)),
    (WrongValue, "more: DynamoDB cannot hold .*0.5", lambda seen: TASKS.update(seen, more={"deep": [0.5]})),
    (WrongDeclaration, "Told tasks lie in a table of others: update fields", lambda seen: TASKS.update(seen, replace)),
    (WrongDeclaration, "Told read are only read: declare writes=True", lambda seen: READ.update(seen, title="x")),
    (WrongDeclaration, "Told tasks lie in the table told-tasks, which others create", lambda _: TASKS.create_table()),
    (WrongDeclaration, "update.. alone changes them", TASKS.create),
    (WrongDeclaration, "update.. alone changes them", TASKS.delete),
    (WrongDeclaration, "update.. alone changes them", lambda seen: TASKS.save([seen])),
    (UnknownField, "Told tasks have no words", lambda _: TASKS.query().search("x")),
    (
        WrongDeclaration,
        "told_wordy lie in a table that exists already: words= is for lists that spell their own keys",
        lambda _: List(Task, table=Table("w", key=("PK", "SK")), words="title", **{**NAMES, "name": "told_wordy"}),
    ),
]


@pytest.mark.parametrize(("error", "said", "call"), REFUSED)
def test_what_is_refused_says_why(error: type[Exception], said: str, call: Callable[[Task], Any]) -> None:
    seen, before = put(), raw()
    with pytest.raises(error, match=said):
        call(seen)
    assert raw() == before
