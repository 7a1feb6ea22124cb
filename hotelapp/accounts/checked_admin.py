"""Pages below ``/admin/`` that check what Django takes as it comes: lookups and fields in addresses, and texts."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Field
from django.http import HttpRequest

from hotelapp.portal.forms.characters import check_text

LOOKUPS = {"exact", "isnull"}
"""The lookups in the links of the filters. Others have no link, and some have values that no database takes."""


class CheckedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Pages of a model that refuse odd addresses and characters."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Whether an address may filter the list so. Otherwise it is a 400."""
        return lookup.rpartition("__")[2] in LOOKUPS and super().lookup_allowed(lookup, value, request)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        return super().get_object(request, object_id, from_field or None)

    def formfield_for_dbfield(self, db_field: "Field[Any, Any]", request: HttpRequest, **options: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **options)
        if isinstance(field, forms.CharField):
            field.validators.append(check_text)
        return field
