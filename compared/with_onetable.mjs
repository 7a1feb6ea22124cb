// The list with OneTable: an index for each order of the three facets, and filters for the rest.
import { Table } from "dynamodb-onetable";

import { FACETS, HOTEL, PAGE_SIZE, SHOWN, client, counted, run, walked } from "./contender.mjs";

const CHUNK = 100; // the items that a request with a filter reads

const local = (sort) => ({ sort, type: "local", project: [...SHOWN, "_type"] });
const global = (sort) => ({ hash: "pk", sort, project: [...SHOWN, "_type"] });

const table = new Table({
  name: "rooms-with-onetable",
  client,
  partial: true,
  schema: {
    format: "onetable:1.1.0",
    version: "0.0.1",
    indexes: {
      primary: { hash: "pk", sort: "sk" },
      viewTypeSize: local("viewTypeSize"),
      sizeViewType: local("sizeViewType"),
      sizeTypeView: local("sizeTypeView"),
      typeViewSize: local("typeViewSize"),
      typeSizeView: local("typeSizeView"),
      viewSizeType: global("viewSizeType"), // a table has at most five local indexes
      byRate: global("byRate"),
    },
    models: {
      Room: {
        pk: { type: String, value: "hotel#${hotel}" },
        sk: { type: String, value: "room#${number}" },
        hotel: { type: String, required: true },
        number: { type: String, required: true },
        view: { type: String, required: true },
        size: { type: Number, required: true },
        type: { type: String, required: true },
        rate: { type: Number, required: true },
        currency: { type: String },
        viewTypeSize: { type: String, value: "${view}#${type}#${size:4:0}#${number}" },
        sizeViewType: { type: String, value: "${size:4:0}#${view}#${type}#${number}" },
        sizeTypeView: { type: String, value: "${size:4:0}#${type}#${view}#${number}" },
        typeViewSize: { type: String, value: "${type}#${view}#${size:4:0}#${number}" },
        typeSizeView: { type: String, value: "${type}#${size:4:0}#${view}#${number}" },
        viewSizeType: { type: String, value: "${view}#${size:4:0}#${type}#${number}" },
        byRate: { type: String, value: "${rate:6:0}#${number}" },
      },
    },
  },
});
const Room = table.getModel("Room");

/** The index with the order, a prefix or two limits of its keys, and the filters for what the keys leave. */
function plan({ values, sizes, sort }) {
  const index = { index: "byRate", key: {}, left: values, sizes };
  if (sort[0] === "rate") return index;
  const first = FACETS.filter((facet) => values[facet]?.length === 1);
  const names = [...new Set([...first, ...sort, ...FACETS])];
  index.index = names[0] + names.slice(1).map((facet) => facet[0].toUpperCase() + facet.slice(1)).join("");
  index.left = Object.fromEntries(Object.entries(values).filter(([facet]) => !first.includes(facet)));
  const prefix = first.map((facet) => `${facet === "size" ? padded(values[facet][0]) : values[facet][0]}#`).join("");
  if (sizes && names[first.length] === "size") {
    const [low, high] = sizes.map(padded);
    return { ...index, sizes: null, key: { [index.index]: { between: [`${prefix}${low}#`, `${prefix}${high}#~`] } } };
  }
  return prefix ? { ...index, key: { [index.index]: { begins: prefix } } } : index;
}

const padded = (size) => String(size).padStart(4, "0");

function query(question, backward) {
  const { index, key, left, sizes } = plan(question);
  const where = Object.keys(left).map((facet) => `\${${facet}} in (@{...${facet}})`);
  if (sizes) where.push("${size} BETWEEN @{low} AND @{high}");
  const options = { index, hidden: true, reverse: backward !== question.descending, limit: PAGE_SIZE };
  if (where.length) {
    options.where = where.join(" and ");
    options.substitutions = { ...left, ...(sizes ? { low: sizes[0], high: sizes[1] } : {}) };
  }
  return { key, options, index };
}

async function page(question, turn, seen) {
  const backward = ["last", "previous"].includes(turn);
  const { key, options, index } = query(question, backward);
  // OneTable asks again for as many rows as are missing, however few the filter lets through: so take chunks, and cut.
  if (options.where) Object.assign(options, { limit: CHUNK, maxPages: 1 });
  const edge = seen?.at(backward ? 0 : -1);
  options.next = edge && turn !== "last" ? { pk: edge.pk, sk: edge.sk, [index]: edge[index] } : null;
  const rooms = [];
  do {
    const found = await Room.find({ hotel: HOTEL, ...key }, options);
    rooms.push(...found);
    options.next = found.next;
  } while (options.next && rooms.length < PAGE_SIZE);
  rooms.length = Math.min(rooms.length, PAGE_SIZE);
  return backward ? rooms.reverse() : rooms;
}

run({
  page,
  walk,
  async fill(rooms) {
    await table.createTable();
    while (rooms.length) {
      const batch = {};
      for (const room of rooms.splice(0, 25)) await Room.create({ hotel: HOTEL, ...room }, { batch });
      await table.batchWrite(batch);
    }
  },
  async facets(question) {
    const rooms = await Room.find({ hotel: HOTEL }, { index: "sizeViewType", fields: FACETS });
    return counted(rooms, question);
  },
  async edit(room) {
    await Room.upsert({ hotel: HOTEL, ...room });
  },
});

// --- Measuring

function walk(question) {
  const { key, options } = query(question, false);
  return walked(async (next) => {
    const rooms = await Room.find({ hotel: HOTEL, ...key }, { ...options, next });
    return { rooms, cursor: rooms.next };
  });
}
