"""The password of a user who is logged in: the page that changes it, and the check before other changes.

Every guess counts as a failed login, so an unattended session allows no more guesses than the login page.
"""

from typing import Any

from django.contrib import admin, messages
from django.contrib.auth import authenticate
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.contrib.auth.views import PasswordChangeView, PasswordResetConfirmView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.views.generic.base import ContextMixin
from unfold.forms import AdminOwnPasswordChangeForm

from accounts.change_numbers import changes_of, keep_session
from accounts.logins.clients import record
from accounts.recording import recorded
from portal.access import ANY_STAFF, StaffMixin


def is_own_password(request: HttpRequest, user: Any, password: str) -> bool:
    """Whether a user has given the own password again. A wrong one is counted, logged and limited as at the login.

    ``LoginLimits`` refuses it unseen while the user is locked. The answer becomes the 429 page then.
    """
    return authenticate(request, username=user.get_username(), password=password) is not None


class AdminContextMixin(ContextMixin):
    """A page with a template of the admin's, which is not in the portal's frame."""

    request: HttpRequest

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{**admin.site.each_context(self.request), **kwargs})


class OwnPasswordForm(AdminOwnPasswordChangeForm):  # type: ignore[misc]
    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.request = request

    def clean_old_password(self) -> str:
        old: str = self.cleaned_data["old_password"]
        if not is_own_password(self.request, self.user, old):
            raise ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return old


class OwnPasswordPage(StaffMixin, AdminContextMixin, PasswordChangeView):
    """The page on which users change their own password. Unlike the admin's page, it limits guesses."""

    permission = ANY_STAFF
    title = "Change password"
    form_class = OwnPasswordForm
    success_url = reverse_lazy("admin:password_change_done")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        """Change the password, unless the same form has done so. All other sessions of the user end."""
        user: Any = self.request.user
        with recorded(user, user.get_username()) as stored:
            if is_first := stored.password == user.password:
                form.save()
        if is_first:
            keep_session(self.request, user)
            record("password change", self.request, user.get_username())
        return redirect(self.get_success_url())


class LinkTokens(PasswordResetTokenGenerator):
    """Tokens of links that set a password. ``by`` makes the link. A change of the rights of either account ends it.

    The author of a link was allowed to give the rights that the account had then, and perhaps not its later rights.
    """

    key_salt = "hotelapp.accounts.logins.passwords.LinkTokens"

    def __init__(self, by: Any) -> None:
        super().__init__()
        self.by = by

    def _make_hash_value(self, user: Any, timestamp: int) -> str:
        """Return what the token depends on: how often the rights of both accounts have changed, which only grows."""
        changes = [each and changes_of(each).rights for each in (user, self.by)]
        return f"{super()._make_hash_value(user, timestamp)}{changes}"


class SetPasswordPage(AdminContextMixin, PasswordResetConfirmView):
    """Sets the password of the account whose link was opened. A link works once, and not for a closed account."""

    title = "Set a password"
    user: Any
    template_name = "accounts/set_password.html"
    success_url = reverse_lazy("admin:login")

    def get_user(self, uidb64: str) -> Any:
        """Return the account of a link, which also names its author."""
        account, _, by = uidb64.partition(".")
        self.token_generator = LinkTokens(super().get_user(by))
        user: Any = super().get_user(account)
        return user if user and user.is_active and user.is_staff else None

    def form_valid(self, form: Any) -> HttpResponse:
        """Set the password, unless the same form has done so. All sessions of the user end."""
        username = self.user.get_username()
        response: HttpResponse = redirect(self.get_success_url())
        with recorded(self.user, username) as stored:
            if is_first := stored.password == self.user.password:
                response = super().form_valid(form)
        if is_first:
            record("password change", self.request, username)
        messages.success(self.request, f"The password of “{username}” is set. You can log in now.")
        return response
