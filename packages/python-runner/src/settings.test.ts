import { describe, expect, it } from "vitest";
import { readPythonSettings } from "./settings.ts";

const read = (settings: Readonly<Record<string, string>>) => readPythonSettings(new Map(Object.entries(settings)));

describe("settings of the backend python", () => {
  it("are none at all by default", () => {
    expect(readPythonSettings()).toEqual({ interpreter: undefined, passEnvironment: [], notices: [] });
  });

  it("name an interpreter and variables", () => {
    const { interpreter, passEnvironment } = read({
      interpreter: "/opt/py/bin/python",
      "pass-environment": "HF_HOME, TOKEN",
    });
    expect(interpreter).toBe("/opt/py/bin/python");
    expect(passEnvironment).toEqual(["HF_HOME", "TOKEN"]);
  });

  it("of Triton's own stub are taken where Triton takes them", () => {
    const settings = {
      "shm-default-byte-size": "1048576",
      "shm-growth-byte-size": "1",
      "stub-timeout-seconds": "30",
      "thread-pool-size": "1",
      "shm-region-prefix-name": "x",
      shm_message_queue_size: "1000",
    };
    expect(read(settings).notices).toEqual([]);
  });

  it.each([
    ["shm-default-byte-size", "1048575", "can't be smaller than 4 MiBs"],
    ["shm-growth-byte-size", "0", "can't be smaller than or equal to zero"],
    ["stub-timeout-seconds", "0", "can't be smaller than or equal to zero"],
    ["stub-timeout-seconds", "-1", "can't be smaller than or equal to zero"],
    ["thread-pool-size", "0", "can't be less than 1"],
    ["thread-pool-size", "many", "must be a whole number"],
    ["shm-region-prefix-name", "", "can't be empty"],
    ["interpreter", "", "names no program"],
    ["pass-environment", "A B", "takes names of variables"],
  ])("%s=%s is refused", (key, value, text) => {
    expect(() => read({ [key]: value })).toThrow(text);
  });

  it("that nobody knows are named, also those with names of JavaScript's own", () => {
    expect(read({ speed: "1", constructor: "1" }).notices).toEqual([
      "python has no setting 'speed'",
      "python has no setting 'constructor'",
    ]);
  });
});
