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

const HAVE = { count: "2", delay: "500", preferred: "4, 8", maxQueue: "", timeout: "" };

describe("the policy form", () => {
  it("reads what a configuration says, and nothing of one with mistakes", () => {
    expect(readPolicy(TEXT)).toEqual(HAVE);
    expect(readPolicy("max_batch_size: 8")).toMatchObject({ count: "", delay: "" });
    expect(readPolicy("max_batch_size: oops")).toBeNull();
  });

  it("changes what was changed and leaves comments and the rest alone", () => {
    expect(editPolicy(TEXT, HAVE)).toEqual({ kind: "same" });
    const edit = editPolicy(TEXT, { count: "3", delay: "0", preferred: "8", maxQueue: "100", timeout: "2000" });
    if (edit.kind !== "text") throw new Error(edit.kind);
    expect(edit.text).toContain("# mine");
    expect(readPolicy(edit.text)).toEqual({ count: "3", delay: "", preferred: "8", maxQueue: "100", timeout: "2000" });
  });

  it("adds groups and a batcher where there are none", () => {
    const edit = editPolicy("max_batch_size: 8\n", {
      count: "2",
      delay: "100",
      preferred: "",
      maxQueue: "",
      timeout: "",
    });
    if (edit.kind !== "text") throw new Error(edit.kind);
    expect(readPolicy(edit.text)).toMatchObject({ count: "2", delay: "100" });
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
