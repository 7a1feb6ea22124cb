"""What ``verify_data`` checks of a declared list: the items, the keys of their indexes, counts and words."""

from collections.abc import Iterator, Mapping
from typing import Any

from dynamodb_lists.connection.errors import NotFound
from dynamodb_lists.declared.models import HEAD, count_of
from dynamodb_lists.lists.counting import CountsStore
from dynamodb_lists.lists.list import List
from dynamodb_lists.lists.writing import ListCounts
from dynamodb_lists.maintenance.invariants import Entry, GroupRule, Identity, ItemRule, Observation, text
from dynamodb_lists.maintenance.rules import CountRule, KeysRule, PackedCountsRule
from dynamodb_lists.reading.items import get_item, read_partition
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.models import RawItem
from dynamodb_lists.writing import single_items


def rules(declared: List[Any]) -> tuple[ItemRule | GroupRule, ...]:
    """The rules of a list: an item has the keys of its values, and each count is the number of its items."""
    declaration, item = declared.declaration, declared.models.item
    keys_rule = KeysRule(
        model=item,
        words=f"{declaration.kind} {{0.{declaration.id_field}}} has wrong {{names}}",
    )
    words = [WordItemsRule(declared)] if declaration.word_fields else []
    return keys_rule, _counts_rule(declared), _number_rule(declared), ListPackedCountsRule(declared), *words


def _counts_rule(declared: List[Any]) -> CountRule:
    """Each combination of facets has the number of its items."""
    declaration, models = declared.declaration, declared.models
    owners = len(declaration.owner)

    def group(item: RawItem) -> Identity:
        entity = models.item.entity_of(item)
        return declaration.owner_of(entity) + declaration.combination(entity)

    def count(*identity: str) -> Mapping[str, int]:
        found = read_partition(models.item, declaration.partition(identity[:owners]), consistent=True)
        items = (declaration.combination(models.item(**values)) for values in found)
        return {"": sum(1 for each in items if each == identity[owners:])}

    def counter(*identity: str) -> Any:
        return models.count(declaration.counts_partition(identity[:owners]), keys.compose(*identity[owners:]))

    return CountRule(
        model=models.item,
        numbers={"": "number"},
        counter_model=models.count,
        group=group,
        counter_group=lambda item: _owner(item) + keys.parse(text(item, "sk")),
        counter=counter,
        count=count,
        name=f"the count of {declaration.name} {{0}} {{rest}}",
        noun=declaration.name,
        repaired=lambda *identity: declared.repack(identity[:owners]),
    )


def _number_rule(declared: List[Any]) -> CountRule:
    """The head of an owner's counts has the number of all items."""
    declaration, models = declared.declaration, declared.models

    def count(*owner: str) -> Mapping[str, int]:
        found = read_partition(models.item, declaration.partition(owner), ("sk",), consistent=True)
        return {"": sum(1 for _ in found)}

    return CountRule(
        model=models.item,
        numbers={"": "items"},
        counter_model=models.head,
        group=lambda item: declaration.owner_of(models.item.entity_of(item)),
        counter_group=_owner,
        counter=lambda *owner: models.head(declaration.counts_partition(owner), HEAD),
        count=count,
        name=" ".join(["the number of all", declaration.name, *(f"{{{n}}}" for n in range(len(declaration.owner)))]),
        noun=declaration.name,
    )


def _owner(item: RawItem) -> Identity:
    return keys.parse(text(item, "pk"))[1:-1]


class ListPackedCountsRule(PackedCountsRule):
    """The revision of the counts is an item of its own."""

    def __init__(self, declared: List[Any]) -> None:
        self.reader, self.models = declared.reader, declared.models
        self.model: Any = declared.models.count

    def store(self, owner: Identity) -> CountsStore[Any]:
        return ListCounts(self.reader, owner)

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if self.model.holds(item):
            values = self.model.decoded(item)
            yield self.of_count(_owner(item), keys.parse(values["sk"]), count_of(values))
        elif self.models.head.holds(item):
            values = self.models.head.decoded(item)
            if values["sk"] == HEAD:
                yield self.of_revision(_owner(item), values.get("counts_revision", 0))
            else:
                yield from self.of_copy(_owner(item), values)


class WordItemsRule(GroupRule):
    """Each word of an item has a word item, and each word item has its item. A group is the key of a word item."""

    def __init__(self, declared: List[Any]) -> None:
        self.declaration, self.models = declared.declaration, declared.models
        self.model: Any = declared.models.item

    def entries(self, item: RawItem) -> Iterator[Entry]:
        if self.models.word.holds(item):
            yield Entry(self.model.key_of(item), text(item, "words"), -1)
        elif self.model.holds(item):
            for word in self.models.word.of(self.model.entity_of(item)):
                yield Entry((word.pk, word.sk), word.words, 1)

    def stored(self, identity: Identity) -> Mapping[str, int]:
        try:
            return {get_item(self.models.word, *identity, consistent=True)["words"]: 1}
        except NotFound:
            return {}

    def counted(self, identity: Identity) -> Mapping[str, int]:
        word = self._wanted(identity)
        return {word.words: 1} if word else {}

    def wrong(self, identity: Identity, seen: Observation) -> str:
        fault = "is missing or wrong" if seen.counted else "is surplus"
        return f"the word item {' '.join(identity)} of {self.declaration.name} {fault}"

    def repair(self, identity: Identity, seen: Observation) -> bool:
        words, word = self.models.word.words, self._wanted(identity)
        condition = words == next(iter(seen.stored)) if seen.stored else words.does_not_exist()
        if word:
            single_items.put(word, condition)
        else:
            single_items.delete(self.models.word, *identity, condition=condition)
        return True

    def _wanted(self, identity: Identity) -> Any | None:
        """The word item that the item of this key should have; ``None`` if it should have none."""
        name, *owner = keys.parse(identity[0])[:-2]
        partition, item_id = keys.compose(name, *owner), keys.parse(identity[1])[1]
        try:
            values = get_item(self.model, partition, item_id, consistent=True)
        except NotFound:
            return None
        entity = self.model.built(values, **self.declaration.owner_values(owner))
        return next((word for word in self.models.word.of(entity) if (word.pk, word.sk) == identity), None)
