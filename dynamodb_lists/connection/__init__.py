"""How a program reaches DynamoDB: the client, the cost ledger, the errors and the embedded engine."""
