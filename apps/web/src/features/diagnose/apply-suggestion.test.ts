import { describe, expect, it } from "vitest";
import { withEdits } from "./apply-suggestion.ts";

describe("withEdits()", () => {
  it("sets a field and keeps comments and layout", () => {
    const text = "# held back on purpose?\ndynamic_batching {\n  max_queue_delay_microseconds: 50000  # long\n}\n";
    expect(withEdits(text, [{ path: "dynamic_batching.max_queue_delay_microseconds", value: 200 }])).toBe(
      "# held back on purpose?\ndynamic_batching {\n  max_queue_delay_microseconds: 200  # long\n}\n",
    );
  });

  it("makes what is not there yet", () => {
    const batching = withEdits("max_batch_size: 8\n", [
      { path: "dynamic_batching.max_queue_delay_microseconds", value: 500 },
    ]);
    expect(batching).toMatch(/dynamic_batching\s*\{\s*max_queue_delay_microseconds: 500\s*\}/);
    const group = withEdits("max_batch_size: 8\n", [{ path: "instance_group[0].count", value: 3 }]);
    expect(group).toMatch(/instance_group\s*\[?\s*\{\s*count: 3\s*\}\s*\]?/);
  });

  it("changes the first of several instance groups", () => {
    const text = "instance_group [ { count: 2 kind: KIND_CPU }, { count: 1 kind: KIND_GPU } ]\n";
    expect(withEdits(text, [{ path: "instance_group[0].count", value: 3 }])).toBe(
      "instance_group [ { count: 3 kind: KIND_CPU }, { count: 1 kind: KIND_GPU } ]\n",
    );
  });

  it("takes a field away", () => {
    expect(withEdits('name: "m"\nmax_batch_size: 8\n', [{ path: "max_batch_size", value: null }])).toBe('name: "m"\n');
  });
});
