"""The picture of the house: its folders as rooms, and an arrow for each import that no other arrows imply."""

from collections.abc import Mapping

from portal.panel.svg import WIDTH, Drawing

ROOM, HALL, GAP = 48, 44, 14
WORDS = {
    "hotelapp": "the project: settings, middleware",
    "search": "one field finds all",
    "lab": "what keys save",
    "overview": "start pages",
    "reviews": "guests' reviews",
    "orders": "guests, orders",
    "rooms": "rooms, bulk changes",
    "saved_views": "lists under a name",
    "hotels": "hotels, statistics",
    "accounts": "staff, logins, sessions",
    "portal": "lists, forms, imports, history: what every page shares",
    "dynamodb_lists": "the package: declarations, planner, cursors, counts, writes; no hotels, no Django",
}
"""Each folder, and what is in it."""

Imports = Mapping[str, set[str]]


def house(imports: Imports) -> Drawing:
    """The folders in storeys: each stands above all that it imports, which ``imports`` says."""
    floors = _floors(imports)
    storeys = [sorted(name for name in imports if floors[name] == floor) for floor in sorted({*floors.values()})]
    arrows = [(above, below) for above in imports for below in _direct(imports, above)]
    text = " ".join(f"{name} imports {', '.join(sorted(imports[name]))}." for name in imports if imports[name])
    drawing = Drawing("The folders of the project, and what imports what", text)
    drawing.height = len(storeys) * (ROOM + HALL) - HALL + 2
    places, rooms = {}, Drawing("")
    for floor, names in enumerate(storeys):
        width = (WIDTH - GAP * (len(names) - 1)) / len(names)
        y = drawing.height - 1 - floor * (ROOM + HALL) - ROOM
        for number, name in enumerate(names):
            x = number * (width + GAP)
            places[name] = x + width / 2, y, width
            rooms.rect(x + 0.5, y, width - 1, ROOM, "room", 6)
            rooms.write(x + width / 2, y + 20, name, "strong", "middle")
            rooms.write(x + width / 2, y + 37, WORDS[name], "soft", "middle")
    for above, below in arrows:
        (x, y, width), (to_x, to_y, to_width) = places[above], places[below]
        if floors[above] > floors[below] + 1 and abs(to_x + 0.3 * to_width - x) < width / 2:
            x = to_x = to_x + 0.3 * to_width  # straight down, beside the arrows between neighbours
        _arrow(drawing, x, y, to_x, to_y)
    drawing.shapes += rooms.shapes  # over the arrows that pass behind a room
    return drawing


def _floors(imports: Imports) -> dict[str, int]:
    """The storey of each folder: one above the highest that it imports."""
    floors: dict[str, int] = {}

    def floor(name: str) -> int:
        if name not in floors:
            floors[name] = 1 + max(map(floor, imports[name]), default=-1)
        return floors[name]

    for name in imports:
        floor(name)
    return floors


def _direct(imports: Imports, name: str) -> list[str]:
    """What a folder imports and none of those does that it imports."""
    implied = {below for other in imports[name] for below in imports[other]}
    return sorted(imports[name] - implied)


def _arrow(drawing: Drawing, x: float, y: float, to_x: float, to_y: float) -> None:
    start, end = y + ROOM, to_y - 2
    drawing.line(f"M{x:.1f} {start:.1f}L{to_x:.1f} {end:.1f}", "rule")
    drawing.line(f"M{to_x - 4:.1f} {end - 6:.1f}L{to_x:.1f} {end:.1f}L{to_x + 4:.1f} {end - 6:.1f}", "rule")
