"""The registry of the portal's pages: what tests must be told of a new page.

``TABLE`` says who may read each page, who may send what to it, and what staff of another hotel get there. It is written
by hand, so that it does not follow from what the pages declare: ``tests/project/test_access.py`` compares the two.
Where the permission depends on the address or the form, the table has that of the examples: a room, a change of views,
an order that is processed. ``EXAMPLES`` has a value for each name in addresses, and ``FORMS`` the entries of a user.
``fill`` of ``tests/helpers/forms.py`` stores what the examples name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.helpers.rooms import ABC

TABLE = """
address                                       read                      send                      elsewhere
/                                             any-staff                 -                         -
/account/second-factor/                       any-staff                 -                         -
/account/second-factor/backup-codes/          any-staff                 any-staff                 -
/account/second-factor/remove/                any-staff                 any-staff                 -
/account/second-factor/set-up/                any-staff                 any-staff                 -
/admin/password_change/                       any-staff                 any-staff                 -
/attention/                                   rooms.view_room           -                         -
/guests/                                      orders.view_guest         -                         -
/guests/<username>/                           orders.view_guest         -                         -
/guests/<username>/edit/                      orders.change_guest       orders.change_guest       -
/guests/<username>/erase/                     orders.erase_guest        orders.erase_guest        -
/guests/<username>/note/                       orders.change_guest       orders.change_guest       -
/guests/<username>/orders/                    orders.view_order         -                         -
/guests/add/                                  orders.add_guest          orders.add_guest          -
/history/<kind>/<ids>/                        rooms.view_room           -                         404
/history/mine/                                any-staff                 -                         -
/history/newest/<kind>/<ids>/                 rooms.view_room           -                         404
/history/staff/                               portal.view_history       -                         -
/history/staff/<username>/                    portal.view_history       -                         -
/history/undo/<kind>/<ids>/                   rooms.view_room           rooms.change_room_status  404
/hotels/                                      hotels.view_hotel         -                         -
/hotels/<hotel_id>/                           hotels.view_hotel         -                         404
/hotels/<hotel_id>/attention/                 rooms.view_room           -                         404
/hotels/<hotel_id>/changed/                     any-staff                 -                         404
/hotels/<hotel_id>/cleaned/                   rooms.inspect_room        -                         404
/hotels/<hotel_id>/edit/                      hotels.change_hotel       hotels.change_hotel       404
/hotels/<hotel_id>/handover/                  hotels.view_hotel         -                         404
/hotels/<hotel_id>/history/                   hotels.view_hotel         -                         404
/hotels/<hotel_id>/jobs/                      notes.view_note           notes.change_note         404
/hotels/<hotel_id>/my-rooms/                  rooms.change_room_status  -                         404
/hotels/<hotel_id>/notes/                     notes.view_note           notes.change_note         404
/hotels/<hotel_id>/notes/<note_id>/           notes.view_note           notes.change_note         404
/hotels/<hotel_id>/notes/<note_id>/delete/    notes.delete_note         notes.delete_note         404
/hotels/<hotel_id>/notes/add/                 notes.add_note            notes.add_note            404
/hotels/<hotel_id>/orders/                    orders.view_order         -                         404
/hotels/<hotel_id>/orders/big/                orders.view_order         -                         404
/hotels/<hotel_id>/orders/unfinished/         orders.view_order         orders.move_order         404
/hotels/<hotel_id>/orders/wanted/             orders.view_order         orders.move_order         404
/hotels/<hotel_id>/plan/                      rooms.plan_room           -                         404
/hotels/<hotel_id>/repairs/                   rooms.view_room           -                         404
/hotels/<hotel_id>/replies/                   reviews.keep_replies      -                         404
/hotels/<hotel_id>/replies/<language>/<name>/ reviews.keep_replies      reviews.keep_replies      404
/hotels/<hotel_id>/replies/<language>/<name>/delete/ reviews.keep_replies reviews.keep_replies    404
/hotels/<hotel_id>/replies/add/               reviews.keep_replies      reviews.keep_replies      404
/hotels/<hotel_id>/reviews/                   reviews.view_review       -                         404
/hotels/<hotel_id>/reviews/add/               reviews.add_review        reviews.add_review        404
/hotels/<hotel_id>/rooms/                     rooms.view_room           -                         404
/hotels/<hotel_id>/rooms/<number>/            rooms.view_room           -                         404
/hotels/<hotel_id>/rooms/<number>/delete/     rooms.delete_room         rooms.delete_room         404
/hotels/<hotel_id>/rooms/<number>/edit/       rooms.change_room         rooms.change_room         404
/hotels/<hotel_id>/rooms/<number>/note/       rooms.change_room_status  rooms.change_room_status  404
/hotels/<hotel_id>/rooms/<number>/plan/       rooms.plan_room           rooms.plan_room           404
/hotels/<hotel_id>/rooms/<number>/status/     rooms.change_room_status  rooms.change_room_status  404
/hotels/<hotel_id>/rooms/add/                 rooms.add_room            rooms.add_room            404
/hotels/<hotel_id>/rooms/change/              rooms.change_room_status  rooms.change_room_status  404
/hotels/<hotel_id>/rooms/change/<change_id>/  rooms.change_room_status  rooms.change_room         404
/hotels/add/                                  hotels.add_hotel          hotels.add_hotel          403
/hotels/switcher/                             hotels.view_hotel         -                         -
/imports/<things>/                            rooms.add_room            rooms.add_room            -
/imports/<things>/<upload_id>/                rooms.add_room            rooms.add_room            -
/imports/<things>/<upload_id>/refused/        rooms.add_room            -                         -
/lab/                                         portal.open_lab           -                         -
/orders/                                      orders.view_order         -                         -
/orders/<order_id>/                           orders.view_order         orders.move_order         404
/orders/<order_id>/edit/                      orders.add_order          orders.add_order          404
/orders/<order_id>/note/                      orders.move_order         orders.move_order         404
/orders/big/                                  orders.view_order         -                         -
/orders/place/                                orders.add_order          orders.add_order          -
/orders/unfinished/                           orders.view_order         orders.move_order         -
/repairs/                                     rooms.view_room           -                         -
/reviews/<review_id>/                         reviews.view_review       -                         404
/reviews/<review_id>/delete/                  reviews.delete_review     reviews.delete_review     404
/reviews/<review_id>/edit/                    reviews.change_review     reviews.change_review     404
/reviews/<review_id>/reply/                   reviews.reply_review      reviews.reply_review      404
/reviews/<review_id>/reply/delete/            reviews.reply_review      reviews.reply_review      404
/reviews/unanswered/                          reviews.view_review       -                         -
/search/                                      any-staff                 -                         -
/search/choices/                              any-staff                 -                         -
/search/palette/                              any-staff                 -                         -
/views/                                       any-staff                 -                         -
/views/<view_id>/delete/                      any-staff                 any-staff                 -
/views/<view_id>/rename/                      any-staff                 any-staff                 -
/views/save/                                  any-staff                 any-staff                 -
"""
"""For each address: the permission to read it, the one that a POST needs as well, or ``-`` if there is no POST; and the
answer to whoever is bound to another hotel, or ``-`` if the page is theirs, too."""


class Access(NamedTuple):
    """Who may use a page."""

    permission: str
    post: str
    elsewhere: str


PAGES = {route: Access(*rest) for route, *rest in map(str.split, TABLE.strip().splitlines()[1:])}
"""The table, by the address."""

EXAMPLES = {
    "hotel_id": ABC,
    "number": "101",
    "order_id": "o-1",
    "review_id": "r-1",
    "note_id": "n-1",
    "language": "en",
    "name": "Thanks",
    "change_id": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "kind": "room",
    "ids": f"{ABC}/101",
    "username": "alex",
    "view_id": "1001",
    "things": "rooms",
    "upload_id": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
}
"""An example of each value in addresses."""

LINE = {"sku": "spa", "name": "Massage", "quantity": "2", "unit_price": "95.00"}
LINES = {f"items-0-{name}": text for name, text in LINE.items()}
LINES |= {"items-TOTAL_FORMS": "1", "items-INITIAL_FORMS": "0"}


@dataclass(frozen=True)
class Form:
    """A form of the portal: what its user enters beside what the page fills in, and the entries of history it adds."""

    entries: Mapping[str, str] = field(default_factory=dict)
    query: str = ""
    recorded: int = 1
    filled: bool = True


ROOM = {"number": "102", "view": "Sea view", "size": "30", "type": "Suite", "rate": "100", "currency": "EUR"}
HOTEL = {"hotel_id": "new", "name": "New", "city": "Rome", "currency": "EUR", "time_zone": "Europe/Rome"}
FORMS = {
    "hotels:add_hotel": Form(HOTEL),
    "hotels:edit_hotel": Form({"name": "Another name"}),
    "rooms:add_room": Form(ROOM),
    "rooms:edit_room": Form({"number": "110", "view": "Garden view"}, recorded=2),  # under both numbers
    "rooms:delete_room": Form(),
    "rooms:status": Form({"service": "out-of-order", "reason": "Water", "housekeeping": "dirty"}),
    "rooms:plan_room": Form({"priority": "rush"}),
    "rooms:note": Form({"note": "A cot, please."}),
    "rooms:bulk_change": Form(query="?room=101&new-action=view&new-view=Garden", recorded=0),
    "rooms:bulk_progress": Form(filled=False),
    "history:undo": Form({"serial": "2"}, filled=False),
    "orders:add_guest": Form({"username": "bea", "name": "Bea Doe"}),
    "orders:edit_guest": Form({"name": "Alexandra Doe"}),
    "orders:erase_guest": Form(),
    "orders:guest_note": Form({"note": "Speaks French."}),
    "orders:note": Form({"note": "Deliver after 6."}),
    "orders:place": Form({"username": "alex", "hotel_id": ABC, **LINES}),
    "orders:order": Form({"guest": "alex", "seen": "PLACED", "step": "PROCESSING"}, filled=False),
    "orders:unfinished": Form({"order": "o-1/alex/PLACED", "to": "next"}, filled=False),
    "orders:hotel_unfinished": Form({"order": "o-1/alex/PLACED", "to": "next"}, filled=False),
    "orders:wanted": Form({"order": "o-1/alex/PLACED", "to": "next"}, filled=False),
    "orders:correct": Form({"items-0-quantity": "5", "items-0-unit_price": "90"}),
    "notes:notes": Form({"note": "n-1", "mark": "done"}, filled=False),
    "notes:jobs": Form({"one": "done/n-1"}, filled=False),
    "notes:add": Form({"text": "Call a taxi."}),
    "notes:note": Form({"text": "Call two taxis."}),
    "notes:delete": Form(),
    "reviews:add_review": Form({"author": "Ann", "language": "en", "rating": "5"}),
    "reviews:edit_review": Form({"rating": "1"}),
    "reviews:delete_review": Form(),
    "reviews:reply": Form({"reply": "Thank you very much."}),
    "reviews:delete_reply": Form(),
    "reviews:add_standard_reply": Form({"language": "en", "name": "Sorry", "text": "We are sorry, {guest}."}),
    "reviews:standard_reply": Form({"text": "Thank you."}),
    "reviews:delete_standard_reply": Form(),
}
"""Every form that writes to DynamoDB, by the name of its address: tests send it twice, and lose its answer."""

OF_ACCOUNTS = {"own_password", "accounts:set_up", "accounts:backup_codes", "accounts:remove"}
"""Forms that change an account in SQL, and of DynamoDB only the session."""

OF_VIEWS = {f"saved_views:{name}" for name in ("save", "rename", "delete")}
"""Forms that write to SQL."""

OF_FILES = {"uploads:import", "uploads:upload"}
"""Forms with a file, which no page can send again, and of its steps: ``tests/portal/uploads`` tests them."""
