"""Forms and pages of the second factor: set it up, make new backup codes, remove it, and enter a code to log in."""

import re
import unicodedata
from base64 import b32encode
from textwrap import wrap
from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import RedirectURLMixin
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import FormView, View

from accounts.backends import user_of
from accounts.change_numbers import keep_session, note_login
from accounts.logins import clients
from accounts.logins.clients import record
from accounts.logins.passwords import AdminContextMixin, is_own_password
from accounts.recording import recorded
from accounts.second_factor import devices
from accounts.second_factor.devices import BACKUP_DIGITS, CODE_DIGITS, CodeRefused
from dynamodb_lists import counted
from portal.access import ANY_STAFF, StaffMixin, StaffPage

CODE = re.compile(rf"[0-9]{{{CODE_DIGITS}}}|[0-9]{{{BACKUP_DIGITS}}}")
LONGEST = 40


class CodeField(forms.CharField):
    """A code of the authenticator app, or a backup code. Blanks and hyphens between digits do not count.

    The digits may be those of any script, as keyboards for Arabic or Japanese write them.
    """

    def __init__(self, *, focused: bool = False, **options: Any) -> None:
        attrs = {"inputmode": "numeric", "autocomplete": "one-time-code", "autofocus": focused}
        help_text = f"{CODE_DIGITS} digits from your authenticator app, or one of your backup codes."
        super().__init__(
            **{"label": "Code", "max_length": LONGEST, "help_text": help_text, **options},
            widget=forms.TextInput(attrs=attrs),
        )

    def clean(self, value: Any) -> str:
        typed = re.sub(r"[\s-]", "", unicodedata.normalize("NFKC", str(super().clean(value))))
        code = "".join(str(unicodedata.decimal(character, character)) for character in typed)
        if not CODE.fullmatch(code):
            raise ValidationError(f"A code has {CODE_DIGITS} digits, a backup code {BACKUP_DIGITS}.")
        return code


class SetUpForm(forms.Form):
    code = CodeField(help_text=f"The {CODE_DIGITS} digits that the app shows now.")


class SecretsForm(forms.Form):
    """A form with a password or a code of a user, which are checked, and counted, once each field has a value."""

    def __init__(self, *args: Any, request: HttpRequest, user: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.request, self.user = request, user

    def clean(self) -> dict[str, Any]:
        """Return the data. ``device_and_failures`` is what :func:`devices.verify` says of a code that is right."""
        data = super().clean() or self.cleaned_data
        if "password" in data and not self.errors and not is_own_password(self.request, self.user, data["password"]):
            self.add_error("password", "This password is wrong.")
        if "code" in data and not self.errors:
            try:
                self.device_and_failures = devices.verify(self.user, data["code"])
            except CodeRefused as error:
                record("second factor failed", self.request, self.user.get_username())
                self.add_error("code", str(error))
        return data


class CodeForm(SecretsForm):
    code = CodeField(focused=True)


class PasswordAgainForm(SecretsForm):
    password = forms.CharField(
        strip=False, max_length=4096, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )


class ConfirmedForm(PasswordAgainForm):
    code = CodeField()


FRAME, PLAIN = "portal/base.html", "accounts/plain.html"
OWN: Any = reverse_lazy("accounts:second_factor")
"""The address of the page about one's own second factor."""

private = method_decorator([never_cache, sensitive_post_parameters()], name="dispatch")
"""Pages with a secret: no browser keeps them, and no error report shows what was sent."""


class SetUp(FormView):  # type: ignore[type-arg]
    """Asks for the password, shows the secret of a new device, and enables it with its first code."""

    form_class = SetUpForm
    template_name = "accounts/set_up.html"
    title = "Set up a second factor"
    user: Any
    layout: str

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        device = devices.unconfirmed(self.user, self.request.session).first()
        context = {"device": device, "layout": self.layout, "title": self.title}
        if device is None:  # the user gives the password to begin, but not once the session has begun a device
            context["begin_form"] = PasswordAgainForm(request=self.request, user=self.user)
        else:
            import segno  # noqa: PLC0415 (only this page needs it)

            secret = " ".join(wrap(b32encode(device.bin_key).decode(), 4))
            code = segno.make(device.config_url, error="m")
            image = code.svg_inline(svgclass="qr", lineclass=None, omitsize=True, light="white")
            context |= {"image": mark_safe(image), "secret": secret}  # segno escapes; the address has no markup
        return super().get_context_data(**{**context, "required": settings.SECOND_FACTOR == "required", **kwargs})

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "begin" not in request.POST:
            return super().post(request, *args, **kwargs)
        form = PasswordAgainForm(request.POST, request=request, user=self.user)
        begun = devices.unconfirmed(self.user, request.session).exists()
        if not begun and not form.is_valid():
            return self.render_to_response(self.get_context_data(form=SetUpForm(), begin_form=form))
        try:
            devices.begin(self.user, request.session)
        except CodeRefused as error:
            messages.error(request, str(error))
        return redirect(request.get_full_path())

    def form_valid(self, form: SetUpForm) -> HttpResponse:
        with recorded(self.user, self.user.get_username()):
            try:
                device, codes = devices.confirm(self.user, self.request.session, form.cleaned_data["code"])
            except CodeRefused as error:  # inside the transaction, because a wrong code is counted
                form.add_error("code", str(error))
        if form.errors:
            return self.form_invalid(form)
        record("second factor enabled", self.request, self.user.get_username())
        return codes_page(self, codes, back=self.enabled(device))

    def enabled(self, device: Any) -> str:
        """Complete the session, which needs the second factor from now on; returns the address to go on to."""
        keep_session(self.request, self.user)
        devices.complete(self.request.session, device)
        return str(OWN)


class SecondFactorPage(StaffPage):
    permission = ANY_STAFF
    title = "Second factor"
    template_name = "accounts/second_factor.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        user = self.request.user
        device, left = devices.device_of(user), devices.backup_codes_left(user)
        return super().get_context_data(device=device, backup_codes=left, **kwargs)


@private
class SetUpPage(StaffMixin, SetUp):
    permission = ANY_STAFF
    title = SetUp.title
    layout = FRAME

    @property
    def user(self) -> Any:
        return self.request.user


@private
class ConfirmedPage(StaffMixin, FormView):  # type: ignore[type-arg]
    permission = ANY_STAFF
    form_class = ConfirmedForm
    template_name = "accounts/confirm.html"

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request, "user": self.request.user}


