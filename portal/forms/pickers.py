"""A field in which people find a thing by typing: a guest, a hotel, a room, an item that a hotel sells.

The field shows the thing's name. A script writes the thing's id into a hidden field, which is sent. Without the script,
the form looks up the text with the same search: it takes a single match, and offers several.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, cast
from urllib.parse import parse_qsl, urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from dynamodb_lists import folded
from dynamodb_lists.schema import entities
from portal.forms.entity_forms import TEXT_LENGTH
from portal.forms.fields import LineField
from portal.forms.parameters import rewrite


@dataclass(frozen=True)
class Pick:
    """A thing to pick: its id, its name, a second line that tells it from others, and facts for the rest of the form.

    A new thing has no id yet.
    """

    id: str
    name: str
    description: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)

    def chosen(self, text: str = "") -> str:
        """Return the value of the hidden field if this thing is chosen for a text; without a text, for its own name.

        The value is a query string, ``id=alex&name=Alex+Doe&text=Alex+Doe``. The script reads the id from it.
        """
        return urlencode({"id": self.id, "name": self.name, "text": text or self.name})


class Finder(Protocol):
    """The search of the portal, for a user: it finds what the user may see."""

    def choices(self, kind: str, text: str, hotel_id: str = "") -> tuple[Sequence[Pick], bool]:
        """Return the things of a kind that a text finds, and whether there may be more."""

    def named(self, kind: str, thing_id: str, hotel_id: str = "") -> Pick | None:
        """Return the thing of this id; ``None`` if there is none."""


class Sent(NamedTuple):
    """What a browser sends: a text, and the thing that was chosen for it; ``None`` if it was changed since."""

    text: str
    choice: Pick | None = None


def _one_line(text: Any) -> str:
    return " ".join(str(text or "").split())


class PickerWidget(forms.TextInput):
    """Two fields, and what the form has found: the thing that is ``picked``, or the ``choices``."""

    kind = ""
    hotel_id = ""
    picked: Pick | None = None
    choices: Sequence[Pick] = ()

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Sent:
        """Return what the two fields say. A hidden field that :meth:`Pick.chosen` did not write chooses nothing."""
        text, chosen = _one_line(data.get(name)), str(data.get(f"{name}-chosen") or "")
        values = dict(parse_qsl(chosen, keep_blank_values=True))
        if not text or text != _one_line(values.get("text")):
            return Sent(text)
        return Sent(text, Pick(values.get("id", ""), values.get("name", "")))

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Return the fields as HTML. A value is what was sent, a :class:`Pick`, or a text."""
        sent = value if isinstance(value, Sent) else Sent(str(getattr(value, "name", value) or ""))
        choice = self.picked or (value if isinstance(value, Pick) else sent.choice)
        attrs = {**(attrs or {}), "maxlength": TEXT_LENGTH}
        context = {
            "input": super().render(name, choice.name if choice else sent.text, attrs, renderer),
            "name": f"{name}-chosen",
            "list": f"{attrs.get('id', name)}-found",
            "picker": self,
            "chosen": choice.chosen() if choice else "",
            "note": choice.facts.get("note", "") if choice else "",
            "choices": [(each.chosen(sent.text), each) for each in self.choices],
        }
        return render_to_string("portal/_picker.html", context)


class PickerField(forms.Field):
    """A thing of a ``kind`` that the search knows. The cleaned value is its id; blank for a new thing.

    ``reads`` looks up a chosen thing once more, if the form needs its facts, or if it may belong to another hotel.
    With ``new``, a text that is not the name of a thing may stand for a new one.
    """

    widget: PickerWidget
    finder: Finder

    def __init__(self, kind: str, *, reads: bool = False, new: bool = False, **options: Any) -> None:
        super().__init__(widget=PickerWidget, **options)
        self.reads, self.new, self.widget.kind = reads, new, kind

    @property
    def picked(self) -> Pick | None:
        return self.widget.picked

    def read(self, thing_id: str) -> Pick | None:
        return self.finder.named(self.widget.kind, thing_id, self.widget.hotel_id)

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(data.text)

    def clean(self, value: Sent) -> str:
        """Return the id of the thing. Raises :class:`ValidationError`, which says what to do."""
        text = LineField(max_length=TEXT_LENGTH, required=self.required, label=self.label).clean(value.text)
        if not text:
            return ""
        choice = value.choice
        if choice is None or (self.reads and choice.id):
            choice = self._found(choice.id if choice else text, text)
        self.widget.picked = choice
        return choice.id

    def _found(self, thing_id: str, text: str) -> Pick:
        """Return the only thing of this id, of this name, or that the text finds."""
        kind = self.widget.kind
        if choice := self.read(thing_id):
            return choice
        found, more = self.finder.choices(kind, text, self.widget.hotel_id)
        named = [choice for choice in found if folded(choice.name) == folded(text)]
        if len(named) == 1:
            return named[0]
        if len(found) == 1 and not (more or self.new):
            return found[0]
        if not found and self.new:
            return Pick("", text)
        self.widget.choices = [*found, *([Pick("", text, f"a new {kind}")] if self.new else [])]
        raise ValidationError(
            f"Choose one of these, or type more of what you look for: “{text}” may be more than one {kind}."
            if found
            else f"There is no {kind} “{text}” here. Type the beginning, and choose from the list."
        )


class PickerForm(forms.Form):
    """A form with pickers. ``finder`` is the search for its user, who picks what belongs to a hotel, if it is given."""

    def __init__(self, *args: Any, finder: Finder | None = None, hotel_id: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self.finder = finder
        for each in self.fields.values():
            if isinstance(each, PickerField) and finder:
                each.finder, each.widget.hotel_id = finder, hotel_id

    def picker(self, name: str) -> PickerField:
        return cast(PickerField, self.fields[name])

    def shown(self, name: str) -> Any:
        """Return the value of a field for the same form, unchecked. A picker has the thing that was found."""
        return getattr(self.fields[name], "picked", None) or self[name].value()


def fill(form: forms.Form, name: str, value: Any) -> None:
    """Let a field of a bound form show an initial value instead of what was sent."""
    rewrite(form, name, value.name if isinstance(value, Pick) else entities.text(value))
    if isinstance(picker := form.fields[name], PickerField):
        picker.widget.picked = value or None
