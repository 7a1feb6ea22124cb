"""What a deployment on AWS needs: a CloudFormation template and IAM policies.

Everything here is a pure function of the declared tables: nothing sends a request.
"""
