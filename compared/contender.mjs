// What a list on Node.js needs: it reads questions from standard input, and writes answers to standard output.
// contender.py is the same for Python.
import { json } from "node:stream/consumers";

import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";

export const HOTEL = "lakeview";
export const PAGE_SIZE = 25;
export const FACETS = ["view", "size", "type"];
export const SHOWN = ["hotel", "number", ...FACETS, "rate", "currency"];

const READS = ["BatchGetItem", "GetItem", "Query"];
let used = {};

/** A client that asks DynamoDB for the price of each call, and adds it to `used`. */
export const client = new DynamoDBClient({ endpoint: process.env.DYNAMODB_ENDPOINT_URL, region: "eu-west-1" });
client.middlewareStack.add(
  (next, context) => async (args) => {
    const name = context.commandName.replace("Command", "");
    if (!name.endsWith("Table")) args.input.ReturnConsumedCapacity = "TOTAL";
    const { output, ...others } = await next(args);
    const consumed = [output.ConsumedCapacity ?? []].flat().reduce((sum, part) => sum + part.CapacityUnits, 0);
    const kind = READS.includes(name) ? "read_units" : "write_units";
    const read = READS.includes(name) ? (output.ScannedCount ?? (output.Item ? 1 : 0)) : 0;
    used = {
      ...used,
      requests: (used.requests ?? 0) + 1,
      items: (used.items ?? 0) + read,
      [kind]: (used[kind] ?? 0) + consumed,
    };
    return { output, ...others };
  },
  { step: "initialize" },
);

const KEYS = { lsi: ["lsi1", "lsi2", "lsi3", "lsi4", "lsi5"], gsi: ["gsi1", "gsi2"] };
const keySchema = (sort) => [
  { AttributeName: "pk", KeyType: "HASH" },
  { AttributeName: sort, KeyType: "RANGE" },
];

/**
 * Creates a table with an index for each order, as tools for infrastructure would. `marks` are the attributes by which a
 * library knows its items.
 */
export function createTable(name, marks) {
  const indexes = (names) =>
    names.map((each) => ({
      IndexName: each,
      KeySchema: keySchema(`${each}sk`),
      Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: [...SHOWN, ...marks] },
    }));
  const sortKeys = [...KEYS.lsi, ...KEYS.gsi].map((each) => `${each}sk`);
  return client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keySchema("sk"),
      AttributeDefinitions: ["pk", "sk", ...sortKeys].map((each) => ({ AttributeName: each, AttributeType: "S" })),
      LocalSecondaryIndexes: indexes(KEYS.lsi),
      GlobalSecondaryIndexes: indexes(KEYS.gsi),
    }),
  );
}

/** The total of a selection, and for each facet the rooms of each value under the other filters; from all rooms. */
export function counted(rooms, question) {
  const found = {};
  for (const facet of ["total", ...FACETS]) {
    const others = Object.entries(question.values).filter(([name]) => name !== facet);
    const matching = rooms.filter((room) => others.every(([name, values]) => values.includes(room[name])));
    if (facet === "total") found.total = matching.length;
    else found[facet] = {};
    for (const room of facet === "total" ? [] : matching) {
      found[facet][room[facet]] = (found[facet][room[facet]] ?? 0) + 1;
    }
  }
  return found;
}

/**
 * Answers all questions. A list has the functions fill, page, facets and edit; a page is an array of rooms.
 */
export async function run(list) {
  const asked = await json(process.stdin);
  await list.fill(asked.rooms);
  const answers = {};
  for (const question of asked.questions) {
    let rows = null;
    if (question.ask === "page") {
      let seen = null;
      for (const turn of question.turns) {
        used = {};
        seen = await list.page(question, turn, seen);
      }
      rows = seen.map((room) => room.number);
    } else {
      used = {};
      if (question.ask === "facets") rows = await list.facets(question);
      else rows = await list.edit(asked.edited);
    }
    answers[question.name] = { ...used, rows: rows ?? null };
  }
  console.log(JSON.stringify(answers));
}
