"""The style sheet and the script of every page, put together from the small files that people read and change.

A phone waits for each file apart, and most of Unfold's style sheet is for the admin's pages, which have it all.
"""

import gzip
import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import unfold
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

FRAME = "unfold/css/styles.css"
SCRIPTS = ["drafts", "portal", "taps", "ahead", "fresh", "palette", "frame"]
BUNDLES = {
    "portal/page.css": [
        *(f"portal/{name}.css" for name in ("portal", "lists", "panel", "print")),
        *(FRAME, "fonts/fonts.css", "portal/theme.css"),
    ],
    "portal/page.js": [
        *("unfold/js/alpine/alpine.persist.js", "unfold/js/htmx/htmx.js"),
        *(f"portal/{name}.js" for name in SCRIPTS),
        "alpine/alpine-csp.min.js",  # it begins once the whole script has run
    ],
}
"""The files of each bundle, in their order."""

OF_UNFOLD = "layouts/* helpers/[hmnstu]* helpers/messages/* helpers/field* components/button*"
OF_ADMIN = "base* nav_sidebar* login*"
"""Unfold's templates that pages of the portal have."""

REMARK = {".css": re.compile(r"/\*(?!!).*?\*/", re.DOTALL), ".js": re.compile(r"^\s*//.*\n", re.MULTILINE)}
INDENT, WORD, ESCAPE = re.compile(r"\n\s+"), re.compile(r"[^\s\"'`<>{}]+"), re.compile(r"\\(.)")
CLASS, COMMA = re.compile(r"\.((?:\\.|[^\W\d]|-)(?:\\.|[\w-])*)"), re.compile(r"(?<!\\),(?![^()]*\))")


class BundleFinder(finders.BaseFinder):
    """Finds the bundles for ``collectstatic``, and for a server that collects nothing, and gets them compressed."""

    storage = FileSystemStorage(settings.VAR_DIR / "bundles")

    def find(self, path: str, find_all: bool = False, **_: object) -> Any:  # noqa: FBT001, FBT002
        if path not in BUNDLES:
            return []
        if settings.DEBUG:
            _build.cache_clear()
        return [_build(path)] if find_all else _build(path)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        for name in BUNDLES:
            self.find(name)
            for suffix in ("", ".gz") if settings.WHITENOISE_USE_FINDERS else ("",):
                yield f"{name}{suffix}", self.storage


@cache
def _build(name: str) -> str:
    """Write a bundle, and return its path. One that is as before keeps its time, so browsers keep it."""
    text = ""
    for source in BUNDLES[name]:
        content = Path(str(finders.find(source))).read_text(encoding="utf-8")
        content = used(content, _words()) if source == FRAME else content
        text += INDENT.sub("\n", REMARK[Path(name).suffix].sub("", content)) + "\n"
    file = Path(BundleFinder.storage.path(name))
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        for whole, data in ((f"{file}.gz", gzip.compress(text.encode(), mtime=0)), (file, text.encode())):
            part = Path(f"{file}.{os.getpid()}")  # another process may write it, too
            part.write_bytes(data)
            part.replace(whole)
    return str(file)


def used(style: str, words: set[str]) -> str:
    """A style sheet without the rules for classes that are none of these words."""
    heads, blocks = list[str](), [""]
    for text, brace in re.findall(r"([^{}]*)([{}]?)", style):
        if brace == "{":
            before, semicolon, head = text.rpartition(";")
            blocks[-1] += before + semicolon
            heads.append(head)
            blocks.append("")
        elif brace:
            body, head = blocks.pop() + text, heads.pop()
            classes = ({ESCAPE.sub(r"\1", name) for name in CLASS.findall(part)} for part in COMMA.split(head))
            if body and (head.startswith("@") or any(each <= words for each in classes)):
                blocks[-1] += f"{head}{{{body}}}"
        else:
            blocks[-1] += text
    return blocks[0]


def _words() -> set[str]:
    """What may be a class: the words of templates, scripts and widgets, as Tailwind looks for them."""
    frame = Path(unfold.__path__[0])
    files = [*settings.BASE_DIR.glob("templates/**/*.html"), *settings.BASE_DIR.glob("static/portal/*.js")]
    files += [frame / "widgets.py", frame / "static" / BUNDLES["portal/page.js"][1]]
    for folder, patterns in {"unfold": OF_UNFOLD, "admin": OF_ADMIN}.items():
        files += [file for pattern in patterns.split() for file in frame.glob(f"templates/{folder}/{pattern}.html")]
    return {word for file in files for word in WORD.findall(file.read_text(encoding="utf-8"))}
