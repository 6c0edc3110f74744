import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type LoadToAdmit, MemoryAdmission } from "./memory-admission.ts";
import { type Holding, RUNNER_BYTES } from "./memory-budget.ts";

const MB = 2 ** 20;
const directory = mkdtempSync(join(tmpdir(), "nereid-memory-"));
writeFileSync(join(directory, "model.onnx"), "");
truncateSync(join(directory, "model.onnx"), 100 * MB);
afterAll(() => rmSync(directory, { recursive: true }));
/** What is guessed for a version with these files. */
const GUESS = 150 * MB + RUNNER_BYTES;

function setUp(budgetBytes: number, busyWithinMs?: number) {
  let holdings: Holding[] = [];
  const evicted: string[] = [];
  const admission = new MemoryAdmission(
    { budgetBytes, freeBytes: () => undefined, ...(busyWithinMs !== undefined && { busyWithinMs }) },
    {
      holdings: () => holdings,
      evict: async (model) => {
        evicted.push(model);
        holdings = holdings.filter(({ name }) => name !== model);
        admission.changed();
      },
    },
  );
  return { admission, evicted, hold: (more: readonly Holding[]) => (holdings = [...more]) };
}

const load = (more: Partial<LoadToAdmit> = {}): LoadToAdmit => ({
  model: "m",
  versions: [{ key: "k", directory, work: { kind: "runner" } }],
  reload: false,
  signal: new AbortController().signal,
  onWait: () => {},
  ...more,
});

describe("MemoryAdmission", () => {
  it("waits for the requests of models that could make room, and is refused when they do not end", async () => {
    const busy: Holding = { name: "busy", bytes: 100 * MB, kind: "served", busy: true };
    const { admission, evicted, hold } = setUp(GUESS);
    hold([busy]);
    let waits = 0;
    const coming = admission.admit(load({ onWait: () => (waits += 1) }));
    await new Promise((resolve) => setImmediate(resolve));
    hold([{ name: "busy", bytes: 100 * MB, kind: "served", evictable: { model: "busy", usedNs: 1 } }]);
    admission.changed();
    (await coming).release();
    expect([evicted, waits]).toEqual([["busy"], 1]);

    const impatient = setUp(GUESS, 1);
    impatient.hold([busy]);
    await expect(impatient.admission.admit(load())).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(impatient.evicted).toEqual([]);
  });

  it("guesses by the files of a version that was never loaded, and knows of one that was", async () => {
    const { admission } = setUp(GUESS);
    (await admission.admit(load())).release();
    admission.remember("k", GUESS + 1);
    await expect(admission.admit(load())).rejects.toMatchObject({ code: "UNAVAILABLE" });
    admission.remember("k", 10 * MB);
    (await admission.admit(load({ versions: Array.from({ length: 20 }, () => load().versions).flat() }))).release();
  });

  it("needs nothing for what has no process", async () => {
    const { admission } = setUp(1);
    (await admission.admit(load({ versions: [{ key: "e", directory, work: { kind: "ensemble" } }] }))).release();
  });

  it("counts a load on its way until it is released, and lets the next one in then", async () => {
    const { admission } = setUp(2 * GUESS - 1);
    const first = await admission.admit(load());
    let waited = 0;
    const second = admission.admit(load({ model: "n", onWait: () => (waited += 1) }));
    await expect.poll(() => waited).toBe(1);
    first.release();
    first.release();
    (await second).release();
    expect(waited).toBe(1);
  });

  it("makes room from what may be evicted and waits until it has gone", async () => {
    const { admission, evicted, hold } = setUp(GUESS + 50 * MB);
    hold([
      { name: "old", bytes: 40 * MB, kind: "served", evictable: { model: "old", usedNs: 1 } },
      { name: "new", bytes: 40 * MB, kind: "served", evictable: { model: "new", usedNs: 2 } },
    ]);
    (await admission.admit(load())).release();
    expect(evicted).toEqual(["old"]);
  });

  it("ends a wait that nobody wants any more", async () => {
    const { admission } = setUp(GUESS);
    const first = await admission.admit(load());
    const abort = new AbortController();
    const second = admission.admit(
      load({ signal: abort.signal, onWait: () => abort.abort(new Error("nobody wants it")) }),
    );
    await expect(second).rejects.toThrow("nobody wants it");
    first.release();
  });
});
