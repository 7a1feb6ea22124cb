"""Pure functions that turn a selection and the counts into a plan. Nothing here talks to DynamoDB."""
