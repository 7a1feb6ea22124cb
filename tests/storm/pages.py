"""The forms in a page, filled in as a browser does."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from bs4 import BeautifulSoup, Tag

FORM = re.compile(r"<form\b.*?</form>", re.DOTALL | re.IGNORECASE)
NEXT_PAGE = re.compile(r'<a\b[^>]*rel="next"[^>]*>')
HREF = re.compile(r'href="([^"]*)"')
PROBLEMS = re.compile(r'<ul class="errorlist[^"]*"[^>]*>(.*?)</ul>', re.DOTALL)
TAGS = re.compile(r"<[^>]+>")
CSRF_FIELD = "csrfmiddlewaretoken"
NOT_SENT = {"submit", "button", "image", "reset", "file"}
TICKED = {"checkbox", "radio"}


class NoSuchForm(LookupError):
    """The page has no form with the field. It is not the page that it should be."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form with the values that it would be sent with. Its buttons are left out."""

    action: str
    fields: tuple[tuple[str, str], ...]

    def filled(self, values: Mapping[str, str]) -> "Form":
        """The form with these values instead, or besides."""
        kept = [(name, value) for name, value in self.fields if name not in values]
        return replace(self, fields=(*kept, *values.items()))


def find_form(html: str, name: str, action: str) -> Form:
    """The form for POST that has a field called ``name``. It is sent to ``action`` if it does not say where.

    Raises :class:`NoSuchForm`.
    """
    for source in FORM.findall(html):
        form = BeautifulSoup(source, "html.parser").form
        if form is None or str(form.get("method", "")).lower() != "post":
            continue
        fields = tuple(_fields(form))
        if name in dict(fields):
            return Form(str(form.get("action") or "") or action, fields)
    raise NoSuchForm(f"no form with {name} on {action}")


def next_page(html: str) -> str:
    """The query of the link to the next page; blank without one."""
    link = NEXT_PAGE.search(html)
    href = HREF.search(link[0]) if link else None
    return href[1].replace("&amp;", "&") if href else ""


def problems(html: str) -> str:
    """What a form says is wrong with it."""
    return " ".join(TAGS.sub(" ", " ".join(PROBLEMS.findall(html))).split())


def _fields(form: Tag) -> Iterator[tuple[str, str]]:
    for tag in form.find_all(["input", "select", "textarea"]):
        name = str(tag.get("name") or "")
        if not name or tag.has_attr("disabled"):
            continue
        if tag.name == "select":
            yield from ((name, value) for value in _chosen(tag))
        elif tag.name == "textarea":
            yield name, tag.text.removeprefix("\n")
        else:
            kind = str(tag.get("type") or "text")
            if kind not in NOT_SENT and (kind not in TICKED or tag.has_attr("checked")):
                yield name, str(tag.get("value", "on" if kind in TICKED else ""))


def _chosen(select: Tag) -> list[str]:
    options = select.find_all("option")
    chosen = [option for option in options if option.has_attr("selected")]
    if not chosen and not select.has_attr("multiple"):
        chosen = options[:1]
    return [str(option.get("value", option.text)) for option in chosen]
