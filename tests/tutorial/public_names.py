"""The public names of the toolkit: those that apps import, and those that docs/toolkit.md lists."""

import ast
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

TOOLKIT = "dynamodb_lists"
USERS = ("hotels", "rooms", "orders", "reviews", "search", "saved_views", "overview")
"""The apps that any project has some of. What else imports the toolkit takes it apart, or serves it."""

IMPORT = re.compile(r"^from dynamodb_lists\.([\w.]+) import ([\w, ]+)$", re.MULTILINE)
ROW = re.compile(r"^\| `([\w.]+)` \| ([^|]+) \|$", re.MULTILINE)


def imported(root: Path) -> Mapping[str, set[str]]:
    """The names that apps import from the toolkit, by module; of a module that is imported whole, ``*``."""
    names = defaultdict[str, set[str]](set)
    for path in [path for user in USERS for path in (root / user).rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{TOOLKIT}."):
                for alias in node.names:
                    module = f"{node.module}.{alias.name}".removeprefix(f"{TOOLKIT}.")
                    is_module = (root / TOOLKIT.replace(".", "/") / f"{module.replace('.', '/')}.py").exists()
                    names[module if is_module else module.rpartition(".")[0]].add("*" if is_module else alias.name)
    return names


def documented(document: str) -> Mapping[str, set[str]]:
    """The names in the table of the document, by module."""
    return {module: set(re.findall(r"`([\w*]+)`", names)) for module, names in ROW.findall(document)}


def used(root: Path, *documents: str) -> Mapping[str, set[str]]:
    """The names that apps and the code in these documents use."""
    names = defaultdict(set, imported(root))
    for document in documents:
        for module, imports in IMPORT.findall((root / document).read_text(encoding="utf-8")):
            names[module] |= set(imports.split(", "))
    return {module: {"*"} if "*" in found else found for module, found in names.items()}
