"""Django's sessions, kept in DynamoDB. docs/sessions.md tells what they cost, and when they are read twice."""
