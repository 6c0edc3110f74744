import { describe, expect, it } from "vitest";
import { environmentPath } from "./execution-environment.ts";

describe("EXECUTION_ENV_PATH", () => {
  it.each([
    ["/opt/env", "/opt/env"],
    ["$$TRITON_MODEL_DIRECTORY/env.tar.gz", "/models/a/env.tar.gz"],
    ["$$TRITON_MODEL_DIRECTORY", "/models/a"],
  ])("%s is %s", (value, path) => {
    expect(environmentPath(value, "/models/a")).toBe(path);
  });

  it.each(["env", "./env", "/opt/$$TRITON_MODEL_DIRECTORY/env"])("%s is refused", (value) => {
    expect(() => environmentPath(value, "/models/a")).toThrow("EXECUTION_ENV_PATH");
  });
});
