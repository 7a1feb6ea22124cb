import json
from typing import Any

import boto3
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from dynamodb_lists.connection.configuration import connection, connection_of
from dynamodb_lists.deployment.template import ROLES, policy_document, template
from dynamodb_lists.schema import tables


class Command(BaseCommand):
    help = "Print a CloudFormation template of all tables, with alarms and IAM policies; or one IAM policy alone."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--policy", choices=list(ROLES), help="Print only this IAM policy")
        parser.add_argument("--account", default="*", help="AWS account of the tables in the policy (default: any)")
        which = "Name of the connection of the tables (default: the configured one)"
        parser.add_argument("--connection", default="", help=which)

    def handle(self, *args: Any, policy: str | None, account: str, **options: Any) -> None:
        of = connection(options["connection"])
        prefix, region = of.read().table_prefix, of.read().region
        full_names = {name.removeprefix(prefix): name for name in tables.names() if connection_of(name) is of}
        definitions = {name: tables.definition(full_name) for name, full_name in full_names.items()}
        if policy:
            partition = boto3.session.Session().get_partition_for_region(region) if region else "aws"
            start = f"arn:{partition}:dynamodb:{region or '*'}:{account}:table/"
            arns = {name: f"{start}{full_name}" for name, full_name in full_names.items()}
            document = policy_document(policy, definitions, arns)
            self.stdout.write(json.dumps(document, indent=2))
        else:
            ttls = {name: tables.ttl_attribute(full_name) for name, full_name in full_names.items()}
            found = template(definitions, ttls, prefix, settings.ROOT_URLCONF.partition(".")[0])
            # Without blanks: CloudFormation takes 51,200 bytes without a bucket.
            self.stdout.write(json.dumps(found, separators=(",", ":")))
