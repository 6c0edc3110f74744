import { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GivenFlags } from "../options/given-flags.ts";
import { parseTraceOptions } from "../options/trace-options.ts";
import { TraceSettings } from "./trace-settings.ts";

const MODELS = ["a", "b"];

function settings(...config: string[]) {
  const args = ["triton,file=/t.json", ...config].map((text) => `--trace-config=${text}`);
  return new TraceSettings(parseTraceOptions(new GivenFlags(args)), { knows: (model) => MODELS.includes(model) });
}

const change = (values: Readonly<Record<string, readonly string[]>>) => new Map(Object.entries(values));
const value = (of: TraceSettings, name: string, model?: string) => of.view(model).get(name)?.join(",");

function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    const { code, message } = NereidError.from(error);
    return `${code} ${message}`;
  }
  throw new Error("nothing was thrown");
}

describe("TraceSettings", () => {
  it("shows the settings of Triton's mode in its order", () => {
    expect([...settings().view()]).toEqual([
      ["trace_level", ["OFF"]],
      ["trace_rate", ["1000"]],
      ["trace_count", ["-1"]],
      ["log_frequency", ["0"]],
      ["trace_file", ["/t.json"]],
      ["trace_mode", ["triton"]],
    ]);
  });

  it("shows those of OpenTelemetry's mode", () => {
    const of = settings("mode=opentelemetry", "opentelemetry,resource=a=b", "opentelemetry,bsp_max_queue_size=9");
    expect([...of.view()]).toEqual([
      ["trace_level", ["OFF"]],
      ["trace_rate", ["1000"]],
      ["trace_count", ["-1"]],
      ["trace_mode", ["opentelemetry"]],
      ["url", ["http://localhost:4318/v1/traces"]],
      ["resource", ["a=b"]],
      ["bsp_max_queue_size", ["9"]],
      ["bsp_schedule_delay", ["5000"]],
      ["bsp_max_export_batch_size", ["512"]],
    ]);
  });

  it("lets a model follow the server in what it did not set itself", () => {
    const of = settings();
    of.update("a", change({ trace_rate: ["5"] }));
    expect([value(of, "trace_rate", "a"), value(of, "trace_rate", "b"), value(of, "trace_rate")]).toEqual([
      "5",
      "1000",
      "1000",
    ]);
    of.update(undefined, change({ trace_rate: ["7"], trace_level: ["TIMESTAMPS"], log_frequency: ["3"] }));
    expect([value(of, "trace_rate", "a"), value(of, "trace_level", "a"), value(of, "log_frequency", "a")]).toEqual([
      "5",
      "TIMESTAMPS",
      "3",
    ]);
    of.update("a", change({ trace_rate: [] }));
    expect(value(of, "trace_rate", "a")).toBe("7");
    of.update(undefined, change({ trace_rate: [], trace_level: [] }));
    expect([value(of, "trace_rate", "a"), value(of, "trace_level", "a")]).toEqual(["1000", "OFF"]);
  });

  it("falls back to what the server was started with when its own setting is cleared", () => {
    const of = settings("rate=4", "level=TENSORS");
    of.update(undefined, change({ trace_rate: ["9"], trace_level: ["OFF"] }));
    expect([value(of, "trace_rate"), value(of, "trace_level")]).toEqual(["9", "OFF"]);
    of.update(undefined, change({ trace_rate: [], trace_level: [] }));
    expect([value(of, "trace_rate"), value(of, "trace_level")]).toEqual(["4", "TENSORS"]);
  });

  it.each([
    [{ trace_file: ["/x"] }, "UNSUPPORTED trace file location can not be updated through network protocol"],
    [{ trace_level: ["OFF", "TENSORS"] }, "INVALID_ARGUMENT Expect only one trace level 'OFF' is specified"],
    [{ trace_level: ["LOUD"] }, "INVALID_ARGUMENT Unable to parse 'trace_level'"],
    [{ trace_rate: ["x"] }, "INVALID_ARGUMENT Unable to parse 'trace_rate', got: x"],
    [{ trace_rate: [""] }, "INVALID_ARGUMENT Unable to parse 'trace_rate', got: "],
    [
      { trace_rate: ["4294967296"] },
      "INVALID_ARGUMENT Unable to parse 'trace_rate', value is out of range [ 0, 4294967295 ], got: 4294967296",
    ],
    [{ trace_count: ["-2"] }, "INVALID_ARGUMENT Unable to parse 'trace_count'. Expecting value >= -1, got:-2"],
    [
      { trace_count: ["2147483648"] },
      "INVALID_ARGUMENT Unable to parse 'trace_count', value is out of range [ -1, 2147483647 ], got: 2147483648",
    ],
    [{ log_frequency: ["1.5"] }, "INVALID_ARGUMENT Unable to parse 'log_frequency', got: 1.5"],
    [{ trace_rate: ["1", "2"] }, "INVALID_ARGUMENT expect only 1 value for 'trace_rate'"],
    [
      { trace_level: ["TIMESTAMPS"], trace_rate: ["0"] },
      "INVALID_ARGUMENT Attempting to set invalid trace setting :sample rate must be non-zero",
    ],
  ])("refuses %j and changes nothing", (values, text) => {
    const of = settings();
    const before = [...of.view()];
    expect(refusal(() => of.update(undefined, change({ trace_count: ["5"], ...values })))).toContain(text);
    expect([...of.view()]).toEqual(before);
  });

  it("passes over names that are none", () => {
    const of = settings();
    expect([...of.update(undefined, change({ trace_mode: ["opentelemetry"], url: ["x"] }))]).toEqual([...of.view()]);
  });

  it("does not know models that are not served", () => {
    const of = settings();
    const text = "NOT_FOUND Request for unknown model: 'c' is not found";
    expect(refusal(() => of.view("c"))).toBe(text);
    expect(refusal(() => of.update("c", change({ trace_rate: ["1"] })))).toBe(text);
  });

  it("refuses a level where no trace could be written", () => {
    const of = new TraceSettings(parseTraceOptions(new GivenFlags([])));
    const refused = refusal(() => of.update(undefined, change({ trace_level: ["TIMESTAMPS"] })));
    expect(refused).toContain("Attempting to set invalid trace setting :trace file name is not given");
    expect(of.active).toBe(false);
  });

  it("is active exactly while something is traced", () => {
    const of = settings();
    expect(of.active).toBe(false);
    of.update("a", change({ trace_level: ["TIMESTAMPS"] }));
    expect(of.active).toBe(true);
    of.update("a", change({ trace_level: [] }));
    expect(of.active).toBe(false);
  });

  it("answers what was changed, whatever is changed in which order", () => {
    const field = fc.oneof(
      fc.record({ name: fc.constant("trace_rate"), value: fc.integer({ min: 1, max: 99 }).map(String) }),
      fc.record({ name: fc.constant("trace_count"), value: fc.integer({ min: -1, max: 99 }).map(String) }),
      fc.record({ name: fc.constant("log_frequency"), value: fc.integer({ min: 0, max: 99 }).map(String) }),
      fc.record({ name: fc.constant("trace_level"), value: fc.constantFrom("OFF", "TIMESTAMPS", "TENSORS") }),
    );
    const step = fc.record({ model: fc.constantFrom(undefined, "a"), field, clear: fc.boolean() });
    const start: Readonly<Record<string, string>> = {
      trace_rate: "1000",
      trace_count: "-1",
      log_frequency: "0",
      trace_level: "OFF",
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const of = settings();
        // The rule itself, without any of the machinery: own value, else the level above, else what was at the start.
        const own: Record<"server" | "a", Record<string, string>> = { server: {}, a: {} };
        for (const { model, field: asked, clear } of steps) {
          of.update(model, change({ [asked.name]: clear ? [] : [asked.value] }));
          const level = own[model ?? "server"];
          if (clear) delete level[asked.name];
          else level[asked.name] = asked.value;
        }
        for (const name of Object.keys(start)) {
          expect(value(of, name)).toBe(own.server[name] ?? start[name]);
          expect(value(of, name, "a")).toBe(own.a[name] ?? own.server[name] ?? start[name]);
        }
      }),
    );
  });
});

