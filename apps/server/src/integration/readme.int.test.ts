import { execFile } from "node:child_process";
import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchTestServer, type TestServer, testDirectory } from "../testing/start-test-server.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../../..");

/** The shell commands of the README that talk to the server, in order. */
function commands(): readonly string[] {
  const text = readFileSync(join(root, "README.md"), "utf8");
  return [...text.matchAll(/```bash\n([\s\S]*?)```/g)]
    .flatMap(([, block = ""]) => block.trim().split(/\n(?=curl )/))
    .filter((command) => command.startsWith("curl "));
}

let server: TestServer;

beforeAll(async () => {
  const directory = testDirectory();
  cpSync(join(root, "model_repo"), join(directory, "repository"), { recursive: true });
  server = launchTestServer(directory);
  await server.ready();
});

afterAll(() => server.dispose());

describe("the README's commands against the server with the demo models", () => {
  it.each(commands())("%s", async (command) => {
    const ready = server.log.find(({ msg }) => msg === "server ready");
    const local = command
      .replaceAll("localhost:8000", `127.0.0.1:${ready?.["http"]}`)
      .replaceAll("localhost:8002", `127.0.0.1:${ready?.["metrics"]}`);
    const { stdout } = await run("bash", ["-c", local]);
    expect(stdout).not.toContain('"error"');
    if (command.includes("simple/infer")) expect(stdout).toContain('"data":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]');
    if (command.includes("health")) expect(stdout.trim()).toBe("200");
    if (command.includes("index")) expect(stdout).toContain('"name":"mnist","version":"1","state":"READY"');
    if (command.includes("stats")) expect(stdout).toContain('"model_stats"');
    if (command.includes("metrics")) expect(stdout).toContain("nv_inference_request_success");
  });

  it("has commands to run", () => {
    expect(commands().length).toBeGreaterThanOrEqual(7);
  });
});
