import { DATATYPES } from "@nereid/protocol";
import { describe, expect, it } from "vitest";
import { datatypeFromConfig, datatypeToConfig } from "./datatype.ts";
import { DataType } from "./gen/model_config_pb.ts";
import { dimsOf, schedulerKind } from "./helpers.ts";
import { notHonoured } from "./honoured.ts";
import { read } from "./testing/check.ts";
import { parseModelConfig } from "./text/parse-model-config.ts";

function paths(text: string, ...honoured: string[]): string[] {
  return notHonoured(read(text), new Set(honoured)).map((diagnostic) => diagnostic.path ?? "");
}

describe("notHonoured()", () => {
  const text =
    'name: "m" optimization { cuda { graphs: true busy_wait_events: true } priority: PRIORITY_MAX } response_cache { enable: true }';

  it("reports the highest path nothing below of which is honoured", () => {
    expect(paths(text)).toEqual(["name", "optimization", "response_cache"]);
    expect(paths(text, "name", "optimization.priority")).toEqual(["optimization.cuda", "response_cache"]);
    expect(paths(text, "name", "optimization.cuda.graphs", "response_cache")).toEqual([
      "optimization.priority",
      "optimization.cuda.busy_wait_events",
    ]);
  });

  it("reports a field of a repeated block once and at its first place", () => {
    const groups =
      "instance_group { count: 1 }\ninstance_group { rate_limiter { } }\ninstance_group { rate_limiter { } }";
    const { config, document } = parseModelConfig(groups);
    const found = config === undefined ? [] : notHonoured(config, new Set(["instance_group.count"]), { document });
    expect(found.map(({ path, line, message }) => [path, line, message])).toEqual([
      ["instance_group[1].rate_limiter", 2, "instance_group.rate_limiter is accepted but has no effect on this server"],
    ]);
  });
});

describe("datatypes and helpers", () => {
  it("maps every datatype both ways", () => {
    for (const datatype of DATATYPES) expect(datatypeFromConfig(datatypeToConfig(datatype))).toBe(datatype);
    expect(datatypeToConfig("BYTES")).toBe(DataType.TYPE_STRING);
    expect(datatypeFromConfig(DataType.TYPE_INVALID)).toBeUndefined();
  });

  it("reads dims and scheduler", () => {
    expect(dimsOf({ dims: [-1n, 3n] })).toEqual([-1, 3]);
    const kinds = ["", "dynamic_batching { }", "sequence_batching { }", "ensemble_scheduling { }"];
    expect(kinds.map((kind) => schedulerKind(read(kind)))).toEqual(["default", "dynamic", "sequence", "ensemble"]);
  });
});
