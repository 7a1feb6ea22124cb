"""What verification finds in a list over a model: wrong keys, counts and words, which it repairs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Self

import pytest
from pynamodb.attributes import UnicodeAttribute

from dynamodb_lists import (
    Field,
    IntegerAttribute,
    ItemModel,
    KeyAttribute,
    List,
    Record,
    Unreadable,
    WordModel,
    Words,
    global_index,
    register,
    table_name,
)
from dynamodb_lists.connection.client import client
from dynamodb_lists.maintenance.list_rules import rules
from dynamodb_lists.maintenance.rules import GroupRule, Unread
from dynamodb_lists.maintenance.verification import TableCheck
from dynamodb_lists.schema.tables import create_table


@dataclass(frozen=True)
class Barge(Record):
    name: Annotated[str, Field("Name")]
    port: Annotated[str, Field("Port")]
    decks: Annotated[int, Field("Decks")]


class BargesItem(ItemModel):
    class Meta:
        table_name = table_name("barges")

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)


@register
class BargeModel(BargesItem):
    kind, entity = "barge", Barge
    key_templates = "BARGE#{name}", "BARGE"
    place = KeyAttribute("{port}#{decks}")
    by_place = global_index("by-place", "place", "pk", projected=["name", "port", "decks"])


class BargeCountModel(BargesItem):
    kind = "barge-count"
    key_templates = "counts#{port}", "{decks}"
    barges = IntegerAttribute(default=0)


class BargeWordModel(BargesItem, WordModel):
    kind = "barge-word"
    key_templates = "WORD#{initials}", "{text}#{id}"

    @classmethod
    def of(cls, entity: Barge) -> list[Self]:
        return cls.repeated(entity.name, Words.of(entity.name))


BARGES = List(Barge, table=BargeModel, name="barges", words=BargeWordModel, counts=BargeCountModel)


@pytest.fixture(autouse=True)
def _own_table(endpoint: str) -> Iterator[None]:
    create_table(BargeModel.Meta.table_name)
    for name, decks in (("Rhine Star", 2), ("Saar", 2)):
        BARGES.create(Barge(name, "Basel", decks))
    BargeCountModel.keyed(port="Basel", decks=2).update(actions=[BargeCountModel.barges.set(2)])
    yield
    client().delete_table(TableName=BargeModel.Meta.table_name)


def found(*, repair: bool = False, unread: Unread | None = None) -> list[tuple[str, bool]]:
    checked = rules(BARGES)
    for rule in checked:
        if isinstance(rule, GroupRule):
            rule.settle_seconds = 0.0  # nobody writes meanwhile
    check = TableCheck(BargeModel.Meta.table_name, checked, repair=repair, unread=unread)
    return [(fault.text, fault.repaired) for fault in check.faults(lambda _: None)]


def wrong_key() -> None:
    BargeModel.keyed(name="Saar").update(actions=[BargeModel.place.set("Ulm#2")])


def wrong_count() -> None:
    BargeCountModel.keyed(port="Basel", decks=2).update(actions=[BargeCountModel.barges.set(5)])


def missing_word() -> None:
    BargeWordModel(*BargeWordModel.place_of(initials="s", text="saar", id="Saar")).delete()


def surplus_word() -> None:
    (word,) = BargeWordModel.of(Barge("Gone", "Ulm", 1))
    word.save()


@pytest.mark.parametrize(
    ("harm", "fault"),
    [
        (wrong_key, "the barge BARGE#Saar BARGE has wrong place"),
        (wrong_count, "the count of 2 of Basel is 5; the number of barges is 2"),
        (missing_word, "the word item WORD#s saar#Saar is missing"),
        (surplus_word, "the word item WORD#g gone#Gone is surplus"),
    ],
)
def test_a_fault_is_named_and_repaired(harm: Any, fault: str) -> None:
    assert found() == []
    harm()
    assert (fault, False) in found()
    assert (fault, True) in found(repair=True)
    found(repair=True)  # a wrong key also hides the item from its count
    assert found() == []


def test_a_row_that_cannot_be_read_is_named_by_its_page_and_deleted() -> None:
    item = BARGES.model.item(Barge("Saar", "Basel", 2)).serialize()
    client().put_item(TableName=BargeModel.Meta.table_name, Item={**item, "decks": {"S": "two"}})
    query = BARGES.query(port="Basel", decks=2)
    page = query.page()
    assert [row.name for row in page.rows] == ["Rhine Star"]
    assert "decks is 'two'" in page.misfits[0].reason
    with pytest.raises(Unreadable, match="decks"):
        query.take(5)
    assert any("decks is 'two': reset or delete it, with --unread" in text for text, _ in found())
    found(repair=True, unread=Unread.DELETE)
    found(repair=True)  # the count, and the words
    assert [row.name for row in query] == ["Rhine Star"]
    assert found() == []
