"""Rows of a list as Django's admin takes them: instances of a model that has no table.

The model has the fields of the entity, so that forms, columns and links are those of the stock admin. It is registered
beside Django's models and not among them: no migration knows it, and no query of SQL is sent for it.
"""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from inspect import getattr_static, isfunction
from typing import Any, ClassVar
from urllib.parse import quote, unquote

from django.apps import apps
from django.apps.registry import Apps
from django.core.exceptions import ImproperlyConfigured
from django.db import models
from django.utils.crypto import salted_hmac

from dynamodb_lists.connection.configuration import scoped
from dynamodb_lists.connection.errors import KeyPartError, NotFound
from dynamodb_lists.declared.declaration import Declaration, key_text
from dynamodb_lists.declared.told import Told, vars_of
from dynamodb_lists.lists.list import List
from dynamodb_lists.schema import keys
from dynamodb_lists.schema.entities import DOCUMENTS, Field, as_json, defaults, fields, text

MODELS = Apps()
MODELS.app_configs = apps.app_configs
KEY = "row_key"
"""The field of the model that has the key of a row, as addresses have it."""

TYPES: dict[type, Any] = {
    bool: models.BooleanField,
    int: models.BigIntegerField,
    float: models.FloatField,
    Decimal: models.DecimalField,
    datetime: models.DateTimeField,
    date: models.DateField,
}


class RowModel(models.Model):
    """A row of a list, with the values and methods of its ``entity``, which is ``None`` for a new row."""

    listed: ClassVar[List[Any]]
    entity: Any = None
    item: Any = None

    class Meta:
        abstract = True

    @classmethod
    def of(cls, entity: Any, item: Any = None) -> "RowModel":
        """Return the row of an entity; in a table that exists, with its item."""
        values = {field.name: getattr(entity, field.name) for field in fields(entity.__class__)}
        row = cls(**{name: plain_value(value) for name, value in values.items()})
        row.entity, row.item, row.pk = entity, item, key_of(cls.listed.declaration, entity)
        row._state.adding = False
        return row

    @property
    def shown(self) -> str:
        """Return what an action needs to know of the row as it was shown."""
        return shown_as(self.listed.declaration, self.entity)

    def __str__(self) -> str:
        return str(getattr(self, self.listed.declaration.id_field))


def plain_value(value: Any) -> Any:
    """Return a value as a field of a model has it: an enumeration's value, bytes as hex, lists and maps as JSON."""
    return value.value if isinstance(value, Enum) else value.hex() if isinstance(value, bytes) else steady(value)


def key_of(declared: Declaration, entity: Any) -> str:
    return address_of(declared, declared.place(vars_of(entity)))


def shown_as(declared: Declaration, entity: Any) -> str:
    """Return the key and the revision of an entity, by which an action knows the state that was shown.

    If nothing counts changes, a hash of the values replaces the revision.
    """
    revision = str(entity.revision)
    if isinstance(declared, Told) and not declared.revision:
        seen = repr([*map(steady, vars_of(entity).values())])
        revision = salted_hmac(KEY, seen, algorithm="sha256").hexdigest()[:16]
    return f"{key_of(declared, entity)}#{revision}"


def steady(value: Any) -> Any:
    """Return a value; a list, map or set as a text that is the same at each read."""
    return as_json(value) if isinstance(value, DOCUMENTS) else value


def as_seen(value: Any) -> str:
    """Return a value as a text, without what a form changes by itself: spaces, line ends, and zeros of a decimal."""
    written = text(steady(value)).replace("\r\n", "\n").replace("\r", "\n").strip()
    return written.rstrip("0").removesuffix(".") if isinstance(value, Decimal) and "." in written else written


def address_of(declared: Declaration, place: Mapping[str, Any]) -> str:
    """Return the key of an item for addresses: owner and id or, in a table that exists, its texts, percent-encoded."""
    texts = [*map(key_text, place.values())]
    if not isinstance(declared, Told):
        texts = [*declared.owner_in(texts[0]), texts[1]]
    written = (text.replace(".", "%2E") if text in {".", ".."} else quote(text, safe="") for text in texts)
    return keys.SEPARATOR.join(written)


def parts_of(address: str) -> tuple[str, ...]:
    return tuple(map(unquote, keys.parse(address)))


def place_at(declared: Declaration, address: str) -> dict[str, Any]:
    """Return the key in an address. Raises: ``NotFound``."""
    texts, names = parts_of(address), (*declared.owner, declared.id_field)
    try:
        if isinstance(declared, Told):
            return declared.place_at(texts)
        return declared.place(dict(zip(names, texts, strict=True)))
    except (KeyPartError, ValueError) as error:
        raise NotFound(f"There is no such {declared.kind}.") from error


