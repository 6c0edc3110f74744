import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DIALECTS, PRISMA_DIR } from "./paths.mjs";

const header = (
  dialect,
) => `// Written by packages/db/scripts/write-schemas.mjs from schema.base.prisma. Edit that file.

generator client {
  provider               = "prisma-client"
  output                 = "../../packages/db/generated/${dialect}"
  runtime                = "nodejs"
  moduleFormat           = "esm"
  generatedFileExtension = "ts"
  importFileExtension    = "ts"
}

datasource db {
  provider = "${dialect}"
}

`;

/** Derives both dialects' schemas from the base schema; writes only what changed. */
export function writeSchemas() {
  const base = readFileSync(join(PRISMA_DIR, "schema.base.prisma"), "utf8").replace(/^(\/\/.*\n)+\n?/, "");
  for (const dialect of DIALECTS) {
    const file = join(PRISMA_DIR, dialect, "schema.prisma");
    const text = header(dialect) + base;
    mkdirSync(join(PRISMA_DIR, dialect), { recursive: true });
    let current = "";
    try {
      current = readFileSync(file, "utf8");
    } catch {
      // First run: there is nothing to compare with.
    }
    if (current !== text) writeFileSync(file, text);
  }
}
