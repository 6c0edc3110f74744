import { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LayoutOptions, planLayout } from "./plan-layout.ts";
import { sanitizeModelName } from "./sanitize-model-name.ts";

const DEFAULTS: LayoutOptions = { uploadName: "resnet 50.zip", model: null, version: null };

function plan(paths: readonly string[], options: Partial<LayoutOptions> = {}) {
  const layout = planLayout(paths, { ...DEFAULTS, ...options });
  const place = (files: readonly { from: string; to: string }[]) => files.map(({ from, to }) => `${from} > ${to}`);
  return { ...layout, versionFiles: place(layout.versionFiles), modelFiles: place(layout.modelFiles) };
}

describe("planLayout()", () => {
  it("takes a single ONNX file", () => {
    expect(plan(["net v2.onnx"], { uploadName: "net v2.onnx" })).toEqual({
      model: "net_v2",
      version: null,
      config: null,
      versionFiles: ["net v2.onnx > model.onnx"],
      modelFiles: [],
      modelFile: "model.onnx",
    });
  });

  it("takes a model directory", () => {
    expect(plan(["m/config.pbtxt", "m/1/model.onnx", "m/labels.txt", "m/warmup/a"])).toEqual({
      model: "m",
      version: "1",
      config: "m/config.pbtxt",
      versionFiles: ["m/1/model.onnx > model.onnx"],
      modelFiles: ["m/labels.txt > labels.txt", "m/warmup/a > warmup/a"],
      modelFile: "model.onnx",
    });
  });

  it("takes a version directory, and a model directory inside others", () => {
    expect(plan(["1/model.onnx", "config.pbtxt"])).toMatchObject({
      model: "resnet_50",
      version: "1",
      config: "config.pbtxt",
    });
    expect(plan(["repo/m/3/net.onnx"])).toMatchObject({
      model: "m",
      version: "3",
      versionFiles: ["repo/m/3/net.onnx > model.onnx"],
    });
    expect(plan(["m/model.onnx"])).toMatchObject({ model: "m", version: null });
  });

  it("keeps external data beside the model under its own name", () => {
    expect(plan(["m/net.onnx", "m/net.onnx.data", "m/weights/w0", "m/labels.txt"])).toMatchObject({
      versionFiles: ["m/net.onnx > model.onnx", "m/net.onnx.data > net.onnx.data", "m/weights/w0 > weights/w0"],
      modelFiles: ["m/labels.txt > labels.txt"],
    });
  });

  it("follows wishes and the configuration", () => {
    expect(plan(["m/1/model.onnx", "m/2/model.onnx"], { version: "2", model: "n" })).toMatchObject({
      model: "n",
      version: "2",
      versionFiles: ["m/2/model.onnx > model.onnx"],
      modelFiles: [],
    });
    expect(plan(["x/net.onnx"], { configName: "y", modelFilename: "net.onnx" })).toMatchObject({
      model: "y",
      versionFiles: ["x/net.onnx > net.onnx"],
    });
  });

  it.each(["../../evil.onnx", "/etc/x.onnx", "a/../../x.onnx", "..\\x.onnx", "x\0.onnx"])(
    "an uploaded configuration cannot send the model to %j (it wrote files outside the draft)",
    (modelFilename) => {
      expect(() => plan(["m.onnx", "config.pbtxt"], { modelFilename })).toThrow(
        expect.objectContaining({ code: "INVALID_ARGUMENT" }),
      );
    },
  );

  it.each([
    [[], /no files/],
    [["__MACOSX/x"], /no files/],
    [["a/1/model.onnx", "b/1/model.onnx"], /several directories that may be models: 'a', 'b'/],
    [["m/1/model.onnx", "m/2/model.onnx"], /versions '1', '2'.*one version at a time/],
    [["m/1/model.onnx", "m/other.onnx"], /beside the version directory '1'/],
    [["a.onnx", "b.onnx"], /several ONNX files: 'a.onnx', 'b.onnx'/],
    [["model.pt"], /no ONNX file.*'model.pt'.*export/],
    [["config.pbtxt"], /no ONNX file/],
    [["README.md", "onnx/net.onnx"], /sub-directory 'onnx'/],
  ])("refuses %j and says what to do", (paths, text) => {
    expect(() => plan(paths)).toThrow(text);
  });

  it("places every file once or refuses", () => {
    const part = fc.constantFrom("m", "1", "2", "model.onnx", "a.onnx", "config.pbtxt", "labels.txt", "w.bin");
    const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 8 }), (paths) => {
        try {
          const { versionFiles, modelFiles, modelFile } = planLayout(paths, DEFAULTS);
          const targets = versionFiles.map(({ to }) => to);
          expect(new Set(targets).size).toBe(targets.length);
          expect(targets).toContain(modelFile);
          expect(new Set(modelFiles.map(({ to }) => to)).size).toBe(modelFiles.length);
        } catch (error) {
          expect(error).toBeInstanceOf(NereidError);
        }
      }),
    );
  });
});

describe("sanitizeModelName()", () => {
  it.each([
    ["net.onnx", "net"],
    ["a b (1).tar.gz", "a_b_1"],
    ["..", "model"],
    [".hidden", "hidden"],
    ["größe.ONNX", "gro_e"],
    ["a..b", "a.b"],
    ["日本", "model"],
  ])("%s becomes %s", (name, expected) => {
    expect(sanitizeModelName(name)).toBe(expected);
  });
});
