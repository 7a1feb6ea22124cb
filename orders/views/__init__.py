"""Pages of guests and orders: form -> query or command -> template."""
