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


@pytest.mark.skipif("PICTURES" not in os.environ, reason="make pictures takes them")
def test_the_pictures_of_the_readme(new_page: NewPage) -> None:
    for scheme in SCHEMES:
        for name, (address, height) in PICTURES.items():
            page = new_page(viewport={"width": 1280, "height": height}, color_scheme=scheme)
            page.goto(address)  # from now on, the hotel is in the cache
            page.goto(address)
            if name == "panel":
                page.click(".cost-badge")
                page.wait_for_selector("#cost .waves")
            page.mouse.move(0, 0)
            page.evaluate("document.fonts.ready.then(() => null)")
            file = Path(os.environ["PICTURES"]) / f"{name}-{scheme}.png"
            page.screenshot(path=file, animations="disabled")
            assert file.stat().st_size > 20_000
