"""The template tag of the login page: the demo's people."""

from typing import Any

from django import template
from django.conf import settings
from django.http.request import split_domain_port

from hotelapp.demo import unfinished
from hotelapp.demo.people import PEOPLE, Person

register = template.Library()
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "[::1]"})


@register.inclusion_tag("demo/_people.html", takes_context=True)
def demo_people(context: template.Context) -> dict[str, Any]:
    """Return a button for each of the demo's people. The button sends the login form, with its limits and its log.

    The page shows the password then, so this password must protect nothing: there are no buttons outside of the demo,
    on AWS, and for other machines.
    """
    request = context["request"]
    engineer = Person(settings.DEMO_USERNAME, "Engineer", "everything, and what each page costs")
    host, _ = split_domain_port(request.get_host())
    local = settings.DEMO and settings.DYNAMODB_ENDPOINT_URL and host in LOCAL_NAMES
    people = [*PEOPLE, engineer] if local and settings.DEMO_PASSWORD else []
    return {
        "people": people,
        "unfinished": people and unfinished().exists(),
        "settings": settings,
        "request": request,
        "csrf_token": context["csrf_token"],
    }
