from orders.statuses import status_badge
from portal.jinja import Library

register = Library()
register.function(status_badge)
