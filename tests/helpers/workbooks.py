"""Reads Excel files as the portal writes them: with texts in their cells, and no shared ones."""

import io
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, fromstring
from zipfile import ZipFile

NAMES = {"x": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}


class Table(NamedTuple):
    """The table of a workbook: its headings, its rows by heading, and the format of the numbers of each column."""

    headings: list[str]
    rows: list[dict[str, Any]]
    formats: dict[str, str]
    sheet: Element

    def has(self, path: str) -> bool:
        """Return whether the sheet has such an element."""
        return self.sheet.find(path, NAMES) is not None


def read_workbook(content: bytes) -> Table:
    """Return the table of a workbook. A number is a ``Decimal``; with the format of a day, it is a time."""
    with ZipFile(io.BytesIO(content)) as book:
        assert book.testzip() is None
        sheet, styles = (fromstring(book.read(f"xl/{name}.xml")) for name in ("worksheets/sheet1", "styles"))
    codes = {each.attrib["numFmtId"]: each.attrib["formatCode"] for each in styles.iterfind(".//x:numFmt", NAMES)}
    used = [codes.get(each.attrib["numFmtId"], "") for each in styles.iterfind("x:cellXfs/x:xf", NAMES)]
    assert not sheet.findall(".//x:f", NAMES), "no cell is a formula"
    lines: list[dict[str, tuple[Any, str]]] = []
    for row in sheet.iterfind(".//x:row", NAMES):
        lines.append({cell.attrib["r"].rstrip("0123456789"): _value(cell, used) for cell in row})
    headings = {column: value for column, (value, _) in lines[0].items()}
    rows = [{headings[column]: value for column, (value, _) in line.items()} for line in lines[1:]]
    formats = {headings[column]: form for line in lines[1:] for column, (_, form) in line.items()}
    return Table(list(headings.values()), rows, formats, sheet)


def _value(cell: Element, used: list[str]) -> tuple[Any, str]:
    code = used[int(cell.attrib.get("s", 0))]
    if cell.attrib.get("t") == "inlineStr":
        return "".join(cell.itertext()), code
    number = Decimal(cell.findtext("x:v", "", NAMES))
    return (datetime(1899, 12, 30) + timedelta(seconds=round(number * 86_400)) if "yy" in code else number), code
