"""The authentication backend, and the user of a request.

The backend is Django's, but it checks few passwords at a time, and reads what a page asks about a user with the user:
Django reads permissions in two more queries, and compiles each query again for each page. Here one query names the
account, its second factor, its permissions and its hotels. It is compiled once for each process, and run for each
request, so nothing that it answers is older than the request.
"""

import json
from functools import cache
from threading import BoundedSemaphore, Lock
from typing import Any

from django.conf import settings
from django.contrib import auth
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.db.models import F, JSONField, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce, Concat
from django.http import HttpRequest
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts.change_numbers import ACCESS
from accounts.logins.limits import attempt_of
from dynamodb_lists.connection import scope
from hotels.staff_hotels import StaffHotel, scope_with
from portal.people import HotelScope, loaded_user
from portal.places import place

PLACES = {
    familiar: BoundedSemaphore(places)
    for familiar, places in ((False, settings.PASSWORD_PLACES), (True, max(settings.PASSWORD_PLACES // 2, 1)))
}
"""The places to check a password in a browser in which the user has logged in before (true), and in others."""

CHECKING = {familiar: Lock() for familiar in PLACES}
"""One hash at a time: four at once would take the processors from all pages."""


class StaffBackend(ModelBackend):
    """Users of the portal. The user of a session is read by :func:`read`."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **kwargs: Any
    ) -> User | None:
        """Return the user with this password; ``None`` without one. It takes a place, because a hash keeps its thread
        for some tenths of a second.

        Known browsers have places of their own, so that guesses elsewhere keep no user out.

        Raises: :class:`~portal.places.Crowded`.
        """
        if request is None:
            return super().authenticate(request, username, password, **kwargs)
        familiar = request.user.is_authenticated or bool(attempt_of(request, {"username": username}).browser)
        with place(PLACES[familiar], "passwords to check"), CHECKING[familiar]:
            # A hash that ends too late only keeps others waiting.
            scope.require_time(settings.PAGE_DEADLINE_SECONDS / 2)
            return super().authenticate(request, username, password, **kwargs)

    def get_user(self, user_id: Any) -> Any:
        user = read(user_id)
        return user if user and self.user_can_authenticate(user) else None


def user_of(request: HttpRequest) -> Any:
    """Return the user of a request; anonymous until the second factor was given. It is read once for each request.

    A user who has given a password, but not the second factor, is then ``request.half_user``.
    """
    user = loaded_user(request)
    if user is None:
        user, session = auth.get_user(request), request.session
        found: Any = user
        if user.is_authenticated and session.get(ACCESS) != found.access:
            session.flush()
            user = AnonymousUser()
        if user.is_authenticated and (found.second_factor or settings.SECOND_FACTOR == "required"):
            given = f"{TOTPDevice.model_label()}/{found.second_factor}"
            if session.get(DEVICE_ID_SESSION_KEY) != given:
                request.half_user, user = user, AnonymousUser()  # type: ignore[attr-defined]
        request._session_user = user  # type: ignore[attr-defined]
    return user


class _Texts(Subquery):
    """The column ``value`` of all rows of a subquery, as one JSON array."""

    template = "(SELECT json_group_array(value) FROM (%(subquery)s) AS texts)"

    def as_postgresql(self, compiler: Any, connection: Any) -> Any:
        template = "(SELECT coalesce(json_agg(value), '[]')::text FROM (%(subquery)s) AS texts)"
        return self.as_sql(compiler, connection, template)


def read(user_id: Any) -> User | None:
    """Return the account with this id; ``None`` if there is none.

    It has ``second_factor``, the id of its TOTP device or ``None``, ``hotel_scope``, how often its ``access`` and its
    ``rights`` have changed, and the permissions where Django keeps them once it has read them. A superuser needs no
    permission, so those of superusers are not read.
    """
    statement, constants = _statement()
    for user in User.objects.raw(statement, [*constants, user_id]):
        found: Any = user
        found.hotel_scope = HotelScope() if found.is_superuser else scope_with(json.loads(found.hotels))
        if not found.is_superuser:
            found._user_perm_cache = set(json.loads(found.own_permissions))
            found._group_perm_cache = set(json.loads(found.permissions_of_groups))
        return user
    return None


@cache
def _statement() -> tuple[str, list[Any]]:
    """Return the SQL statement, and its parameters without the last one, the id of the account."""
    of_account = OuterRef("pk")
    device = TOTPDevice.objects.filter(user=of_account, confirmed=True).values("pk")[:1]
    permissions = Permission.objects.order_by().values(value=Concat("content_type__app_label", Value("."), "codename"))
    hotels = StaffHotel.objects.filter(user=of_account).values(value=F("hotel_id"))
    accounts = User.objects.filter(pk=0).annotate(
        second_factor=Subquery(device),
        own_permissions=_Texts(permissions.filter(user=of_account), JSONField()),
        permissions_of_groups=_Texts(permissions.filter(group__user=of_account), JSONField()),
        hotels=_Texts(hotels, JSONField()),
        access=Coalesce("changes__access", 0),
        rights=Coalesce("changes__rights", 0),
    )
    statement, parameters = accounts.query.sql_with_params()
    return statement, [*parameters[:-1]]
