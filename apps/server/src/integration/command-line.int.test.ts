import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { launchTestServer, startTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { floats, numbersOf, parse } from "../testing/test-api.ts";
import { offset } from "../testing/test-model.ts";

let server: TestServer;
afterEach(() => server.dispose());

const plain = (name: string) => ({
  ...offset(name, 1),
  files: { "1/model.onnx": offset("", 1).files["1/model.onnx"] ?? "" },
});

describe("the built server", () => {
  it("takes the flags of a Triton start-up script, and says which have no effect and why", async () => {
    server = await startTestServer({
      models: [offset("a", 1)],
      mode: ["--model-control-mode", "poll", "--repository-poll-secs", "30"],
      args: [
        "--log-verbose=1",
        "--backend-config=python,shm-default-size=2147483648",
        "--exit-timeout-secs=5",
        "--pinned-memory-pool-byte-size=268435456",
        "--cuda-memory-pool-byte-size=0:67108864",
        "--strict-model-config=false",
        "--rate-limit=off",
        "--host-policy=gpu_0,numa-node=0",
        "--allow-sagemaker=false",
      ],
    });
    const notices = server.log.filter(({ option }) => option !== undefined);
    expect(notices.map(({ option }) => option)).toEqual([
      "--pinned-memory-pool-byte-size",
      "--cuda-memory-pool-byte-size",
      "--strict-model-config",
    ]);
    for (const { msg } of notices) expect(String(msg)).toMatch(/no effect: .{20}|deprecated; use --/);
    expect(numbersOf(await server.api.infer("a", floats("QUESTION", [[1]])))).toEqual([2]);
  });

  it.each([
    ["--http-prot=1", 'Unrecognized option: "--http-prot=1". Did you mean --http-port?'],
    ["--strict-readiness=perhaps", 'Bad option: "--strict-readiness". expected true or false'],
    ["--http-port=70000", 'Bad option: "--http-port". expected a whole number from 0 to 65535, got "70000"'],
  ])("ends with 1 and names what is wrong in %s", async (argument, text) => {
    server = launchTestServer(testDirectory(), { args: [argument] });
    expect((await server.exited).code).toBe(1);
    expect(server.stderr).toContain(text);
  });
});

describe("config.pbtxt at the root of the repository", () => {
  const start = async (text: string) => {
    const directory = testDirectory([plain("listed"), plain("unlisted"), offset("own", 1)]);
    writeFileSync(join(directory, "repository/config.pbtxt"), text);
    server = launchTestServer(directory);
  };

  it("gives models what they do not say themselves, and says so", async () => {
    await start(`model_config_list: [
  { config: { name: "listed" backend: "onnxruntime" max_batch_size: 16 instance_group: [ { count: 2 kind: KIND_CPU } ] } },
  { config: { name: "own" max_batch_size: 16 } }
]
backend_config: [ { backend: "onnxruntime" parameters: { key: "default-max-batch-size" value: "7" } } ]`);
    await server.ready();
    const config = async (name: string) =>
      parse<{ max_batch_size: number; instance_group: { count: number }[] }>(
        await server.api.call(`/v2/models/${name}/config`),
      );
    expect(await config("listed")).toMatchObject({ max_batch_size: 16, instance_group: [{ count: 2 }] });
    expect((await config("own")).max_batch_size).toBe(32);
    expect((await config("unlisted")).max_batch_size).toBe(7);
    const { warnings } = await server.api.model("listed");
    expect(warnings.find(({ code }) => code === "server-defaults")?.message).toMatch(/max_batch_size.*line 2/);
    expect((await server.api.index()).map(({ name }) => name)).toEqual(["listed", "own", "unlisted"]);
  });

  it("with a mistake keeps the server from starting, with line and column", async () => {
    await start('model_config_list {\n  config { name: "listed" max_batchsize: 4 }\n}');
    expect((await server.exited).code).toBe(1);
    expect(server.stderr).toMatch(/repository\/config\.pbtxt:2:27: .*max_batch_size/);
  });
});
