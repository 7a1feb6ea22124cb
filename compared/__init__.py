"""One list of rooms, built seven times: with this project, five libraries for DynamoDB, and Django's ORM.

``make compared`` asks all of them the same questions, checks that their rows are equal, and writes the tables of
docs/compared.md. Each list is a program of its own, which reads the rooms and the questions from its standard input.
It also tries two admins in a browser's place: that of this project, and that of django-dynamodb-backend.
"""
