import { describe, expect, it } from "vitest";
import { Circuit } from "./circuit.ts";

function world() {
  const clock = { ms: 0 };
  const circuit = new Circuit({ failures: 2, pauseMs: 100, longestPauseMs: 300, nowMs: () => clock.ms });
  return { clock, circuit };
}

describe("Circuit", () => {
  it("opens after failures in a row, and only then", () => {
    const { circuit } = world();
    circuit.failed();
    circuit.succeeded();
    circuit.failed();
    expect(circuit.allows()).toBe(true);
    circuit.failed();
    expect([circuit.allows(), circuit.closed]).toEqual([false, false]);
  });

  it("lets one through when the pause is over; it closes when that goes well", () => {
    const { circuit, clock } = world();
    circuit.failed();
    circuit.failed();
    clock.ms = 99;
    expect(circuit.allows()).toBe(false);
    clock.ms = 100;
    expect([circuit.allows(), circuit.allows()]).toEqual([true, false]);
    circuit.succeeded();
    expect([circuit.allows(), circuit.closed]).toEqual([true, true]);
  });

  it("pauses twice as long each time the service is still away, up to a limit", () => {
    const { circuit, clock } = world();
    circuit.failed();
    circuit.failed();
    const pauses = [100, 200, 300, 300].map((expected) => {
      const openedMs = clock.ms;
      clock.ms = openedMs + expected - 1;
      const early = circuit.allows();
      clock.ms += 1;
      const due = circuit.allows();
      circuit.failed();
      return [early, due];
    });
    expect(pauses).toEqual(Array(4).fill([false, true]));
  });

  it("does not pause longer because of answers that were under way when it opened", () => {
    const { circuit, clock } = world();
    for (let index = 0; index < 10; index++) circuit.failed();
    clock.ms = 100;
    expect(circuit.allows()).toBe(true);
  });
});
