"""Templates of Jinja2: what they escape, what they leave out, and what they share with Django's templates."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template import engines
from django.utils.safestring import mark_safe
from jinja2 import Environment, StrictUndefined, UndefinedError
from markupsafe import Markup

HOSTILE = "<script>\"'&"
ESCAPED = "&lt;script&gt;&#34;&#39;&amp;"


class Text(str):
    """A text of another type, as statuses are."""


@pytest.fixture
def env() -> Environment:
    return engines["jinja2"].env  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (HOSTILE, ESCAPED),
        (Text("<b>"), "&lt;b&gt;"),
        (Markup("<b>"), "<b>"),
        (mark_safe("<b>"), "<b>"),
        (Decimal("2.50"), "2.50"),
    ],
)
def test_every_value_is_escaped_once(env: Environment, value: Any, written: str) -> None:
    """Also one that passes through a macro, twice, or a block of ``set``."""
    text = "{% macro shown(it) %}{{ it }}{% endmacro %}{% set kept %}{{ value }}{% endset %}"
    text += "{{ value }}|{{ shown(shown(value)) }}|{{ kept }}"
    assert env.from_string(text).render(value=value) == "|".join([written] * 3)


def test_a_name_that_a_template_lacks_is_an_error(env: Environment) -> None:
    assert env.undefined is StrictUndefined
    with pytest.raises(UndefinedError, match="'absent' is undefined"):
        env.from_string("{{ absent }}").render()


def test_indentation_is_left_out_and_a_space_between_words_stays(env: Environment) -> None:
    assert env.from_string("<p>\n        one\n\n  {{ two }}\n</p>").render(two="  2\n  3") == "<p>one\n  2\n  3</p>"
    assert env.from_string("<td>\n  <b>1</b>\n  <b>2</b>\n</td>\n").render() == "<td><b>1</b>\n<b>2</b></td>"


def test_a_template_exists_once_in_one_language(env: Environment) -> None:
    """All of them compile, so that none fails only on a page."""
    folder = Path(settings.BASE_DIR) / "templates"
    names = env.list_templates()
    assert len(names) > 40
    assert [name for name in names if (folder / name).exists()] == []
    for name in names:
        env.get_template(name)