def model_of(listed: List[Any], app_label: str) -> type[RowModel]:
    """Return the one model of a list's rows. Raises: ``ImproperlyConfigured`` for a name that Django cannot have."""
    declaration = listed.declaration
    kind = scoped(declaration.kind, declaration.name).replace(".", "_")
    name = "".join(part.capitalize() for part in kind.replace("-", "_").split("_"))
    known: Any = MODELS.all_models[app_label].get(name.lower())
    if known is not None and known.listed is listed:
        return known  # type: ignore[no-any-return]
    if known is not None:
        raise ImproperlyConfigured(f"The app {app_label} has two lists of {declaration.name}: give one another kind.")
    _check(declaration, app_label, name)
    plural = listed.name.replace("_", " ").replace(".", " ")
    meta = {
        "app_label": app_label,
        "apps": MODELS,
        "managed": False,
        "verbose_name": kind.replace("_", " "),
        "verbose_name_plural": plural,
        "permissions": [(f"explain_{name.lower()}", f"Can see what pages of {plural} cost")],
    }
    own_fields = {KEY: models.CharField(primary_key=True, editable=False)}
    own_fields |= {field.name: _field(declaration, field) for field in fields(declaration.entity)}
    members = {"__module__": RowModel.__module__, "Meta": type("Meta", (), meta), "listed": listed}
    return type(name, (RowModel,), {**_methods(declaration.entity), **own_fields, **members})


def _check(declaration: Declaration, app_label: str, name: str) -> None:
    entity = declaration.entity.__name__
    for field in fields(declaration.entity):
        if hasattr(RowModel, field.name) or field.name in {"objects", "pk", KEY} or "__" in field.name:
            raise ImproperlyConfigured(
                f"{entity} has the field {field.name!r}, a name that Django's models need: rename the field to show "
                f"{declaration.name} in the admin."
            )
    if name.lower() in apps.all_models[app_label]:
        raise ImproperlyConfigured(
            f"The app {app_label} has a model {name} already, so addresses and permissions would be the same: give "
            f"the list of {declaration.name} another kind."
        )


def _methods(entity: type) -> dict[str, Any]:
    """Return the methods and properties of an entity for columns and texts, without names that models use."""
    own = {name: getattr_static(entity, name) for name in dir(entity) if not name.startswith("_")}
    found = {name: value for name, value in own.items() if isinstance(value, property) or isfunction(value)}
    text: Any = getattr_static(entity, "__str__")
    written = {} if text is object.__dict__["__str__"] else {"__str__": text}
    return {**{name: value for name, value in found.items() if not hasattr(RowModel, name)}, **written}


def has_form(field: Field) -> bool:
    """Return whether forms have a field. Lists, maps, sets and bytes are shown only."""
    return isinstance(field.type, type) and issubclass(field.type, (str, Enum, *TYPES))


def _field(declaration: Declaration, field: Field) -> Any:
    default, told = defaults(declaration.entity)[field.name], isinstance(declaration, Told)
    options: dict[str, Any] = {
        "verbose_name": field.label if field.label[1:2].isupper() else field.label[:1].lower() + field.label[1:],
        "null": field.may_be_none,
        "blank": field.may_be_none or field.blank or default in ("", None),
        "editable": field.entered and field.name != "revision" and has_form(field),
    }
    if isinstance(default, str | int | Decimal | date):
        options["default"] = default
    if field.type is int and told:  # which may have more digits than SQL takes
        return models.DecimalField(decimal_places=0, **options)
    if field.type in TYPES:
        return TYPES[field.type](**options)
    if has_form(field) and issubclass(field.type, Enum):
        texts = {each: each.value if isinstance(each.value, str) else each.name for each in field.type}
        plain = {each: text.replace("_", " ").replace("-", " ").capitalize() for each, text in texts.items()}
        named = [(each.value, getattr(each, "label", plain[each])) for each in field.type]
        return models.CharField(choices=named, **options)
    return models.CharField(**options) if field.listed else models.TextField(**options)


def entity_value(field: Field, value: Any) -> Any:
    """Return a value of a form as the entity has it: times in UTC, and members of enumerations."""
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC)
    if isinstance(value, Decimal) and field.type is int:
        return int(value)
    if value not in (None, "") and isinstance(field.type, type) and issubclass(field.type, Enum):
        return field.type(value)
    return value
