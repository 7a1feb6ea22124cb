"""Serves the portal as ``hotelapp.serving`` does, but draws each list once: ``python -m benchmarks.undrawn``.

What pages then take is what they would take at least if nothing was quicker than the drawing of lists.
"""

import os
from collections.abc import Mapping
from typing import Any

from django.utils.module_loading import import_string

from hotelapp import serving


def main() -> None:
    """Serve until a signal arrives."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hotelapp.settings")
    import_string("hotelapp.wsgi.application")
    from portal import jinja  # noqa: PLC0415 (it needs the settings)

    drawn, draw = dict[tuple[str, str], str](), jinja.part

    def part(name: str, context: Mapping[str, Any]) -> Any:
        key = name, context["request"].path
        if key not in drawn:
            drawn[key] = draw(name, context)
        return drawn[key]

    jinja.part = part
    serving.main()


if __name__ == "__main__":
    main()
