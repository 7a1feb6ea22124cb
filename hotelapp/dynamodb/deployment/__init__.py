"""What a deployment on AWS needs: a CloudFormation template, IAM policies, and an estimate of sizes and costs.

Everything here is a pure function of the registered models: nothing sends a request.
"""
