"""The base of every page: staff only, inside the admin's frame."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.contrib.auth.mixins import UserPassesTestMixin
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.generic import TemplateView
from django.views.generic.base import ContextMixin
from django_htmx.http import HttpResponseClientRedirect

from hotelapp.portal.htmx import page_address


@method_decorator(never_cache, name="dispatch")
class StaffMixin(UserPassesTestMixin, ContextMixin):
    """Staff only, inside the admin's frame. Anonymous users are sent to log in; other users get a 403 page.

    ``permission`` names a permission that a user also needs.
    """

    request: HttpRequest
    title = ""
    permission: ClassVar[str] = ""

    def test_func(self) -> bool:
        """Whether the user may see the page."""
        user = self.request.user
        return user.is_active and user.is_staff and (not self.permission or user.has_perm(self.permission))

    def handle_no_permission(self) -> HttpResponse:  # type: ignore[override]
        """Send the user to the login page. htmx must leave the page, because it would put the answer into the list."""
        if self.request.method == "POST" and not self.request.user.is_authenticated:
            messages.error(self.request, "Nothing was saved, because you were not logged in. Please enter it again.")
        response: HttpResponse = super().handle_no_permission()
        if getattr(self.request, "htmx", False):
            return HttpResponseClientRedirect(redirect_to_login(page_address(self.request)).url)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The context of the page, of the frame and of the cost panel."""
        self.request.current_app = admin.site.name
        frame = admin.site.each_context(self.request)
        return super().get_context_data(**{**frame, "title": self.title, "ledger": self.request.ledger, **kwargs})  # type: ignore[attr-defined]


class StaffPage(StaffMixin, TemplateView):
    """A page that only reads."""
