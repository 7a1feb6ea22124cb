"""Reads: single items, lists from the parts of a way, and the pages and cursors made from them."""
