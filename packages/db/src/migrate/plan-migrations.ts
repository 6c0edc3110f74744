import type { Migration } from "./read-migrations.ts";

export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

/**
 * Which migrations are still to be applied. Refuses a database that this program does not understand: one that a newer
 * release has migrated, one whose migration was edited afterwards, or one left half-way.
 */
export function planMigrations(available: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const known = new Map(available.map((migration) => [migration.name, migration]));
  for (const row of applied) {
    const migration = known.get(row.name);
    if (migration === undefined) throw new Error(`database has migration ${row.name}, which this release lacks`);
    if (!row.finished) throw new Error(`migration ${row.name} was started and never finished`);
    if (row.checksum !== migration.checksum) throw new Error(`migration ${row.name} was changed after it was applied`);
  }
  const done = new Set(applied.map((row) => row.name));
  return available.filter((migration) => !done.has(migration.name));
}
