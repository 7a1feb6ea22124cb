"""Lists on DynamoDB: filter by facets, sort, page and count, by Queries on keys, with the cost of each page.

A :class:`List` declares what a list is; README.md begins with one. The names in this module are public, and so are
those of modules that docs/reference.md lists. The packages, in the order in which they may import each other, are
``connection`` (configuration, client, ledger, errors, embedded engine), ``schema`` (keys, entities, models, tables),
``planning`` (the ways to answer a question, and their cost; pure functions), ``reading`` (items, lists, pages,
cursors), ``writing`` (transactions, changes of entities), ``declared`` (what a list is), ``lists`` (declared lists, the
package's front), ``maintenance`` (work on whole tables), ``deployment`` (a CloudFormation template, IAM policies), and
``django`` (settings, commands and an admin, which nothing else imports).
"""

from dynamodb_lists.connection import errors as errors
from dynamodb_lists.connection import ledger as ledger
from dynamodb_lists.connection.configuration import Connection as Connection
from dynamodb_lists.connection.configuration import configure as configure
from dynamodb_lists.connection.errors import AlreadyExists as AlreadyExists
from dynamodb_lists.connection.errors import BadCursor as BadCursor
from dynamodb_lists.connection.errors import ChangedMeanwhile as ChangedMeanwhile
from dynamodb_lists.connection.errors import Conflict as Conflict
from dynamodb_lists.connection.errors import DynamoDBError as DynamoDBError
from dynamodb_lists.connection.errors import KeyPartError as KeyPartError
from dynamodb_lists.connection.errors import NoBoundedWay as NoBoundedWay
from dynamodb_lists.connection.errors import NotConfigured as NotConfigured
from dynamodb_lists.connection.errors import NotFilledYet as NotFilledYet
from dynamodb_lists.connection.errors import NotFound as NotFound
from dynamodb_lists.connection.errors import Refused as Refused
from dynamodb_lists.connection.errors import Unavailable as Unavailable
from dynamodb_lists.connection.errors import UnknownField as UnknownField
from dynamodb_lists.connection.errors import UnknownValue as UnknownValue
from dynamodb_lists.connection.errors import Unreadable as Unreadable
from dynamodb_lists.connection.errors import WrongDeclaration as WrongDeclaration
from dynamodb_lists.connection.errors import WrongValue as WrongValue
from dynamodb_lists.connection.ledger import Ledger as Ledger
from dynamodb_lists.declared.asked import Rule as Rule
from dynamodb_lists.declared.declaration import KeptOrder as KeptOrder
from dynamodb_lists.declared.told import Index as Index
from dynamodb_lists.declared.told import Key as Key
from dynamodb_lists.declared.told import Misfit as Misfit
from dynamodb_lists.declared.told import Table as Table
from dynamodb_lists.lists.conditions import at_least as at_least
from dynamodb_lists.lists.conditions import at_most as at_most
from dynamodb_lists.lists.conditions import begins as begins
from dynamodb_lists.lists.conditions import between as between
from dynamodb_lists.lists.conditions import on_days as on_days
from dynamodb_lists.lists.conditions import on_days_of as on_days_of
from dynamodb_lists.lists.file_rows import FileRow as FileRow
from dynamodb_lists.lists.file_rows import Importer as Importer
from dynamodb_lists.lists.files import Csv as Csv
from dynamodb_lists.lists.files import csv_lines as csv_lines
from dynamodb_lists.lists.list import List as List
from dynamodb_lists.lists.queries import LabelledCounts as LabelledCounts
from dynamodb_lists.lists.queries import Query as Query
from dynamodb_lists.lists.queries import QueryPage as QueryPage
from dynamodb_lists.lists.queries import facet_choices as facet_choices
from dynamodb_lists.planning.wording import counted as counted
from dynamodb_lists.reading.cursors import Cursor as Cursor
from dynamodb_lists.reading.cursors import Position as Position
from dynamodb_lists.reading.fetching import in_parallel as in_parallel
from dynamodb_lists.reading.items import get_item as get_item
from dynamodb_lists.reading.items import get_items as get_items
from dynamodb_lists.reading.items import read_partition as read_partition
from dynamodb_lists.reading.listing import GivenUp as GivenUp
from dynamodb_lists.reading.listing import Grounds as Grounds
from dynamodb_lists.reading.listing import Listing as Listing
from dynamodb_lists.reading.listing import Row as Row
from dynamodb_lists.reading.pages import Page as Page
from dynamodb_lists.reading.pages import read_page as read_page
from dynamodb_lists.reading.sorting import SortedRows as SortedRows
from dynamodb_lists.schema.attributes import IntegerAttribute as IntegerAttribute
from dynamodb_lists.schema.attributes import KeyAttribute as KeyAttribute
from dynamodb_lists.schema.attributes import global_index as global_index
from dynamodb_lists.schema.attributes import local_index as local_index
from dynamodb_lists.schema.conditions import GIVEN as GIVEN
from dynamodb_lists.schema.entities import AddedRecord as AddedRecord
from dynamodb_lists.schema.entities import Field as Field
from dynamodb_lists.schema.entities import Record as Record
from dynamodb_lists.schema.keys import EVER as EVER
from dynamodb_lists.schema.keys import Days as Days
from dynamodb_lists.schema.models import ItemModel as ItemModel
from dynamodb_lists.schema.models import RawItem as RawItem
from dynamodb_lists.schema.models import Values as Values
from dynamodb_lists.schema.models import WordModel as WordModel
from dynamodb_lists.schema.natural import natural as natural
from dynamodb_lists.schema.tables import register as register
from dynamodb_lists.schema.tables import table_name as table_name
from dynamodb_lists.schema.templates import shard as shard
from dynamodb_lists.schema.words import WordQuery as WordQuery
from dynamodb_lists.schema.words import Words as Words
from dynamodb_lists.schema.words import folded as folded
from dynamodb_lists.writing.changes import Change as Change
from dynamodb_lists.writing.changes import Writer as Writer
from dynamodb_lists.writing.changes import deltas as deltas
from dynamodb_lists.writing.changes import retried as retried
from dynamodb_lists.writing.transactions import MAX_WRITES as MAX_WRITES
from dynamodb_lists.writing.transactions import Delete as Delete
from dynamodb_lists.writing.transactions import Put as Put
from dynamodb_lists.writing.transactions import Update as Update
from dynamodb_lists.writing.transactions import Write as Write
from dynamodb_lists.writing.transactions import commit as commit
