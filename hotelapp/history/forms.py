"""The query string that names a member of staff."""

from django import forms

USERNAME_LENGTH = 150  # of an account


class StaffMemberForm(forms.Form):
    """The member of staff whose changes are asked for; blank for oneself."""

    username = forms.CharField(required=False, max_length=USERNAME_LENGTH, label="Member of staff")
