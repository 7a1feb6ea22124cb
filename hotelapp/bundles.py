"""The style sheet and the script of every page, put together from the small files that people read and change.

A phone waits for each file apart, and most of Unfold's style sheet is for the admin's pages, which have it all.
"""

import gzip
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import unfold
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from hotelapp.private_files import make_folder

FRAME, HTMX = "unfold/css/styles.css", "unfold/js/htmx/htmx.js"
STYLES = [f"portal/{name}.css" for name in ("portal", "lists", "panel", "print")]
SCRIPTS = [f"portal/{name}.js" for name in ("drafts", "portal", "taps", "ahead", "fresh", "palette", "frame")]
BUNDLES = {
    "portal/page.css": [*STYLES, FRAME, "fonts/fonts.css", "portal/theme.css"],
    # Alpine begins once the whole script has run.
    "portal/page.js": ["unfold/js/alpine/alpine.persist.js", HTMX, *SCRIPTS, "alpine/alpine-csp.min.js"],
}
"""The files of each bundle, in their order."""

OF_UNFOLD = (
    *("unfold/layouts/*", "unfold/helpers/[hmnstu]*", "unfold/helpers/messages/*", "unfold/helpers/field*"),
    *("unfold/components/button*", "admin/base*", "admin/nav_sidebar*", "admin/login*"),
)
"""Unfold's templates that pages of the portal have."""

REMARK = {".css": re.compile(r"/\*(?!!).*?\*/", re.DOTALL), ".js": re.compile(r"^\s*//.*\n", re.MULTILINE)}
INDENT, WORD, ESCAPE = re.compile(r"\n\s+"), re.compile(r"[^\s\"'`<>{}]+"), re.compile(r"\\(.)")
RULE, COMMA = re.compile(r"([^{};]+)\{[^{}]*\}"), re.compile(r"(?<!\\),(?![^()]*\))")
CLASS = re.compile(r"\.((?:\\.|[^\W\d]|-)(?:\\.|[\w-])*)")


class BundleFinder(finders.BaseFinder):
    """Finds the bundles for ``collectstatic``, and for a server that collects nothing, and gets them compressed."""

    storage = FileSystemStorage(settings.VAR_DIR / "bundles")

    def find(self, path: str, find_all: bool = False) -> Any:  # noqa: FBT001, FBT002
        if path not in BUNDLES:
            return []
        if settings.DEBUG:
            _build.cache_clear()
        return [_build(path)] if find_all else _build(path)

    def list(self, ignore_patterns: object) -> Iterator[tuple[str, FileSystemStorage]]:
        for name in BUNDLES:
            self.find(name)
            for suffix in ("", ".gz") if settings.WHITENOISE_USE_FINDERS else ("",):
                yield f"{name}{suffix}", self.storage


@cache
def _build(name: str) -> str:
    """Write a bundle, and return its path. An unchanged bundle keeps its time, so that browsers keep it, too."""
    file, text = Path(BundleFinder.storage.path(name)), ""
    for source in BUNDLES[name]:
        content = Path(str(finders.find(source))).read_text(encoding="utf-8")
        content = used(content, _words()) if source == FRAME else content
        text += INDENT.sub("\n", REMARK[file.suffix].sub("", content)) + "\n"
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        for folder in (Path(BundleFinder.storage.location), file.parent):
            make_folder(folder)
        for whole, data in ((f"{file}.gz", gzip.compress(text.encode(), mtime=0)), (file, text.encode())):
            part = Path(f"{file}.{os.getpid()}")  # another process may write it, too
            part.write_bytes(data)
            part.replace(whole)
    return str(file)


def used(style: str, words: set[str]) -> str:
    """Return a flat style sheet without the rules for classes that are none of these words."""

    def is_used(selector: str) -> bool:
        return {ESCAPE.sub(r"\1", name) for name in CLASS.findall(selector)} <= words

    return RULE.sub(lambda rule: rule[0] if any(map(is_used, COMMA.split(rule[1]))) else "", style)


def _words() -> set[str]:
    """Return the words of templates, scripts and widgets that may be classes, as Tailwind looks for them."""
    ours, frame = settings.BASE_DIR, Path(unfold.__path__[0])
    files = [*ours.glob("templates/**/*.html"), *ours.glob("static/portal/*.js"), frame / "widgets.py"]
    files += [frame / "static" / HTMX]
    files += [file for pattern in OF_UNFOLD for file in frame.glob(f"templates/{pattern}.html")]
    return {word for file in files for word in WORD.findall(file.read_text(encoding="utf-8"))}
