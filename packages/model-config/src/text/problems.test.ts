import { expect, it } from "vitest";
import { parseModelConfig } from "../index.ts";

it("explains the first 200 problems of a text and counts the rest (each was explained, for seconds)", () => {
  const { diagnostics } = parseModelConfig("max_batch_siz: 1\n".repeat(20_000));
  expect(diagnostics).toHaveLength(201);
  expect(diagnostics[0]?.message).toContain("did you mean max_batch_size?");
  expect(diagnostics[200]).toMatchObject({ severity: "error", code: "too-many-errors" });
});
