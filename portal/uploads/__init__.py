"""Uploads: files that people import on pages. A file waits in DynamoDB, is checked, shown, and imported in steps."""
