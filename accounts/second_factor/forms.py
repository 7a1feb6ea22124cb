"""Forms of the second factor."""

import re
import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from accounts.second_factor.devices import BACKUP_DIGITS, CODE_DIGITS

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


class CodeForm(forms.Form):
    """Asks for a code."""

    code = CodeField(focused=True)


class SetUpForm(forms.Form):
    """Asks for the first code of a new device."""

    code = CodeField(help_text=f"The {CODE_DIGITS} digits that the app shows now.")


class PasswordAgainForm(forms.Form):
    """Asks for the password, before a second factor is set up."""

    password = forms.CharField(
        strip=False, max_length=4096, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )


class ConfirmedForm(PasswordAgainForm):
    """Asks for the password and a code, before the second factor is changed."""

    code = CodeField()
