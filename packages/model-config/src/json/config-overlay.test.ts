import { expect, it } from "vitest";
import { parseModelConfig } from "../text/parse-model-config.ts";
import { configOverlay } from "./config-overlay.ts";

function overlay(text: string) {
  const { config } = parseModelConfig(text);
  if (config === undefined) throw new Error("no configuration");
  return configOverlay(config);
}

it("says what the text says, and takes away what it does not say", () => {
  const fields = overlay(
    'name: "m"\nmax_batch_size: 8\ndynamic_batching { }\ninput [ { name: "x" data_type: TYPE_FP32 dims: [ 1 ] } ]\n',
  );
  expect(fields).toMatchObject({
    max_batch_size: 8,
    input: [{ name: "x" }],
    output: null,
    sequence_batching: null,
    instance_group: null,
    backend: null,
  });
  expect(fields["dynamic_batching"]).not.toBeNull();
  expect(fields).not.toHaveProperty("name");
});

it("of an empty text takes everything away", () => {
  const fields = overlay("");
  expect(Object.keys(fields).length).toBeGreaterThan(15);
  for (const [name, value] of Object.entries(fields)) {
    // Maps have no other way to be empty.
    expect(value === null || JSON.stringify(value) === "{}", name).toBe(true);
  }
});
