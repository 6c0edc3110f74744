import { expect, it } from "vitest";
import { withFields } from "./with-fields.ts";

const FILE =
  'max_batch_size: 8 # for phones\ninstance_group [ { count: 1 kind: KIND_CPU } ]\ninput [ { name: "x" data_type: TYPE_FP32 dims: [ 1 ] } ]\n';

it("fields are set in the file, and all else stays, comments too", () => {
  const text = withFields(FILE, {
    instance_group: [{ name: "", count: 4, kind: "KIND_CPU", gpus: [], profile: [], rate_limiter: null }],
    dynamic_batching: { max_queue_delay_microseconds: 500, preferred_batch_size: [], preserve_ordering: false },
  });
  expect(text).toContain("max_batch_size: 8 # for phones");
  expect(text).toContain("count: 4");
  expect(text).not.toContain("gpus");
  expect(text).toContain("max_queue_delay_microseconds: 500");
  expect(text).not.toContain("preserve_ordering");
});

it("what is null goes, and a batcher without a word stays one", () => {
  const batched = withFields(FILE, { dynamic_batching: { max_queue_delay_microseconds: 0 } });
  expect(batched).toMatch(/dynamic_batching \{\s*\}/);
  expect(withFields(batched ?? "", { dynamic_batching: null })).not.toContain("dynamic_batching");
});

it("a file that cannot be edited gives none", () => {
  expect(withFields("max_batch_size: {", { max_batch_size: 4 })).toBeNull();
  expect(withFields(FILE, { nonsense: 4 })).toBeNull();
});
