"""Pages of reviews: form -> query or command -> template."""
