"""The lists of the app: each is queried, and written. What a write takes with it, its list says."""

from orders.lists.catalogue import CATALOGUE
from orders.lists.guests import GUESTS
from orders.lists.orders import ORDERS
