"""Differences between a table that exists and its lists, as far as a sample of items shows. Pure."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from dynamodb_lists.declared.told import Key, Misfit, Table, Told, vars_of
from dynamodb_lists.maintenance.inspection import TEXTS, Row, rule
from dynamodb_lists.planning.sources import Source
from dynamodb_lists.schema.conditions import meets
from dynamodb_lists.schema.models import RawItem


def misfits(table: Table, items: Sequence[RawItem]) -> Iterator[str]:
    rows: dict[str, list[Row]] = {declared.name: [] for declared in table.lists}
    unfit = list[str]()
    for item in items:
        declared = next((each for each in table.lists if each.owns(item)), None)
        entity = declared.built(item) if declared else Misfit(item, "no list has such a key")
        if declared is None or isinstance(entity, Misfit):
            key = ", ".join(f"{name}={next(iter(item[name].values()))}" for name in table.key)
            unfit.append(f"{key}: {entity.reason}")
        else:
            rows[declared.name].append((item, vars_of(entity)))
    if unfit:
        yield f"{len(unfit)} of {len(items)} items fit no template: {unfit[0]}."
    for declared in table.lists:
        for source in declared.sources[1:]:
            yield from _of_index(declared, source, rows[declared.name])


def _of_index(declared: Told, source: Source, rows: Sequence[Row]) -> Iterator[str]:
    may = [row for row in rows if all(row[1][name] is not None for key in source.keys for name in key.template.names)]
    inside = [all(key.name in item for key in source.keys) for item, _ in may]
    if inside != [meets(source.when, values) for _, values in may]:
        sides = ([row[1] for row, there in zip(may, inside, strict=True) if there is side] for side in (True, False))
        having, lacking = sides
        spelt = next((key.name for key in source.keys if key.name in declared.keys), "")
        when = rule(declared.types, having, lacking) if having and lacking and spelt else None
        said = f": {spelt!r}: {Key(declared.keys[spelt].template, when)}" if when else ""
        yield f"{len(having)} of {len(may)} {declared.name} are in {source.name}: say so{said}."
    piece = next((piece for piece in source.sort.template.pieces if piece.name), None) if source.sort else None
    values: list[Any] = [values[piece.name] for _, values in may] if piece else []
    numbers = all(isinstance(value, int | Decimal) or re.fullmatch(TEXTS[Decimal], str(value)) for value in values)
    if piece and source.sort and numbers and not source.sort.numeric:
        by_text = [Decimal(value) for value in sorted(values, key=piece.coder.write)]
        if by_text != sorted(by_text):
            yield f"{piece.name} is text in {source.name}, out of order: 10 stands there before 9."
