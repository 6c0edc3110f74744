import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const PACKAGE_DIR = resolve(dirname(fileURLToPath(import.meta.url)), "..");
export const PRISMA_DIR = resolve(PACKAGE_DIR, "../../prisma");
export const DIALECTS = /** @type {const} */ (["sqlite", "postgresql"]);

/**
 * The checked-in migrations of one dialect, oldest first.
 * @param {string} dialect
 * @returns {{ name: string, sql: string }[]}
 */
export function readMigrations(dialect) {
  const dir = join(PRISMA_DIR, dialect, "migrations");
  let names;
  try {
    names = readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
  return names
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(dir, name, "migration.sql"), "utf8") }));
}
