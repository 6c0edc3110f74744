// Builds the web app and completes its standalone folder, which can then be copied and started anywhere:
// node apps/web/.next/standalone/apps/web/server.js
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const web = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const root = resolve(web, "../..");
const standalone = join(web, ".next/standalone");
const target = join(standalone, "apps/web");
const next = createRequire(join(web, "package.json")).resolve("next/dist/bin/next");

rmSync(standalone, { recursive: true, force: true });
const build = spawnSync(process.execPath, [next, "build"], {
  cwd: web,
  stdio: "inherit",
  env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
});
if (build.status !== 0) process.exit(build.status ?? 1);

cpSync(join(web, ".next/static"), join(target, ".next/static"), { recursive: true });
if (existsSync(join(web, "public"))) cpSync(join(web, "public"), join(target, "public"), { recursive: true });
for (const dialect of ["sqlite", "postgresql"]) {
  cpSync(join(root, "prisma", dialect, "migrations"), join(target, "prisma", dialect, "migrations"), {
    recursive: true,
  });
}

// The native half of libsql is required by a computed name, which file tracing may miss.
const scope = join(root, "node_modules/@libsql");
for (const name of readdirSync(scope)) {
  const copy = join(standalone, "node_modules/@libsql", name);
  if (!existsSync(copy)) cpSync(join(scope, name), copy, { recursive: true });
}
process.stdout.write(`standalone server: ${join(target, "server.js")}\n`);
