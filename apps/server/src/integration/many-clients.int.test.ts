import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { errorOf, floats, numbersOf, type TestApi } from "../testing/test-api.ts";
import { identity, offset, replaceFile } from "../testing/test-model.ts";

const CLIENTS = 200;
const QUESTIONS_EACH = 25;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    models: [
      offset("asked", 0.5, "dynamic_batching { max_queue_delay_microseconds: 500 }"),
      offset("reloaded", 1),
      identity("comes_and_goes"),
    ],
  });
});
afterAll(() => server.dispose());

/** Loads, reloads and unloads other models until `done`; returns how often. */
async function churn(api: TestApi, done: () => boolean): Promise<number> {
  let rounds = 0;
  for (; !done() || rounds < 2; rounds++) {
    replaceFile(join(server.repository, "reloaded/1/model.onnx"), offset("", rounds + 2).files["1/model.onnx"] ?? "");
    expect((await api.load("reloaded")).status).toBe(200);
    expect(numbersOf(await api.infer("reloaded", floats("QUESTION", [[10]])))).toEqual([rounds + 12]);
    expect((await api.unload("comes_and_goes")).status).toBe(200);
    expect((await api.load("comes_and_goes")).status).toBe(200);
    expect(numbersOf(await api.infer("comes_and_goes", floats("INPUT_FP32", [[rounds]])))).toEqual([rounds]);
  }
  return rounds;
}

describe("200 clients at once", () => {
  it("get the answers to their own questions while other models load, reload and unload", async () => {
    const { api } = server;
    let refused = 0;
    let running = true;
    const client = async (number: number) => {
      for (let turn = 0; turn < QUESTIONS_EACH; turn++) {
        const rows = Array.from({ length: 1 + (turn % 3) }, (_, row) => [number, turn, row]);
        const id = `${number}/${turn}`;
        const reply = await api.infer("asked", floats("QUESTION", rows), { id });
        expect(numbersOf(reply)).toEqual(rows.flat().map((value) => value + 0.5));
        expect((JSON.parse(reply.text) as { id: string }).id).toBe(id);
        // Some clients also err: that must not disturb their neighbours.
        if (turn % 10 === 9) {
          expect(errorOf(await api.infer("asked", floats("WRONG", rows)))).toContain("unexpected inference input");
          refused += 1;
        }
      }
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number))).finally(() => {
      running = false;
    });
    const [rounds] = await Promise.all([churn(api, () => !running), clients]);
    expect(rounds).toBeGreaterThanOrEqual(2);
    expect(refused).toBe(CLIENTS * 2);

    const statistics = await api.statistics("asked");
    const { success, fail, queue, compute_input, compute_infer, compute_output } = statistics.inference_stats;
    expect(success.count).toBe(CLIENTS * QUESTIONS_EACH);
    // Requests refused by validation were never accepted, so they count nowhere.
    expect(fail.count).toBe(0);
    for (const phase of [queue, compute_input, compute_infer, compute_output]) expect(phase.count).toBe(success.count);
    expect(success.ns).toBeGreaterThanOrEqual(queue.ns + compute_input.ns + compute_infer.ns + compute_output.ns);
    const rowsAsked =
      CLIENTS * Array.from({ length: QUESTIONS_EACH }, (_, turn) => 1 + (turn % 3)).reduce((a, b) => a + b);
    expect(statistics.inference_count).toBe(rowsAsked);
    expect(statistics.execution_count).toBeLessThan(success.count);
    expect(Math.max(...statistics.batch_stats.map(({ batch_size }) => batch_size))).toBeGreaterThan(3);
    const batched = statistics.batch_stats.reduce((sum, row) => sum + row.batch_size * row.compute_infer.count, 0);
    expect(batched).toBe(rowsAsked);
    expect(statistics.batch_stats.reduce((sum, row) => sum + row.compute_infer.count, 0)).toBe(
      statistics.execution_count,
    );
    expect((await api.model("asked")).versions[0]?.pending).toBe(0);
  });
});
