import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { NereidClient, outputValues, tensor } from "@nereid/client";
import { afterEach, describe, expect, it } from "vitest";
import { processExists } from "../testing/processes.ts";
import { fp32, script } from "../testing/scripted-models.ts";
import { launchTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";
import { identity } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

const root = process.getuid?.() === 0;
const mayUnshare =
  spawnSync("unshare", [...(root ? [] : ["--map-current-user", "--user"]), "--net", "true"]).status === 0;
let server: TestServer | undefined;

afterEach(async () => {
  // In order, or what the models have started would stay: a server that is killed cannot end it.
  await server?.stop();
  await server?.dispose();
  server = undefined;
});

/** Tells of itself: interfaces of its network, environment, working directory; and starts a process that would outlive it. */
const curious = script(
  "curious",
  `max_batch_size: 0
input [ ${fp32("VALUE")} ]
output [ { name: "TOLD" data_type: TYPE_STRING dims: [ 1 ] } ]
instance_group [ { count: 1 kind: KIND_CPU } ]
parameters { key: "processor_limit" value { string_value: "1" } }`,
  `import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
const child = spawn("sleep", ["1000"], { stdio: "ignore" });
export function execute(requests) {
  const told = {
    interfaces: readFileSync("/proc/net/dev", "utf8").split("\\n").slice(2).map((line) => line.split(":")[0].trim()).filter((name) => name !== ""),
    uid: process.getuid(),
    environment: Object.keys(process.env).sort(),
    files: readdirSync("."),
    child: child.pid,
  };
  return requests.map(() => ({ outputs: { TOLD: { shape: [1], data: [JSON.stringify(told)] } } }));
}`,
);

interface Told {
  readonly interfaces: readonly string[];
  readonly uid: number;
  readonly environment: readonly string[];
  readonly files: readonly string[];
  readonly child: number;
}

async function start(...args: readonly string[]): Promise<{ told: Told; http: NereidClient; pid: number }> {
  const directory = testDirectory([curious, identity("beside")]);
  chmodSync(directory, 0o755);
  const env = { SECRET_TOKEN: "s3cret", DATABASE_URL: "postgres://user:password@host/db" };
  server = launchTestServer(directory, { args, env });
  await server.ready();
  const http = new NereidClient({ baseUrl: server.api.url.origin });
  const inputs = [tensor({ name: "VALUE", datatype: "FP32", shape: [1], data: [1] })];
  const told = outputValues(await http.infer("curious", { inputs }), "TOLD", "BYTES")[0];
  return { told: JSON.parse(Buffer.from(told ?? "").toString()), http, pid: await server.api.runnerPid("curious") };
}

describe.runIf(process.platform === "linux")("the process of a model", () => {
  it("has no secrets, an empty directory, a group of its own, few processors, and leaves nobody behind", async () => {
    const { told, http, pid } = await start();
    expect(told.environment).not.toEqual(expect.arrayContaining(["SECRET_TOKEN"]));
    expect(told.environment).not.toEqual(expect.arrayContaining(["DATABASE_URL"]));
    expect(told.files).toEqual([]);
    const group = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ")[2];
    expect(Number(group)).toBe(pid);
    expect(/Cpus_allowed_list:\t(\d+)\n/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1]).toMatch(/^\d+$/);
    expect(/Max core file size +0 +0 /.test(readFileSync(`/proc/${pid}/limits`, "latin1"))).toBe(true);
    const directory = readlinkSync(`/proc/${pid}/cwd`);
    expect(existsSync(directory)).toBe(true);
    expect(processExists(told.child)).toBe(true);
    await http.unloadModel("curious");
    await waitUntil("its child is gone", () => !processExists(told.child));
    await waitUntil("its directory is gone", () => !existsSync(directory));
  });

  it("leaves nobody behind when it is killed", async () => {
    const { told, pid } = await start();
    process.kill(pid, "SIGKILL");
    await waitUntil("its child is gone", () => !processExists(told.child));
  });

  it.runIf(root)("runs as another user, who serves tensors of any size", async () => {
    const { told, http } = await start("--runner-user=65534:65534");
    expect(told.uid).toBe(65534);
    const data = Float32Array.from({ length: 500_000 }, (_, at) => at);
    const inputs = [tensor({ name: "INPUT_FP32", datatype: "FP32", shape: [1, data.length], data })];
    const names = (await http.modelMetadata("beside")).inputs.map(({ name }) => name);
    const answer = await http.infer("beside", { inputs: inputs.map((input) => ({ ...input, name: names[0] ?? "" })) });
    expect(answer.outputs[0]?.shape).toEqual([1, 500_000]);
  });

  it.runIf(root)("says what its user cannot reach", async () => {
    const hidden = launchTestServer(testDirectory([]), { args: ["--runner-user=65534"] });
    server = hidden;
    await expect(hidden.ready()).rejects.toThrow("chmod o+x");
  });

  it.runIf(mayUnshare)("has no network when that is asked for", async () => {
    expect((await start()).told.interfaces).toContain("lo");
    await server?.stop();
    await server?.dispose();
    const { told } = await start("--runner-network=none", ...(root ? ["--runner-user=65534"] : []));
    expect(told.interfaces.filter((name) => name !== "lo")).toEqual([]);
    if (root) expect(told.uid).toBe(65534);
    expect(readdirSync("/sys/class/net").length).toBeGreaterThan(told.interfaces.length);
  });
});
