import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, parse } from "../testing/test-api.ts";
import { offset, writeModel } from "../testing/test-model.ts";

let server: TestServer;
afterEach(() => server.dispose());

/** Two repositories: `both` stands in both, `first` and `second` in one each. */
async function start(...args: string[]): Promise<string> {
  const directory = testDirectory([offset("both", 1), offset("first", 1)]);
  const second = join(directory, "second");
  mkdirSync(second);
  writeModel(second, offset("both", 2));
  writeModel(second, offset("second", 2));
  server = launchTestServer(directory, {
    mode: ["--model-control-mode=explicit"],
    args: [`--model-repository=${second}`, ...args],
  });
  await server.ready();
  return second;
}

const ask = (model: string) => server.api.infer(model, floats("QUESTION", [[0]]));

describe("a name in two repositories", () => {
  it("is refused, and listed with the reason, also among the ready ones", async () => {
    const second = await start("--load-model=first", "--load-model=second");
    const row = { name: "both", state: "UNAVAILABLE", reason: "model appears in two or more repositories" };
    const ready = parse<unknown[]>(await server.api.post("/v2/repository/index", { ready: true }));
    expect(ready).toEqual([
      row,
      { name: "first", version: "1", state: "READY" },
      { name: "second", version: "1", state: "READY" },
    ]);
    const reply = await server.api.load("both");
    expect(reply.status).toBe(500);
    expect(errorOf(reply)).toMatch(/^failed to load 'both', failed to poll from model repository/);
    expect([numbersOf(await ask("first")), numbersOf(await ask("second"))]).toEqual([[1], [2]]);

    rmSync(join(second, "both"), { recursive: true });
    expect((await server.api.load("both")).status).toBe(200);
    expect(numbersOf(await ask("both"))).toEqual([1]);
  });

  it("with --model-namespacing does not keep the server from being ready; requests are told of the ambiguity", async () => {
    const second = await start("--model-namespacing=true", "--load-model=*");
    expect(await server.api.ready()).toBe(true);
    const text =
      "There are 2 identifiers of model 'both' in global map, model namespace must be provided to resolve ambiguity.";
    for (const reply of [await ask("both"), await server.api.call("/v2/models/both")]) {
      expect(reply.status).toBe(400);
      expect(errorOf(reply).startsWith(text)).toBe(true);
    }
    const unknown = await ask("nobody");
    expect([unknown.status, errorOf(unknown)]).toEqual([400, "Request for unknown model: 'nobody' is not found"]);
    expect([numbersOf(await ask("first")), numbersOf(await ask("second"))]).toEqual([[1], [2]]);
    expect((await server.api.index()).filter(({ name }) => name === "both")).toHaveLength(2);

    rmSync(join(second, "both"), { recursive: true });
    expect((await server.api.load("both")).status).toBe(200);
    expect(numbersOf(await ask("both"))).toEqual([1]);

    writeModel(second, offset("both", 2));
    const reply = await server.api.load("both");
    expect(reply.status).toBe(200);
    expect(decodeURIComponent(String(reply.headers["nereid-warnings"]))).toContain(text);
    expect((await ask("both")).status).toBe(400);
    expect(await server.api.ready()).toBe(true);
  });
});

describe("without it", () => {
  it("an unknown model is 404", async () => {
    server = await startTestServer({ models: [] });
    expect((await ask("nobody")).status).toBe(404);
  });
});
