"""A first declaration of a table that exists, from its description and a sample of its items. Pure.

A key is read as texts and values. At each place, the values of an item's attributes are tried in each format of
templates. A template is kept if it composes the key of every item of a kind. A value that no attribute has becomes a
field that only the key has.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum, StrEnum
from itertools import combinations, count
from keyword import iskeyword
from operator import itemgetter
from typing import Any

from dynamodb_lists.connection.errors import WrongDeclaration
from dynamodb_lists.declared.told import Index, Key, Table, When, shared_key, value_of
from dynamodb_lists.schema import drift
from dynamodb_lists.schema.conditions import GIVEN
from dynamodb_lists.schema.drift import WHOLE, Facts
from dynamodb_lists.schema.models import RawItem
from dynamodb_lists.schema.templates import FORMATS, Template, coded

MOST_VALUES, USES = 10, 6
"""A field of at most so many values, each in so many items on average, is taken for a choice of them."""
SOME = 40
"""Of so many keys at most, all ways to read them are tried; what is found must be true of all."""
FEW = 8
"""Of fewer items, a value that all have is not taken for a text of their keys."""
OF_KIND = re.compile(r"_*((entity|item|object|record)_?)?(type|entity|kind|model|typename)|_et|__edb_[ev]__", re.I)
OF_KEYS = re.compile(r"(^|[\d_])(pk|sk)\d*$|^(gsi|lsi)|(hash|range|partition|sort|primary)_?key", re.I)
TIMES = re.compile(r"(^|_)(at|on|ts|time|timestamp|date|created|updated|expires|ttl|epoch)($|_)|(At|Time|Date)$")
TEXTS = {date: r"\d{4}-\d\d-\d\d", datetime: r"\d{4}-\d\d-\d\dT\d\d:\d\d.*", Decimal: r"-?\d+\.\d+"}
TYPES = {"BOOL": bool, "M": dict, "L": list, "SS": set, "NS": set, "BS": set, "B": bytes}
CHOICE = re.compile(r"\w[\w #:.,&/'()+-]{0,30}$")
WORD = re.compile(r"[^\W_]+|[\W_]", re.DOTALL)
GENERAL = {"metadata", "meta", "profile", "info", "details", "data", "root", "a"}
"""Words of keys that do not name a kind."""
IMPORTS = """\
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from dynamodb_lists import GIVEN, Index, Key, List, Record, Table
"""
Texts = tuple[str, ...]
Row = tuple[RawItem, dict[str, Any]]
"""An item, and the values of its fields."""


@dataclass(frozen=True)
class Value:
    """A piece of keys: its text in each key, and the field that has this text; a blank ``name`` without a field."""

    texts: Texts
    name: str = ""
    spec: str = ""
    kind: Any = str
    cost: float = 0.0

    def __str__(self) -> str:
        return f"{{{self.name}{self.spec and ':'}{self.spec}}}"


Piece = Value | str


def table_of(name: str, facts: Facts) -> Table:
    """Return a described table with its indexes. Indexes by bytes are left out."""
    types, shown = drift.named(facts, "type of"), drift.named(facts, "projection of")
    indexes = {
        each: Index(partition, "".join(sort), None if shown[each] == WHOLE else tuple(sorted(shown[each])))
        for each, (_, partition, *sort) in drift.named(facts, "index").items()
        if "B" not in map(types.__getitem__, (partition, *sort))
    }
    return Table(name, key=facts["keys"], indexes=indexes, numbers=[each for each in types if types[each] == "N"])


def parsed(texts: Texts, values: Sequence[Value], known: dict[Any, Any], after_value: bool = False) -> Any:
    """Return the cost and the pieces of keys: common texts, values of fields, and unknown values.

    This is the cheapest way to read the keys: an unknown value costs most, a number that is no field less.
    """
    if not any(texts):
        return 0.0, ()
    if (texts, after_value) not in known:
        found: list[Any] = [(1000.0, ())]
        for cost, piece, begins in _steps(texts, () if after_value else values, after_value):
            rests = tuple(text[len(begin) :] for text, begin in zip(texts, begins, strict=True))
            more, pieces = parsed(rests, values, known, isinstance(piece, Value))
            found.append((cost + more, (piece, *pieces)))
        known[texts, after_value] = min(found, key=itemgetter(0))
    return known[texts, after_value]


def _steps(texts: Texts, values: Sequence[Value], after_value: bool) -> Iterator[tuple[float, Piece, Texts]]:
    """Yield each piece with which all keys may begin, with its cost and its texts. Texts end where a word ends."""
    yield from ((each.cost, each, each.texts) for each in values if _begin(texts, each.texts, each.spec == "date"))
    if (word := WORD.match(texts[0])) and _begin(texts, words := (word[0],) * len(texts)):
        yield 0.5 if word[0].isdigit() else 0.01, word[0], words
    for mark in () if after_value else ("#", "|", "/", ":", "_", ""):
        begins = tuple(text[: text.index(mark, 1)] if mark and mark in text[1:] else text for text in texts)
        if all(begins) and (not mark or all(map(str.__ne__, begins, texts))):
            yield 1 + 0.05 * max(len(WORD.findall(begin)) for begin in begins), Value(begins), begins


def _begin(texts: Texts, begins: Texts, is_day: bool = False) -> bool:
    """Return whether texts begin so, and no word continues there. After a day, a time may follow."""
    for text, begin in zip(texts, begins, strict=True):
        after = text[len(begin) : len(begin) + 1]
        goes_on = begin[-1:].isalnum() and after.isalnum() and not (is_day and after == "T")
        if not begin or not text.startswith(begin) or goes_on:
            return False
    return True


def type_of(name: str, typed: Sequence[Mapping[str, Any]], *, is_choice: bool) -> Any:
    """Return the type of a field with these values; ``None`` if the values have several types."""
    letters = {letter for each in typed for letter in each}
    values = [next(iter(each.values())) for each in typed]
    if letters == {"N"}:
        is_time = TIMES.search(name) and all(10**9 <= Decimal(value) < 10**13 for value in values)
        return Decimal if any(Decimal(value) % 1 for value in values) else datetime if is_time else int
    if letters != {"S"}:
        return TYPES.get(letters.pop()) if len(letters) == 1 else None
    for kind, like in TEXTS.items():
        with suppress(ValueError, ArithmeticError):
            if all(re.fullmatch(like, each["S"]) and value_of(kind, each) is not None for each in typed):
                return kind
    few = sorted({*values})
    if not is_choice or not 1 < len(few) <= min(MOST_VALUES, len(values) / USES) or not all(map(CHOICE.match, few)):
        return str
    members = {re.sub(r"^(?=\d|$)", "V", re.sub(r"\W+", "_", value)).upper(): value for value in few}
    return StrEnum(name, members) if len(members) == len(few) else str


class Kind:
    """The items of one kind, and what is found about them: types of fields, templates, and doubts.

    ``marks`` are attributes that tell the kind. ``capitals`` are the words in capitals at the beginning of its keys.
    """

    def __init__(self, table: Table, marks: dict[str, str], capitals: Texts) -> None:
        self.table, self.marks, self.capitals, self.items = table, marks, capitals, list[RawItem]()

    def like(self, other: "Kind") -> bool:
        """Return whether two kinds may be one: neither always has an attribute that the other never has."""
        if self.capitals != other.capitals or (self.marks != other.marks and any(self.capitals)):
            return False
        ours, theirs = ([item.keys() - {*self.table.key_attributes} for item in kind.items] for kind in (self, other))
        one, another = ours[0].intersection(*ours), theirs[0].intersection(*theirs)
        return one <= set().union(*theirs) and another <= set().union(*ours)

    def join(self, other: "Kind") -> None:
        self.items += other.items
        self.marks = {name: value for name, value in self.marks.items() if other.marks.get(name) == value}

    @property
    def templates(self) -> list[Template]:
        return [Template(text, self.types) for text in self.key]

    def find(self, *, alone: bool) -> None:
        """Find fields and templates. If no template fits a field's type, take the field for a text, and begin again."""
        self.alone, self.notes, self.stored, before = alone, list[str](), dict[str, Any](), None
        for name in dict.fromkeys(name for item in self.items for name in item):
            if name not in self.marks and not (name in self.table.key_attributes and OF_KEYS.search(name)):
                self._add(name)
        while before != self.stored:
            before, self.types, self.words = {**self.stored}, {**self.stored}, list[str]()
            self.composed = set[str]()
            self.rows = [(item, self._values(item)) for item in self.items]
            self.key = [self._template(name, self.rows) or f"{{{name}}}" for name in self.table.key]
            self.keys: dict[str, Key] = {}
            for name in self.table.key_attributes[len(self.key) :]:
                self._of_index(name)
            texts = [*self.key, *(key.template for key in self.keys.values())]
            used = {name for text in texts for name in Template(text, self.types).names}
            self.types = {name: self.types[name] for name in self.types if name in used or name not in self.composed}
            self.stored |= {name: str for name in self.ids if issubclass(self.types.get(name, str), Enum)}

    @property
    def ids(self) -> list[str]:
        """The fields in the table's key: texts and whole numbers first, and those with the most values."""
        names = dict.fromkeys(name for template in self.templates for name in template.names)
        values = {name: len({str(row.get(name)) for _, row in self.rows}) for name in names}
        found = sorted(names, key=lambda name: (self.types[name] not in (str, int), -values[name]))
        return found or [*self.types, ""][:1]

    def _add(self, name: str) -> bool:
        """Take an attribute for a field, if it can be one."""
        typed = [item[name] for item in self.items if name in item and "NULL" not in item[name]]
        is_name = name.isidentifier() and not iskeyword(name) and name != "revision"
        found = type_of(name, typed, is_choice=name not in self.table.key) if typed and is_name else None
        if name in self.stored:
            return True
        if found is None:
            self.notes.append(f"{name!r} is no field: Python has no such name, or no such type.")
        else:
            self.stored[name] = found
        return found is not None

    def _values(self, item: RawItem) -> dict[str, Any]:
        given = {name: item[name] for name in self.stored if name in item and "NULL" not in item[name]}
        return {name: value_of(kind, given[name]) if name in given else None for name, kind in self.stored.items()}

    def _template(self, attribute: str, rows: Sequence[Row]) -> str | None:
        """Return the template of an attribute of a key; ``None`` if it is a field, or if no template fits."""
        some = rows[:: len(rows) // SOME + 1]
        texts = tuple(str(next(iter(item[attribute].values()))) for item, _ in some)
        of_keys, of_table = bool(OF_KEYS.search(attribute)), attribute in self.table.key
        values = [*self._written(attribute, texts, some)]
        pieces: Sequence[Piece] = parsed(texts, [each for each in values if each.name != attribute], {})[1]
        fields = [piece for piece in pieces if isinstance(piece, Value)]
        words = [piece for piece in pieces if isinstance(piece, str) and piece.isalpha()]
        if all(field.name for field in fields):
            composed = of_keys or attribute in self.marks or len(fields) + bool(words) > 1
        else:  # a key whose name says nothing, in a table with one kind of items, is itself a field
            composed = of_table and bool(len(pieces) > 1) and (of_keys or not self.alone)
        if composed and (text := self._composed(attribute, pieces, rows)):
            self.stored |= {each.name: str for each in fields if each.kind is str and each.name in self.stored}
            self.words += words if of_table else []
            return text
        if attribute not in self.types and not self._add(attribute):
            return self._composed(attribute, [Value(texts)], rows) if of_table else None
        self.types[attribute] = self.stored[attribute]
        own = next((each for each in values if each.name == attribute and each.texts == texts), None)
        self.stored |= {attribute: str} if own and own.kind is str else {}
        return str(own) if own and own.spec else None

    def _written(self, attribute: str, texts: Texts, rows: Sequence[Row]) -> Iterator[Value]:
        """Return the texts of fields that keys may have: each field in each format."""
        widths = [f"{len(digits)}{unit}" for digits, unit in re.findall(r"(?<![^\W_])(\d+)([a-z]*)\b", texts[0])]
        for name, kind in self.types.items():
            values = [row.get(name) for _, row in rows]
            same = len(rows) >= FEW and all(value == values[0] for value in values)
            if name in self.composed or None in values or same:
                continue
            cost = 0.1 * (name in self.table.key_attributes)  # it may be the key of an index that repeats this one
            for spec in ("", "lower", *FORMATS, *widths):
                with suppress(ValueError):
                    coder = coded(kind, spec, attribute in self.table.numbers)
                    yield Value(tuple(map(coder.write, values)), name, spec, kind, cost)
            yield Value(tuple(item.get(name, {}).get("S", "") for item, _ in rows), name, cost=cost)

    def _composed(self, attribute: str, pieces: Iterable[Piece], rows: Sequence[Row]) -> str | None:
        """Return a template of these pieces, if it composes all keys. An unknown value becomes a field of the key."""
        word, text, told = re.sub(r"\W", "_", attribute.lower()), "", dict[str, type]()
        word = word if word.isidentifier() and not iskeyword(word) else f"key_{word}"
        for piece in pieces:
            if isinstance(piece, str):
                word = f"{piece.lower()}_id" if piece.isalpha() else word
                text += re.sub(r"[{}]", r"\g<0>\g<0>", piece)
            elif piece.name:
                text += str(piece)
                told |= {piece.name: str} if piece.kind is not self.types[piece.name] else {}
            else:
                name = word + "_key" * (word in {*self.types, *told})
                told[name], text = str, f"{text}{{{name}}}"
        types = {**self.types, **told}
        try:
            template = Template(text, types, numeric=attribute in self.table.numbers)
            for item, values in rows:
                key = next(iter(item[attribute].values()))
                values.update({name: value for name, value in template.values(key).items() if name in told})
                if template.key(values.__getitem__) != key:
                    return None
        except (ValueError, WrongDeclaration):
            return None
        self.types = types
        self.composed.add(attribute)
        return text

    def _of_index(self, attribute: str) -> None:
        """Find the template of an index's attribute, and the rule that says which items have this attribute."""
        having = [row for row in self.rows if attribute in row[0]]
        text = self._template(attribute, having) if having else None
        if text is None:
            if having and OF_KEYS.search(attribute):
                self.notes.append(f"No template spells {attribute!r}: update() leaves it as it is.")
            return
        names = Template(text, self.types).names
        lacking = [row for item, row in self.rows if attribute not in item and None not in map(row.get, names)]
        fields = [name for name in self.types if name not in self.table.key_attributes]
        when = rule(fields, [row for _, row in having], lacking) if lacking else ()
        if when is not None:
            self.keys[attribute] = Key(text, when)
        elif self._add(attribute):
            self.notes.append(f"{len(having)} of {len(self.rows)} have {attribute!r}: no field says which.")

    def title(self, taken: Iterable[str]) -> str:
        """Return a name for the class: its mark, the word before its id, or all words of its key."""
        words = [*dict.fromkeys(word for word in self.words if word.lower() not in GENERAL)]
        is_id = len({str(row.get(self.ids[0])) for _, row in self.rows}) == len(self.rows)
        before = [word for word in words if is_id and re.search(rf"{word}\W*{{{self.ids[0]}\b", " ".join(self.key))]
        said = " ".join([*self.marks.values()][:1] or before[:1] or words or [self.table.name.split(".")[-1]])
        name = _capitalized(re.sub(r"(?<=[^sui])s$", "", said))
        return next(each for n in count(1) if (each := f"{name}Item{n}" if n > 1 else name) not in taken)

    def printed(self, title: str) -> Iterator[str]:
        enums = {name: kind for name, kind in self.types.items() if issubclass(kind, Enum)}
        choices = {kind: f"{title}{_capitalized(name)}Choice" for name, kind in enums.items()}
        for choice, name in choices.items():
            yield f"\nclass {name}(StrEnum):  # the values of the sample: are these all?"
            yield from (f"    {each.name} = {each.value!r}" for each in choice)
        yield f"\n\n@dataclass(frozen=True, kw_only=True)\nclass {title}(Record):"
        yield from () if self.types else ["    pass"]
        for name, kind in self.types.items():
            optional = any(row.get(name) is None for _, row in self.rows)
            alone = "  # stands in keys alone" * (name not in self.stored)
            yield f"    {name}: {choices.get(kind, kind.__name__)}{' | None' * optional}{alone}"
        yield "\n\n" + "\n".join(f"# {note}" for note in dict.fromkeys([f"Of {len(self.rows)} items.", *self.notes]))
        yield f"{re.sub(r'(?<=[a-z])(?=[A-Z])', '_', title).upper()}S = List(\n    {title},\n    id={self.ids[0]!r},"
        keys = {name: key if key.when else key.template for name, key in self.keys.items()}
        options = {"key": tuple(self.key), "keys": keys, "marks": self.marks}
        yield from (f"    {name}={value!r}," for name, value in options.items() if value)
        yield "    table=TABLE,\n)\n"


def _capitalized(words: str) -> str:
    parts = re.findall(r"[A-Za-z0-9]+", words)
    name = "".join(part.capitalize() if part.isupper() else part[0].upper() + part[1:] for part in parts)
    return f"Item{name}" if not name or name[0].isdigit() or f" {name}" in IMPORTS or iskeyword(name) else name


def rule(names: Iterable[str], *sides: Sequence[Mapping[str, Any]]) -> Sequence[When] | None:
    """Return the values of these fields that items in an index have, and others lack; ``None`` without any."""
    for name in names:
        if all(isinstance(row.get(name), str | bool | None) for side in sides for row in side):
            ours, others = ({row.get(name) for row in side} for side in sides)
            if {None} in (ours, others) and ours != others:
                return [{name: GIVEN if None in others else {None}}]
            if not ours & others and len(ours) <= min(MOST_VALUES, len(sides[0])) / 2:
                return [{name: {getattr(each, "value", each) for each in ours}}]
    return None


def kinds(table: Table, items: Sequence[RawItem]) -> list[Kind]:
    """Return the items by kind: by the words with which keys begin, and by attributes that name a kind, then joined."""
    groups, found = dict[Any, Kind](), list[Kind]()
    named = sorted({name for item in items for name in item if OF_KIND.fullmatch(name)})
    named = [name for name in named if len({str(item.get(name)) for item in items}) <= 2 * MOST_VALUES]
    for item in items:
        marks = {name: item[name]["S"] for name in named if "S" in item.get(name, {})}
        begins = tuple(_beginning(item, name, marks) for name in table.key)
        capitals = tuple(word if word.isupper() and len(word) > 1 else "" for word in begins)
        groups.setdefault((begins, *sorted(marks.items())), Kind(table, marks, capitals)).items.append(item)
    for group in sorted(groups.values(), key=lambda group: -len(group.items)):
        same = next((each for each in found if each.like(group)), None)
        same.join(group) if same else found.append(group)
    for kind in found:
        kind.find(alone=len(found) == 1)
    while clash := next((pair for pair in combinations(found, 2) if shared_key(*pair)), None):
        clash[0].join(clash[1])  # nothing tells them apart
        found.remove(clash[1])
        clash[0].find(alone=len(found) == 1)
    return found


def _beginning(item: RawItem, name: str, marks: Mapping[str, str]) -> str:
    """Return the word with which a key begins; a blank if an attribute has it as its value."""
    found = re.match(r"\W*([A-Za-z][A-Za-z0-9]*)(?![A-Za-z0-9])", item[name].get("S", ""))
    values = (each["S"].lower() for other, each in item.items() if "S" in each and other not in {*marks, name})
    return found[1] if found and found[1].lower() not in values else ""


def declaration(table: Table, items: Sequence[RawItem]) -> str:
    """Return a module of Python with the table, and a list for each kind of items. Comments say what is unsure."""
    indexes = {name: each.key if each.shows is None else each for name, each in table.indexes.items()}
    numbers = [name for name in table.key_attributes if name in table.numbers]
    lines = [IMPORTS, f"TABLE = Table({table.name!r}, key={table.key}, indexes={indexes}, numbers={numbers})\n"]
    titles = list[str]()
    for kind in kinds(table, items):
        titles.append(kind.title(titles))
        lines += kind.printed(titles[-1])
    return "\n".join(lines)
