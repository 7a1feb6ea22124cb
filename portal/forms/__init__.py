"""Forms for query strings and for entities, and the page that shows and saves a form."""
