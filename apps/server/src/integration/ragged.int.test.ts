import { NereidClient, outputValues, tensor } from "@nereid/client";
import { RAGGED_CONFIG, raggedModel } from "@nereid/model-authoring";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";

let server: TestServer;
let http: NereidClient;

beforeAll(async () => {
  server = await startTestServer({
    models: [{ name: "ragged", files: { "config.pbtxt": RAGGED_CONFIG, "1/model.onnx": raggedModel() } }],
  });
  http = new NereidClient({ baseUrl: server.api.url.origin });
});

afterAll(() => server?.dispose());

/** Sent one behind the other over three connections that keep their order: 3, 4 and 5 elements make one batch. */
async function askAll() {
  const lengths = [3, 4, 5];
  return Promise.all(
    lengths.map((length) =>
      http.infer("ragged", {
        id: String(length),
        inputs: [
          tensor({
            name: "VALUES",
            datatype: "FP32",
            shape: [1, length],
            data: Array.from({ length }, (_, index) => length * 10 + index),
          }),
        ],
      }),
    ),
  );
}

describe("requests of different lengths", () => {
  it("make one batch of a ragged input, and each gets its own part back in the shape it came in", async () => {
    const answers = await askAll();
    for (const [at, length] of [3, 4, 5].entries()) {
      const answer = answers[at];
      if (answer === undefined) throw new Error("no answer");
      expect(answer.outputs.find(({ name }) => name === "FLAT")?.shape).toEqual([1, length]);
      expect([...outputValues(answer, "FLAT", "FP32")]).toEqual(
        Array.from({ length }, (_, index) => length * 10 + index),
      );
    }
    const { execution_count, inference_count } = await server.api.statistics("ragged");
    expect([execution_count, inference_count]).toEqual([1, 3]);
  });

  it("bring every kind of batch input along", async () => {
    const answers = await askAll();
    const row = (name: string) => answers.map((answer) => outputValues(answer, name, "FP32")[0]);
    // In whatever order the three arrived.
    expect(row("COUNTS")).toEqual([3, 4, 5]);
    expect(Math.max(...row("SUMS").map(Number))).toBe(12);
    expect(row("LAST_BOUND")).toEqual([12, 12, 12]);
    expect(row("LARGEST_LENGTH")).toEqual([5, 5, 5]);
    expect(row("SHAPE_OF_ITEM")).toEqual([3, 4, 5]);
    expect([3, 4, 5]).toContain(row("FIRST_OF_SHAPES")[0]);
  });
});
