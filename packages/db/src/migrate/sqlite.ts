import { randomUUID } from "node:crypto";
import Libsql from "libsql";
import { type AppliedMigration, planMigrations } from "./plan-migrations.ts";
import type { Migration } from "./read-migrations.ts";

const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" ("id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL,
  "finished_at" DATETIME, "migration_name" TEXT NOT NULL, "logs" TEXT, "rolled_back_at" DATETIME,
  "started_at" DATETIME NOT NULL DEFAULT current_timestamp, "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`;

interface Row {
  migration_name: string;
  checksum: string;
  finished_at: unknown;
}

/**
 * Applies migrations to a SQLite file and leaves it in WAL mode. All in one exclusive transaction, so a second process
 * waits and then finds nothing to do.
 */
export function migrateSqlite(file: string, migrations: readonly Migration[]): string[] {
  const database = new Libsql(file, { timeout: 30_000 });
  try {
    database.exec("PRAGMA journal_mode = WAL");
    database.exec("PRAGMA foreign_keys = OFF");
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(TABLE);
      const rows = database.prepare('SELECT * FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL').all() as Row[];
      const applied: AppliedMigration[] = rows.map((row) => ({
        name: row.migration_name,
        checksum: row.checksum,
        finished: row.finished_at !== null,
      }));
      const pending = planMigrations(migrations, applied);
      for (const migration of pending) {
        database.exec(migration.sql);
        const now = Date.now();
        database
          .prepare(
            'INSERT INTO "_prisma_migrations" ("id","checksum","finished_at","migration_name","started_at","applied_steps_count") VALUES (?,?,?,?,?,1)',
          )
          .run(randomUUID(), migration.checksum, now, migration.name, now);
      }
      if (database.prepare("PRAGMA foreign_key_check").all().length > 0) throw new Error("foreign keys do not hold");
      database.exec("COMMIT");
      return pending.map((migration) => migration.name);
    } catch (error) {
      if (database.inTransaction) database.exec("ROLLBACK");
      throw error;
    }
  } finally {
    database.close();
  }
}
