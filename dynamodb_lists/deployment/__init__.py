"""A CloudFormation template and IAM policies: pure functions of the declared tables."""
