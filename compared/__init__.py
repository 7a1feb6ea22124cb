"""One list of rooms, built four times: with this project, PynamoDB, ElectroDB, and Django's ORM.

``make compared`` asks all of them the same questions, checks that their rows are equal, and writes the tables of
docs/compared.md. Each list is a program of its own, which reads the rooms and the questions from its standard input.
"""
