import { equals, toBinary } from "@bufbuild/protobuf";
import { fromText } from "@bufbuild/protobuf/txtpb";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelConfigSchema } from "../gen/model_config_pb.ts";
import { modelConfigFromJson } from "../json/model-config-from-json.ts";
import { arbitraryConfigText } from "../testing/arbitrary-config.ts";
import { validateModelConfig } from "../validate/validate-model-config.ts";
import { parseModelConfig } from "./parse-model-config.ts";

function errorsOf(text: string): string[] {
  return parseModelConfig(text)
    .diagnostics.filter((diagnostic) => diagnostic.severity === "error")
    .map((diagnostic) => `${diagnostic.line}:${diagnostic.column} ${diagnostic.code}`);
}

describe("parseModelConfig() against the protobuf library", () => {
  it("reads every valid text to the same message", () => {
    fc.assert(
      fc.property(arbitraryConfigText(), (text) => {
        const expected = fromText(ModelConfigSchema, text);
        const { config, diagnostics } = parseModelConfig(text);
        expect(diagnostics.filter((diagnostic) => diagnostic.severity === "error")).toEqual([]);
        expect(config).toBeDefined();
        if (config === undefined) return;
        const same = equals(ModelConfigSchema, config, expected);
        // Equality treats NaN as unequal; the binary form does not.
        if (!same) expect(toBinary(ModelConfigSchema, config)).toEqual(toBinary(ModelConfigSchema, expected));
      }),
      { numRuns: 300 },
    );
  });

  it("refuses whatever the library refuses when one character is changed", () => {
    const change = fc.tuple(arbitraryConfigText(), fc.nat(), fc.constantFrom(...'{}[]<>:,;-"# a1.0x\n'));
    fc.assert(
      fc.property(change, ([text, where, char]) => {
        const at = text.length === 0 ? 0 : where % text.length;
        const changed = text.slice(0, at) + char + text.slice(at + 1);
        let accepted = true;
        try {
          fromText(ModelConfigSchema, changed);
        } catch {
          accepted = false;
        }
        const { config } = parseModelConfig(changed);
        if ((config !== undefined) !== accepted)
          expect({ changed, ours: config !== undefined }).toEqual({ changed, ours: accepted });
      }),
      { numRuns: 1500 },
    );
  });
});

describe("parseModelConfig()", () => {
  it("never throws and always answers positions inside the text", () => {
    const soup = fc.array(
      fc.oneof(
        fc.constantFrom("{", "}", "[", "]", "<", ">", ":", ",", ";", "-", "=", "#", "//", "/*", '"', "'", "\\", "\n"),
        fc.constantFrom("input", "dims", "name", "key", "value", "FP32", "1", "0x", "08", "\u201c", "\u0000", "\ufffd"),
        fc.string({ maxLength: 3, unit: "binary" }),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(soup, (parts) => {
        const text = parts.join(" ");
        for (const diagnostic of parseModelConfig(text).diagnostics) {
          expect(diagnostic.offset).toBeGreaterThanOrEqual(0);
          expect(diagnostic.endOffset).toBeLessThanOrEqual(text.length);
          expect(diagnostic.offset).toBeLessThanOrEqual(diagnostic.endOffset);
          for (const edit of diagnostic.fix?.edits ?? []) expect(edit.endOffset).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(["constructor", "__proto__", "toString"])("is not fooled by the name %s", (name) => {
    const text = `backend: "${name}" platform: "${name}" ${name}: 1 input { data_type: ${name} ${name} { } }
      backend_config { parameters { key: "${name}" } } metric_tags { key: "${name}" value: "x" }
      optimization { execution_accelerators { gpu_execution_accelerator { parameters { key: "${name}" } } } }`;
    expect(parseModelConfig(text).config).toBeUndefined();
    const { config } = parseModelConfig(`name: "m" backend: "${name}" platform: "${name}"`);
    const context = { directoryName: "m", io: "required", gpus: [], cudaBuild: false } as const;
    expect(config === undefined ? undefined : validateModelConfig(config, context)).toEqual([]);
    expect(modelConfigFromJson(`{"${name}": 1}`).config).toBeUndefined();
  });

  it("accepts an empty file and a file of comments", () => {
    expect(parseModelConfig("").config).toBeDefined();
    expect(parseModelConfig("# nothing\n").config).toBeDefined();
  });

  it("keeps the later of two equal map keys", () => {
    const text = 'metric_tags [ { key: "a" value: "1" }, { key: "a" value: "2" } ]';
    expect(parseModelConfig(text).config?.metricTags).toEqual({ a: "2" });
  });

  it("reports several mistakes in one pass, in the order of the text", () => {
    const text = [
      "name: my_model",
      "input [ { dims [ 1 ] data_type: FP32 } ]",
      "nonsense: 1",
      "max_batch_size: 8.0",
    ].join("\n");
    expect(errorsOf(text)).toEqual([
      "1:7 unquoted-string",
      "2:11 missing-colon",
      "2:33 unknown-enum",
      "3:1 unknown-field",
      "4:17 bad-number",
    ]);
  });

  it("counts columns from one and lines across CRLF", () => {
    expect(errorsOf('name: "a"\r\n\r\n  bogus: 1')).toEqual(["3:3 unknown-field"]);
  });

  it("stops at 100 levels without recursion trouble", () => {
    expect(errorsOf("a {".repeat(50_000))).toContain("1:303 too-deep");
    expect(parseModelConfig("a: [".repeat(200_000)).config).toBeUndefined();
  });

  it("refuses a text over the size limit", () => {
    expect(errorsOf(" ".repeat(1024 * 1024 + 1))).toEqual(["1:1 too-large"]);
  });

  it("is linear in the length of the text", () => {
    const time = (text: string) => {
      const start = performance.now();
      parseModelConfig(text);
      return performance.now() - start;
    };
    const garbage = '@ { dims [ "x" , , // y\n';
    expect(time(garbage.repeat(40_000))).toBeLessThan(4_000);
    expect(time(`input { dims: [ ${"1, ".repeat(300_000)}1 ] }`)).toBeLessThan(4_000);
    expect(time(`parameters { key: "a" value { string_value: "${"\\\\".repeat(500_000)}" } }`)).toBeLessThan(4_000);
  });

  it("warns about text that is not UTF-8 and about a byte order mark", () => {
    const { config, diagnostics } = parseModelConfig('\ufeffname: "a\ufffd" # \ufffd');
    expect(config?.name).toBe("a\ufffd");
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([
      "byte-order-mark",
      "invalid-utf8",
      "invalid-utf8",
    ]);
  });
});
