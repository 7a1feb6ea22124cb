"""Lists on DynamoDB: filter by facets, sort, page and count, by Queries on keys, with the cost of each page.

A :class:`List` declares what a list is; README.md begins with one. All public names are here. The modules, in the order
in which they may import each other, are in these packages:

``connection``
    The configuration, the client, the cost ledger, the errors and the embedded engine.
``schema``
    Keys, entities, models and tables.
``planning``
    Pure functions: which table or index answers a question, in which ways, and what each way costs.
``reading``
    Items, lists from the parts of a way, and the pages and cursors made from them.
``writing``
    Writes of items, alone and in transactions, and changes of entities.
``declared``
    What a list is: its facets, orders, keys, models and counts.
``lists``
    Declared lists, on all of these: the package's front.
``maintenance``
    Work on whole tables: parallel Scans, and checks of what must agree.
``deployment``
    A CloudFormation template and IAM policies, from what is declared.
``django``
    Settings and commands for Django, which nothing else here imports.
"""

from dynamodb_lists.connection import errors, ledger
from dynamodb_lists.connection.configuration import Connection, configure
from dynamodb_lists.connection.errors import (
    AlreadyExists,
    BadCursor,
    ChangedMeanwhile,
    Conflict,
    DynamoDBError,
    KeyPartError,
    NoBoundedWay,
    NotConfigured,
    NotFilledYet,
    NotFound,
    Refused,
    Unavailable,
    UnknownField,
    UnknownValue,
    Unreadable,
    WrongDeclaration,
    WrongValue,
)
from dynamodb_lists.connection.ledger import Ledger
from dynamodb_lists.declared.asked import Rule
from dynamodb_lists.declared.kept_orders import KeptOrder
from dynamodb_lists.declared.told import Index, Key, Misfit, Table
from dynamodb_lists.lists.conditions import at_least, at_most, begins, between, on_days, on_days_of
from dynamodb_lists.lists.csv_rows import Csv
from dynamodb_lists.lists.facets import LabelledCounts, facet_choices
from dynamodb_lists.lists.file_rows import FileRow, Importer
from dynamodb_lists.lists.files import csv_lines
from dynamodb_lists.lists.list import List
from dynamodb_lists.lists.queries import Query, QueryPage
from dynamodb_lists.planning.wording import counted
from dynamodb_lists.reading.cursors import Cursor, Position
from dynamodb_lists.reading.fetching import in_parallel
from dynamodb_lists.reading.items import get_item, get_items, read_partition
from dynamodb_lists.reading.listing import GivenUp, Grounds, Listing, Row
from dynamodb_lists.reading.pages import Page, read_page
from dynamodb_lists.reading.sorting import SortedRows
from dynamodb_lists.schema.attributes import (
    IntegerAttribute,
    KeyAttribute,
    NumberKeyAttribute,
    global_index,
    local_index,
)
from dynamodb_lists.schema.conditions import GIVEN
from dynamodb_lists.schema.entities import AddedRecord, Field, Record
from dynamodb_lists.schema.keys import EVER, Days
from dynamodb_lists.schema.models import ItemModel, RawItem, Values, WordModel
from dynamodb_lists.schema.natural import natural
from dynamodb_lists.schema.tables import register, table_name
from dynamodb_lists.schema.templates import shard
from dynamodb_lists.schema.words import WordQuery, Words, folded
from dynamodb_lists.writing.changes import Change, Writer, deltas, retried
from dynamodb_lists.writing.transactions import MAX_WRITES, Delete, Put, Update, Write, commit

__all__ = [
    "AddedRecord",
    "AlreadyExists",
    "BadCursor",
    "Change",
    "ChangedMeanwhile",
    "Conflict",
    "Connection",
    "Csv",
    "Cursor",
    "Days",
    "Delete",
    "DynamoDBError",
    "EVER",
    "Field",
    "FileRow",
    "GIVEN",
    "GivenUp",
    "Grounds",
    "Importer",
    "Index",
    "IntegerAttribute",
    "ItemModel",
    "KeptOrder",
    "Key",
    "KeyAttribute",
    "KeyPartError",
    "LabelledCounts",
    "Ledger",
    "List",
    "Listing",
    "MAX_WRITES",
    "Misfit",
    "NoBoundedWay",
    "NotConfigured",
    "NotFilledYet",
    "NotFound",
    "NumberKeyAttribute",
    "Page",
    "Position",
    "Put",
    "Query",
    "QueryPage",
    "RawItem",
    "Record",
    "Refused",
    "Row",
    "Rule",
    "SortedRows",
    "Table",
    "Unavailable",
    "UnknownField",
    "UnknownValue",
    "Unreadable",
    "Update",
    "Values",
    "WordModel",
    "WordQuery",
    "Words",
    "Write",
    "Writer",
    "WrongDeclaration",
    "WrongValue",
    "at_least",
    "at_most",
    "begins",
    "between",
    "commit",
    "configure",
    "counted",
    "csv_lines",
    "deltas",
    "errors",
    "facet_choices",
    "folded",
    "get_item",
    "get_items",
    "global_index",
    "in_parallel",
    "ledger",
    "local_index",
    "natural",
    "on_days",
    "on_days_of",
    "read_page",
    "read_partition",
    "register",
    "retried",
    "shard",
    "table_name",
]
