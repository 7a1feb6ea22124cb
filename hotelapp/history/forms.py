"""The query string that names a member of staff."""

from django import forms

from hotelapp.history import keys


class StaffMemberForm(forms.Form):
    """The member of staff whose changes are asked for; blank for oneself."""

    username = forms.CharField(required=False, max_length=keys.USERNAME_LENGTH, label="Member of staff")
