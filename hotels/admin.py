"""The hotels that a member of staff is bound to, on the page of the account below ``/admin/``."""

from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.forms import BaseInlineFormSet, ModelForm
from django.http import HttpRequest
from unfold.admin import TabularInline
from unfold.widgets import UnfoldAdminTextInputWidget

from hotelapp.accounts import authority
from hotelapp.accounts.admin import UserAdmin
from hotelapp.portal.access import HotelScope, scope_of
from hotelapp.portal.forms.fields import HotelField
from hotelapp.portal.models import MAX_HOTELS, StaffHotel
from hotels import queries


class StaffHotelForm(ModelForm):  # type: ignore[type-arg]
    """A hotel of an account, by its id."""

    hotel_id = HotelField(
        label="Hotel",
        help_text="Its id, as in its addresses.",
        widget=UnfoldAdminTextInputWidget(attrs={"aria-label": "Id of the hotel"}),
    )


class StaffHotelFormSet(BaseInlineFormSet):  # type: ignore[type-arg]
    """The hotels of an account. Each of them must exist.

    A user who is bound to hotels gives only these, and cannot take the last one from an account.
    """

    scope: HotelScope

    def clean(self) -> None:
        """Refuse ids of hotels that do not exist. One request reads all hotels."""
        super().clean()
        kept = [form for form in self.forms if form not in self.deleted_forms]
        wanted = {form: form.cleaned_data["hotel_id"] for form in kept if form.cleaned_data.get("hotel_id")}
        existing = queries.hotels_as_stored(wanted.values())
        for form, hotel_id in wanted.items():
            if not self.scope.allows(hotel_id):
                form.add_error("hotel_id", f"You do not see the hotel “{hotel_id}”, so you cannot bind anybody to it.")
            elif hotel_id not in existing:
                form.add_error("hotel_id", f"There is no hotel “{hotel_id}”.")
        if self.scope.bound and self.initial_forms and not wanted:
            raise ValidationError("Keep one of your hotels. Without any, this account would see no hotel.")
        if wanted and getattr(self.instance, "wants_every_hotel", False):
            raise ValidationError("This account sees every hotel. Deselect that to bind it to hotels, or remove these.")


class StaffHotelInline(TabularInline):  # type: ignore[misc]
    """The hotels that an account is bound to. Users who may change the account may change them."""

    model = StaffHotel
    form = StaffHotelForm
    formset = StaffHotelFormSet
    fields = ("hotel_id",)
    extra = 1
    max_num = MAX_HOTELS
    verbose_name = "hotel"
    verbose_name_plural = "Bound to hotels (without any: none, unless the account sees every hotel)"

    def get_formset(self, request: HttpRequest, obj: User | None = None, **options: Any) -> Any:
        formset = super().get_formset(request, obj, validate_max=True, **options)
        formset.scope = scope_of(request.user)
        return formset

    def has_view_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return request.user.has_perm("auth.view_user") or request.user.has_perm("auth.change_user")

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return request.user.has_perm("auth.change_user") and not (obj and authority.refusal(request.user, obj))

    has_add_permission = has_delete_permission = has_change_permission


UserAdmin.inlines.append(StaffHotelInline)
