// The list with ElectroDB: an access pattern for each order of the three facets, and filters for the rest.
import { Entity, createConversions } from "electrodb";

import { FACETS, HOTEL, PAGE_SIZE, SHOWN, client, counted, createTable, run } from "./contender.mjs";

const TABLE = "rooms-with-electrodb";
const CHUNK = 100; // the items that a request with a filter reads

const order = (index, ...sort) => ({
  index,
  projection: SHOWN,
  pk: { field: "pk", composite: ["hotel"] },
  sk: { field: `${index}sk`, composite: [...sort, "number"] },
});

export const Room = new Entity(
  {
    model: { service: "hotels", entity: "room", version: "1" },
    attributes: {
      hotel: { type: "string", required: true },
      number: { type: "string", required: true },
      view: { type: "string", required: true },
      size: { type: "number", required: true, padding: { length: 4, char: "0" } },
      type: { type: "string", required: true },
      rate: { type: "number", required: true, padding: { length: 6, char: "0" } },
      currency: { type: "string" },
    },
    indexes: {
      byNumber: { pk: { field: "pk", composite: ["hotel"] }, sk: { field: "sk", composite: ["number"] } },
      viewTypeSize: order("lsi1", "view", "type", "size"),
      sizeViewType: order("lsi2", "size", "view", "type"),
      sizeTypeView: order("lsi3", "size", "type", "view"),
      typeViewSize: order("lsi4", "type", "view", "size"),
      typeSizeView: order("lsi5", "type", "size", "view"),
      viewSizeType: order("gsi1", "view", "size", "type"), // a table has at most five local indexes
      byRate: order("gsi2", "rate"),
    },
  },
  { table: TABLE, client },
);

const cursors = createConversions(Room).byAccessPattern;

/** The access pattern with the order, the values and limits of its keys, and the filters for what the keys leave. */
function plan({ values, sizes, sort }) {
  if (sort[0] === "rate") return { name: "byRate", fixed: {}, left: values, sizes };
  const first = FACETS.filter((facet) => values[facet]?.length === 1);
  const names = [...new Set([...first, ...sort, ...FACETS])];
  const name = names[0] + names.slice(1).map((facet) => facet[0].toUpperCase() + facet.slice(1)).join("");
  const fixed = Object.fromEntries(first.map((facet) => [facet, values[facet][0]]));
  const left = Object.fromEntries(Object.entries(values).filter(([facet]) => !first.includes(facet)));
  const between = sizes && names[first.length] === "size";
  return { name, fixed, left, ...(between ? { between: sizes } : { sizes }) };
}

/** The rooms of a page, and the cursor of the next one. */
async function read(question, backward, cursor) {
  const { name, fixed, between, left, sizes } = plan(question);
  let query = Room.query[name]({ hotel: HOTEL, ...fixed });
  // ElectroDB compares whole keys. The key of a size alone sorts before all rooms of this size, so take the next size.
  if (between) query = query.between({ size: between[0] }, { size: between[1] + 1 });
  for (const [facet, values] of Object.entries(left)) {
    query = query.where((room, { eq }) => `(${values.map((value) => eq(room[facet], value)).join(" OR ")})`);
  }
  if (sizes) query = query.where((room, op) => op.between(room.size, ...sizes));
  const filtered = sizes || Object.keys(left).length > 0;
  const found = await query.go({
    order: backward === question.descending ? "asc" : "desc",
    cursor,
    ...(filtered ? { limit: CHUNK, count: PAGE_SIZE } : { limit: PAGE_SIZE }),
  });
  return { rooms: found.data, cursor: found.cursor };
}

async function page(question, turn, seen) {
  const backward = ["last", "previous"].includes(turn);
  const edge = turn === "last" ? undefined : seen?.at(backward ? 0 : -1);
  const cursor = edge ? cursors[plan(question).name].fromComposite.toCursor(edge) : null;
  const { rooms } = await read(question, backward, cursor);
  return backward ? rooms.reverse() : rooms;
}

run({
  page,
  async fill(rooms) {
    await createTable(TABLE, ["__edb_e__", "__edb_v__"]);
    await Room.put(rooms.map((room) => ({ hotel: HOTEL, ...room }))).go();
  },
  async facets(question) {
    const { data } = await Room.query.sizeViewType({ hotel: HOTEL }).go({ pages: "all", attributes: FACETS });
    return counted(data, question);
  },
  async edit(room) {
    await Room.put({ hotel: HOTEL, ...room }).go();
  },
});
