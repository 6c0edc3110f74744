import { join } from "node:path";
import { dialectOf, sqlitePath } from "../dialect.ts";
import { privateSqliteFile } from "../private-files.ts";
import { migratePostgresql } from "./postgresql.ts";
import { readMigrations } from "./read-migrations.ts";
import { migrateSqlite } from "./sqlite.ts";

export interface ApplyMigrationsOptions {
  readonly url: string;
  /** The folder that holds `sqlite/migrations` and `postgresql/migrations`. */
  readonly prismaDirectory: string;
  /** Told when the files of a SQLite database could not be kept from other users. */
  readonly onWarning?: (text: string) => void;
}

/**
 * Brings the database up to date and returns the names of what was applied. Safe to call from several processes at
 * once. Keeps the same table and checksums as Prisma's tools, without their engine binary.
 */
export async function applyMigrations({ url, prismaDirectory, onWarning }: ApplyMigrationsOptions): Promise<string[]> {
  const dialect = dialectOf(url);
  const migrations = await readMigrations(join(prismaDirectory, dialect, "migrations"));
  if (dialect === "postgresql") return migratePostgresql(url, migrations);
  const file = sqlitePath(url);
  for (const problem of privateSqliteFile(file)) onWarning?.(problem);
  return migrateSqlite(file, migrations);
}
