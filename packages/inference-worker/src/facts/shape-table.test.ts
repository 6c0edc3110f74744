import { describe, expect, it } from "vitest";
import { ShapeTable } from "./shape-table.ts";

const inputsOf = (length: number) => () => [{ name: "x", shape: [length] }];

describe("ShapeTable", () => {
  it("counts requests, times and lone batches by shape, the most frequent first", () => {
    const table = new ShapeTable();
    for (let at = 1; at <= 3; at += 1)
      table.record("16", { totalNs: at * 1e6, atMs: at, alone: at === 1 }, inputsOf(16));
    table.record("32", { totalNs: 9e6, atMs: 4, alone: true }, inputsOf(32));
    table.recordCutShort("16");
    table.recordCutShort("never seen");
    const { rows, otherRequests, otherShapes } = table.report();
    expect(rows.map(({ inputs, count, alone, cutShort }) => [inputs[0]?.shape, count, alone, cutShort])).toEqual([
      [[16], 3, 1, 1],
      [[32], 1, 1, 0],
    ]);
    expect(rows[0]).toMatchObject({ meanNs: 2e6, firstSeenMs: 1, lastSeenMs: 3 });
    expect(rows[0]?.p99Ns).toBeGreaterThan(2.9e6);
    expect(rows[0]?.p99Ns).toBeLessThan(3.2e6);
    expect([otherRequests, otherShapes]).toEqual([0, 0]);
  });

  it("stays bounded under endless new shapes, keeps the frequent ones and counts every request", () => {
    const table = new ShapeTable();
    const seen = (key: string, length: number) =>
      table.record(key, { totalNs: 1, atMs: 0, alone: false }, inputsOf(length));
    for (let length = 1; length <= 5000; length += 1) {
      seen("often", 0);
      seen(String(length), length);
    }
    const { rows, otherRequests, otherShapes } = table.report();
    expect(rows).toHaveLength(200);
    expect(rows[0]).toMatchObject({ inputs: [{ name: "x", shape: [0] }], count: 5000 });
    expect(rows.reduce((sum, { count }) => sum + count, otherRequests)).toBe(10_000);
    expect(rows.length + otherShapes).toBe(5001);
  });
});
