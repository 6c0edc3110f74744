import { describe, expect, it } from "vitest";
import type { Segment } from "./segment.ts";
import { SegmentRegistry } from "./segment-registry.ts";

function segmentOf(path: string, byteLength: number): Segment {
  return { path, byteLength, buffer: new ArrayBuffer(byteLength), close: () => undefined };
}

describe("SegmentRegistry", () => {
  it("finds where bytes lie in any live segment, and nothing else", () => {
    const registry = new SegmentRegistry();
    const [one, two] = [segmentOf("/one", 64), segmentOf("/two", 128)];
    const ids = [registry.nextId(), registry.nextId()] as const;
    registry.add(ids[0], one);
    registry.add(ids[1], two);
    expect(ids[0]).not.toBe(ids[1]);
    expect(registry.locate(new Uint8Array(two.buffer, 64, 8))).toEqual({ segment: ids[1], offset: 64 });
    expect(registry.locate(new Uint8Array(8))).toBeUndefined();
    expect(registry.describe(ids[0])).toEqual({ id: ids[0], path: "/one", byteLength: 64 });
    registry.remove(ids[0]);
    expect(registry.locate(new Uint8Array(one.buffer))).toBeUndefined();
    expect(registry.describe(ids[0])).toBeUndefined();
    expect(registry.nextId()).toBeGreaterThan(ids[1]);
  });

  it("tells its subscribers once of a segment that goes, until they leave", () => {
    const registry = new SegmentRegistry();
    const dropped: number[] = [];
    const leave = registry.subscribe((id) => dropped.push(id));
    for (const id of [1, 2]) registry.add(id, segmentOf(`/${id}`, 8));
    registry.remove(1);
    registry.remove(1);
    leave();
    registry.remove(2);
    expect(dropped).toEqual([1]);
  });

  it("closes a segment with the last pin on it, and nobody new finds it meanwhile", () => {
    const registry = new SegmentRegistry();
    let closed = 0;
    const segment = { ...segmentOf("/one", 64), close: () => void closed++ };
    registry.add(1, segment);
    const [first, second] = [registry.pin(1), registry.pin(1)];
    expect(first?.buffer).toBe(segment.buffer);
    registry.remove(1);
    expect([closed, registry.pin(1), registry.locate(new Uint8Array(segment.buffer))]).toEqual([
      0,
      undefined,
      undefined,
    ]);
    first?.release();
    first?.release();
    expect(closed).toBe(0);
    second?.release();
    expect(closed).toBe(1);
  });

  it("closes a segment at once that nobody has pinned", () => {
    const registry = new SegmentRegistry();
    let closed = 0;
    registry.add(1, { ...segmentOf("/one", 64), close: () => void closed++ });
    registry.pin(1)?.release();
    registry.remove(1);
    registry.remove(1);
    expect(closed).toBe(1);
  });
});
