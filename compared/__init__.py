"""One list of rooms, built three times: with this project, with PynamoDB alone, and with Django's ORM.

``make compared`` asks all of them the same questions, checks that their rows are equal, and writes the tables of
docs/compared.md.
"""
