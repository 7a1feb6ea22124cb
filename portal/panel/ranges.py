"""How one selection becomes ranges: what is selected, read and left out in each index, as the planner sees it."""

from collections.abc import Sequence
from itertools import accumulate

from dynamodb_lists.planning.range_planner import Comparison, Plan, PlannedRange
from dynamodb_lists.planning.wording import counted, source_name
from portal.panel.svg import WIDTH, Drawing, short

LEFT, RIGHT, ROW, STRIP = 168, 620, 40, 16
MOST_RANGES = 6
ENDS = "The units are those of all ranges, read to their ends. A page in the order of an index stops sooner."
LEGEND = {"full": "selected", "part": "read and dropped", "idle": "not read"}


def ranges(found: Comparison) -> Drawing:
    """The indexes, the cheapest first, each as a strip of all items in key order; and the ranges of the first."""
    plans = sorted(found.plans, key=lambda plan: (plan.index.name != found.chosen, plan.cost.weight))
    first = plans[0]
    name = source_name(first.index.name)
    text = f"{first.total:,} of {found.counts.total:,} items are selected. " + " ".join(map(_words, plans))
    drawing = Drawing("How one selection becomes ranges of each index", text)
    drawing.write(0, 16, f"{first.total:,} of {found.counts.total:,} items are selected", "strong")
    drawing.legend(16, 410, LEGEND)
    for number, plan in enumerate(plans):
        _strip(drawing, found, plan, 36 + number * ROW)
    drawing.height = 36 + len(plans) * ROW + 4
    drawing.write(WIDTH, drawing.height, ENDS, "soft", "end")
    drawing.height += 28
    drawing.write(0, drawing.height, f"The ranges of the {name}", "strong")
    _keys(drawing, first.ranges)
    return drawing


def _strip(drawing: Drawing, found: Comparison, plan: Plan, y: float) -> None:
    """One index: its name, its contents from the first key to the last, a line under each range, and the cost."""
    chosen, scale = plan.index.name == found.chosen, (RIGHT - LEFT) / max(found.counts.total, 1)
    drawing.write(0, y + 7, f"{source_name(plan.index.name)}{', chosen' if chosen else ''}", "strong" if chosen else "")
    drawing.write(0, y + 21, ", ".join(plan.index.order), "soft")
    layout = found.layout(plan)
    starts = [LEFT + scale * items for items in accumulate((run.items for run, _ in layout), initial=0)]
    drawing.rect(LEFT, y, RIGHT - LEFT, STRIP, "idle")
    edges: dict[int, tuple[float, float]] = {}
    for (run, group), start in zip(layout, starts, strict=False):
        if group is not None:
            width = max(scale * run.items, 1)
            drawing.rect(start, y, width, STRIP, "full" if run.wanted else "part", 0)
            edges[group] = edges.get(group, (start, 0))[0], start + width
    for start, end in edges.values():
        drawing.line(f"M{start:.1f} {y + STRIP + 3:.1f}v3H{max(end - 0.5, start + 1):.1f}v-3", "rule")
    drawing.write(WIDTH, y + 7, f"{plan.cost.units:.1f} units", "strong" if chosen else "", "end")
    drawing.write(WIDTH, y + 21, counted(len(plan.groups), "range"), "soft", "end")


def _keys(drawing: Drawing, planned: Sequence[PlannedRange]) -> None:
    for number, each in enumerate(planned[:MOST_RANGES], 1):
        drawing.height += 20
        dropped = sum(segment.items for segment in each.segments if not segment.wanted)
        drawing.write(0, drawing.height, f"{number}", "soft")
        drawing.write(20, drawing.height, short(each.keys.low, 260), "key")
        drawing.write(296, drawing.height, "to", "soft")
        drawing.write(316, drawing.height, short(each.keys.high, 290), "key")
        items = f"{each.items - dropped:,} items" + (f", {dropped:,} dropped" if dropped else "")
        drawing.write(WIDTH, drawing.height, items, "", "end")
    if len(planned) > MOST_RANGES:
        drawing.height += 20
        drawing.write(20, drawing.height, f"and {counted(len(planned) - MOST_RANGES, 'more range')}", "soft")
    drawing.height += 8


def _words(plan: Plan) -> str:
    source, ranges = source_name(plan.index.name), counted(len(plan.groups), "range")
    return f"In the {source} they are {ranges}, {plan.cost.units:.1f} units."
