"""Writes: transactions, changes of entities, and writes of single items."""
