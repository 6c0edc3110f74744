// npm run migration -w @nereid/db -- <name>     write the next migration of both dialects
// npm run migration -w @nereid/db -- --check    exit 1 when schema and migrations have drifted apart
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DIALECTS, PRISMA_DIR } from "./paths.mjs";
import { pendingSql } from "./pending-sql.mjs";
import { writeSchemas } from "./write-schemas.mjs";

const [argument] = process.argv.slice(2);
if (argument === undefined || !/^(--check|[a-z][a-z0-9_]*)$/.test(argument)) {
  process.stderr.write("usage: migration <name in snake_case> | --check\n");
  process.exit(2);
}

writeSchemas();
const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
let drift = false;
for (const dialect of DIALECTS) {
  const sql = await pendingSql(dialect);
  if (sql === "") {
    process.stdout.write(`${dialect}: schema and migrations agree\n`);
    continue;
  }
  drift = true;
  if (argument === "--check") {
    process.stdout.write(`${dialect}: the migrations lack\n${sql}\n`);
    continue;
  }
  const dir = join(PRISMA_DIR, dialect, "migrations", `${stamp}_${argument}`);
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "migration.sql"), sql);
  process.stdout.write(`${dialect}: wrote ${dir}\n`);
}
// PGlite and the engine keep handles open.
process.exit(argument === "--check" && drift ? 1 : 0);
