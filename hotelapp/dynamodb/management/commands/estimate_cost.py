"""``manage.py estimate_cost``: sizes, units, partitions and costs on AWS, with the arithmetic."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from hotelapp.dynamodb.deployment.estimates import PRICES_OF, Estimate, Prices, stored
from hotelapp.dynamodb.deployment.report import report
from hotelapp.dynamodb.deployment.table_schemas import table_schema
from hotelapp.dynamodb.deployment.workloads import positive, workloads
from hotelapp.dynamodb.schema import tables

PAGES_A_DAY, WRITES_A_DAY = 1_000_000, 300_000
SKEW, PEAK = 100, 10


class Command(BaseCommand):
    """Prints Markdown. Everything is computed from samples: the command sends no request."""

    help = "Estimate sizes, units, partitions and monthly costs on AWS from encoded samples. Sends no request."

    def add_arguments(self, parser: CommandParser) -> None:
        """Each app's numbers, the traffic, and the prices."""
        for workload in workloads():
            workload.add_arguments(parser)
        parser.add_argument("--pages-a-day", type=positive, default=PAGES_A_DAY, metavar="N")
        parser.add_argument("--writes-a-day", type=positive, default=WRITES_A_DAY, metavar="N")
        parser.add_argument(
            "--skew", type=positive, default=SKEW, metavar="N", help="The largest owner over the mean owner"
        )
        parser.add_argument(
            "--peak", type=positive, default=PEAK, metavar="N", help="The busiest second's rate over the mean rate"
        )
        prices = Prices()
        for name, words in (
            ("read-million", "a million read request units"),
            ("write-million", "a million write request units"),
            ("storage-gb", "a GB of data for a month"),
            ("backup-gb", "a GB of point-in-time recovery for a month"),
        ):
            default = getattr(prices, name.replace("-", "_"))
            parser.add_argument(
                f"--{name}",
                type=float,
                default=default,
                metavar="USD",
                help=f"Price of {words}; {PRICES_OF}: {default}",
            )

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the estimate."""
        for line in report(_estimate(options)):
            self.stdout.write(line)


def _estimate(options: dict[str, Any]) -> Estimate:
    schemas = {model.Meta.table_name: table_schema(name, model) for name, model in tables.models().items()}
    stocks = [stock for workload in workloads() for stock in workload.stocks(options)]
    return Estimate(
        schemas=schemas,
        stocks=stocks,
        lines=[
            line for stock in stocks for line in stored(stock, schemas[stock.model.Meta.table_name], options["skew"])
        ],
        pages=[page for workload in workloads() for page in workload.pages(options)],
        writes=[write for workload in workloads() for write in workload.writes(options)],
        pages_a_day=options["pages_a_day"],
        writes_a_day=options["writes_a_day"],
        skew=options["skew"],
        peak=options["peak"],
        prices=Prices(**{name: options[name] for name in ("read_million", "write_million", "storage_gb", "backup_gb")}),
    )
