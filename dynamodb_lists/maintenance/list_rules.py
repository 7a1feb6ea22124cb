"""What ``verify_data`` checks of a declared list: the items, the keys of their indexes, counts and words."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from dynamodb_lists.declared.models import HEAD, PACKED
from dynamodb_lists.lists.list import List
from dynamodb_lists.lists.writing import ListCounts
from dynamodb_lists.maintenance.rules import (
    CountRule,
    GroupRule,
    Identity,
    ItemRule,
    KeysRule,
    PackedCountsRule,
    WordsRule,
    text,
)
from dynamodb_lists.reading.items import read_partition
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.models import RawItem, id_in


def rules(declared: List[Any]) -> tuple[ItemRule | GroupRule, ...]:
    """The rules of a list: an item has the keys of its values, and each count is the number of its items."""
    words = [_words_rule(declared)] if declared.declaration.word_fields else []
    keys_rule, head = KeysRule(model=declared.models.item), declared.models.head
    packed_rule = PackedCountsRule(
        model=head,
        store=partial(ListCounts, declared.reader),
        owner=lambda item: _owner(item) if head.key_of(item)[1] == PACKED else None,
    )
    return keys_rule, *_counts_rules(declared), packed_rule, *words


def _counts_rules(declared: List[Any]) -> Iterator[CountRule]:
    """Each combination of facets has the number of its items, and the head of an owner's counts that of all."""
    declaration, models = declared.declaration, declared.models
    owners, noun = len(declaration.owner), declaration.name
    named = " ".join(["the number of all", noun, *(f"{{{n}}}" for n in range(owners))])

    def group(item: RawItem, *, all_items: bool) -> Identity:
        entity = models.item.entity_of(item)
        return declaration.owner_of(entity) + (() if all_items else declaration.combination(entity))

    def count(*identity: str) -> Mapping[str, int]:
        facets = identity[owners:]
        found = read_partition(models.item, declaration.partition(identity[:owners]), consistent=True)
        return {"": sum(1 for each in found if not facets or declaration.combination(models.item(**each)) == facets)}

    def counter(*identity: str) -> Any:
        model, sort_key = (models.count, keys.compose(*identity[owners:])) if identity[owners:] else (models.head, HEAD)
        return model(declaration.counts_partition(identity[:owners]), sort_key)

    shared: Any = {"model": models.item, "count": count, "counter": counter, "noun": noun}
    yield CountRule(
        **shared,
        numbers={"": "number"},
        counter_model=models.count,
        group=partial(group, all_items=False),
        counter_group=lambda item: _owner(item) + keys.parse(text(item, "sk")),
        name=f"the count of {noun} {{0}} {{rest}}",
        repaired=lambda *identity: declared.repack(identity[:owners]),
    )
    yield CountRule(
        **shared,
        numbers={"": "items"},
        counter_model=models.head,
        group=partial(group, all_items=True),
        counter_group=_owner,
        name=named,
    )


def _words_rule(declared: List[Any]) -> WordsRule:
    """Each word of an item has a word item."""

    def stored_entity(partition: str, sort_key: str) -> Any:
        return declared.reader.item(keys.parse(partition)[1:-2], id_in(sort_key), consistent=True)

    models = declared.models
    return WordsRule(model=models.item, word_model=models.word, words=models.word.of, stored_entity=stored_entity)


def _owner(item: RawItem) -> Identity:
    return keys.parse(text(item, "pk"))[1:-1]
