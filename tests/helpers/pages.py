"""Every page of the portal: who may read it, who may send what to it, and what staff of another hotel get there.

This is the only list that a new page must be added to. It is written by hand, so that it does not follow from what the
pages declare: ``tests/project/test_access.py`` compares the two, and writes ``docs/permissions.md`` from it. Where the
permission depends on what the address names or the form says, it is that of the examples in ``addresses.py``: a room,
a change of views, an order that is processed.
"""

from typing import NamedTuple

TABLE = """
address                                       read                      send                      elsewhere
/                                             any-staff                 -                         -
/account/second-factor/                       any-staff                 -                         -
/account/second-factor/backup-codes/          any-staff                 any-staff                 -
/account/second-factor/remove/                any-staff                 any-staff                 -
/account/second-factor/set-up/                any-staff                 any-staff                 -
/admin/password_change/                       any-staff                 any-staff                 -
/guests/                                      orders.view_guest         -                         -
/guests/<username>/                           orders.view_guest         -                         -
/guests/<username>/edit/                      orders.change_guest       orders.change_guest       -
/guests/<username>/erase/                     orders.erase_guest        orders.erase_guest        -
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
/hotels/<hotel_id>/edit/                      hotels.change_hotel       hotels.change_hotel       404
/hotels/<hotel_id>/history/                   hotels.view_hotel         -                         404
/hotels/<hotel_id>/orders/                    orders.view_order         -                         404
/hotels/<hotel_id>/orders/big/                orders.view_order         -                         404
/hotels/<hotel_id>/orders/unfinished/         orders.view_order         -                         404
/hotels/<hotel_id>/reviews/                   reviews.view_review       -                         404
/hotels/<hotel_id>/reviews/add/               reviews.add_review        reviews.add_review        404
/hotels/<hotel_id>/rooms/                     rooms.view_room           -                         404
/hotels/<hotel_id>/rooms/<number>/            rooms.view_room           -                         404
/hotels/<hotel_id>/rooms/<number>/delete/     rooms.delete_room         rooms.delete_room         404
/hotels/<hotel_id>/rooms/<number>/edit/       rooms.change_room         rooms.change_room         404
/hotels/<hotel_id>/rooms/<number>/status/     rooms.change_room_status  rooms.change_room_status  404
/hotels/<hotel_id>/rooms/add/                 rooms.add_room            rooms.add_room            404
/hotels/<hotel_id>/rooms/change/              rooms.change_room_status  rooms.change_room_status  404
/hotels/<hotel_id>/rooms/change/<change_id>/  rooms.change_room_status  rooms.change_room         404
/hotels/<hotel_id>/views/<view_id>/delete/    portal.share_views        portal.share_views        404
/hotels/<hotel_id>/views/<view_id>/rename/    portal.share_views        portal.share_views        404
/hotels/add/                                  hotels.add_hotel          hotels.add_hotel          403
/hotels/switcher/                             hotels.view_hotel         -                         -
/imports/<things>/                            rooms.add_room            rooms.add_room            -
/imports/<things>/<upload_id>/                rooms.add_room            rooms.add_room            -
/imports/<things>/<upload_id>/refused/        rooms.add_room            -                         -
/lab/                                         portal.open_lab           -                         -
/lab/break-even/                              portal.open_lab           -                         -
/orders/                                      orders.view_order         -                         -
/orders/<order_id>/                           orders.view_order         orders.move_order         404
/orders/<order_id>/edit/                      orders.add_order          orders.add_order          404
/orders/open/                                 orders.view_order         -                         -
/orders/place/                                orders.add_order          orders.add_order          -
/orders/unfinished/                           orders.view_order         -                         -
/reviews/<review_id>/                         reviews.view_review       -                         404
/reviews/<review_id>/delete/                  reviews.delete_review     reviews.delete_review     404
/reviews/<review_id>/edit/                    reviews.change_review     reviews.change_review     404
/reviews/<review_id>/reply/                   reviews.reply_review      reviews.reply_review      404
/reviews/<review_id>/reply/delete/            reviews.reply_review      reviews.reply_review      404
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
