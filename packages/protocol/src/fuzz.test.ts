import { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeInferRequest, decodeInferResponse, matchRoute, parseLoadBody } from "./index.ts";

const SEED = Buffer.from(
  '{"id":"1","parameters":{"sequence_id":5,"x":1.5,"binary_data_output":true},"inputs":[' +
    '{"name":"a","datatype":"FP32","shape":[2,2],"data":[[1,2.5e3],[-0,NaN]]},' +
    '{"name":"b","datatype":"BYTES","shape":[2],"data":["\\ud83d\\ude00\\n","é"]},' +
    '{"name":"c","datatype":"INT64","shape":[1],"data":[-9223372036854775808]},' +
    '{"name":"d","datatype":"UINT8","shape":[3],"parameters":{"binary_data_size":3}}],' +
    '"outputs":[{"name":"o","parameters":{"classification":1,"binary_data":true}}]}\u0001\u0002\u0003',
);
const HEADER_LENGTH = SEED.length - 3;

const edit = fc.record({ at: fc.nat(SEED.length), remove: fc.nat(3), insert: fc.uint8Array({ maxLength: 3 }) });

const mutated = fc.array(edit, { maxLength: 4 }).map((edits) => {
  let body: Uint8Array = SEED;
  for (const { at, remove, insert } of edits) {
    body = Buffer.concat([body.subarray(0, at), insert, body.subarray(at + remove)]);
  }
  return body;
});

const onlyKnownErrors = (call: () => unknown): void => {
  try {
    call();
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(NereidError);
    expect(["INTERNAL", "INVALID_ARGUMENT"]).toContain(NereidError.from(thrown).code);
  }
};

describe("damaged input", () => {
  it("is decoded when it is whole", () => {
    const options = { headerLength: HEADER_LENGTH, modelName: "m", maxInputSize: 4096 };
    expect(decodeInferRequest(SEED, options).inputs).toHaveLength(4);
  });

  it("only ever ends in protocol errors", () => {
    fc.assert(
      fc.property(mutated, fc.option(fc.nat(SEED.length), { nil: undefined }), (body, headerLength) => {
        const options = { headerLength: headerLength ?? HEADER_LENGTH, modelName: "m", maxInputSize: 4096 };
        onlyKnownErrors(() => decodeInferRequest(body, options));
        onlyKnownErrors(() => decodeInferResponse(body, headerLength));
        onlyKnownErrors(() => parseLoadBody(body));
      }),
      { numRuns: 3000 },
    );
  });

  it("of paths never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (path) => {
        expect(() => matchRoute(`/v2/${path}`)).not.toThrow();
      }),
    );
  });
});
