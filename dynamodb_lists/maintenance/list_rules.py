"""What ``verify_data`` checks of a declared list: the items, the keys of their indexes, counts and words."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import Any

from pynamodb.expressions.update import Action

from dynamodb_lists.declared.modelled import Modelled
from dynamodb_lists.declared.models import HEAD, PACKED
from dynamodb_lists.lists.counting import ListCounts, label_actions, labels_in
from dynamodb_lists.lists.list import List
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
from dynamodb_lists.schema.models import RawItem, WordModel


def rules(declared: List[Any], words: type[WordModel] | None = None) -> tuple[ItemRule | GroupRule, ...]:
    """The rules of a list: an item has the keys of its values, and each count is the number of its items.

    ``words`` is the model of the word items of a list over a model.
    """
    if isinstance(declared.declaration, Modelled):
        return tuple(_rules_of_model(declared, declared.declaration, words))
    keys_rule, head, owner_of = KeysRule(model=declared.models.item), declared.models.head, _owner_of(declared)
    packed_rule = PackedCountsRule(
        model=head,
        store=partial(ListCounts, declared.reader),
        owner=lambda item: owner_of(item) if head.key_of(item)[1] == PACKED else None,
    )
    words_rules = [_words_rule(declared)] if declared.declaration.word_fields else []
    return keys_rule, *_counts_rules(declared), packed_rule, *words_rules


def _rules_of_model(
    declared: List[Any], declaration: Modelled, words: type[WordModel] | None
) -> Iterator[ItemRule | GroupRule]:
    model, counter_model = declaration.model, declaration.counted_by
    names = [*declaration.owner, *declaration.facets]

    def group(item: RawItem) -> Identity:
        entity = model.entity_of(item)
        return tuple(str(getattr(entity, name)) for name in names)

    def count(*identity: str) -> Mapping[str, int]:
        values = {name: declaration.types[name](text) for name, text in zip(names, identity, strict=True)}
        return {"": sum(1 for _ in declared.query(**values).listing(counts={}).stream())}

    def stored_entity(_: str, sort_key: str) -> Any:
        return declared.get(**{declared.ids[-1]: keys.parse(sort_key)[1]}, consistent=True)

    yield KeysRule(model=model)
    if counter_model:
        (number,) = counter_model.changing()
        yield CountRule(
            model=model,
            numbers={"": number},
            counter_model=counter_model,
            group=group,
            count=count,
            name="the count of {rest} of {0}",
            noun=declaration.name,
            settle_seconds=2.0,  # an index may find the items
        )
    if words:
        of = declared._writer.word_items
        yield WordsRule(model=model, word_model=words, words=of, stored_entity=stored_entity)


def _counts_rules(declared: List[Any]) -> Iterator[CountRule]:
    """Each combination of facets has the number of its items, and the head of an owner's counts that of all."""
    declaration, models, owner_of = declared.declaration, declared.models, _owner_of(declared)
    owners, noun = len(declaration.owner), declaration.name
    named = " ".join(["the number of all", noun, *(f"{{{n}}}" for n in range(owners))])

    def group(item: RawItem, *, all_items: bool) -> Identity:
        entity = models.item.entity_of(item)
        return declaration.owner_of(entity) + (() if all_items else declaration.combination(entity))

    def items_of(*identity: str) -> Iterator[Any]:
        """The items of an owner, or of a combination of an owner's."""
        found = read_partition(models.item, declaration.partition(identity[:owners]), consistent=True)
        built = (models.item.built(each, **declaration.owner_values(identity[:owners])) for each in found)
        return (each for each in built if identity[owners:] in {(), declaration.combination(each)})

    def count(*identity: str) -> Mapping[str, int]:
        return {"": sum(1 for _ in items_of(*identity))}

    def labels(*identity: str) -> Iterator[Action]:
        """The labels of a restored count, which one of its items tells."""
        for item in islice(items_of(*identity), 1):
            yield from label_actions(models.count, labels_in(declaration, item))

    def counter(*identity: str) -> Any:
        model, sort_key = (models.count, keys.compose(*identity[owners:])) if identity[owners:] else (models.head, HEAD)
        return model(declaration.counts_partition(identity[:owners]), sort_key)

    shared: Any = {"model": models.item, "count": count, "counter": counter, "noun": noun}
    yield CountRule(
        **shared,
        numbers={"": "number"},
        counter_model=models.count,
        group=partial(group, all_items=False),
        counter_group=lambda item: owner_of(item) + keys.parse(text(item, "sk")),
        name=f"the count of {noun} {{0}} {{rest}}",
        more=labels,
        repaired=lambda *identity: declared.repack(identity[:owners]),
    )
    yield CountRule(
        **shared,
        numbers={"": "items"},
        counter_model=models.head,
        group=partial(group, all_items=True),
        counter_group=owner_of,
        name=named,
    )


def _words_rule(declared: List[Any]) -> WordsRule:
    """Each word of an item has a word item."""

    def stored_entity(partition: str, sort_key: str) -> Any:
        told = declared.declaration.of_words.values(partition)
        owner = tuple(str(told[name]) for name in declared.declaration.owner)
        return declared.reader.item(owner, keys.parse(sort_key)[1], consistent=True)

    models = declared.models
    return WordsRule(model=models.item, word_model=models.word, words=models.word.of, stored_entity=stored_entity)


def _owner_of(declared: List[Any]) -> Callable[[RawItem], Identity]:
    """What tells the owner of an item of counts."""
    return lambda item: declared.declaration.owner_counted_in(text(item, "pk"))