class BackupCodesPage(ConfirmedPage):
    title = "New backup codes"
    extra_context = {"button": "Replace the backup codes", "explanation": "Your old backup codes stop working."}

    def form_valid(self, form: ConfirmedForm) -> HttpResponse:
        record("backup codes changed", self.request, self.request.user.get_username())
        return codes_page(self, devices.new_backup_codes(self.request.user), back=OWN)


class RemovePage(ConfirmedPage):
    title = "Remove the second factor"
    extra_context = {
        "button": "Remove it",
        "danger": True,
        "explanation": "After this you log in with your password alone, unless everybody needs a second factor here.",
    }

    def form_valid(self, form: ConfirmedForm) -> HttpResponse:
        with recorded(self.request.user, self.request.user.get_username()):  # type: ignore[arg-type]
            devices.remove(self.request.user)
        keep_session(self.request, self.request.user)
        record("second factor disabled", self.request, self.request.user.get_username())
        messages.success(self.request, "Your second factor was removed.")
        return redirect(OWN)


def codes_page(page: Any, codes: list[str], back: str) -> HttpResponse:
    """Return the page that shows new backup codes. No other page shows them."""
    layout = getattr(page, "layout", FRAME)
    shown = [f"{code[:5]} {code[5:]}" for code in codes]
    context = page.get_context_data(codes=shown, back=back, layout=layout, title="Your backup codes")
    return cast(HttpResponse, page.response_class(page.request, "accounts/backup_codes.html", context))


def log_in_fully(request: HttpRequest, user: Any, device: Any) -> None:
    """Complete the login of a user who has given a code. The session gets a new key."""
    request.session.cycle_key()
    devices.complete(request.session, device)
    request.user = user
    record("login", request, user.get_username())
    clients.remember(request, user)


@private
class HalfWayPage(RedirectURLMixin, AdminContextMixin, View):
    """A page for a user who has given the password, but no code. Other users are sent on."""

    http_method_names = ["get", "post", "head", "options"]
    next_page = "/"
    asks_code: bool  # whether the page is for who has a second factor, or for who has none
    user: Any

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user_of(request)
        self.user = getattr(request, "half_user", None)
        if self.user is None:
            done = request.user.is_authenticated
            return HttpResponseRedirect(self.get_success_url() if done else reverse("admin:login"))
        has_factor = self.user.second_factor is not None
        if has_factor != self.asks_code:
            return redirect(reverse("login:code" if has_factor else "login:set_up", query=request.GET))
        return super().dispatch(request, *args, **kwargs)

    def get_redirect_url(self, request: HttpRequest | None = None) -> str:
        address: str = super().get_redirect_url()
        return address if address.startswith("/") else ""


class CodePage(HalfWayPage, FormView):  # type: ignore[type-arg]
    asks_code = True
    form_class = CodeForm
    template_name = "accounts/code.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(title="Enter your code", layout=PLAIN, **kwargs)

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request, "user": self.user}

    def form_valid(self, form: CodeForm) -> HttpResponse:
        device, failures = form.device_and_failures
        log_in_fully(self.request, self.user, device)
        if failures:
            wrong = counted(failures, "wrong code")
            text = f"Before this login, somebody entered {wrong}. If it was not you, change your password."
            messages.warning(self.request, text)
        return HttpResponseRedirect(self.get_success_url())


class FirstSetUpPage(HalfWayPage, SetUp):
    asks_code = False
    layout = PLAIN

    def enabled(self, device: Any) -> str:
        note_login(self.request, self.user)
        log_in_fully(self.request, self.user, device)
        return self.get_success_url()
