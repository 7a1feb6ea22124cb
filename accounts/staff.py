"""The user of a session with everything that a page asks about the account, read by one SQL statement.

Django reads permissions in two more queries, and compiles each query again for each page. Here one query names the
account, its second factor, its permissions and its hotels. It is compiled once for each process, and run for each
request, so nothing that it answers is older than the request.
"""

import json
from functools import cache
from typing import Any

from django.contrib.auth.models import Permission, User
from django.db.models import F, JSONField, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce, Concat
from django_otp.plugins.otp_totp.models import TOTPDevice

from hotels.staff_hotels import StaffHotel, scope_with
from portal.scopes import HotelScope


class _Texts(Subquery):
    """The column ``value`` of all rows of a subquery, as one JSON array."""

    template = "(SELECT json_group_array(value) FROM (%(subquery)s) AS texts)"

    def as_postgresql(self, compiler: Any, connection: Any) -> Any:
        template = "(SELECT coalesce(json_agg(value), '[]')::text FROM (%(subquery)s) AS texts)"
        return self.as_sql(compiler, connection, template)


def read(user_id: Any) -> User | None:
    """The account with this id; ``None`` if there is none.

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
    """The SQL statement, and its parameters but the last one, which is the id of the account."""
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
