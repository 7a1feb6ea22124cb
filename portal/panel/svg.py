"""A drawing: shapes and texts with classes. Widths of texts are estimated, because nothing measures fonts here."""

from dataclasses import dataclass, field
from pathlib import Path

from django.contrib.staticfiles import finders
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from dynamodb_lists.reading.explaining import shown

WIDTH = 760
MONO = 6.05
"""The width of a letter of a key, at its size in the stylesheet."""

COLOURS = (
    "svg{--d-ink:#1f2937;--d-soft:#5b6472;--d-line:#c9ced6;--d-idle:#e2e5ea;--d-full:#0f8077;--d-part:#8fd3cb;"
    "--d-mark:#b45309;--d-on:#fff;--d-page:#fff}"
    "@media (prefers-color-scheme:dark){svg{--d-ink:#e6e9ee;--d-soft:#a3acba;--d-line:#4a5462;--d-idle:#333c4a;"
    "--d-full:#2dd4bf;--d-part:#1b6b65;--d-mark:#fbbf24;--d-on:#0b1220;--d-page:#111827}}"
    "svg{background:var(--d-page);font-family:system-ui,sans-serif}"
)


@dataclass
class Drawing:
    """What is drawn so far, from the top to ``height``. ``title`` and ``text`` say the same to screen readers."""

    title: str
    text: str = ""
    height: float = 0
    shapes: list[str] = field(default_factory=list)

    def rect(self, x: float, y: float, width: float, height: float, tone: str, radius: float = 2) -> None:
        place = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{radius:g}"'
        self.shapes.append(f'<rect {place} class="{tone}"/>')

    def line(self, points: str, tone: str) -> None:
        self.shapes.append(f'<path d="{points}" class="{tone}"/>')

    def write(self, x: float, y: float, text: str, tone: str = "", anchor: str = "start") -> None:
        self.shapes.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{tone}" text-anchor="{anchor}">{escape(text)}</text>')

    def legend(self, y: float, x: float, names: dict[str, str]) -> None:
        """Tones with their meanings, in one line."""
        for tone, name in names.items():
            self.rect(x, y - 9, 12, 10, tone)
            self.write(x + 17, y, name, "soft")
            x += 34 + 6 * len(name)

    @property
    def inline(self) -> SafeString:
        return self._drawn("drawing", "")

    @property
    def file(self) -> str:
        """The drawing as a file of its own, light or dark as its reader prefers."""
        path = finders.find("portal/panel.css")
        lines = Path(str(path)).read_text(encoding="utf-8").splitlines()
        rules = "".join(line.strip() for line in lines if line.startswith((".drawing .", ".drawing text")))
        return self._drawn("drawing", f"<style>{COLOURS}{rules.replace('.drawing ', 'svg ')}</style>\n") + "\n"

    def _drawn(self, name: str, style: str) -> SafeString:
        size = f'viewBox="0 0 {WIDTH} {self.height:.0f}" width="{WIDTH}" height="{self.height:.0f}"'
        words = f"<title>{escape(self.title)}</title>\n<desc>{escape(self.text)}</desc>\n{style}"
        opening = f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" role="img" {size}>\n'
        shapes = "\n".join(self.shapes)
        return mark_safe(f"{opening}{words}{shapes}\n</svg>")  # noqa: S308 (every text is escaped)


def short(text: str, width: float) -> str:
    """A key without its middle, if it is too long for so many pixels."""
    text, letters = shown(text), int(width / MONO)
    if len(text) <= letters:
        return text
    head = (letters - 1) * 2 // 3
    return f"{text[:head]}…{text[head + 1 - letters :]}"
