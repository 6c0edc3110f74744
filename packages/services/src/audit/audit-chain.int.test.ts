import { fork } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { bundleForNode } from "@nereid/db/testing/bundle-for-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testContext } from "../testing/service-context.ts";
import { writeTransaction } from "../write-transaction.ts";
import { CHAIN_HEAD_KEY } from "./audit-chain.ts";
import { chainOldRows } from "./chain-old-rows.ts";
import { exportAudit } from "./export-audit.ts";
import { listAudit } from "./list-audit.ts";
import { recordAudit } from "./record-audit.ts";
import { verifyAudit } from "./verify-audit.ts";

const entry = (targetId: string) =>
  ({ action: "model.load", targetType: "model", targetId, outcome: "succeeded" }) as const;

describe.each(await testDialects())("audit chain on $dialect", (dialect) => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase(dialect);
  });
  afterEach(() => test.drop());
  const context = () => testContext(test.db, "admin");
  const write = async (count: number) => {
    for (let i = 1; i <= count; i += 1) await recordAudit({ ctx: context(), input: entry(`m${i}`) });
  };
  const idOf = async (seq: number) => (await test.db.auditEvent.findFirstOrThrow({ where: { seq } })).id;

  it("an empty trail and one with rows hold; numbers have no gaps", async () => {
    expect(await verifyAudit({ ctx: context() })).toEqual({ ok: true, checked: 0, brokenAt: null, problem: null });
    await write(3);
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: true, checked: 3 });
  });

  it("holds with fifty writers at once", async () => {
    const ctx = context();
    await Promise.all(Array.from({ length: 50 }, (_, i) => recordAudit({ ctx, input: entry(`m${i}`) })));
    expect(await verifyAudit({ ctx })).toMatchObject({ ok: true, checked: 50 });
  });

  it("holds with writers in three processes", async () => {
    const script = await bundleForNode(join(import.meta.dirname, "../testing/write-audit-rows.ts"));
    const children = [1, 2].map(() => fork(script, [test.url, "20"], { stdio: "inherit", execArgv: [] }));
    const codes = Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    await write(20);
    expect(await codes).toEqual([0, 0]);
    await rm(dirname(script), { recursive: true });
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: true, checked: 60 });
  });

  it("a row is written with the change or not at all", async () => {
    const ctx = context();
    const failing = writeTransaction(test.db, async (tx) => {
      await recordAudit({ ctx: { ...ctx, db: tx }, input: entry("a") });
      await recordAudit({ ctx: { ...ctx, db: tx }, input: entry("b") });
      throw new Error("the change fails");
    });
    await expect(failing).rejects.toThrow("the change fails");
    await write(1);
    expect((await listAudit({ ctx, input: {} })).events.map(({ targetId, seq }) => [targetId, seq])).toEqual([
      ["m1", 1],
    ]);
    expect(await verifyAudit({ ctx })).toMatchObject({ ok: true, checked: 1 });
  });

  it("sees a row that was edited", async () => {
    await write(5);
    const id = await idOf(3);
    await test.db.auditEvent.update({ where: { id }, data: { actorName: "somebody else" } });
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: false, checked: 2, brokenAt: { id } });
  });

  it("sees a row that was edited with its hash made anew", async () => {
    await write(5);
    const { hashOfRow } = await import("./audit-chain.ts");
    const row = await test.db.auditEvent.findFirstOrThrow({ where: { seq: 3 } });
    const edited = { ...row, outcome: "failed" };
    await test.db.auditEvent.update({ where: { id: row.id }, data: { outcome: "failed", hash: hashOfRow(edited) } });
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: false, brokenAt: { id: await idOf(4) } });
  });

  it("sees a row that was removed: in the middle, and the newest", async () => {
    await write(5);
    await test.db.auditEvent.delete({ where: { id: await idOf(5) } });
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: false, brokenAt: { id: await idOf(4) } });
    await test.db.auditEvent.delete({ where: { id: await idOf(2) } });
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: false, brokenAt: { id: await idOf(3) } });
  });

  it("sees rows that changed places, that were added, and an edited head", async () => {
    await write(5);
    const [second, third] = [await idOf(2), await idOf(3)];
    await test.db.auditEvent.update({ where: { id: second }, data: { seq: 100 } });
    await test.db.auditEvent.update({ where: { id: third }, data: { seq: 2 } });
    await test.db.auditEvent.update({ where: { id: second }, data: { seq: 3 } });
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: false, brokenAt: { id: third } });
    await test.db.auditEvent.update({ where: { id: third }, data: { seq: null } });
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: false, brokenAt: { id: third } });
    await test.db.setting.update({ where: { key: CHAIN_HEAD_KEY }, data: { value: "nonsense" } });
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: false, brokenAt: null });
  });

  it("takes the rows of older releases in at the first start, once, also of two starts", async () => {
    const at = new Date("2026-01-01T00:00:00Z");
    const old = { actorName: "Ada", action: "model.load", targetType: "model", outcome: "succeeded", requestId: "r" };
    for (let i = 0; i < 250; i += 1) {
      const data = { ...old, id: `old${i}`, at: new Date(at.getTime() + i), targetId: `m${i}`, after: { n: i } };
      await test.db.auditEvent.create({ data });
    }
    const counts = await Promise.all([chainOldRows(test.db), chainOldRows(test.db)]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(250);
    await write(1);
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: true, checked: 251 });
    await test.db.auditEvent.create({ data: { ...old, id: "late", at, targetId: "m" } });
    expect(await chainOldRows(test.db)).toBe(0);
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: false, brokenAt: { id: "late" } });
  });

  it("keeps no secrets, and what databases do not take", async () => {
    const secrets = { password: "hunter2hunter2", inner: [{ apiToken: "t0ps3cret" }], clientSecret: "s3cr3t" };
    const key = "nrd_abcdefghijklmnop";
    await recordAudit({
      ctx: context(),
      input: {
        ...entry("m\0x\ud800"),
        reason: `used ${key}`,
        before: secrets,
        after: { text: `a\0b ${key}`, n: 1e21, d: -0 },
      },
    });
    const text = JSON.stringify(await test.db.auditEvent.findMany());
    for (const secret of ["hunter2", "t0ps3cret", "s3cr3t", key]) expect(text).not.toContain(secret);
    expect(await verifyAudit({ ctx: context() })).toMatchObject({ ok: true, checked: 1 });
  });

  it("filters, and exports what it filters", async () => {
    const ctx = context();
    await write(3);
    await recordAudit({
      ctx,
      input: { ...entry("=cmd()"), action: "config.apply", outcome: "failed", reason: 'why, "so"' },
    });
    const ids = async (input: Parameters<typeof listAudit>[0]["input"]) =>
      (await listAudit({ ctx, input })).events.map(({ targetId }) => targetId);
    expect(await ids({ action: "model." })).toEqual(["m3", "m2", "m1"]);
    expect(await ids({ outcome: "failed" })).toEqual(["=cmd()"]);
    expect(await ids({ q: "why" })).toEqual(["=cmd()"]);
    expect(await ids({ actorId: "nobody" })).toEqual([]);
    expect(await ids({ from: "2026-11-21T08:00:00Z", to: "2026-11-21T08:00:01Z" })).toHaveLength(4);
    expect(await ids({ to: new Date("2026-11-21T08:00:00Z") })).toEqual([]);
    const read = async (format: "csv" | "jsonl") => {
      let text = "";
      for await (const piece of exportAudit({ ctx, input: { format, outcome: "failed" } })) text += piece;
      return text.trimEnd().split(/\r?\n/);
    };
    const [head, row, ...rest] = await read("csv");
    expect(head).toMatch(/^seq,at,/);
    expect(row).toContain(`,'=cmd(),failed,"why, ""so""",`);
    expect(rest).toEqual([]);
    expect((await read("jsonl")).map((line) => JSON.parse(line).targetId)).toEqual(["=cmd()"]);
    expect(await ids({ action: "audit.export" })).toEqual(["jsonl", "csv"]);
  });
});
