"""The PynamoDB models of a list: one for its items, with an index for each order, others for counts and words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, Self

from pynamodb.attributes import BinaryAttribute, UnicodeAttribute

from dynamodb_lists.connection.errors import WrongDeclaration
from dynamodb_lists.declared.declaration import Declaration
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.attributes import IntegerAttribute, KeyAttribute, global_index, local_index
from dynamodb_lists.schema.entities import fields
from dynamodb_lists.schema.models import ItemModel
from dynamodb_lists.schema.words import joined

HEAD, PACKED, AFTER_HEADS = " head", " packed", "!"
"""The sort keys of what the counts of an owner have in common. They sort before all counts, which begin after them."""
SHAPES = " shapes"
"""The partition of the shapes of the lists in a table. No owner's partition begins with a space."""


class InList(ItemModel):
    """An item in the table of a list. A subclass names the list by its ``declaration``."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    declaration: ClassVar[Declaration]


class CountItem(InList):
    """The number of an owner's items of one combination of facets, and the labels that do not follow from the slugs."""

    number = IntegerAttribute(default=0)
    labels = UnicodeAttribute(null=True)

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return cls.declaration.of_counts.fits(partition) and not sort_key.startswith(" ")


class HeadItem(InList):
    """The revision of an owner's counts, and the number of all ``items``.

    Another item has all counts packed, with the revision they are of, and a sample of the items.

    ``packings`` counts how often they were packed, so that only one of two writers at a time replaces the copy.
    ``moves`` counts the changes of the fields whose changes a declaration counts. A list whose fields are counted alone
    has the number of items with each of their values here, and how often any of these numbers changed.
    """

    counts_revision = IntegerAttribute(default=0)
    items = IntegerAttribute(null=True)
    moves = IntegerAttribute(null=True)
    values_changed = IntegerAttribute(null=True)
    packings = IntegerAttribute(null=True)
    packed = BinaryAttribute(legacy_encoding=False, null=True)
    sample = BinaryAttribute(legacy_encoding=False, null=True)
    sampled_of = IntegerAttribute(null=True)

    @classmethod
    def owns(cls, partition: str, sort_key: str) -> bool:
        return cls.declaration.of_counts.fits(partition) and sort_key in {HEAD, PACKED}


def shape_model(of: str, name: str, table: str, key: Sequence[str] = ("pk", "sk")) -> Any:
    """Return the model of the item with the :mod:`shape <dynamodb_lists.declared.shapes>` of a list."""
    members: dict[str, Any] = {
        "Meta": type("Meta", (), {"table_name": table}),
        "__module__": __name__,
        "kind": f"{of}-shape",
        "key_templates": (SHAPES, name) if key[1:] else (f"{SHAPES} {name}",),
        "pk": UnicodeAttribute(hash_key=True, attr_name=key[0]),
        "shape": UnicodeAttribute(),
    }
    if key[1:]:
        members["sk"] = UnicodeAttribute(range_key=True, attr_name=key[1])
    return type("ShapeItem", (ItemModel,), members)


class WordItem(InList):
    """A word, or a pair of words, of an item, with all words of that item; see :mod:`~dynamodb_lists.schema.words`."""

    words = UnicodeAttribute()
    other_words = UnicodeAttribute(default="")

    @classmethod
    def of(cls, entity: Any) -> list[Self]:
        declared, owner = cls.declaration, cls.declaration.owner_of(entity)
        words, item_id = declared.words_of(entity), declared.item_id(entity)
        found = list[Self]()
        for term in sorted(words.terms()):
            key = declared.words_partition(owner, term.initials), keys.compose(term.text, item_id)
            found.append(cls(*key, words=joined(words.name)))
        return found


class Models:
    """The models of a list. They are registered, so that what creates and checks tables knows them.

    ``more`` are further attributes and indexes of the model of its items, by their names.
    """

    def __init__(
        self, declared: Declaration, table: str, register: Callable[[Any], Any], more: Mapping[str, Any]
    ) -> None:
        class InTable(ItemModel):
            class Meta:
                table_name = table

        def model(of: str, base: type[InList], key: tuple[str, str], members: Mapping[str, Any]) -> Any:
            shared = {"__module__": __name__, "declaration": declared, "key_templates": key}
            return type(f"{declared.entity.__name__}{of}", (InTable, base), {**shared, **members})

        kind, counts, renames = declared.kind, declared.of_counts.text, _renames(declared)
        of_item = {"kind": kind, "entity": declared.entity, "renames": renames, "expires": declared.expires}
        of_item |= {**dict(_indexes(declared, renames)), **more}
        of_facets = keys.SEPARATOR.join(f"{{{name}}}" for name in declared.facets)
        of_values = {name: IntegerAttribute(null=True, attr_name=name) for name in declared.of_values.values()}
        word_key = declared.of_words.text, "{text}#{id}"

        self.item = register(model("Item", InList, (declared.of_items.text, f"{{{declared.id_field}}}"), of_item))
        self.count = model("Count", CountItem, (counts, of_facets), {"kind": f"{kind}-count"})
        self.head = model("Head", HeadItem, (counts, HEAD), {"kind": f"{kind}-head", **of_values})
        self.shape = shape_model(kind, declared.name, table)
        self.word: Any = model("Word", WordItem, word_key, {"kind": f"{kind}-word"}) if declared.word_fields else None

    def of(self, part: Declaration) -> "Models":
        """Return the same models, with the counts and words of another generation of the list."""
        other = copy(self)
        for name, partition in (("count", part.of_counts), ("head", part.of_counts), ("word", part.of_words)):
            if model := getattr(self, name):
                members = {"declaration": part, "key_templates": (partition.text, model.key_templates[1])}
                setattr(other, name, type(model.__name__, (model,), members))
        return other


def _renames(declaration: Declaration) -> dict[str, str]:
    """Return names for the attributes of fields whose own names the model needs, such as ``kind``."""
    own = {field.name for field in fields(declaration.entity)}
    taken = {*dir(InList), *(name for name, _ in _indexes(declaration, {}))}
    found = {name: f"{name}_" for name in own & taken}
    found |= {each.name: each.stored_as for each in fields(declaration.entity) if each.stored_as}
    if again := sorted({*found.values()} & (own | taken)):
        raise WrongDeclaration(f"The field {again[0]!r} needs another name.")
    return found


def _indexes(declaration: Declaration, renames: Mapping[str, str]) -> Iterable[tuple[str, Any]]:
    for index, order in declaration.orders.items():
        attribute = declaration.key_attribute(index)
        some = index in declaration.projecting
        shown = [renames.get(each, each) for each in declaration.shown_in[index]] if some else None
        create = local_index if index in declaration.local else global_index
        units = {name: f"{{{unit}:unit}}#" for name, unit in declaration.units.items()}  # a number follows its unit
        text = keys.SEPARATOR.join(f"{units.get(name, '')}{{{name}}}" for name in declaration.keyed_by(order))
        yield attribute, KeyAttribute(text, when=order.when, coders=declaration.coders)
        yield index.replace("-", "_"), create(index, "pk", attribute, projected=shown, words=order.words)
