import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NereidClient, outputValues, tensor } from "@nereid/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";

const EXAMPLES = fileURLToPath(new URL("../../../../docs/examples/", import.meta.url));
const read = (path: string) => readFileSync(join(EXAMPLES, path), "utf8");
const require = createRequire(import.meta.url);

/** The C++ compiler of this machine; undefined where there is none. */
function compiler(): string | undefined {
  return ["c++", "g++", "clang++"].find((name) => {
    try {
      execFileSync(name, ["--version"], { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
}

const cxx = compiler();
let server: TestServer;
let http: NereidClient;

beforeAll(async () => {
  server = await startTestServer({
    models: [
      { name: "normalise", files: { "1/model.ts": read("typescript-model/1/model.ts") } },
      {
        name: "imported",
        files: {
          "1/model.ts": `import { twice } from "./twice.ts";\nexport { autoComplete } from "./twice.ts";\nexport function execute(requests: any[]) { return requests.map((request) => twice(request)); }`,
          "1/twice.ts": `type Request = any;
export const autoComplete = () => ({ inputs: [{ name: "X", datatype: "FP32", dims: [-1] }], outputs: [{ name: "Y", datatype: "FP32", dims: [-1] }] });
export function twice({ inputs: { X } }: Request) {
  if (X.data.length === 0) throw new Error("nothing to double");
  return { outputs: { Y: { shape: X.shape, data: X.data.map((x: number) => x * 2) } } };
}`,
        },
      },
    ],
  });
  http = new NereidClient({ baseUrl: server.api.url.origin });
});

afterAll(() => server?.dispose());

const row = (name: string, ...data: number[]) => tensor({ name, datatype: "FP32", shape: [1, data.length], data });

describe("a model in TypeScript", () => {
  it("runs as it is written, types, enums and imports", async () => {
    const normal = await http.infer("normalise", { inputs: [row("IMAGE", 255, 51)] });
    expect([...outputValues(normal, "NORMAL", "FP32")]).toEqual([1, expect.closeTo(0.2)]);
    const doubled = await http.infer("imported", {
      inputs: [tensor({ name: "X", datatype: "FP32", shape: [2], data: [1, 2] })],
    });
    expect([...outputValues(doubled, "Y", "FP32")]).toEqual([2, 4]);
  });

  it("says where in the TypeScript it failed", async () => {
    const empty = [tensor({ name: "X", datatype: "FP32", shape: [0], data: [] })];
    await expect(http.infer("imported", { inputs: empty })).rejects.toThrow(/nothing to double\s+at .*twice\.ts:4:/);
  });
});

describe.skipIf(cxx === undefined)("a model in C++ (skipped without a compiler)", () => {
  it("is a Node addon with the functions of a script", async () => {
    const directory = mkdtempSync(join(tmpdir(), "nereid-addon-"));
    try {
      const addon = join(directory, "model.node");
      const headers = join(dirname(require.resolve("node-api-headers/package.json")), "include");
      const source = join(EXAMPLES, "native-model/model.cc");
      execFileSync(cxx ?? "", ["-shared", "-fPIC", "-O2", `-I${headers}`, source, "-o", addon]);
      const model = join(server.repository, "native");
      mkdirSync(join(model, "1"), { recursive: true });
      cpSync(join(EXAMPLES, "native-model/config.pbtxt"), join(model, "config.pbtxt"));
      cpSync(addon, join(model, "1/model.node"));
      await http.loadModel("native");
      const sum = await http.infer("native", { inputs: [row("VALUE", 1, 2.5)] });
      expect([...outputValues(sum, "SUM", "FP32")]).toEqual([2, 3.5]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
