"""How a page of a declared list is read: every way, its cost, and the cheapest."""
