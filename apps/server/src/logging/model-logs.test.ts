import { describe, expect, it } from "vitest";
import { type ModelLogLine, ModelLogs } from "./model-logs.ts";

function logs(limits: { maxLines?: number; maxBytes?: number } = {}) {
  const clock = { ms: 1_000_000 };
  return { clock, book: new ModelLogs({ nowMs: () => clock.ms, ...limits }) };
}

const texts = (lines: readonly ModelLogLine[]) => lines.map(({ text }) => text);

describe("ModelLogs", () => {
  it("finds by model, version, level, text and time, and goes on from a cursor", () => {
    const { book, clock } = logs();
    book.add({ model: "a", version: "1", level: "info", source: "runner", text: "Hello" });
    clock.ms += 1000;
    book.add({ model: "a", version: "2", level: "error", source: "request", requestId: "r-7", text: "queue full" });
    book.add({ model: "b", level: "warn", source: "model", text: "unloaded" });
    expect(texts(book.after(0))).toEqual(["Hello", "queue full", "unloaded"]);
    expect(texts(book.after(0, { model: "a", version: "1" }))).toEqual(["Hello"]);
    expect(texts(book.after(0, { level: "warn" }))).toEqual(["queue full", "unloaded"]);
    expect(texts(book.after(0, { q: "HELLO" }))).toEqual(["Hello"]);
    expect(texts(book.after(0, { q: "R-7" }))).toEqual(["queue full"]);
    expect(texts(book.after(0, { sinceMs: clock.ms }))).toEqual(["queue full", "unloaded"]);
    expect(texts(book.after(0, {}, 1))).toEqual(["unloaded"]);
    const [first] = book.after(0);
    expect(texts(book.after(first?.id ?? 0))).toEqual(["queue full", "unloaded"]);
  });

  it("gives up the lines of the model that says most, and says that there is a gap", () => {
    const { book, clock } = logs({ maxLines: 50 });
    const start = book.last;
    book.add({ model: "quiet", level: "error", source: "model", text: "once" });
    for (let at = 0; at < 300; at += 1) {
      clock.ms += 1000;
      book.add({ model: "loud", level: "info", source: "runner", text: `line ${at}` });
    }
    expect(texts(book.after(0, { model: "quiet" }))).toEqual(["once"]);
    expect(book.after(0)).toHaveLength(50);
    expect(book.isGap(start)).toBe(true);
    expect(book.isGap(book.last)).toBe(false);
    expect(texts(book.after(0, { model: "loud" }, 1))).toEqual(["line 299"]);
  });

  it("stays within its bytes", () => {
    const { book, clock } = logs({ maxBytes: 100_000 });
    for (let at = 0; at < 500; at += 1) {
      clock.ms += 1000;
      book.add({ model: `m${at % 3}`, level: "info", source: "runner", text: "y".repeat(1500) });
    }
    const bytes = book.after(0).reduce((sum, { text }) => sum + 2 * text.length, 0);
    expect(bytes).toBeLessThan(100_000);
    expect(bytes).toBeGreaterThan(80_000);
  });

  it("keeps few of many alike lines and says how many were left out", () => {
    const { book, clock } = logs();
    for (let at = 0; at < 25; at += 1) book.add({ model: "m", level: "warn", source: "request", text: `failed ${at}` });
    expect(book.after(0)).toHaveLength(10);
    clock.ms += 1000;
    book.add({ model: "m", level: "error", source: "request", text: "failed again" });
    expect(texts(book.after(0)).slice(-2)).toEqual(["15 lines like the next one were left out", "failed again"]);
  });

  it("tells those who follow, until they stop", () => {
    const { book } = logs();
    const seen: string[] = [];
    const stop = book.subscribe(({ text }) => seen.push(text));
    book.add({ model: "m", level: "info", source: "runner", text: "one\u0000" });
    stop();
    book.add({ model: "m", level: "info", source: "runner", text: "two" });
    expect(seen).toEqual(["one\\x00"]);
  });
});
