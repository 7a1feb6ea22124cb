"""Reads: single items, ranges of one partition, merged partitions, and the pages and cursors made from them."""
