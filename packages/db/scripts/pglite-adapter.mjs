import { PGlite } from "@electric-sql/pglite";
import { ColumnTypeEnum } from "@prisma/driver-adapter-utils";

const COLUMN_TYPES = new Map([
  [16, ColumnTypeEnum.Boolean],
  [20, ColumnTypeEnum.Int64],
  [21, ColumnTypeEnum.Int32],
  [23, ColumnTypeEnum.Int32],
  [26, ColumnTypeEnum.Int64],
  [700, ColumnTypeEnum.Double],
  [701, ColumnTypeEnum.Double],
  [1002, ColumnTypeEnum.TextArray],
  [1003, ColumnTypeEnum.TextArray],
  [1005, ColumnTypeEnum.Int32Array],
  [1007, ColumnTypeEnum.Int32Array],
  [1009, ColumnTypeEnum.TextArray],
]);

const ARRAYS = new Set([1002, 1003, 1005, 1007, 1009]);

/** PGlite hands some catalogue arrays back as text: {a,b}. */
function arrayOf(value) {
  if (typeof value !== "string") return value;
  const inner = value.slice(1, -1);
  return inner === "" ? [] : inner.split(",").map((part) => part.replace(/^"|"$/g, ""));
}

function cell(value, oid) {
  if (value === null) return null;
  if (ARRAYS.has(oid)) return arrayOf(value);
  if (oid === 20 || oid === 26) return String(value);
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : value;
}

/** In-memory PostgreSQL behind Prisma's adapter interface: just enough for the schema engine to read a catalogue. */
export function pgliteFactory() {
  const database = new PGlite();
  const queryable = {
    provider: "postgres",
    adapterName: "nereid-pglite",
    async queryRaw({ sql, args }) {
      const result = await database.query(sql, args, { rowMode: "array" });
      return {
        columnNames: result.fields.map((field) => field.name),
        columnTypes: result.fields.map((field) => COLUMN_TYPES.get(field.dataTypeID) ?? ColumnTypeEnum.Text),
        rows: result.rows.map((row) => row.map((value, i) => cell(value, result.fields[i].dataTypeID))),
      };
    },
    executeRaw: async ({ sql, args }) => (await database.query(sql, args)).affectedRows ?? 0,
    executeScript: async (script) => void (await database.exec(script)),
    startTransaction: () => Promise.reject(new Error("the schema engine needs no transaction")),
    getConnectionInfo: () => ({ schemaName: "public", supportsRelationJoins: false }),
    dispose: async () => {},
  };
  return {
    provider: "postgres",
    adapterName: "nereid-pglite",
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    connect: async () => queryable,
    connectToShadowDb: async () => queryable,
  };
}
