"""Drafts: forms that are sent after the session's end, and texts that the browser keeps.

A form that arrives without a login waits in the anonymous session, which the login turns into the user's. The form's
page then shows it again, and writes nothing. Only the user who logged in last with this browser, as a signed cookie
says, sees the form. A login changes the token of forms, so a form of another user is refused before.

``static/portal/drafts.js`` keeps typed texts. It sends the draft's id with the form, and a cookie answers once the form
is saved. docs/portal.md describes both.
"""

import re
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.utils.http import urlencode

from portal.error_pages import sent_fields
from portal.htmx import is_part

OWNER, WAITING = "form_owner", "waiting_form"
OWNED = timedelta(days=7)
MOST = 64_000
"""The most characters of a form that waits. One with more, or with a password, is not kept."""
MOST_WAITING, COUNTED = 20, timedelta(hours=1)
"""The most forms that a process keeps for a user in an hour. Each takes a session, and the cookie can be sent again."""
DRAFT, DRAFT_ID = "draft", re.compile("[a-z0-9]{8,40}")
CONFIRMED = timedelta(minutes=5)


def set_owner(response: HttpResponseBase, user_id: int) -> None:
    """Note in the browser who has logged in."""
    secure = settings.SESSION_COOKIE_SECURE
    response.set_signed_cookie(OWNER, str(user_id), max_age=OWNED, secure=secure, httponly=True, samesite="Lax")


def keep(request: HttpRequest) -> bool:
    """Keep a form that was sent after the session's end; return whether the form now waits for its user."""
    owner = request.get_signed_cookie(OWNER, "", max_age=OWNED)
    form = urlencode(sent_fields(request))
    if not owner or not 0 < len(form) <= MOST or is_part(request):
        return False
    key = f"waiting-forms-{owner}"
    cache.add(key, 0, COUNTED.total_seconds())
    if cache.incr(key) > MOST_WAITING:
        return False
    request.session[WAITING] = {"owner": owner, "address": request.get_full_path(), "form": form}
    return True


def take(request: HttpRequest) -> QueryDict | None:
    """Return, once, the form that the user of this request sent to this address after the session's end."""
    waiting: dict[str, Any] | None = request.session.get(WAITING)
    if waiting is None or (waiting["owner"] == str(request.user.pk) and waiting["address"] != request.get_full_path()):
        return None
    del request.session[WAITING]
    return QueryDict(waiting["form"]) if waiting["owner"] == str(request.user.pk) else None


def confirm(request: HttpRequest, response: HttpResponseBase) -> None:
    """Tell the browser that the form of a POST is saved, so that the next page forgets its draft."""
    draft = request.POST.get(DRAFT, "")
    if response.status_code == 302 and DRAFT_ID.fullmatch(draft):  # noqa: PLR2004
        secure = settings.SESSION_COOKIE_SECURE
        response.set_cookie(f"{DRAFT}-{draft}", "saved", max_age=CONFIRMED, secure=secure, samesite="Lax")
