"""Curves as a plain SVG, which can be read on white and on black."""

from collections.abc import Iterator, Mapping
from html import escape
from math import log10

Panel = dict[str, list[tuple[float, float]]]
"""The points of each curve of a panel: their place to the right, on a logarithmic scale, and their height."""

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 420, 220, 44, 34, 24
GREY = "#767676"  # as far from white as from black
COLOURS = ("#1f83d6", "#c2570c", "#2f8f46")
DASHES = ("", "7 4", "2 3")
"""Each curve has a colour and a dash, so that nobody needs to see colours."""


def svg(title: str, panels: Mapping[str, Panel]) -> str:
    """A picture of panels, two in a row, with the same scales."""
    points = [point for panel in panels.values() for curve in panel.values() for point in curve]
    low, high = int(log10(min(right for right, _ in points))), _up(log10(max(right for right, _ in points)))
    top = _up(max(height for _, height in points) * 1.1 / 20) * 20
    rows = -(-len(panels) // 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {rows * HEIGHT}" role="img" '
        f'aria-label="{escape(title)}" font-family="sans-serif" font-size="11" fill="{GREY}">',
        f"<title>{escape(title)}</title>",
    ]
    for number, (name, panel) in enumerate(panels.items()):
        parts.append(f'<g transform="translate({number % 2 * WIDTH} {number // 2 * HEIGHT})">')
        parts += [*_frame(name, low, high, top), *_curves(panel, low, high, top), "</g>"]
    return "\n".join([*parts, "</svg>", ""])


def _frame(name: str, low: int, high: int, top: float) -> Iterator[str]:
    yield f'<text x="{LEFT}" y="16" font-size="13">{escape(name)}</text>'
    for part in range(5):
        value = top * part / 4
        y = _y(value, top)
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - 12}" stroke="{GREY}" stroke-opacity=".35"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>'
    for power in range(low, high + 1):
        x = _x(10**power, low, high)
        yield f'<text x="{x:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{10**power:,}</text>'


def _curves(panel: Panel, low: int, high: int, top: float) -> Iterator[str]:
    for number, (name, points) in enumerate(panel.items()):
        style = f'stroke="{COLOURS[number]}" stroke-width="2" stroke-dasharray="{DASHES[number]}" fill="none"'
        places = [(_x(right, low, high), _y(height, top)) for right, height in points]
        yield f'<path d="M{" L".join(f"{x:.1f} {y:.1f}" for x, y in places)}" {style}/>'
        yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{COLOURS[number]}"/>' for x, y in places)
        x = LEFT + 100 * number + 20
        yield f'<path d="M{x} 28h24" {style}/><text x="{x + 30}" y="32">{escape(name)}</text>'


def _x(right: float, low: int, high: int) -> float:
    return LEFT + (WIDTH - LEFT - 30) * (log10(right) - low) / max(high - low, 1)


def _y(height: float, top: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM - 10) * height / top


def _up(value: float) -> int:
    return -int(-value // 1)
