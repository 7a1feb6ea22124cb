"""Pages of saved views, and the sidebar."""
