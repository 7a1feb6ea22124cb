"""Permissions, and the base of every page: for staff only, with the permission that the page declares.

Members of staff may be bound to hotels. Pages are inside the admin's frame.
"""

from typing import Any, ClassVar, cast

from django.contrib import admin, messages
from django.contrib.auth.mixins import AccessMixin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.decorators import method_decorator
from django.utils.functional import cached_property
from django.views.decorators.cache import never_cache
from django.views.generic import TemplateView, View
from django.views.generic.base import ContextMixin
from django_htmx.http import HttpResponseClientRedirect

from dynamodb_lists import errors
from portal import drafts, error_pages
from portal.app_config import hotels_app
from portal.frame import frame_link
from portal.htmx import is_part, page_address
from portal.lists.origins import Origin, origin_of
from portal.people import HotelScope

ANY_STAFF = "any-staff"
"""The ``permission`` of a page that every member of staff may open."""

EXPORT_DATA = "portal.export_data"
"""The permission to download lists, and to print those of other things than rooms whole."""


def scope_in(request: HttpRequest) -> HotelScope:
    """Return the hotels that the user of a request sees. They are read together with the user."""
    return cast(HotelScope, request.user.hotel_scope)  # type: ignore[union-attr]


@method_decorator(never_cache, name="dispatch")
class StaffMixin(AccessMixin, ContextMixin, View):
    """A page of the portal, inside the admin's frame, for staff with its permission who see its hotel.

    Every page declares ``permission``: the permission to open it, or :data:`ANY_STAFF`. Anonymous users are sent to log
    in, and users without the permission get a 403 page. If the address names a hotel, users who are bound to other
    hotels get a 404 page. The title may have values of the page in braces: ``Add a room to {page.hotel.name}``.
    """

    http_method_names = ["get", "post", "head", "options"]
    title = ""
    permission: ClassVar[str] = ""
    may_wait: ClassVar[bool] = False
    """Whether a form that is sent to this page after the session's end waits for the login."""

    is_list: ClassVar[bool] = False
    """Whether the page is a list, to which the pages of its rows lead back."""
    lists_link_here: ClassVar[bool] = False
    """Whether lists link to the page, so that the browser's Referer may name the list that its reader comes from."""

    shows_times = False
    """Whether the page has shown a time, so that it names its zone."""
    shows_sites = False
    """Whether rows of several hotels have shown times, each on the clocks of its hotel."""

    fresh: ClassVar[bool] = False
    """Whether the page, if it is about one hotel, shows what others change there while it is seen."""
    look_seconds = 15
    """How often it asks whether there is something. A browser is slower while nothing is answered."""

    hotel: Any = None
    """The hotel in the address, if the page needs it. Its template has it as ``hotel``."""

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view. Raises: ``ImproperlyConfigured`` when Django starts, for a page without a permission."""
        if not cls.permission:
            raise ImproperlyConfigured(f"{cls.__qualname__} declares no permission.")
        return super().as_view(**initkwargs)

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Note the hotels that the user sees, and the username of the user, as the author of changes."""
        super().setup(request, *args, **kwargs)
        self.scope: HotelScope = getattr(request.user, "hotel_scope", HotelScope(frozenset()))
        self.by = request.user.get_username()

    def may(self, permission: str) -> bool:
        """Return whether the user is staff with a permission. All members of staff have :data:`ANY_STAFF`."""
        user = self.request.user
        if not (user.is_active and user.is_staff):
            return False
        return permission == ANY_STAFF or user.has_perm(permission)

    def may_open(self) -> bool:
        return self.may(self.permission)

    @property
    def in_scope(self) -> bool:
        """Return whether the user sees the hotel in the address, or the address names no hotel."""
        return "hotel_id" not in self.kwargs or self.scope.allows(self.kwargs["hotel_id"])

    def require(self, permission: str) -> None:
        """Answer with a 403 page unless the user has a further permission."""
        if not self.may(permission):
            raise PermissionDenied(permission)

    def require_hotel(self, hotel_id: str) -> None:
        """Raise :class:`NotFound` if the user does not see this hotel."""
        if not self.scope.allows(hotel_id):
            raise errors.NotFound(f"{self.by} is not bound to the hotel {hotel_id}.")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not self.may_open():
            return self.handle_no_permission()
        if "hotel_id" in kwargs:
            self.require_hotel(kwargs["hotel_id"])
        try:
            response = super().dispatch(request, *args, **kwargs)
        except errors.Conflict as error:
            return self.conflict(error)
        if request.method == "POST":
            drafts.confirm(request, response)
        return response

    def conflict(self, error: errors.Conflict) -> HttpResponse:
        """Return the answer if a command refuses what the user has asked for. A page with a form catches it itself."""
        raise error

    def handle_no_permission(self) -> HttpResponse:  # type: ignore[override]
        """Send the user to the login page. For a list, htmx must leave the page; a part of a page says what to do."""
        if self.request.method == "POST" and not self.request.user.is_authenticated:
            waits = self.may_wait and drafts.keep(self.request)
            again = "Log in to send it again." if waits else "Please enter the password or code again."
            messages.error(self.request, f"Nothing was saved, because you were not logged in. {again}")
        response: HttpResponse = super().handle_no_permission()
        if is_part(self.request):
            return error_pages.logged_out(self.request)
        if getattr(self.request, "htmx", False):
            return HttpResponseClientRedirect(redirect_to_login(page_address(self.request)).url)
        return response

    @cached_property
    def hotel_id(self) -> str:
        """The hotel of the page; blank for a page of the group."""
        return str(self.kwargs.get("hotel_id", ""))

    @property
    def look_address(self) -> str:
        """The address that tells whether the page's hotel, or the user's only one, has changed; blank without one."""
        about = [self.hotel_id] if self.hotel_id else [*(self.scope.hotel_ids or ())]
        return frame_link("changed", *about) if self.fresh and len(about) == 1 else ""

    @cached_property
    def zone(self) -> str:
        """The time zone of the page: its hotel's, or the one that all hotels of the user share; blank for UTC."""
        return hotels_app().zone_of(self.hotel_id, self.scope)

    @property
    def shown_zone(self) -> str:
        """The zone of times that the page is about to show, so that it names its zone."""
        self.shows_times = True
        return self.zone

    @cached_property
    def origin(self) -> Origin | None:
        """The list from which the reader came; ``None`` without a list that the user may open."""
        return origin_of(self.request, referring=self.lists_link_here)

    def carrying(self, address: str) -> str:
        """Return the address of a page that follows, with the list from which the reader came."""
        if self.origin is None:
            return address
        return address + (self.origin.carried.replace("?", "&", 1) if "?" in address else self.origin.carried)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        hotel = kwargs.setdefault("hotel", self.hotel)
        if hotel:
            self.zone = hotel.time_zone
        self.request.current_app = admin.site.name
        ledger = self.request.ledger  # type: ignore[attr-defined]
        return super().get_context_data(**{"title": self.title.format(page=self), "ledger": ledger, **kwargs})


class StaffPage(StaffMixin, TemplateView):
    """A page without a form to fill in. An action that has become impossible is answered with the page and a 409."""

    def conflict(self, error: errors.Conflict) -> HttpResponse:
        return self.render_to_response(self.get_context_data(**self.refused(error)), status=409)

    def refused(self, error: Any) -> dict[str, Any]:
        """Return the page with the reason why a command has refused an action."""
        return {"problem": str(error)}
