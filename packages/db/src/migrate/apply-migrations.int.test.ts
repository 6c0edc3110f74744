import { fork } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createDatabase } from "../create-database.ts";
import { bundleForNode } from "../testing/bundle-for-node.ts";
import { createTestDatabase, PRISMA_DIRECTORY, testDialects } from "../testing/test-databases.ts";
import { applyMigrations } from "./apply-migrations.ts";

describe.each(await testDialects())("migrations on $dialect", (dialect) => {
  it("are applied once, also when several start together", async () => {
    const { url, drop } = await dialect.createUrl();
    const starters = Array.from({ length: 4 }, () => applyMigrations({ url, prismaDirectory: PRISMA_DIRECTORY }));
    const names = await readdir(join(PRISMA_DIRECTORY, dialect.dialect, "migrations"));
    expect((await Promise.all(starters)).flat().sort()).toEqual(names.sort());
    const db = createDatabase(url);
    await expect(db.user.count()).resolves.toBe(0);
    await db.$disconnect();
    await drop();
  });

  it("are applied once by two processes that start together, and not again", async () => {
    const { url, drop } = await dialect.createUrl();
    const script = await bundleForNode(join(import.meta.dirname, "../testing/migrate-once.ts"));
    const run = async () => {
      const child = fork(script, [url, PRISMA_DIRECTORY], { stdio: "inherit", execArgv: [] });
      const [code] = await once(child, "exit");
      return code;
    };
    expect(await Promise.all([run(), run()])).toEqual([0, 0]);
    expect(await run()).toBe(0);
    expect(await applyMigrations({ url, prismaDirectory: PRISMA_DIRECTORY })).toEqual([]);
    await rm(dirname(script), { recursive: true });
    await drop();
  });

  it("refuse a migration that was edited after it was applied", async () => {
    const { url, drop } = await createTestDatabase(dialect);
    const copy = await mkdtemp(join(tmpdir(), "nereid-edited-"));
    await cp(PRISMA_DIRECTORY, copy, { recursive: true });
    const folder = join(copy, dialect.dialect, "migrations");
    const [first] = await readdir(folder);
    await writeFile(join(folder, first ?? "", "migration.sql"), "-- edited");
    await expect(applyMigrations({ url, prismaDirectory: copy })).rejects.toThrow(/changed after/);
    await rm(copy, { recursive: true });
    await drop();
  });

  it("leave nothing behind when one fails", async () => {
    const { url, drop } = await dialect.createUrl();
    const broken = await mkdtemp(join(tmpdir(), "nereid-broken-"));
    await cp(PRISMA_DIRECTORY, broken, { recursive: true });
    const bad = join(broken, dialect.dialect, "migrations", "99999999999999_bad");
    await mkdir(bad, { recursive: true });
    await writeFile(join(bad, "migration.sql"), 'CREATE TABLE "half" ("id" TEXT); SELECT * FROM "missing_table";');
    await expect(applyMigrations({ url, prismaDirectory: broken })).rejects.toThrow();
    await expect(applyMigrations({ url, prismaDirectory: PRISMA_DIRECTORY })).resolves.toBeInstanceOf(Array);
    const db = createDatabase(url);
    await expect(db.$queryRawUnsafe('SELECT * FROM "half"')).rejects.toThrow();
    await db.$disconnect();
    await rm(broken, { recursive: true });
    await drop();
  });

  it("keep rows that were not in a failed transaction", async () => {
    const { db, drop } = await createTestDatabase(dialect);
    const failing = db.$transaction(async (tx) => {
      await tx.setting.create({ data: { key: "inside", value: "1" } });
      throw new Error("roll back");
    });
    await Promise.allSettled([failing, db.setting.create({ data: { key: "outside", value: "1" } })]);
    expect((await db.setting.findMany()).map((row) => row.key)).toEqual(["outside"]);
    await drop();
  });
});

it("the checked-in migrations bring exactly the schema", async () => {
  const script = join(import.meta.dirname, "../../scripts/migration.mjs");
  const [code] = await once(fork(script, ["--check"], { silent: true }), "exit");
  expect(code).toBe(0);
});
