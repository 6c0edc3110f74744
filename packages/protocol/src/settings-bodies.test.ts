import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLogSettingsBody, parseTraceSettingsBody } from "./index.ts";

const bytes = (body: unknown) => Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
const log = (body: unknown) => parseLogSettingsBody(bytes(body));
const trace = (body: unknown) => parseTraceSettingsBody(bytes(body));

/** Code and text of what is thrown. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Error && "code" in error) return `${String(error.code)} ${error.message}`;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("parseLogSettingsBody()", () => {
  it("gives what is there, and passes over null and other names", () => {
    expect(log({})).toEqual({});
    expect(log({ log_info: null, log_file: null, log_verbose_level: null, other: { log_info: true } })).toEqual({});
    expect(
      log({ log_info: false, log_warning: true, log_error: false, log_verbose_level: 3, log_format: "ISO8601" }),
    ).toEqual({ logInfo: false, logWarning: true, logError: false, logVerboseLevel: 3, logFormat: "ISO8601" });
    expect(log({ log_verbose_level: 2 ** 40 })).toEqual({ logVerboseLevel: 2 ** 31 - 1 });
  });

  it.each([
    [{ log_file: "/etc/x" }, "UNSUPPORTED log file location can not be updated through network protocol"],
    [{ log_info: 1 }, "INTERNAL attempt to access JSON non-boolean as boolean"],
    [{ log_error: "true" }, "INTERNAL attempt to access JSON non-boolean as boolean"],
    [{ log_verbose_level: -1 }, "INTERNAL attempt to access JSON non-unsigned-integer as unsigned-integer"],
    [{ log_verbose_level: 1.5 }, "INTERNAL attempt to access JSON non-unsigned-integer as unsigned-integer"],
    [{ log_verbose_level: true }, "INTERNAL attempt to access JSON non-unsigned-integer as unsigned-integer"],
    [{ log_format: 1 }, "INTERNAL attempt to access JSON non-string as string"],
    [{ log_format: "xml" }, "UNAVAILABLE invalid argument for --log_format, got: xml"],
    ["", "INTERNAL failed to parse the request JSON buffer: The document is empty. at 0"],
    ["{", "INTERNAL failed to parse the request JSON buffer"],
    ["[]", "INTERNAL Unable to parse 'settings': attempt to access JSON non-object as object"],
  ])("refuses %j", (body, text) => {
    expect(refusal(() => log(body))).toContain(text);
  });
});

describe("parseTraceSettingsBody()", () => {
  it("gives lists of texts, empty for null", () => {
    expect([...trace({ trace_level: ["TIMESTAMPS", "TENSORS"], trace_rate: "7", trace_count: null })]).toEqual([
      ["trace_level", ["TIMESTAMPS", "TENSORS"]],
      ["trace_rate", ["7"]],
      ["trace_count", []],
    ]);
    expect([...trace({ trace_level: null, log_frequency: "" })]).toEqual([
      ["trace_level", []],
      ["log_frequency", [""]],
    ]);
    expect([...trace({ trace_level: [], trace_mode: "opentelemetry", url: 5 })]).toEqual([]);
  });

  it.each([
    [{ trace_file: "/x" }, "UNSUPPORTED trace file location can not be updated through network protocol"],
    [{ trace_file: null }, "UNSUPPORTED trace file location can not be updated through network protocol"],
    [{ trace_level: "OFF" }, "INTERNAL attempt to access JSON non-array as array"],
    [{ trace_level: [1] }, "INTERNAL attempt to access JSON non-string as string"],
    [{ trace_level: [["OFF"]] }, "INTERNAL attempt to access JSON non-string as string"],
    [{ trace_rate: 5 }, "INTERNAL attempt to access JSON non-string as string"],
    ["", "INTERNAL failed to parse the request JSON buffer"],
  ])("refuses %j", (body, text) => {
    expect(refusal(() => trace(body))).toContain(text);
  });
});

describe("both", () => {
  it("answer or refuse whatever the body is, and never fail otherwise", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.constant('{"log_info":[[[]]]}')), (body) => {
        for (const parse of [log, trace]) {
          try {
            expect(parse(body)).toBeDefined();
          } catch (error) {
            expect(error).toHaveProperty("code");
          }
        }
      }),
    );
  });
});
