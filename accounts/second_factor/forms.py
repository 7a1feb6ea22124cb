import re
import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from accounts.events import record
from accounts.logins.passwords import is_own_password
from accounts.second_factor import devices
from accounts.second_factor.devices import BACKUP_DIGITS, CODE_DIGITS, CodeRefused

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
