// The table of with_electrodb.mjs. ElectroDB leaves tables to the tools for infrastructure; this stands for their code.
import { CreateTableCommand } from "@aws-sdk/client-dynamodb";

import { SHOWN } from "./contender.mjs";

export const TABLE = "rooms-with-electrodb";

const LOCAL = ["lsi1", "lsi2", "lsi3", "lsi4", "lsi5"];
const GLOBAL = ["gsi1", "gsi2"];
const keySchema = (sort) => [
  { AttributeName: "pk", KeyType: "HASH" },
  { AttributeName: sort, KeyType: "RANGE" },
];
const index = (name) => ({
  IndexName: name,
  KeySchema: keySchema(`${name}sk`),
  Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: [...SHOWN, "__edb_e__", "__edb_v__"] },
});

export const createTable = (client) =>
  client.send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keySchema("sk"),
      AttributeDefinitions: ["pk", "sk", ...[...LOCAL, ...GLOBAL].map((name) => `${name}sk`)].map((name) => ({
        AttributeName: name,
        AttributeType: "S",
      })),
      LocalSecondaryIndexes: LOCAL.map(index),
      GlobalSecondaryIndexes: GLOBAL.map(index),
    }),
  );
