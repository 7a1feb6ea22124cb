// The list with DynamoDB-Toolbox: an index for each order of the three facets, and filters for the rest.
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { BatchPutRequest, BatchWriteCommand, Entity, PutItemCommand, QueryCommand, Table } from "dynamodb-toolbox";
import { executeBatchWrite, item, number, string } from "dynamodb-toolbox";

import { FACETS, HOTEL, PAGE_SIZE, client, counted, run } from "./contender.mjs";
import { createTable } from "./tables.mjs";

const NAME = "rooms-with-toolbox";
const CHUNK = 100; // the items that a request with a filter reads

const text = (name) => ({ name, type: "string" });
const local = (name) => ({ type: "local", sortKey: text(`${name}sk`) });
const global = (name) => ({ type: "global", partitionKey: text("pk"), sortKey: text(`${name}sk`) });

const table = new Table({
  name: NAME,
  documentClient: DynamoDBDocumentClient.from(client),
  partitionKey: text("pk"),
  sortKey: text("sk"),
  indexes: {
    lsi1: local("lsi1"),
    lsi2: local("lsi2"),
    lsi3: local("lsi3"),
    lsi4: local("lsi4"),
    lsi5: local("lsi5"),
    gsi1: global("gsi1"), // a table has at most five local indexes
    gsi2: global("gsi2"),
  },
});
const INDEXES = {
  viewTypeSize: "lsi1",
  sizeViewType: "lsi2",
  sizeTypeView: "lsi3",
  typeViewSize: "lsi4",
  typeSizeView: "lsi5",
  viewSizeType: "gsi1",
  byRate: "gsi2",
};

const padded = (value) => (typeof value === "number" ? String(value).padStart(6, "0") : value);
const key = (...names) =>
  string()
    .optional() // an entry of an index lacks the keys of the others
    .link((room) => names.map((name) => `${padded(room[name])}#`).join(""));

const plain = item({
  hotel: string().key(),
  number: string().key(),
  view: string(),
  size: number(),
  type: string(),
  rate: number(),
  currency: string().optional(),
});
const Room = new Entity({
  name: "room",
  table,
  timestamps: false,
  schema: plain.and({
    lsi1sk: key("view", "type", "size", "number"),
    lsi2sk: key("size", "view", "type", "number"),
    lsi3sk: key("size", "type", "view", "number"),
    lsi4sk: key("type", "view", "size", "number"),
    lsi5sk: key("type", "size", "view", "number"),
    gsi1sk: key("view", "size", "type", "number"),
    gsi2sk: key("rate", "number"),
  }),
  computeKey: ({ hotel, number }) => ({ pk: hotel, sk: number }),
});

/** The index with the order, the limits of its keys, if any, and the filters for what the keys leave. */
function plan({ values, sizes, sort }) {
  if (sort[0] === "rate") return { index: INDEXES.byRate, left: values, sizes };
  const first = FACETS.filter((facet) => values[facet]?.length === 1);
  const names = [...new Set([...first, ...sort, ...FACETS])];
  const index = INDEXES[names[0] + names.slice(1).map((facet) => facet[0].toUpperCase() + facet.slice(1)).join("")];
  const left = Object.fromEntries(Object.entries(values).filter(([facet]) => !first.includes(facet)));
  const prefix = first.map((facet) => `${padded(values[facet][0])}#`).join("");
  if (sizes && names[first.length] === "size") {
    const [low, high] = sizes.map(padded);
    return { index, left, range: { between: [`${prefix}${low}#`, `${prefix}${high}#~`] } };
  }
  return { index, left, sizes, ...(prefix ? { range: { beginsWith: prefix } } : {}) };
}

function query(question, backward) {
  const { index, range, left, sizes } = plan(question);
  const conditions = Object.entries(left).map(([attr, values]) => ({ attr, in: values }));
  if (sizes) conditions.push({ attr: "size", between: sizes });
  const command = table.build(QueryCommand).entities(Room).query({ index, partition: HOTEL, ...(range ? { range } : {}) });
  const options = { reverse: backward !== question.descending, limit: conditions.length ? CHUNK : PAGE_SIZE };
  if (conditions.length) options.filters = { room: { and: conditions } };
  return { command, options, index };
}

async function page(question, turn, seen) {
  const backward = ["last", "previous"].includes(turn);
  const { command, options, index } = query(question, backward);
  const edge = seen?.at(backward ? 0 : -1);
  const sk = `${index}sk`;
  let start = edge && turn !== "last" ? { pk: HOTEL, sk: edge.number, [sk]: edge[sk] } : undefined;
  const rooms = [];
  do {
    const found = await command.options({ ...options, exclusiveStartKey: start }).send();
    rooms.push(...found.Items);
    start = found.LastEvaluatedKey;
  } while (start && rooms.length < PAGE_SIZE);
  rooms.length = Math.min(rooms.length, PAGE_SIZE);
  return backward ? rooms.reverse() : rooms;
}

run({
  page,
  async fill(rooms) {
    await createTable(client, NAME, "_et");
    while (rooms.length) {
      const puts = rooms.splice(0, 25).map((room) => Room.build(BatchPutRequest).item({ hotel: HOTEL, ...room }));
      await executeBatchWrite(table.build(BatchWriteCommand).requests(...puts));
    }
  },
  async facets(question) {
    const options = { attributes: FACETS, maxPages: Infinity };
    const command = table.build(QueryCommand).entities(Room).query({ index: INDEXES.sizeViewType, partition: HOTEL });
    return counted((await command.options(options).send()).Items, question);
  },
  async edit(room) {
    await Room.build(PutItemCommand).item({ hotel: HOTEL, ...room }).send();
  },
});
