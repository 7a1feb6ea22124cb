"""The PynamoDB models of a list: one for its items, with an index for each order, others for counts and words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import Any, ClassVar, Self

from pynamodb.attributes import Attribute, BinaryAttribute, UnicodeAttribute

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


class ListItem(InList):
    """The base of the models of lists. The ``declaration`` of a subclass gives its attributes and indexes.

    ``others`` are further ones, by their names, for other lists in the table, or for Queries of a program's own.
    """

    others: ClassVar[Mapping[str, Any]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        declared: Declaration | None = cls.__dict__.get("declaration")
        if declared is not None:
            cls.kind, cls.entity, cls.renames = declared.kind, declared.entity, _renames(declared)
            cls.expires = declared.expires
            cls.key_templates = declared.of_items.text, f"{{{declared.id_field}}}"
            for name, member in (*_indexes(declared, cls.renames), *cls.others.items()):
                setattr(cls, name, member)
                if isinstance(member, Attribute):
                    member.__set_name__(cls, name)
        super().__init_subclass__(**options)


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
        return [
            cls(
                declared.words_partition(owner, term.initials),
                keys.compose(term.text, item_id),
                words=joined(words.name),
            )
            for term in sorted(words.terms())
        ]


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

        class StoredItem(InTable, ListItem):
            declaration, others = declared, more

        class StoredCount(InTable, CountItem):
            kind, declaration = f"{declared.kind}-count", declared
            key_templates = declared.of_counts.text, keys.SEPARATOR.join(f"{{{name}}}" for name in declared.facets)

        of_head = {"__module__": __name__, "kind": f"{declared.kind}-head", "declaration": declared}
        of_head["key_templates"] = declared.of_counts.text, HEAD
        of_head |= {name: IntegerAttribute(null=True, attr_name=name) for name in declared.of_values.values()}

        self.item: Any = register(StoredItem)
        self.count: Any = StoredCount
        self.head: Any = type("StoredHead", (InTable, HeadItem), of_head)
        self.shape: Any = shape_model(declared.kind, declared.name, table)
        self.word: Any = None
        if declared.word_fields:

            class StoredWord(InTable, WordItem):
                kind, declaration = f"{declared.kind}-word", declared
                key_templates = declared.of_words.text, "{text}#{id}"

            self.word = StoredWord
        every = (self.item, self.count, self.head, self.word)
        for model in filter(None, every):  # errors and logs name them
            model.__name__ = model.__name__.replace("Stored", declared.entity.__name__)

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
    taken = {*dir(ListItem), *(name for name, _ in _indexes(declaration, {}))}
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
