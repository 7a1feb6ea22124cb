"""The cost panel: the requests that a page sent to DynamoDB, and what they cost."""
