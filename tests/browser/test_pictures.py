"""The pictures of the README: rooms, the start page of a hotel and the engineers' panel, light and dark."""

import os
from pathlib import Path
from typing import Literal

import pytest

from tests.helpers.browsing import NewPage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("superuser")]
LIST = "/hotels/seaside/rooms/?view=sea-view&sort=-size&then=type"
PICTURES = {"rooms": (LIST, 800), "overview": ("/hotels/seaside/", 1030), "panel": (LIST, 800)}
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")


def test_the_pictures_of_the_readme(new_page: NewPage, tmp_path: Path) -> None:
    """``make pictures`` saves them all. Otherwise, taking that of the panel in light colours only has to succeed."""
    folder = os.environ.get("PICTURES")
    for scheme in SCHEMES if folder else SCHEMES[:1]:
        for name, (address, height) in PICTURES.items() if folder else [("panel", PICTURES["panel"])]:
            page = new_page(viewport={"width": 1280, "height": height}, color_scheme=scheme)
            page.goto(address)  # from now on, the hotel is in the cache
            page.goto(address)
            if name == "panel":
                page.click(".cost-badge")
            page.mouse.move(0, 0)
            page.evaluate("document.fonts.ready.then(() => null)")
            file = Path(folder or tmp_path) / f"{name}-{scheme}.png"
            page.screenshot(path=file, animations="disabled")
            assert file.stat().st_size > 20_000
