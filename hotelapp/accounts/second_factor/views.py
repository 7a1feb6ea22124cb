"""Pages of the second factor: the code after the password, and a user's own page to set it up and remove it."""

from base64 import b32encode
from typing import Any

import segno
from django.contrib import admin, messages
from django.contrib.auth import authenticate, logout
from django.contrib.auth.views import RedirectURLMixin
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView, View

from hotelapp.accounts.events import record
from hotelapp.accounts.logins import browsers
from hotelapp.accounts.middleware import half_user
from hotelapp.accounts.second_factor import devices
from hotelapp.accounts.second_factor.devices import CodeRefused
from hotelapp.accounts.second_factor.forms import CodeForm, ConfirmedForm, SetUpForm
from hotelapp.portal.access import ANY_STAFF
from hotelapp.portal.views import StaffMixin, StaffPage

FRAME, PLAIN = "portal/base.html", "accounts/plain.html"
private = method_decorator([never_cache, sensitive_post_parameters()], name="dispatch")
"""Pages with a secret: no browser keeps them, and no error report shows what was sent."""


def log_in_fully(request: HttpRequest, user: Any, device: Any) -> None:
    """Complete the login of a user who has given a code. The session gets a new key."""
    request.session.cycle_key()
    devices.complete(request.session, device)
    request.user = user
    record("login", request, user.get_username())
    browsers.remember(request, user)


# --- Between the password and the code ------------------------------------------------------------------


@private
class HalfWayPage(RedirectURLMixin, View):
    """A page for a user who has given the password only. Everybody else is sent on."""

    http_method_names = ["get", "post", "head", "options"]
    next_page = "/"
    user: Any

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request of a user who is half-way."""
        self.user = half_user(request)
        if self.user is None:
            return redirect(self.get_success_url() if request.user.is_authenticated else reverse("admin:login"))
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The context of the page, with the styles of the frame, but without its link to the portal."""
        frame = {**admin.site.each_context(self.request), "site_url": ""}
        return super().get_context_data(**{**frame, **kwargs})  # type: ignore[misc]

    def beside(self, name: str) -> str:
        """The address of another page of the login, which leads to the same page in the end."""
        return f"{reverse(name)}?{self.request.GET.urlencode()}".removesuffix("?")


class CodePage(HalfWayPage, FormView):  # type: ignore[type-arg]
    """Asks for the code, after the password."""

    form_class = CodeForm
    template_name = "accounts/code.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The form, without the portal's frame."""
        return super().get_context_data(title="Enter your code", layout=PLAIN, **kwargs)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Lead a user without a second factor, who must have one, to its set-up."""
        user = half_user(request)
        if user is not None and user.second_factor is None:
            self.user = user
            return redirect(self.beside("login:set_up"))
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: CodeForm) -> HttpResponse:
        """Log in, or show the form with the reason why the code was refused."""
        try:
            device, failures = devices.verify(self.user, form.cleaned_data["code"])
        except CodeRefused as error:
            record("second factor failed", self.request, self.user.get_username())
            form.add_error("code", str(error))
            return self.form_invalid(form)
        log_in_fully(self.request, self.user, device)
        if failures:
            text = f"{failures} wrong codes were entered for your account. If it was not you, change your password."
            messages.warning(self.request, text)
        return redirect(self.get_success_url())


class LeavePage(HalfWayPage):
    """Forgets the password that was given, so that somebody else can log in."""

    http_method_names = ["post", "options"]

    def post(self, request: HttpRequest) -> HttpResponse:
        """End the session."""
        request.user = self.user
        logout(request)
        return redirect("admin:login")


# --- Setting up -----------------------------------------------------------------------------------------


class SetUp(FormView):  # type: ignore[type-arg]
    """Shows the secret of a new device, and enables it with its first code."""

    form_class = SetUpForm
    template_name = "accounts/set_up.html"
    title = "Set up a second factor"
    user: Any
    layout: str

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The secret, to scan and to type; none before the user has begun."""
        device = devices.unconfirmed_device(self.user)
        context = {"device": device, "layout": self.layout, "title": self.title}
        if device:
            context |= {"image": _image(device.config_url), "secret": _spaced(b32encode(device.bin_key).decode())}
        return super().get_context_data(**{**context, "required": devices.is_required(), **kwargs})

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Begin, or confirm."""
        if "begin" not in request.POST:
            return super().post(request, *args, **kwargs)
        try:
            devices.begin(self.user)
        except CodeRefused as error:
            messages.error(request, str(error))
        return redirect(request.get_full_path())

    def form_valid(self, form: SetUpForm) -> HttpResponse:
        """Enable the second factor, and show the backup codes, once."""
        try:
            device, codes = devices.confirm(self.user, form.cleaned_data["code"])
        except CodeRefused as error:
            form.add_error("code", str(error))
            return self.form_invalid(form)
        record("second factor enabled", self.request, self.user.get_username())
        self.enabled(device)
        return self.show_codes(codes)

    def enabled(self, device: Any) -> None:
        """Complete the session, which needs the second factor from now on.

        It gets a new key, because a copy of the old item that is behind would ask for a code.
        """
        self.request.session.cycle_key()
        devices.complete(self.request.session, device)

    def show_codes(self, codes: list[str]) -> HttpResponse:
        """The page with new backup codes."""
        return _codes_page(self, codes, back=reverse("accounts:second_factor"))


class FirstSetUpPage(HalfWayPage, SetUp):
    """Sets up the second factor of a user who cannot log in without one."""

    layout = PLAIN

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """A user who has a second factor gives its code instead."""
        user = half_user(request)
        if user is not None and user.second_factor is not None:
            return redirect("login:code")
        return super().dispatch(request, *args, **kwargs)

    def enabled(self, device: Any) -> None:
        """Log in."""
        log_in_fully(self.request, self.user, device)

    def show_codes(self, codes: list[str]) -> HttpResponse:
        """The page with the backup codes, which leads to where the login leads."""
        return _codes_page(self, codes, back=self.get_success_url())


# --- A user's own page ----------------------------------------------------------------------------------


class SecondFactorPage(StaffPage):
    """Whether the user has a second factor, and what can be done with it."""

    permission = ANY_STAFF
    title = "Second factor"
    template_name = "accounts/second_factor.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """The state of the user's second factor."""
        state = devices.state_of(self.request.user)
        return super().get_context_data(state=state, required=devices.is_required(), **kwargs)


