"""Django's sessions in DynamoDB. docs/sessions.md explains what they cost, and when they are read twice."""
