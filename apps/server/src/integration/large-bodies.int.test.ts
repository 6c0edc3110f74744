import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { offset, replaceFile } from "../testing/test-model.ts";
import { rowOf, startUpload } from "../testing/upload.ts";
import { waitUntil } from "../testing/wait-until.ts";

/** Four megabytes: received in shared memory, in a segment of its own. */
const LENGTH = 1_000_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ models: ["left", "reloaded", "killed", "waiting"].map((name) => offset(name, 1)) });
});
afterAll(() => server.dispose());

const segments = () => server.leftovers().filter((name) => name.startsWith(`nereid-${server.pid}-`)).length;

/** Starts an upload and waits until the server has made room for it. */
async function uploadTo(model: string, value: number) {
  const before = segments();
  const row = new Float32Array(LENGTH).fill(value);
  const upload = startUpload(server.api.url, { model, input: "QUESTION", row });
  await waitUntil("the server receives the body", () => segments() > before);
  return upload;
}

function expectRow(body: Buffer, value: number): void {
  const row = rowOf(body, LENGTH);
  expect(row.every((element) => element === value)).toBe(true);
}

describe("a body that is received in shared memory", () => {
  it("gives its room back when its client leaves in the middle", async () => {
    const first = await uploadTo("left", 1);
    const held = segments();
    first.abort();
    for (let round = 0; round < 20; round++) {
      // Answered one after the other, these need the room of two bodies; never given back, that of twenty more.
      const upload = startUpload(server.api.url, {
        model: "left",
        input: "QUESTION",
        row: new Float32Array(LENGTH).fill(round),
      });
      if (round % 2 === 0) {
        expectRow((await upload.finish()).body, round + 1);
        continue;
      }
      upload.abort();
    }
    const { status, body } = await startUpload(server.api.url, {
      model: "left",
      input: "QUESTION",
      row: new Float32Array(LENGTH).fill(5),
    }).finish();
    expect(status).toBe(200);
    expectRow(body, 6);
    expect(segments() - held).toBeLessThanOrEqual(4);
  });

  it("while the model is reloaded is answered by the new copy", async () => {
    const upload = await uploadTo("reloaded", 10);
    replaceFile(join(server.repository, "reloaded/1/model.onnx"), offset("", 2).files["1/model.onnx"] ?? "");
    expect((await server.api.load("reloaded")).status).toBe(200);
    const { status, body } = await upload.finish();
    expect(status).toBe(200);
    expectRow(body, 12);
  });

  it("while the runner is killed is answered by the next one", async () => {
    const upload = await uploadTo("killed", 20);
    process.kill(await server.api.runnerPid("killed"), "SIGKILL");
    await waitUntil("it is seen", async () => !(await server.api.ready("killed")));
    await waitUntil("the model is ready again", () => server.api.ready("killed"));
    const { status, body } = await upload.finish();
    expect(status).toBe(200);
    expectRow(body, 21);
  });

  it("and waits when the runner is killed is answered by the next one, with its own bytes", async () => {
    const { api } = server;
    const pid = await api.runnerPid("waiting");
    process.kill(pid, "SIGSTOP");
    const held = (await uploadTo("waiting", 30)).finish();
    await waitUntil("it executes", async () => (await api.model("waiting")).versions[0]?.instances[0]?.busy);
    const queued = (await uploadTo("waiting", 40)).finish();
    await waitUntil("the other waits", async () => ((await api.model("waiting")).versions[0]?.pending ?? 0) > 0);
    process.kill(pid, "SIGKILL");
    expect((await held).status).toBe(503);
    const { status, body } = await queued;
    expect(status).toBe(200);
    expectRow(body, 41);
  });
});
