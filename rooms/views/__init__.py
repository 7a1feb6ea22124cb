"""Pages of rooms: form -> query or command -> template."""
