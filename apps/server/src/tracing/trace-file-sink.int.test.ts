import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GivenFlags } from "../options/given-flags.ts";
import { parseTraceOptions } from "../options/trace-options.ts";
import { TraceSettings } from "./trace-settings.ts";
import { Tracer } from "./tracer.ts";

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nereid-traces-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function tracerWith(...config: string[]) {
  const file = join(directory, "t");
  const args = [`triton,file=${file}`, "level=TIMESTAMPS", "rate=1", ...config].map((text) => `--trace-config=${text}`);
  const options = parseTraceOptions(new GivenFlags(args));
  const settings = new TraceSettings(options);
  const said: string[] = [];
  const tracer = new Tracer({ settings, options, log: (text) => void said.push(text) });
  const one = () => {
    const trace = tracer.begin({ model: "m", version: "1", requestId: "", traceparent: undefined });
    trace?.stamp("REQUEST_START", 1);
    return trace;
  };
  return { tracer, settings, file, said, one };
}

const idsIn = (file: string): number[] => [
  ...new Set((JSON.parse(readFileSync(file, "utf8")) as { id: number }[]).map(({ id }) => id)),
];

describe("trace files", () => {
  it("hold every trace that was accepted, and what did not fit is counted", async () => {
    const { tracer, file, one } = tracerWith();
    for (let at = 0; at < 3000; at += 1) one()?.end();
    await tracer.close();
    const { begun, dropped } = tracer.counts;
    expect(begun).toBe(3000);
    expect(dropped).toBeGreaterThan(0);
    expect(idsIn(file)).toHaveLength(3000 - dropped);
  });

  it("stay few and open ones fewer, however often the settings change", async () => {
    const { tracer, settings, file, one } = tracerWith("count=1");
    const late = one();
    for (let at = 0; at < 30; at += 1) {
      settings.update(undefined, new Map([["trace_count", ["1"]]]));
      one()?.end();
      // The sink has taken it when a later turn of the loop is reached often enough; close() is what waits for it in the end.
      await new Promise((resolve) => setImmediate(resolve));
    }
    late?.end();
    await tracer.close();
    const names = readdirSync(directory);
    expect(names).toHaveLength(31);
    expect(new Set(names.flatMap((name) => idsIn(join(directory, name)))).size).toBe(31);
    expect(names.every((name) => join(directory, name).startsWith(`${file}.`) && !name.endsWith(".new"))).toBe(true);
  });

  it("take a late trace of a setting whose file has been closed meanwhile", async () => {
    const { tracer, settings, file, one } = tracerWith("count=2");
    const first = one();
    const late = one();
    first?.end();
    for (let at = 0; at < 20; at += 1) {
      settings.update(undefined, new Map([["trace_count", ["1"]]]));
      one()?.end();
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
    late?.end();
    await tracer.close();
    expect(idsIn(`${file}.0`)).toEqual([1, 2]);
  });
});
