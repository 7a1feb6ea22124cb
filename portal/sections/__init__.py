"""Pages of a declared list: an app declares its entity, its model and its form, and gets the list and the forms.

The list has filters with counts, sorts, pages, a search and exports. An item has its history, and forms to add, edit
and delete it. docs/tutorial.md builds an app with it.
"""
