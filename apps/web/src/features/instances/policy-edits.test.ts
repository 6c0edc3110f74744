import { describe, expect, it } from "vitest";
import { editPolicy, readPolicy } from "./policy-edits.ts";

const TEXT = `# mine
max_batch_size: 8
instance_group [ { count: 2 kind: KIND_CPU } ]
dynamic_batching {
  preferred_batch_size: [ 4, 8 ]
  max_queue_delay_microseconds: 500
}
`;

const HAVE = { count: "2", delay: "500", preferred: "4, 8", maxQueue: "", timeout: "", levelTimeouts: [] };

describe("the policy form", () => {
  it("reads what a configuration says, and nothing of one with mistakes", () => {
    expect(readPolicy(TEXT)).toEqual(HAVE);
    expect(readPolicy("max_batch_size: 8")).toMatchObject({ count: "", delay: "" });
    expect(readPolicy("max_batch_size: oops")).toBeNull();
  });

  it("changes what was changed and leaves comments and the rest alone", () => {
    expect(editPolicy(TEXT, HAVE)).toEqual({ kind: "same" });
    const edit = editPolicy(TEXT, {
      count: "3",
      delay: "0",
      preferred: "8",
      maxQueue: "100",
      timeout: "2000",
      levelTimeouts: [],
    });
    if (edit.kind !== "text") throw new Error(edit.kind);
    expect(edit.text).toContain("# mine");
    expect(readPolicy(edit.text)).toEqual({
      count: "3",
      delay: "",
      preferred: "8",
      maxQueue: "100",
      timeout: "2000",
      levelTimeouts: [],
    });
  });

  it("adds groups and a batcher where there are none", () => {
    const edit = editPolicy("max_batch_size: 8\n", {
      count: "2",
      delay: "100",
      preferred: "",
      maxQueue: "",
      timeout: "",
      levelTimeouts: [],
    });
    if (edit.kind !== "text") throw new Error(edit.kind);
    expect(readPolicy(edit.text)).toMatchObject({ count: "2", delay: "100" });
  });

  it("has a time-out for each priority level, with and without a policy of its own", () => {
    const levels = `max_batch_size: 4
dynamic_batching {
  priority_levels: 2
  default_priority_level: 1
  priority_queue_policy { key: 2 value { max_queue_size: 5 default_timeout_microseconds: 700 } }
}
`;
    const have = readPolicy(levels);
    expect(have?.levelTimeouts).toEqual(["", "700"]);
    if (have === null) return;
    const edit = editPolicy(levels, { ...have, levelTimeouts: ["900", ""] });
    if (edit.kind !== "text") throw new Error(JSON.stringify(edit));
    expect(readPolicy(edit.text)?.levelTimeouts).toEqual(["900", ""]);
    expect(edit.text).toContain("max_queue_size: 5");
    expect(editPolicy(levels, { ...have, levelTimeouts: ["x", "700"] })).toMatchObject({ kind: "wrong", field: 1 });
  });

  it.each([
    ["count", "0"],
    ["count", "9999"],
    ["count", ""],
    ["delay", "-1"],
    ["preferred", "4; 8"],
    ["maxQueue", "many"],
  ] as const)("refuses %s of %j at its field", (field, value) => {
    expect(editPolicy(TEXT, { ...HAVE, [field]: value })).toMatchObject({ kind: "wrong", field });
  });
});
