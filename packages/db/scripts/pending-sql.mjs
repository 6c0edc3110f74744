import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PrismaLibSql } from "@prisma/adapter-libsql";
import Database from "libsql";
import { PRISMA_DIR, readMigrations } from "./paths.mjs";
import { pgliteFactory } from "./pglite-adapter.mjs";
import { diffToSchema } from "./schema-engine.mjs";

const readSchema = (dialect) => readFileSync(join(PRISMA_DIR, dialect, "schema.prisma"), "utf8");

async function pendingSqlite() {
  const dir = mkdtempSync(join(tmpdir(), "nereid-shadow-"));
  const file = join(dir, "shadow.db");
  try {
    const database = new Database(file);
    for (const { sql } of readMigrations("sqlite")) database.exec(sql);
    database.close();
    return await diffToSchema({ factory: new PrismaLibSql({ url: `file:${file}` }), schema: readSchema("sqlite") });
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function pendingPostgresql() {
  const factory = pgliteFactory();
  try {
    for (const { sql } of readMigrations("postgresql")) await factory.exec(sql);
    return await diffToSchema({ factory, schema: readSchema("postgresql") });
  } finally {
    await factory.close();
  }
}

/**
 * SQL that the schema needs and the checked-in migrations do not yet bring; empty when history and schema agree.
 * Replays the history into a throw-away database, so no server is needed.
 */
export function pendingSql(dialect) {
  return dialect === "sqlite" ? pendingSqlite() : pendingPostgresql();
}
