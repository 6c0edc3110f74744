import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideMemory, estimatedBytes, type Holding, type MemoryQuestion } from "./memory-budget.ts";

const MB = 2 ** 20;
const question = (more: Partial<MemoryQuestion>): MemoryQuestion => ({
  model: "wanted",
  needBytes: 100 * MB,
  budgetBytes: undefined,
  freeBytes: undefined,
  holdings: [],
  reload: false,
  ...more,
});
const served = (name: string, megabytes: number, usedNs?: number): Holding => ({
  name,
  bytes: megabytes * MB,
  kind: "served",
  ...(usedNs !== undefined && { evictable: { model: name, usedNs } }),
});

describe("decideMemory()", () => {
  it("lets everything in where neither a budget nor the machine's memory is known", () => {
    expect(decideMemory(question({ holdings: [served("a", 1e6)] }))).toEqual({ kind: "fits" });
  });

  it("lets in what just fits and not one byte more", () => {
    const holdings = [served("a", 100)];
    expect(decideMemory(question({ holdings, budgetBytes: 200 * MB })).kind).toBe("fits");
    expect(decideMemory(question({ holdings, budgetBytes: 200 * MB - 1 })).kind).toBe("refuse");
    expect(decideMemory(question({ freeBytes: 100 * MB })).kind).toBe("fits");
    expect(decideMemory(question({ freeBytes: 100 * MB - 1 })).kind).toBe("refuse");
  });

  it("unloads what was used longest ago, and nothing a person loaded", () => {
    const holdings = [served("person", 100), served("new", 100, 9), served("old", 100, 3)];
    expect(decideMemory(question({ holdings, budgetBytes: 300 * MB }))).toEqual({ kind: "evict", model: "old" });
  });

  it("unloads nothing in vain", () => {
    const holdings = [served("person", 900), served("old", 50, 3)];
    expect(decideMemory(question({ holdings, budgetBytes: 1000 * MB })).kind).toBe("evict");
    expect(decideMemory(question({ holdings, budgetBytes: 990 * MB })).kind).toBe("refuse");
  });

  it("waits for what is just being loaded or unloaded instead of refusing", () => {
    const leaving: Holding = { name: "gone", bytes: 100 * MB, kind: "leaving" };
    const loading: Holding = { name: "coming", bytes: 100 * MB, kind: "loading" };
    expect(decideMemory(question({ holdings: [leaving], budgetBytes: 150 * MB })).kind).toBe("wait");
    expect(decideMemory(question({ holdings: [loading], budgetBytes: 150 * MB })).kind).toBe("wait");
    // The machine does not know yet of what is on its way.
    expect(decideMemory(question({ holdings: [loading], freeBytes: 150 * MB })).kind).toBe("wait");
  });

  it("waits for requests where models that have some could make room, and not where they could not", () => {
    const busy: Holding = { name: "busy", bytes: 100 * MB, kind: "served", busy: true };
    const waiting = decideMemory(question({ holdings: [busy, served("old", 20, 3)], budgetBytes: 120 * MB }));
    expect(waiting).toMatchObject({ kind: "wait-for-requests", message: expect.stringContaining("not enough memory") });
    const held = [{ ...busy, bytes: 50 * MB }, served("person", 90)];
    expect(decideMemory(question({ holdings: held, budgetBytes: 180 * MB })).kind).toBe("refuse");
    expect(decideMemory(question({ holdings: held, budgetBytes: 190 * MB })).kind).toBe("wait-for-requests");
    // One that can go now goes first.
    expect(decideMemory(question({ holdings: [busy, served("old", 100, 3)], budgetBytes: 220 * MB })).kind).toBe(
      "evict",
    );
  });

  it("says what is needed, what is free, who holds how much, and what to do", () => {
    const holdings = [served("a", 10), served("b", 300), served("c", 200), served("d", 40)];
    expect(decideMemory(question({ holdings, budgetBytes: 600 * MB }))).toEqual({
      kind: "refuse",
      message:
        "not enough memory for model 'wanted': it needs about 100 MiB and 50 MiB of the budget of 600 MiB are free; loaded models hold 550 MiB (most: b 300 MiB, c 200 MiB, d 40 MiB). Unload another model, or raise --model-memory-budget-bytes",
    });
  });

  it("says that a reload needs both copies, and that it is the machine that is short", () => {
    const decision = decideMemory(question({ holdings: [served("wanted", 90)], freeBytes: 50 * MB, reload: true }));
    expect(decision).toMatchObject({ message: expect.stringContaining("both are needed for a moment") });
    expect(decision).toMatchObject({ message: expect.stringContaining("the machine has 50 MiB available") });
    expect(decision).toMatchObject({ message: expect.not.stringContaining("--model-memory-budget-bytes") });
  });

  it("ends: following it, what is loaded never exceeds the budget, and a person's models stay", () => {
    const part = fc.record({ megabytes: fc.integer({ min: 1, max: 400 }), usedNs: fc.option(fc.nat(1000)) });
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.integer({ min: 1, max: 900 }),
        fc.integer({ min: 1, max: 1500 }),
        (parts, need, budget) => {
          let holdings = parts.map(({ megabytes, usedNs }, index) =>
            served(`m${index}`, megabytes, usedNs ?? undefined),
          );
          const people = holdings.filter(({ evictable }) => evictable === undefined).length;
          for (let step = 0; step <= parts.length; step++) {
            const decision = decideMemory(question({ holdings, needBytes: need * MB, budgetBytes: budget * MB }));
            if (decision.kind === "evict") {
              holdings = holdings.filter(({ name }) => name !== decision.model);
              continue;
            }
            const held = holdings.reduce((total, { bytes }) => total + bytes, 0);
            if (decision.kind === "fits") expect(held + need * MB).toBeLessThanOrEqual(budget * MB);
            else expect(held + need * MB).toBeGreaterThan(budget * MB);
            expect(holdings.filter(({ evictable }) => evictable === undefined)).toHaveLength(people);
            return;
          }
          expect.unreachable("it went on unloading");
        },
      ),
    );
  });
});

describe("estimatedBytes()", () => {
  it("is one and a half times the files, and a runner", () => {
    expect(estimatedBytes(100 * MB)).toBe(246 * MB);
  });
});
