"""The template tag of the login page: the demo's people."""

from typing import Any

from django import template
from django.conf import settings

from hotelapp.demo import people

register = template.Library()


@register.inclusion_tag("demo/_people.html", takes_context=True)
def demo_people(context: template.Context) -> dict[str, Any]:
    """A button for each of the demo's people. It sends the login form, so that its limits and its log hold for it."""
    request = context["request"]
    login = {"username": settings.DEMO_USERNAME, "password": settings.DEMO_PASSWORD}
    return {
        "people": people.offered(request),
        "login": login,
        "action": request.get_full_path(),
        "csrf_token": context["csrf_token"],
    }
