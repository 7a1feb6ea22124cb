"""Access toolkit for DynamoDB. It knows no word of what an app is about, and imports no app.

docs/toolkit.md lists its public names, and says how to use it in another project.

In the order in which its packages may import each other:

``connection``
    The client, the cost ledger, the errors and the embedded engine.
``schema``
    What an app declares: keys, entities, models and tables.
``planning``
    Pure functions: a selection and the counts become a plan of ranges or of partitions.
``reading``
    Items, ranges, merged partitions, and the pages and cursors made from them.
``writing``
    Transactions, changes of entities, and writes of single items.
``maintenance``
    Work on whole tables, for the commands in ``management``: parallel Scans, checks of what must agree, and
    upgrades of items.
``deployment``
    A CloudFormation template and IAM policies, from what is declared.
"""
