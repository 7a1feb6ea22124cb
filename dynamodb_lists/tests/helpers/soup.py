"""A page's markup, parsed by lxml in a twentieth of the time that html.parser takes, with the few names of an element
that tests use. libxml2 mends broken markup silently, so a test of its own checks that pages are well formed.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from cssselect import HTMLTranslator
from lxml import etree, html

HIDDEN = {"script", "style", "template"}
"""The elements whose texts nobody reads."""


@cache
def _compiled(selector: str) -> etree.XPath:
    return etree.XPath(HTMLTranslator().css_to_xpath(selector))


class Tag:
    """An element of a page."""

    def __init__(self, node: Any) -> None:
        self._node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tag) and other._node is self._node

    def __hash__(self) -> int:
        return hash(self._node)

    def __getitem__(self, name: str) -> str:
        return str(self._node.attrib[name])

    def __str__(self) -> str:
        return str(etree.tostring(self._node, encoding="unicode", method="html", with_tail=False))

    @property
    def name(self) -> str:
        """The element's name, such as ``a``."""
        return str(self._node.tag)

    @property
    def text(self) -> str:
        """The texts in the element."""
        return self.get_text()

    @property
    def parent(self) -> "Tag | None":
        """The element around this one."""
        parent = self._node.getparent()
        return None if parent is None else Tag(parent)

    @property
    def contents(self) -> list[str]:
        """What is between the element's tags."""
        return [
            self._node.text or "",
            *(etree.tostring(each, encoding="unicode", method="html") for each in self._node),
        ]

    def get(self, name: str, default: str | None = None) -> str | None:
        """Return the attribute's value."""
        return str(self._node.attrib[name]) if name in self._node.attrib else default

    def has_attr(self, name: str) -> bool:
        """Return whether the element has the attribute."""
        return name in self._node.attrib

    def decompose(self) -> None:
        """Remove the element from the page, with the text behind it kept."""
        self._node.drop_tree()

    def select(self, selector: str) -> list["Tag"]:
        """Return the elements below this one that match a CSS selector."""
        return [Tag(node) for node in _compiled(selector)(self._node) if node is not self._node]

    def select_one(self, selector: str) -> "Tag | None":
        """Return the first of these elements."""
        return next(iter(self.select(selector)), None)

    def get_text(self, separator: str = "", strip: bool = False) -> str:
        """Return the texts in the element, without comments, scripts, styles and templates inside it."""
        texts = _texts(self._node)
        return separator.join(filter(None, map(str.strip, texts)) if strip else texts)


def _texts(node: Any) -> Iterator[str]:
    if node.text:
        yield node.text
    for child in node:
        if isinstance(child.tag, str) and child.tag not in HIDDEN:
            yield from _texts(child)
        if child.tail:
            yield child.tail


def parsed(content: bytes | str) -> Tag:
    """Return a page, or a part of one."""
    text = content.decode() if isinstance(content, bytes) else content
    root = html.Element("root")
    if text.lstrip()[:9].lower() == "<!doctype":
        root.append(html.document_fromstring(text))
    else:
        root = html.fragment_fromstring(text, create_parent="root")
    return Tag(root)
