"""The README of the wheel, which package indexes show: links into this repository are left out there."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"^!\[[^]]*\]\((?!https?:)[^)]*\)\n+", re.MULTILINE)
LINK = re.compile(r"\[([^]]+)\]\((?!https?:|#)[^)]*\)")


class CustomMetadataHook(MetadataHookInterface):
    """Adds the package's README without pictures, and with the words of links to files."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "dynamodb_lists", "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": LINK.sub(r"\1", PICTURE.sub("", text))}
