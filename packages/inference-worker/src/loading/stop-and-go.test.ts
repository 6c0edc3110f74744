import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stopAndGo } from "./stop-and-go.ts";

let signals: string[];
let serving: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  signals = [];
  serving = true;
});
afterEach(() => vi.useRealTimers());

const start = () => stopAndGo({ isServing: () => serving, signal: (how) => void signals.push(how) });

describe("stopAndGo()", () => {
  it("lets the process run a twentieth of the time while others serve", () => {
    const end = start();
    let ran = 0;
    for (let ms = 0; ms < 2_200; ms++) {
      vi.advanceTimersByTime(1);
      if (ms >= 200 && signals.at(-1) !== "stop") ran += 1;
    }
    expect(ran / 2_000).toBeCloseTo(0.05, 1);
    expect(signals.filter((how) => how === "stop")).toHaveLength(11);
    end();
  });

  it("leaves it alone while nobody does", () => {
    serving = false;
    const end = start();
    vi.advanceTimersByTime(5_000);
    end();
    expect(signals).toEqual([]);
  });

  it("never leaves it stopped: it goes on at the end, once", () => {
    const end = start();
    vi.advanceTimersByTime(250);
    expect(signals).toEqual(["stop"]);
    end();
    end();
    vi.advanceTimersByTime(5_000);
    expect(signals).toEqual(["stop", "go"]);
  });

  it("lets it go on when the others have stopped serving", () => {
    const end = start();
    vi.advanceTimersByTime(250);
    serving = false;
    vi.advanceTimersByTime(1_000);
    expect(signals).toEqual(["stop", "go"]);
    end();
  });
});
