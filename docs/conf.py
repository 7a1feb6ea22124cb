"""The site that ``make docs`` builds of the documents, by Sphinx with MyST and Furo. It loads nothing from elsewhere.

The documents stay as GitHub shows them. README.md is the first page, and gives the navigation: each of its headings of
the third level is a group of the documents that are linked below it. docs/reference.md gets every public name from the
code. A link to a file of the code leads to a page that shows the file.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from pygments.lexers import TextLexer
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util import logging

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
from tests.helpers.reference import reference  # noqa: E402

INDEX = "README"
SECTION = re.compile(r"^### (.+)$", re.MULTILINE)
DOCUMENT = re.compile(r"\]\((?!\w+:)([^)#\s]+)\.md\)")
PICTURE = re.compile(r'<picture>\s*<source [^>]*srcset="([^"]+)">\s*<img src="([^"]+)" alt="([^"]+)">\s*</picture>')
LOADED = re.compile(
    r"""<(?:script|img|link|source|iframe)\b[^>]*?(?:src|href)=["'](?:https?:)?//[^>]*>|url\(["']?https?:"""
)
LEXERS = {
    **{".py": "python", ".js": "javascript", ".css": "css", ".html": "html+jinja"},
    **{".json": "json", ".sh": "bash", ".yaml": "yaml", ".svg": "xml", ".md": "markdown", ".diff": "diff"},
}

project = "Filter, sort and page on DynamoDB"
html_title = project
root_doc = INDEX
include_patterns = ["*.md", "docs/*.md", "dynamodb_lists/README.md", "benchmarks/README.md"]
exclude_patterns = [".*", "**/.*", "node_modules", "var", "static", "staticfiles"]
extensions = ["myst_parser", "sphinx_copybutton"]
copybutton_prompt_text, copybutton_prompt_is_regexp = r">>> |\.\.\. |\$ ", True
myst_enable_extensions = ["attrs_inline"]
myst_heading_anchors = 4
highlight_language = "text"
pygments_dark_style = "a11y-dark"
html_theme = "furo"
html_theme_options = {"navigation_with_keys": True}
html_static_path = html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False

log = logging.getLogger(__name__)
shown: list[Path] = []
"""Files and folders of the code that documents link to."""


def add_navigation(_: Sphinx, name: str, source: list[str]) -> None:
    """Give the index a hidden table of contents for each of its headings; show light and dark pictures by the theme."""
    source[0] = PICTURE.sub(r"![\3](\2){.only-light}\n![\3](\1){.only-dark}", source[0])
    if name == INDEX:
        _, *parts = SECTION.split(source[0])
        for heading, text in zip(parts[::2], parts[1::2], strict=True):
            names = "\n".join(dict.fromkeys(DOCUMENT.findall(text)))
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{names}\n```\n"
    if name == "docs/reference":
        source[0] += f"\n{reference(source[0])}\n"


def lead_to_code(app: Sphinx, tree: nodes.document) -> None:
    """Let links to files and folders of the code lead to the pages that show them."""
    page = app.env.docname
    for kind in (addnodes.download_reference, addnodes.pending_xref):
        for link in list(tree.findall(kind)):
            path = (ROOT / page).parent.joinpath(link["reftarget"]).resolve()
            if link.get("refdomain") is None and path.exists() and path.is_relative_to(ROOT):
                shown.append(path)
                uri = app.builder.get_relative_uri(page, page_of(path))
                link.replace_self(nodes.reference("", "", *link.children, refuri=uri, internal=True))


def page_of(path: Path) -> str:
    """The name of the page that shows a file or folder of the code."""
    return f"code/{path.relative_to(ROOT).as_posix()}"


def code_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each file or folder of the code that is linked to, and for what is in such a folder."""
    waiting = list(dict.fromkeys(shown))
    for path in waiting:
        if path.is_dir():
            inside = sorted(each for each in path.iterdir() if each.suffix in LEXERS or (each / "__init__.py").exists())
            waiting += [each for each in inside if each not in waiting]
            links = "".join(f'<li><a href="{path.name}/{each.name}.html">{each.name}</a></li>' for each in inside)
            body = f"<ul>{links}</ul>"
        else:
            code, lexer = path.read_text(encoding="utf-8"), LEXERS.get(path.suffix, "text")
            body = app.builder.highlighter.highlight_block(code, lexer, force=True, linenos="inline")
        title = path.relative_to(ROOT).as_posix()
        yield page_of(path), {"title": title, "body": f"<h1>{title}</h1>{body}"}, "page.html"


def finish(app: Sphinx, error: Exception | None) -> None:
    """Let the site begin with the index, and refuse a page that loads something from another host."""
    if error is None:
        (app.outdir / "index.html").write_text(f'<meta http-equiv="refresh" content="0; url={INDEX}.html">', "utf-8")
        for path in [*app.outdir.rglob("*.html"), *app.outdir.rglob("*.css")]:
            for tag in LOADED.findall(path.read_text(encoding="utf-8")):
                log.warning("%s loads from another host: %s", path, tag)


def setup(app: Sphinx) -> None:
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", add_navigation)
    app.connect("doctree-read", lead_to_code, priority=100)  # before Sphinx copies the files that links lead to
    app.connect("html-collect-pages", code_pages)
    app.connect("build-finished", finish)
