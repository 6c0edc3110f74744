import { mkdirSync, mkdtempSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fingerprintOf } from "./fingerprint.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "nereid-print-"));
  mkdirSync(join(root, "model"));
});
afterEach(() => rmSync(root, { recursive: true }));

const put = (path: string, content: string) => {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), content);
  // The same for all: what is told apart is not told apart by the clock.
  utimesSync(join(root, path), 1, 1);
};

describe("fingerprintOf()", () => {
  it("changes with a file behind a linked directory that is written in place", async () => {
    put("store/model.onnx", "one");
    symlinkSync(join(root, "store"), join(root, "model/1"));
    const before = await fingerprintOf(join(root, "model"));
    put("store/model.onnx", "three");
    expect(await fingerprintOf(join(root, "model"))).not.toBe(before);
  });

  it("changes when a link is pointed to other files of the same size and time", async () => {
    put("old/model.onnx", "one");
    put("new/model.onnx", "two");
    utimesSync(join(root, "old"), 1, 1);
    utimesSync(join(root, "new"), 1, 1);
    symlinkSync("../old", join(root, "model/1"));
    const before = await fingerprintOf(join(root, "model"));
    unlinkSync(join(root, "model/1"));
    symlinkSync("../new", join(root, "model/1"));
    expect(await fingerprintOf(join(root, "model"))).not.toBe(before);
  });

  it("ends where links go round in a circle", async () => {
    put("model/1/model.onnx", "one");
    symlinkSync("..", join(root, "model/1/up"));
    symlinkSync(".", join(root, "model/self"));
    symlinkSync("nowhere", join(root, "model/dangling"));
    const before = await fingerprintOf(join(root, "model"));
    put("model/1/model.onnx", "three");
    expect(await fingerprintOf(join(root, "model"))).not.toBe(before);
  });
});
