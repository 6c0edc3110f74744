// Writes the dialect schemas and generates both Prisma clients. Works without a network: the client generator only asks
// that the schema engine's file exists, it does not run it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { DIALECTS, PACKAGE_DIR, PRISMA_DIR } from "./paths.mjs";
import { writeSchemas } from "./write-schemas.mjs";

const require = createRequire(import.meta.url);
const cli = join(dirname(require.resolve("prisma/package.json")), "build/index.js");

writeSchemas();
for (const dialect of DIALECTS) {
  const schema = join(PRISMA_DIR, dialect, "schema.prisma");
  const run = spawnSync(process.execPath, [cli, "generate", "--schema", schema], {
    cwd: PACKAGE_DIR,
    encoding: "utf8",
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      CHECKPOINT_DISABLE: "1",
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
    },
  });
  const written = existsSync(join(PACKAGE_DIR, "generated", dialect, "client.ts"));
  if (run.status !== 0 || !written) {
    process.stderr.write(`${run.stdout}${run.stderr}\n`);
    process.stderr.write(`prisma generate failed for ${dialect}\n`);
    process.exit(1);
  }
}
process.stdout.write(`generated ${DIALECTS.join(" and ")} clients\n`);
