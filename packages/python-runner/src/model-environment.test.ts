import { describe, expect, it } from "vitest";
import { modelEnvironment } from "./model-environment.ts";

const SERVER = { HOME: "/home/a", LANG: undefined, SECRET: "s", HF_HOME: "/hf" };

describe("variables of a Python model's process", () => {
  it("are few, unless more are passed on", () => {
    expect(modelEnvironment(SERVER, [])).toEqual({ HOME: "/home/a" });
    expect(modelEnvironment(SERVER, ["HF_HOME", "ABSENT"])).toEqual({ HOME: "/home/a", HF_HOME: "/hf" });
    expect(modelEnvironment(SERVER, ["*"])).toEqual({ HOME: "/home/a", SECRET: "s", HF_HOME: "/hf" });
  });
});
