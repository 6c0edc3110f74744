import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDatabase } from "./create-database.ts";
import { applyMigrations } from "./migrate/apply-migrations.ts";
import { privateDirectory } from "./private-files.ts";
import { PRISMA_DIRECTORY } from "./testing/test-databases.ts";

const modeOf = (path: string) => statSync(path).mode & 0o7777;

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "nereid-private-"));
});
afterEach(() => rmSync(base, { recursive: true }));

describe("the database is for its owner only (it was 0644)", () => {
  const files = (file: string) => [file, `${file}-wal`, `${file}-shm`].map(modeOf);

  it("a new one, with the files beside it while it is open", async () => {
    const file = join(base, "state/nereid.db");
    await applyMigrations({ url: `file:${file}`, prismaDirectory: PRISMA_DIRECTORY });
    const db = createDatabase(`file:${file}`);
    await db.setting.create({ data: { key: "k", value: "v" } });
    expect(files(file)).toEqual([0o600, 0o600, 0o600]);
    await db.$disconnect();
  });

  it("one of an earlier release", async () => {
    const file = join(base, "nereid.db");
    for (const name of [file, `${file}-wal`, `${file}-shm`]) writeFileSync(name, "", { mode: 0o644 });
    const warnings: string[] = [];
    const onWarning = (text: string) => void warnings.push(text);
    await applyMigrations({ url: `file:${file}`, prismaDirectory: PRISMA_DIRECTORY, onWarning });
    expect(modeOf(file)).toBe(0o600);
    expect(warnings).toEqual([]);
  });
});

describe("privateDirectory()", () => {
  const directory = (mode: number, content: readonly string[]) => {
    const path = join(base, "dir");
    mkdirSync(path);
    for (const name of content) writeFileSync(join(path, name), "");
    chmodSync(path, mode);
    return path;
  };

  it("creates with 0700", () => {
    expect(privateDirectory(join(base, "a/b"))).toBeUndefined();
    expect(modeOf(join(base, "a/b"))).toBe(0o700);
  });

  it.each([[[]], [["nereid.db", "logs"]]])("tightens a directory of ours that holds %j", (content) => {
    const path = directory(0o755, content);
    expect(privateDirectory(path)).toBeUndefined();
    expect(modeOf(path)).toBe(0o700);
  });

  it.each([
    ["other people's files", 0o755, ["thesis.txt"]],
    ["a sticky directory such as /tmp", 0o1777, ["nereid.db"]],
  ])("leaves %s alone and says so", (_what, mode, content) => {
    const path = directory(mode, content);
    expect(privateDirectory(path)).toContain("chmod 700");
    expect(modeOf(path)).toBe(mode);
  });
});
