import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DesiredState, modelsToLoad, splitOf } from "./desired-state.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "nereid-desired-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const file = () => join(directory, "desired-models.json");

describe("DesiredState", () => {
  it("remembers over a restart how traffic is divided, until it is not, or the model is gone", async () => {
    const first = new DesiredState(directory);
    const split = { weights: { "1": 90, "2": 10 }, stickyHeader: "x-user" };
    expect(await first.divided("a", split)).toBeUndefined();
    await first.divided("b", { weights: { "3": 1 } });
    await first.divided("c", { weights: { "1": 1 } });
    await first.loaded("a");
    await first.divided("c", null);
    const second = new DesiredState(directory);
    expect(second.traffic).toEqual(
      new Map([
        [
          "a",
          {
            weights: new Map([
              ["1", 90],
              ["2", 10],
            ]),
            stickyHeader: "x-user",
          },
        ],
        ["b", { weights: new Map([["3", 1]]) }],
      ]),
    );
    await second.forgotten("a");
    expect([...new DesiredState(directory).traffic.keys()]).toEqual(["b"]);
    expect(JSON.parse(readFileSync(file(), "utf8"))).toMatchObject({ version: 1, loaded: [], unloaded: [] });
  });

  it("passes over what no traffic can be, and reads a journal that knew none", () => {
    const traffic = {
      good: { weights: { "1": 1 } },
      zero: { weights: { "1": 0 } },
      half: { weights: { "1": 0.5 } },
      named: { weights: { latest: 1 } },
      header: { weights: { "1": 1 }, stickyHeader: 7 },
      nothing: null,
      list: { weights: [] },
    };
    writeFileSync(file(), JSON.stringify({ version: 1, loaded: ["m"], traffic }));
    const state = new DesiredState(directory);
    expect([...state.traffic.keys()]).toEqual(["good"]);
    writeFileSync(file(), JSON.stringify({ version: 1, loaded: ["m"], unloaded: [], pins: {} }));
    const old = new DesiredState(directory);
    expect([old.traffic.size, modelsToLoad([], old.models)]).toEqual([0, ["m"]]);
  });

  it("is in effect, and says so, when it cannot be written", async () => {
    const state = new DesiredState(directory);
    rmSync(directory, { recursive: true });
    expect(await state.divided("a", { weights: { "1": 1 } })).toMatch(/could not be remembered/);
    expect(state.traffic.get("a")).toEqual(splitOf({ weights: { "1": 1 } }));
    directory = mkdtempSync(join(tmpdir(), "nereid-desired-"));
  });
});
