import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { childrenOf, processExists } from "../testing/processes.ts";
import { pythonModel, pythonSource, whyNoPython } from "../testing/python-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, parse } from "../testing/test-api.ts";
import { writeModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer | undefined;

afterEach(async () => {
  await server?.dispose();
  server = undefined;
});

const start = async (models: Parameters<typeof startTestServer>[0]): Promise<TestServer> => {
  server = await startTestServer(models);
  return server;
};

const ask = (on: TestServer, way: string) =>
  on.api.infer("errors", [{ name: "WAY", datatype: "BYTES", shape: [1, 1], data: [way] }]);

/** Until the model answers again; requests in between are refused. */
const comesBack = (on: TestServer) =>
  waitUntil("the model answers again", async () => (await ask(on, "ok")).status === 200);

async function instanceOf(on: TestServer, model: string): Promise<number> {
  const [pid] = childrenOf(await on.api.runnerPid(model));
  if (pid === undefined) throw new Error(`'${model}' has no process for its instance`);
  return pid;
}

const interpreterOf = (directory: string, packages: boolean) => {
  const made = join(directory, "environment");
  const base = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
  execFileSync(base, ["-m", "venv", "--without-pip", ...(packages ? ["--system-site-packages"] : []), made]);
  return made;
};

const WHICH = `import sys
import numpy as np
import triton_python_backend_utils as pb_utils
class TritonPythonModel:
    def execute(self, requests):
        text = np.array([sys.prefix], dtype=object)
        return [pb_utils.InferenceResponse([pb_utils.Tensor("PREFIX", text)]) for _ in requests]
`;
const which = (path: string) =>
  pythonSource(
    "which",
    `max_batch_size: 0
input [ { name: "IN" data_type: TYPE_INT8 dims: [ 1 ] } ]
output [ { name: "PREFIX" data_type: TYPE_STRING dims: [ 1 ] } ]
parameters { key: "EXECUTION_ENV_PATH" value { string_value: "${path}" } }`,
    WHICH,
  );
const whichInput = [{ name: "IN", datatype: "INT8", shape: [1], data: [1] }];

describe.skipIf(whyNoPython() !== undefined)("the processes of a Python model", () => {
  it.each([
    ["ends itself", "all:exit", "Stub process 'errors_0' is not healthy. It ended with exit code 3"],
    ["is killed", "all:kill", "Stub process 'errors_0' is not healthy. It was ended by SIGKILL."],
    ["closes its descriptors", "all:close", "Stub process 'errors_0' is not healthy. It ended with exit code 1"],
  ])("one that %s fails its request with the reason, and comes back", async (_, way, reason) => {
    const on = await start({ models: [pythonModel("errors"), pythonModel("add_sub")] });
    expect(errorOf(await ask(on, way))).toContain(reason);
    expect(await on.api.ready("add_sub")).toBe(true);
    await comesBack(on);
    expect(await on.api.ready("errors")).toBe(true);
  });

  it("one that is killed from outside while idle makes the model not ready until there is another", async () => {
    const on = await start({ models: [pythonModel("errors")] });
    const runner = await on.api.runnerPid("errors");
    process.kill(await instanceOf(on, "errors"), "SIGKILL");
    await waitUntil("another runner serves the model", async () => (await on.api.runnerPid("errors")) !== runner);
    await comesBack(on);
    expect(on.log.some(({ reason }) => String(reason).includes("is not healthy. It was ended by SIGKILL"))).toBe(true);
  });

  it("one in an endless loop is ended by the execution timeout", async () => {
    const config = 'parameters { key: "execution_timeout_ms" value { string_value: "500" } }';
    const on = await start({ models: [pythonModel("errors", { config })] });
    const child = await instanceOf(on, "errors");
    expect((await ask(on, "all:loop")).status).toBeGreaterThanOrEqual(400);
    await waitUntil("its process has gone", () => !processExists(child));
    await comesBack(on);
  });

  it("none is left when the server is killed, also of a model that never gives way", async () => {
    const on = await start({ models: [pythonModel("errors")] });
    const child = await instanceOf(on, "errors");
    const runner = await on.api.runnerPid("errors");
    const asked = ask(on, "all:loop").catch(() => undefined);
    on.signal("SIGKILL");
    await asked;
    await waitUntil("runner and instance have gone", () => !processExists(child) && !processExists(runner));
  });

  it("each instance has one, a changed number keeps those that run, and finalize runs at the unload", async () => {
    const io = `max_batch_size: 0
input [ { name: "IN" data_type: TYPE_INT8 dims: [ 1 ] } ]
output [ { name: "OUT" data_type: TYPE_INT8 dims: [ 1 ] } ]`;
    const source = `import triton_python_backend_utils as pb_utils
class TritonPythonModel:
    def initialize(self, args):
        self.name = args["model_instance_name"]
    def execute(self, requests):
        return [pb_utils.InferenceResponse([pb_utils.Tensor("OUT", r.inputs()[0].as_numpy())]) for r in requests]
    def finalize(self):
        print("finalized " + self.name)
`;
    const model = (count: number) =>
      pythonSource("some", `${io}\ninstance_group [ { count: ${count} kind: KIND_CPU } ]`, source);
    const configOf = (count: number) => ({
      name: "some",
      files: { "config.pbtxt": model(count).files["config.pbtxt"] ?? "" },
    });
    const on = await start({ models: [model(1)], args: ["--log-verbose=1"] });
    const runner = await on.api.runnerPid("some");
    const first = await instanceOf(on, "some");
    writeModel(on.repository, configOf(3));
    expect((await on.api.load("some")).status).toBe(200);
    expect(childrenOf(runner)).toHaveLength(3);
    expect(childrenOf(runner)).toContain(first);
    writeModel(on.repository, configOf(1));
    expect((await on.api.load("some")).status).toBe(200);
    await waitUntil("two instances have gone", () => childrenOf(runner).length === 1);
    expect((await on.api.unload("some")).status).toBe(200);
    await waitUntil("all have finalized", () => on.stderr.split("finalized some_").length === 4);
    await waitUntil("the runner has gone", () => !processExists(runner));
  });
});

describe.skipIf(whyNoPython() !== undefined)("the interpreter of a Python model", () => {
  it("is that of its own environment, a directory or an archive", async () => {
    const on = await start({ models: [pythonModel("add_sub")] });
    const environment = interpreterOf(on.directory, true);
    writeModel(on.repository, which("$$TRITON_MODEL_DIRECTORY/../../environment"));
    expect((await on.api.load("which")).text).toBe("");
    expect(parse(await on.api.infer("which", whichInput))).toMatchObject({ outputs: [{ data: [environment] }] });

    mkdirSync(join(on.directory, "packed"));
    const archive = join(on.directory, "packed/environment.tar.gz");
    execFileSync("tar", ["-czf", archive, "-C", environment, "."]);
    writeModel(on.repository, which(archive));
    expect((await on.api.load("which")).text).toBe("");
    const { outputs } = parse<{ outputs: { data: string[] }[] }>(await on.api.infer("which", whichInput));
    expect(outputs[0]?.data[0]).toContain("/python-environments/");
  });

  it("is refused with what to do where it lacks numpy, is not there, or is Triton's stub", async () => {
    const on = await start({ models: [pythonModel("add_sub")] });
    const environment = interpreterOf(on.directory, false);
    writeModel(on.repository, which(environment));
    expect(errorOf(await on.api.load("which"))).toContain(`${environment}/bin/python3 -m pip install numpy`);
    writeModel(on.repository, which("/nowhere/at/all"));
    expect(errorOf(await on.api.load("which"))).toContain("there is no '/nowhere/at/all'");
    const { files } = pythonModel("add_sub");
    writeModel(on.repository, { name: "stubbed", files: { ...files, triton_python_backend_stub: "" } });
    expect(errorOf(await on.api.load("stubbed"))).toContain("remove the file");
  });

  it("gets the variables that are passed on, and no others", async () => {
    const source = WHICH.replace("sys.prefix", '",".join(sorted(os.environ))').replace("import sys", "import os");
    const { files } = which("");
    const on = await start({
      models: [{ name: "which", files: { ...files, "1/model.py": source } }],
      args: ["--backend-config=python,pass-environment=TMPDIR"],
    });
    const { outputs } = parse<{ outputs: { data: string[] }[] }>(await on.api.infer("which", whichInput));
    const names = outputs[0]?.data[0]?.split(",") ?? [];
    expect(names).toEqual(expect.arrayContaining(["NEREID_RUNNER_SOCKET", "OMP_NUM_THREADS", "PATH", "TMPDIR"]));
    expect(names.filter((name) => /KEY|TOKEN|SECRET/.test(name))).toEqual([]);
  });
});