@private
class SetUpPage(StaffMixin, SetUp):
    """Sets up the second factor of a user who is logged in."""

    permission = ANY_STAFF
    title = SetUp.title
    layout = FRAME

    @property
    def user(self) -> Any:
        """The user who is logged in."""
        return self.request.user


@private
class ConfirmedPage(StaffMixin, FormView):  # type: ignore[type-arg]
    """The base of changes that need the password and a code."""

    permission = ANY_STAFF
    form_class = ConfirmedForm
    template_name = "accounts/confirm.html"

    def change(self) -> HttpResponse:
        """Do what the user has confirmed."""
        raise NotImplementedError

    def form_valid(self, form: ConfirmedForm) -> HttpResponse:
        """Check both. A wrong password counts as a failed login, so it is limited, too."""
        request, username = self.request, self.request.user.get_username()
        if authenticate(request, username=username, password=form.cleaned_data["password"]) is None:
            form.add_error("password", "This password is wrong.")
            return self.form_invalid(form)
        try:
            devices.verify(request.user, form.cleaned_data["code"])
        except CodeRefused as error:
            record("second factor failed", request, username)
            form.add_error("code", str(error))
            return self.form_invalid(form)
        return self.change()


class BackupCodesPage(ConfirmedPage):
    """Replaces the backup codes."""

    title = "New backup codes"
    extra_context = {"button": "Replace the backup codes", "explanation": "Your old backup codes stop working."}

    def change(self) -> HttpResponse:
        """Show the new codes, once."""
        record("backup codes changed", self.request, self.request.user.get_username())
        codes = devices.new_backup_codes(self.request.user)
        return _codes_page(self, codes, back=reverse("accounts:second_factor"))


class RemovePage(ConfirmedPage):
    """Removes the second factor."""

    title = "Remove the second factor"
    extra_context = {
        "button": "Remove it",
        "danger": True,
        "explanation": "Then your password alone is enough to log in, unless a second factor is required of everybody.",
    }

    def change(self) -> HttpResponse:
        """Remove it."""
        devices.remove(self.request.user)
        record("second factor disabled", self.request, self.request.user.get_username())
        messages.success(self.request, "Your second factor was removed.")
        return redirect("accounts:second_factor")


def _codes_page(page: Any, codes: list[str], back: str) -> HttpResponse:
    """The answer to the POST that made the codes, so that they are stored nowhere else."""
    layout = getattr(page, "layout", FRAME)
    shown = [f"{code[:5]} {code[5:]}" for code in codes]
    context = page.get_context_data(codes=shown, back=back, layout=layout, title="Your backup codes")
    response: HttpResponse = page.response_class(page.request, "accounts/backup_codes.html", context)
    return response


def _image(address: str) -> SafeString:
    """A QR code as SVG. segno escapes what it writes, and the address has no markup."""
    code = segno.make(address, error="m")
    return mark_safe(code.svg_inline(svgclass="qr", lineclass=None, omitsize=True, light="white"))


def _spaced(text: str) -> str:
    """The text in groups of four characters."""
    return " ".join(text[place : place + 4] for place in range(0, len(text), 4))
