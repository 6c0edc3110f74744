import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";

const require = createRequire(import.meta.url);

/** Prisma's schema engine as WebAssembly. The package's own loader imports .wasm, which plain node cannot. */
async function loadEngine() {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const dir = dirname(require.resolve("@prisma/schema-engine-wasm/schema_engine_bg"));
  const bytes = readFileSync(join(dir, "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings.SchemaEngine;
}

let engineClass;

/**
 * SQL that turns the live database behind `factory` into `schema`; empty when they already agree.
 * @param {{ factory: object, schema: string }} input
 */
export async function diffToSchema({ factory, schema }) {
  engineClass ??= await loadEngine();
  const files = [{ path: "schema.prisma", content: schema }];
  const engine = await engineClass.new(
    { datamodels: [["schema.prisma", schema]] },
    () => {},
    bindMigrationAwareSqlAdapterFactory(factory),
  );
  try {
    const result = await engine.diff({
      from: { tag: "schemaDatasource", files, configDir: "." },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
    });
    return result.exitCode === 2 ? (result.stdout ?? "") : "";
  } finally {
    engine.free();
  }
}