describe("TraceSettings.sample()", () => {
  const hits = (of: TraceSettings, requests: number, model = "a") =>
    Array.from({ length: requests }, () => of.sample(model, false) !== undefined);

  it("takes every n-th request", () => {
    expect(hits(settings("level=TIMESTAMPS", "rate=3"), 7)).toEqual([false, false, true, false, false, true, false]);
  });

  it("ends when the count is used up, and shows what is left", () => {
    const of = settings("level=TIMESTAMPS", "rate=1", "count=2");
    expect(hits(of, 4)).toEqual([true, true, false, false]);
    expect(value(of, "trace_count")).toBe("0");
    of.update(undefined, change({ trace_count: ["1"] }));
    expect(hits(of, 2)).toEqual([true, false]);
  });

  it("counts a model with a setting of its own apart", () => {
    const of = settings("level=TIMESTAMPS", "rate=2");
    of.update("a", change({ trace_count: ["1"] }));
    expect(hits(of, 4, "b")).toEqual([false, true, false, true]);
    expect(hits(of, 4, "a")).toEqual([false, true, false, false]);
    expect(value(of, "trace_count", "b")).toBe("-1");
  });

  it("takes a request whose caller records it, beyond rate and count, but not while it is off", () => {
    const of = settings("mode=opentelemetry", "level=TIMESTAMPS", "rate=0");
    expect(hits(of, 3)).toEqual([false, false, false]);
    expect(of.sample("a", true)).toBeDefined();
    of.update(undefined, change({ trace_level: ["OFF"] }));
    expect(of.sample("a", true)).toBeUndefined();
  });
});
