"""Declared lists: what a list is, said once; its keys, tables, counts, plans, pages and writes follow from that."""
