import { readdirSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { floats, numbersOf } from "../testing/test-api.ts";
import { offset, type TestModel } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
afterEach(() => server.dispose());

const allowed = (status: string) => /^Cpus_allowed_list:\s*(.*)$/m.exec(status)?.[1] ?? "";
const OWN = allowed(readFileSync("/proc/self/status", "utf8"));
const CORE = /^\d+/.exec(OWN)?.[0] ?? "0";

/** What the threads of a model's runner may run on, each once. */
async function coresOf(model: string): Promise<readonly string[]> {
  const pid = await server.api.runnerPid(model);
  const threads = readdirSync(`/proc/${pid}/task`);
  return [...new Set(threads.map((thread) => allowed(readFileSync(`/proc/${pid}/task/${thread}/status`, "utf8"))))];
}

function placed(name: string, ...policies: readonly string[]): TestModel {
  const groups = policies.map(
    (policy) => `{ count: 1 kind: KIND_CPU ${policy === "" ? "" : `host_policy: "${policy}"`} }`,
  );
  const model = offset(name, 1);
  return {
    name,
    files: {
      ...model.files,
      "config.pbtxt": `backend: "onnxruntime"\nmax_batch_size: 32\ninstance_group [ ${groups.join(", ")} ]\n`,
    },
  };
}

describe.skipIf(process.platform !== "linux")("--host-policy (Linux only)", () => {
  it("binds the runners of instances with the policy, and no others", async () => {
    server = await startTestServer({
      models: [placed("default", ""), placed("named", "mine"), placed("free", "unknown"), placed("both", "", "mine")],
      args: [`--host-policy=cpu,cpu-cores=${CORE}`, `--host-policy=mine,cpu-cores=${CORE}`],
    });
    expect(numbersOf(await server.api.infer("default", floats("QUESTION", [[1]])))).toEqual([2]);
    expect(await coresOf("default")).toEqual([CORE]);
    expect(await coresOf("named")).toEqual([CORE]);
    expect(await coresOf("both")).toEqual([CORE]);
    expect(await coresOf("free")).toEqual([OWN]);
    const warned = server.log.filter(({ msg }) => String(msg).includes("run in one process"));
    expect(warned.map(({ runner }) => runner)).toEqual(["both/1"]);
  });

  it("binds a runner again that was started anew", async () => {
    server = await startTestServer({ models: [placed("m", "")], args: [`--host-policy=cpu,cpu-cores=${CORE}`] });
    const pid = await server.api.runnerPid("m");
    process.kill(pid, "SIGKILL");
    await waitUntil("another runner serves", async () => {
      const now = await server.api.runnerPid("m");
      return now !== 0 && now !== pid && (await server.api.ready("m"));
    });
    expect(await coresOf("m")).toEqual([CORE]);
  });

  it("goes on without what this machine does not have, and says so", async () => {
    server = await startTestServer({
      models: [placed("m", ""), placed("n", "far")],
      args: ["--host-policy=cpu,cpu-cores=1023", "--host-policy=far,numa-node=999"],
    });
    const said = server.log.map(({ msg }) => String(msg));
    expect(said.filter((text) => text.includes("the runner is not bound to cores 1023"))).toHaveLength(1);
    expect(said.filter((text) => text.includes("tells no cores of NUMA node 999"))).toHaveLength(1);
    expect(await coresOf("m")).toEqual([OWN]);
    expect(numbersOf(await server.api.infer("n", floats("QUESTION", [[1]])))).toEqual([2]);
  });
});
