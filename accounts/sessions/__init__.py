"""Django's sessions in DynamoDB. docs/logins.md explains what they cost, and when they are read twice."""
