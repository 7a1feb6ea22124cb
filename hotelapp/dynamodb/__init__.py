"""Access toolkit for DynamoDB: keys, the planner, pages, cursors, counts and the cost ledger.

It knows DynamoDB and no hotel word, and imports no app. docs/planner.md walks through its heart.
"""
