"""Views of the start pages."""
