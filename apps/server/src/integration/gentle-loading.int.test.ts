import { readFileSync } from "node:fs";
import { NereidClient, tensor } from "@nereid/client";
import { afterEach, describe, expect, it } from "vitest";
import { childrenOf, processExists } from "../testing/processes.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { network, offset } from "../testing/test-model.ts";
import { waitUntil } from "../testing/wait-until.ts";

let server: TestServer;
afterEach(() => server?.dispose());

/** R running, S sleeping, T stopped; undefined when it is gone. */
function stateOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ")[0];
  } catch {
    return undefined;
  }
}

describe.runIf(process.platform === "linux")("--load-priority=gentle", () => {
  async function loadBesideTraffic() {
    server = await startTestServer({
      models: [offset("serving", 1), network("large", 120)],
      mode: ["--model-control-mode=explicit", "--load-model=serving"],
      args: ["--load-priority=gentle"],
    });
    const http = new NereidClient({ baseUrl: server.api.url.origin });
    const before = new Set(childrenOf(server.pid));
    let over = false;
    const ask = () =>
      http.infer("serving", { inputs: [tensor({ name: "QUESTION", datatype: "FP32", shape: [1, 1], data: [1] })] });
    await ask();
    const traffic = (async () => {
      // Ends, too, when the server does.
      try {
        while (!over) await ask();
      } catch {
        over = true;
      }
    })();
    const load = http.loadModel("large");
    load.catch(() => undefined);
    const pid = await waitUntil("the process that loads", () => childrenOf(server.pid).find((one) => !before.has(one)));
    await waitUntil("it is stopped", () => stateOf(pid) === "T");
    const end = async () => {
      over = true;
      await traffic;
    };
    return { http, load, pid, end };
  }

  it("stops the process that loads now and then while others serve, and lets it run in the end", async () => {
    const { http, load, pid, end } = await loadBesideTraffic();
    await end();
    await load;
    expect(stateOf(pid)).not.toBe("T");
    expect(await http.modelReady("large")).toBe(true);
  });

  it("leaves no stopped process behind when the server is killed", async () => {
    const { pid, end } = await loadBesideTraffic();
    process.kill(server.pid, "SIGKILL");
    await waitUntil("the runner is gone", () => !processExists(pid));
    await end();
  });
});
