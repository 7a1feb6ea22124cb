"""Pages between the password and the end of the login: they ask for the code, or lead to the set-up."""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.views import RedirectURLMixin
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.views.generic import FormView, View

from accounts.backends import half_user
from accounts.change_numbers import note_login
from accounts.events import record
from accounts.logins import browsers
from accounts.second_factor import devices
from accounts.second_factor.forms import CodeForm
from accounts.second_factor.views import SetUp, codes_page, private, verified
from dynamodb_lists.planning.wording import counted

PLAIN = "accounts/plain.html"


def log_in_fully(request: HttpRequest, user: Any, device: Any) -> None:
    """Complete the login of a user who has given a code. The session gets a new key."""
    request.session.cycle_key()
    devices.complete(request.session, device)
    request.user = user
    record("login", request, user.get_username())
    browsers.remember(request, user)


@private
class HalfWayPage(RedirectURLMixin, View):
    """A page for a user who has given the password only. Everybody else is sent on."""

    http_method_names = ["get", "post", "head", "options"]
    next_page = "/"
    asks_code: bool  # whether the page is for who has a second factor, or for who has none
    user: Any

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.user = half_user(request)
        if self.user is None:
            return HttpResponseRedirect(
                self.get_success_url() if request.user.is_authenticated else reverse("admin:login")
            )
        has_factor = self.user.second_factor is not None
        if has_factor != self.asks_code:
            page = reverse("login:code" if has_factor else "login:set_up")
            return redirect(f"{page}?{request.GET.urlencode()}".removesuffix("?"))
        return super().dispatch(request, *args, **kwargs)

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        address: str = super().get_redirect_url()
        return address if address.startswith("/") else ""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The context of the page, with the styles of the frame."""
        frame = admin.site.each_context(self.request)
        context: dict[str, Any] = super().get_context_data(**{**frame, **kwargs})  # type: ignore[misc]
        return context


class CodePage(HalfWayPage, FormView):  # type: ignore[type-arg]
    """Asks for the code, after the password."""

    asks_code = True
    form_class = CodeForm
    template_name = "accounts/code.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(title="Enter your code", layout=PLAIN, **kwargs)

    def form_valid(self, form: CodeForm) -> HttpResponse:
        found = verified(self.request, self.user, form)
        if found is None:
            return self.form_invalid(form)
        device, failures = found
        log_in_fully(self.request, self.user, device)
        if failures:
            wrong = counted(failures, "wrong code")
            text = f"Before this login, somebody entered {wrong}. If it was not you, change your password."
            messages.warning(self.request, text)
        return HttpResponseRedirect(self.get_success_url())


class FirstSetUpPage(HalfWayPage, SetUp):
    """Sets up the second factor of a user who cannot log in without one."""

    asks_code = False
    layout = PLAIN

    def enabled(self, device: Any) -> None:
        note_login(self.request, self.user)
        log_in_fully(self.request, self.user, device)

    def show_codes(self, codes: list[str]) -> HttpResponse:
        return codes_page(self, codes, back=self.get_success_url())
