import { randomUUID } from "node:crypto";
import pg from "pg";
import { planMigrations } from "./plan-migrations.ts";
import type { Migration } from "./read-migrations.ts";

const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" ("id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ, "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ, "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`;

/** Any fixed number: the advisory lock under which this program migrates. */
const LOCK = 72_707_369;

/** Applies migrations to PostgreSQL, each in its own transaction; concurrent starters queue on an advisory lock. */
export async function migratePostgresql(url: string, migrations: readonly Migration[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_advisory_lock($1)", [LOCK]);
    await client.query(TABLE);
    const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
      'SELECT * FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL',
    );
    const pending = planMigrations(
      migrations,
      rows.map((row) => ({
        name: row.migration_name,
        checksum: row.checksum,
        finished: row.finished_at !== null,
      })),
    );
    for (const migration of pending) {
      await client.query("BEGIN");
      try {
        await client.query(migration.sql);
        await client.query(
          'INSERT INTO "_prisma_migrations" ("id","checksum","finished_at","migration_name","applied_steps_count") VALUES ($1,$2,now(),$3,1)',
          [randomUUID(), migration.checksum, migration.name],
        );
        await client.query("COMMIT");
      } catch (error) {
        await client.query("ROLLBACK");
        throw error;
      }
    }
    return pending.map((migration) => migration.name);
  } finally {
    // Ending the session releases the advisory lock.
    await client.end();
  }
}
