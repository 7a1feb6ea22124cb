"""Writes of saved views. Each reads the views of an owner, changes them, and writes them if nobody else was quicker."""

import logging
import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from django.db.transaction import on_commit

from dynamodb_lists.connection.errors import Conflict, NotFound, Unavailable
from dynamodb_lists.connection.retries import MOST_ATTEMPTS, wait
from dynamodb_lists.writing import single_items
from dynamodb_lists.writing.changes import as_seen
from saved_views import keys
from saved_views.entities import MOST_VIEWS, SavedView, SavedViews
from saved_views.models import SavedViewsModel
from saved_views.queries import views_of

Views = tuple[SavedView, ...]

logger = logging.getLogger(__name__)


def save_view(owner: str, name: str, address: str, view_id: str = "") -> bool:
    """Add a view. Returns false if there is one with this name and address. Raises :class:`Conflict` if full."""
    new = SavedView(view_id or secrets.token_hex(4), name, address)

    def added(views: Views) -> Views:
        if new in views:
            return views
        if len(views) >= MOST_VIEWS:
            raise Conflict(f"There are {MOST_VIEWS} views already. Delete one first.")
        return (*views, new)

    return _change(owner, added)


def rename_view(owner: str, view_id: str, name: str) -> bool:
    """Give a view another name. Returns false if it has this name. Raises :class:`NotFound`."""

    def renamed(views: Views) -> Views:
        if not any(view.view_id == view_id for view in views):
            raise NotFound("There is no such view.")
        return tuple(replace(view, name=name) if view.view_id == view_id else view for view in views)

    return _change(owner, renamed)


def delete_view(owner: str, view_id: str) -> bool:
    """Delete a view. Returns false if there is none with this id."""
    return _change(owner, lambda views: tuple(view for view in views if view.view_id != view_id))


def delete_views(owner: str) -> None:
    """Delete all views of an owner."""
    single_items.delete(SavedViewsModel, *SavedViewsModel.place_of(owner=owner))


def forget_account(instance: Any, **_: Any) -> None:
    """Delete the views of an account that is deleted. What DynamoDB does not delete now, ``verify_data`` finds."""
    on_commit(partial(_forget, keys.of_account(instance.pk)))


def _forget(owner: str) -> None:
    try:
        delete_views(owner)
    except Unavailable as error:
        logger.error("The views of a deleted account stay until verify_data --repair: %s", error)


def _change(owner: str, changed: Callable[[Views], Views]) -> bool:
    """Write what ``changed`` makes of the stored views; returns whether that differs. Others' changes are kept."""
    for attempt in range(MOST_ATTEMPTS):
        stored = views_of([owner])[owner]
        views = changed(stored.views)
        if views == stored.views:
            return False
        try:
            new = SavedViews(owner, views, stored.revision + 1)
            single_items.put(SavedViewsModel.item(new), as_seen(SavedViewsModel, stored if stored.revision else None))
        except Conflict:
            wait(attempt)
        else:
            return True
    raise Conflict("Others are changing these views, too. Try again.")
