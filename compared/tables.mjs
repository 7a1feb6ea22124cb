// The tables of with_electrodb.mjs and with_toolbox.mjs. Both libraries leave tables to the tools for infrastructure; this
// stands for their code.
import { CreateTableCommand } from "@aws-sdk/client-dynamodb";

import { SHOWN } from "./contender.mjs";

const LOCAL = ["lsi1", "lsi2", "lsi3", "lsi4", "lsi5"];
const GLOBAL = ["gsi1", "gsi2"];
const keySchema = (sort) => [
  { AttributeName: "pk", KeyType: "HASH" },
  { AttributeName: sort, KeyType: "RANGE" },
];
const index = (name, marks) => ({
  IndexName: name,
  KeySchema: keySchema(`${name}sk`),
  Projection: { ProjectionType: "INCLUDE", NonKeyAttributes: [...SHOWN, ...marks] },
});

/** Creates a table with an index for each order. `marks` are the attributes by which a library knows its items. */
export const createTable = (client, name, ...marks) =>
  client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: keySchema("sk"),
      AttributeDefinitions: ["pk", "sk", ...[...LOCAL, ...GLOBAL].map((index) => `${index}sk`)].map((attribute) => ({
        AttributeName: attribute,
        AttributeType: "S",
      })),
      LocalSecondaryIndexes: LOCAL.map((name) => index(name, marks)),
      GlobalSecondaryIndexes: GLOBAL.map((name) => index(name, marks)),
    }),
  );
