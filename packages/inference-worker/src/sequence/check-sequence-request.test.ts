import { describe, expect, it } from "vitest";
import type { SequencePlace } from "../request/valid-request.ts";
import { checkSequenceRequest } from "./check-sequence-request.ts";
import { policyOf, requestOf, tensorOf } from "./testing/sequence-world.ts";

const NO_ID = "inference request to model 'm' must specify a non-zero or non-empty correlation ID";

function check(id: SequencePlace["id"] | undefined, fields: object = {}, policy = policyOf()): void {
  const sequence = id === undefined ? undefined : { id, start: true, end: false };
  checkSequenceRequest(requestOf({ id: "r", sequence, ...fields }), policy, "m");
}

function withCorrid(datatype: "UINT64" | "INT32" | "BYTES") {
  return policyOf({ controls: [{ kind: "corrid", tensor: tensorOf("ID", datatype, [1]), shape: [1, 1] }] });
}

describe("checkSequenceRequest()", () => {
  it.each([0n, "", undefined])("refuses the id %s", (id) => {
    expect(() => check(id)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message: NO_ID }));
  });

  it.each([0, 2])("refuses batch size %i", (batchSize) => {
    const message = "inference request to model 'm' must specify batch-size 1 due to requirements of sequence batcher";
    expect(() => check(1n, { batchSize })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT", message }));
  });

  it.each([
    ["a", "INT32", "BYTES", "INT32"],
    [5n, "BYTES", "UINT64", "BYTES"],
  ] as const)("refuses the id %s for a control of type %s", (id, type, given, expected) => {
    expect(() => check(id, {}, withCorrid(type))).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: `[request id: r] sequence batching control 'ID' data-type is '${given}', but model 'm' expects '${expected}'`,
      }),
    );
  });

  it("accepts ids of either kind where no control asks for them", () => {
    expect(() => {
      check(1n);
      check("a");
      check("a", {}, withCorrid("BYTES"));
      check(5n, {}, withCorrid("INT32"));
    }).not.toThrow();
  });

  it("needs no id where the server makes one", () => {
    expect(() => check(undefined, {}, policyOf({ iterative: true }))).not.toThrow();
  });
});
