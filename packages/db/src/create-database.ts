import { PrismaLibSql } from "@prisma/adapter-libsql";
import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient as PostgresqlClient } from "../generated/postgresql/client.ts";
import { PrismaClient } from "../generated/sqlite/client.ts";
import { dialectOf } from "./dialect.ts";

const BUSY_TIMEOUT_MS = 1_000;

export type Database = PrismaClient;

/** What a verb may use inside `database.$transaction(async (tx) => …)`. */
export type Transaction = Omit<Database, "$connect" | "$disconnect" | "$on" | "$transaction" | "$extends">;

/** Opens the control plane's database. Migrations are applied beforehand by `applyMigrations`. */
export function createDatabase(url: string): Database {
  if (dialectOf(url) === "sqlite") {
    // Another process may be writing; waiting blocks this one, so not for long: transactions are tried again besides.
    return new PrismaClient({
      adapter: new PrismaLibSql({ url, timeout: BUSY_TIMEOUT_MS }, { timestampFormat: "iso8601" }),
    });
  }
  const client = new PostgresqlClient({ adapter: new PrismaPg({ connectionString: url }) });
  // Both clients come from one base schema in the common subset, so their calls and rows have the same shape.
  return client as unknown as Database;
}
