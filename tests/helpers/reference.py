"""The reference of the package ``dynamodb_lists``, from its source: docs/conf.py adds it to docs/reference.md.

It reads the code without importing it, so that the site can be built without the package's dependencies.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).resolve().parents[2] / "dynamodb_lists"
LISTED = re.compile(r"^\| [^|]+ \| (`[^|]+) \|$", re.MULTILINE)
MODULE = re.compile(r"^\| `([\w.]+)` \| ([^|]+) \|$", re.MULTILINE)
ROLE = re.compile(r":(?:class|func|meth|mod|attr|data):`~?(?:[\w.]*\.)?(\w+)`")
SECTION = re.compile(r"^(Raises|Costs):", re.MULTILINE)
Node = ast.ClassDef | ast.FunctionDef


class Name(NamedTuple):
    """A public name, the module that has it, and its statement there; ``None`` if it is a module itself."""

    module: str
    name: str
    node: Node | ast.Assign | ast.AnnAssign | None
    words: str
    """Its docstring; of a constant, the text after it."""


@cache
def tree(module: str) -> ast.Module:
    """Return the syntax tree of a module of the package."""
    path = PACKAGE.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def found(module: str, name: str) -> Name:
    """Return a name of a module, or of the module from which that one imports it."""
    body = tree(module).body
    for node, behind in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, Node) and node.name == name:
            return Name(module, name, node, ast.get_docstring(node) or "")
        if isinstance(node, ast.Assign | ast.AnnAssign) and name in {each.id for each in _named(node)}:
            return Name(module, name, node, _text(behind))
        if isinstance(node, ast.ImportFrom) and name in {each.asname or each.name for each in node.names}:
            source = str(node.module).removeprefix("dynamodb_lists").lstrip(".")
            if (PACKAGE / source.replace(".", "/") / f"{name}.py").exists():
                return Name(f"{source}.{name}", name, None, ast.get_docstring(tree(f"{source}.{name}")) or "")
            return found(source, name)
    raise LookupError(f"{module} has no {name}")


def _named(node: ast.Assign | ast.AnnAssign) -> Iterator[ast.Name]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return (each for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))


def _text(node: ast.stmt | None) -> str:
    """Return the text that stands as a statement after an assignment."""
    value = node.value if isinstance(node, ast.Expr) else None
    return " ".join(str(value.value).split()) if isinstance(value, ast.Constant) else ""


def exported() -> list[Name]:
    """Return the names that the package exports, in the order of its first module."""
    imports = (node for node in tree("").body if isinstance(node, ast.ImportFrom))
    return [found("", alias.asname or alias.name) for node in imports for alias in node.names]


def of_modules(text: str) -> list[Name]:
    """Return the names of modules that the document lists. ``*`` stands for all functions and classes without ``_``."""
    names = []
    for module, listed in MODULE.findall(text):
        for name in re.findall(r"`([\w*]+)`", listed):
            every = (node.name for node in tree(module).body if isinstance(node, Node) and node.name[0] != "_")
            names += [found(module, each) for each in (every if name == "*" else [name])]
    return names


def methods(node: ast.AST | None) -> Iterator[ast.FunctionDef]:
    """Yield the public methods and properties of a class, and ``__init__``."""
    for each in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(each, ast.FunctionDef) and (each.name[0] != "_" or each.name == "__init__"):
            yield each


def reference(text: str) -> str:
    """Return every public name that the document lists, in Markdown: its arguments, and what its docstring says."""
    lines = ["## Every name", *(line for each in exported() for line in _entry("dynamodb_lists", each))]
    for each in of_modules(text):
        lines += _entry(f"dynamodb_lists.{each.module}", each)
    return "\n\n".join(lines)


def _entry(place: str, name: Name) -> Iterator[str]:
    yield f"### {name.name}\n\n`from {place} import {name.name}`"
    if isinstance(name.node, ast.FunctionDef):
        yield from _function(name.node)
    elif not isinstance(name.node, ast.ClassDef):
        yield f"```python\n{ast.unparse(name.node)}\n```" if name.node else ""
        yield _prose(name.words)
    else:
        bases = ", ".join(map(ast.unparse, name.node.bases))
        yield f"```python\nclass {name.name}{f'({bases})' if bases else ''}\n```"
        yield _prose(name.words)
        yield "\n".join(_fields(name.node))
        for method in methods(name.node):
            if method.name == "__init__":
                yield from _function(method, name.name)
            elif ast.get_docstring(method):
                yield f"#### {name.name}.{method.name}\n\n```{{index}} {method.name}\n```"  # the search finds the name
                yield from _function(method)


def _fields(node: ast.ClassDef) -> Iterator[str]:
    """Yield the public fields of a class with their types, and what the texts behind them say."""
    for each, behind in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.target.id[0] != "_":
            value = f" = {ast.unparse(each.value)}" if each.value else ""
            yield f"- `{each.target.id}: {ast.unparse(each.annotation)}{value}` {_prose(_text(behind))}"


def _function(node: ast.FunctionDef, name: str = "") -> Iterator[str]:
    if any(isinstance(each, ast.Name) and "property" in each.id for each in node.decorator_list):
        kind = ast.unparse(node.returns) if node.returns else ""
        yield f"```python\n{node.name}: {kind}\n```"
    else:
        yield f"```python\n{_signature(node, name)}\n```"
    yield _prose(ast.get_docstring(node) or "")


def _signature(node: ast.FunctionDef, name: str) -> str:
    """Return the arguments of a function without ``self``, each on a line if they are long."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    usual: list[ast.expr | None] = [*[None] * (len(plain) - len(given.defaults)), *given.defaults]
    texts = [_argument(each, value) for each, value in zip(plain, usual, strict=True)]
    if given.posonlyargs:
        texts.insert(len(given.posonlyargs), "/")
    if plain and plain[0].arg in {"self", "cls"}:
        del texts[0]
    if given.vararg or given.kwonlyargs:
        texts.append(f"*{_argument(given.vararg, None)}" if given.vararg else "*")
    texts += [_argument(each, value) for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    texts += [f"**{_argument(given.kwarg, None)}"] if given.kwarg else []
    result = f" -> {ast.unparse(node.returns)}" if node.returns and not name else ""
    line = f"{name or node.name}({', '.join(texts)}){result}"
    split = ",\n    ".join(texts)
    return line if len(line) <= 88 else f"{name or node.name}(\n    {split},\n){result}"


def _argument(given: ast.arg, value: ast.expr | None) -> str:
    kind = f": {ast.unparse(given.annotation)}" if given.annotation else ""
    return f"{given.arg}{kind}{f' = {ast.unparse(value)}' if value else ''}".replace("MappingProxyType({})", "{}")


def _prose(text: str) -> str:
    """Return a docstring as Markdown: its code, its names, and ``Raises:`` and ``Costs:`` as paragraphs."""
    text = ROLE.sub(r"`\1`", text).replace("``", "`").replace("<", "&lt;")
    text = re.sub(r"::\n\n((?: +.*\n?|\n)+)", lambda block: f":\n\n```python\n{_dedented(block[1])}\n```\n\n", text)
    return SECTION.sub(r"\n**\1:**", text)


def _dedented(block: str) -> str:
    lines = block.rstrip().splitlines()
    margin = min(len(line) - len(line.lstrip()) for line in lines if line)
    return "\n".join(line[margin:] for line in lines)
