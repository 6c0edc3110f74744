import { NereidClient, outputValues, tensor } from "@nereid/client";
import { GrpcClient } from "@nereid/client/grpc";
import { installLlama } from "@nereid/llama-runner/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetricsPage } from "../testing/metrics-page.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { writeModel } from "../testing/test-model.ts";
import { tinyLlama } from "../testing/tiny-llama.ts";
import { waitUntil } from "../testing/wait-until.ts";

const llama = await installLlama();
if (llama.kind === "missing") console.warn(`skipped: ${llama.reason}`);
const directory = llama.kind === "installed" ? llama.directory : "";

describe.skipIf(llama.kind === "missing")("text generation by llama.cpp", () => {
  let server: TestServer;
  let http: NereidClient;

  beforeAll(async () => {
    server = await startTestServer({
      models: [
        tinyLlama("tiny"),
        tinyLlama("one", { parallel: "1" }),
        tinyLlama("short", { context_size: "256", parallel: "2" }),
        tinyLlama("vectors", { task: "embedding" }),
        {
          name: "single",
          files: {
            ...tinyLlama("single").files,
            "config.pbtxt": 'backend: "llamacpp"\nmodel_transaction_policy { decoupled: false }\n',
          },
        },
      ],
      args: [`--backend-config=llamacpp,module-directory=${directory}`],
    });
    http = new NereidClient({ baseUrl: server.api.url.origin });
    writeModel(server.repository, { name: "broken", files: { "1/model.gguf": "no model" } });
  });
  afterAll(() => server?.dispose());

  type Values = Readonly<Record<string, unknown>>;

  async function streamed(model: string, asked: Values, signal?: AbortSignal) {
    const events: Values[] = [];
    const how = signal === undefined ? {} : { signal };
    for await (const event of http.generateStream(model, { temperature: 0, stream: true, ...asked } as never, how))
      events.push(event as Values);
    const text = events.map((event) => String(event["text_output"] ?? "")).join("");
    return { events, text, last: events.at(-1) ?? {} };
  }

  const whole = (model: string, asked: Values) => http.generate(model, { temperature: 0, ...asked } as never);
  const idle = (model: string) =>
    waitUntil("no request is left", async () => {
      const page = await readMetricsPage(server);
      return page.value(`llm_requests_running{model="${model}",version="1"}`) === 0;
    });

  it("needs a file and nothing else: the model declares itself", async () => {
    const metadata = await http.modelMetadata("tiny");
    expect(metadata.inputs.map(({ name }) => name)).toEqual(expect.arrayContaining(["text_input", "messages", "seed"]));
    expect(metadata.outputs.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["text_output", "finish_reason", "prompt_tokens", "completion_tokens", "embedding"]),
    );
  });

  it("answers whole or in pieces, and both are the same text", async () => {
    const answer = await whole("tiny", { text_input: "hello", max_tokens: 40 });
    expect(answer).toMatchObject({ finish_reason: "length", prompt_tokens: 6, completion_tokens: 40 });
    const { text, events, last } = await streamed("tiny", { text_input: "hello", max_tokens: 40 });
    expect(text).toBe(answer["text_output"]);
    expect(text).toMatch(/^[a-z .]{40}$/);
    expect(events.length).toBeGreaterThan(20);
    expect(last).toMatchObject({ finish_reason: "length", completion_tokens: 40 });
  });

  it("gives each of ten parallel streams the text that it gives alone", async () => {
    const prompts = Array.from({ length: 10 }, (_, index) => `${"jklmnopqrs".charAt(index).repeat(index + 1)}`);
    const ask = (text_input: string) => streamed("tiny", { text_input, max_tokens: 200 });
    const alone: string[] = [];
    const aloneFrom = performance.now();
    for (const prompt of prompts) alone.push((await ask(prompt)).text);
    const aloneMs = performance.now() - aloneFrom;
    const togetherFrom = performance.now();
    const together = await Promise.all(prompts.map(ask));
    const togetherMs = performance.now() - togetherFrom;
    const rate = (ms: number) => Math.round((prompts.length * 200 * 1000) / ms);
    console.log(`tokens a second, tiny model: one after the other ${rate(aloneMs)}, ten at once ${rate(togetherMs)}`);
    expect(together.map(({ text }) => text)).toEqual(alone);
    expect(new Set(alone).size).toBe(10);
  });

  it("gives the same text for the same seed, and another for another", async () => {
    const ask = async (seed: number) =>
      (await whole("tiny", { text_input: "dice", max_tokens: 60, temperature: 1, seed }))["text_output"];
    const first = await ask(7);
    expect(await ask(7)).toBe(first);
    expect(await ask(8)).not.toBe(first);
  });

  it("ends before a stop text, however it is cut into tokens", async () => {
    const { text } = await streamed("tiny", { text_input: "stop", max_tokens: 60 });
    const stop = text.slice(20, 24);
    const cut = await streamed("tiny", { text_input: "stop", max_tokens: 60, stop: ["never there", stop] });
    expect(cut.text).toBe(text.slice(0, text.indexOf(stop)));
    expect(cut.last).toMatchObject({ finish_reason: "stop" });
  });

  it("reads a conversation by the template of the model's file", async () => {
    const messages = JSON.stringify([{ role: "user", content: "hi" }]);
    const answer = await whole("tiny", { messages, max_tokens: 20 });
    const same = await whole("tiny", { text_input: "<|user|>hi<|end|><|assistant|>", max_tokens: 20 });
    expect(answer["text_output"]).toBe(same["text_output"]);
    // <s>, three markers, two letters
    expect(answer["prompt_tokens"]).toBe(6);
  });

  it("answers in the form of a JSON schema", async () => {
    const schema = { type: "object", properties: { n: { type: "boolean" } }, required: ["n"] };
    const answer = await whole("tiny", { text_input: "x", json_schema: JSON.stringify(schema), max_tokens: 200 });
    expect(JSON.parse(String(answer["text_output"]))).toEqual({ n: expect.any(Boolean) });
    expect(answer["finish_reason"]).toBe("stop");
  });

  it("goes on until the context is full when no end is wanted, and refuses what does not fit, with numbers", async () => {
    const full = await whole("short", { text_input: "abc" });
    expect(full).toMatchObject({ finish_reason: "length", prompt_tokens: 4, completion_tokens: 252 });
    await expect(whole("short", { text_input: "a".repeat(300) })).rejects.toThrow(/301 tokens.*room for 256/);
  });

  it.each([
    [{ text_input: "a", temperature: -1 }, /'temperature' must be from 0/],
    [{ text_input: "a", messages: "[]" }, /not as both/],
    [{ messages: "{}" }, /must be a JSON array/],
    [{ max_tokens: 4 }, /the prompt is missing/],
    [{ text_input: "a", json_schema: "{" }, /'json_schema' cannot be used/],
  ])("refuses %j in words", async (asked, words) => {
    await expect(whole("tiny", { max_tokens: 2, ...asked })).rejects.toThrow(words);
  });

  it("gives the slot of a stream that was left to the next request at once", async () => {
    const stop = new AbortController();
    const left = (async () => {
      for await (const _ of http.generateStream(
        "one",
        { text_input: "endless", temperature: 0, stream: true } as never,
        { signal: stop.signal },
      ))
        stop.abort();
    })();
    await expect(left).rejects.toThrow();
    expect(await whole("one", { text_input: "next", max_tokens: 5 })).toMatchObject({ completion_tokens: 5 });
    await idle("one");
  });

  it("forgets a request that was cancelled while it waited for a slot", async () => {
    const running = new AbortController();
    const waiting = new AbortController();
    const first = streamed("one", { text_input: "first" }, running.signal);
    const second = streamed("one", { text_input: "second" }, waiting.signal);
    waiting.abort();
    await expect(second).rejects.toThrow();
    running.abort();
    await expect(first).rejects.toThrow();
    expect(await whole("one", { text_input: "third", max_tokens: 3 })).toMatchObject({ completion_tokens: 3 });
  });

  it("answers over a gRPC stream, with the last answer marked", async () => {
    const grpc = new GrpcClient({ address: server.grpcAddress });
    const stream = grpc.inferStream();
    await stream.send("tiny", {
      id: "g",
      inputs: [
        tensor({ name: "text_input", datatype: "BYTES", shape: [1], data: ["hello"] }),
        tensor({ name: "max_tokens", datatype: "INT32", shape: [1], data: [8] }),
        tensor({ name: "temperature", datatype: "FP32", shape: [1], data: [0] }),
        tensor({ name: "stream", datatype: "BOOL", shape: [1], data: [true] }),
      ],
    });
    stream.end();
    let text = "";
    for await (const message of stream) {
      if (message.error !== undefined) throw message.error;
      const [piece] = outputValues(message.response, "text_output", "BYTES");
      text += piece === undefined ? "" : Buffer.from(piece).toString("utf8");
    }
    await grpc.close();
    expect(text).toBe((await whole("tiny", { text_input: "hello", max_tokens: 8 }))["text_output"]);
  });

  it("embeds texts: a model for that alone, or one that is asked for nothing else", async () => {
    const one = await http.generate("vectors", { text_input: "a text" } as never);
    expect(one["embedding"]).toHaveLength(64);
    const grpc = new GrpcClient({ address: server.grpcAddress });
    const stream = grpc.inferStream();
    await stream.send("tiny", {
      inputs: [tensor({ name: "text_input", datatype: "BYTES", shape: [1], data: ["a text"] })],
      outputs: ["embedding"].map((name) => ({ name })),
    });
    stream.end();
    const vectors: number[][] = [];
    for await (const message of stream) {
      if (message.error !== undefined) throw message.error;
      const has = message.response.outputs.some(({ name }) => name === "embedding");
      if (has) vectors.push([...outputValues(message.response, "embedding", "FP32")]);
    }
    await grpc.close();
    expect(vectors).toEqual([(one["embedding"] as number[]).map(Math.fround)]);
  });

  it("counts tokens on the metrics page", async () => {
    await idle("tiny");
    const page = await readMetricsPage(server);
    const value = (family: string) => page.value(`${family}{model="tiny",version="1"}`) ?? 0;
    expect(value("llm_generated_tokens_total")).toBeGreaterThan(4000);
    expect(value("llm_prompt_tokens_total")).toBeGreaterThan(100);
    expect(value("llm_kv_cache_usage_ratio")).toBeGreaterThan(0);
    expect(value("llm_time_to_first_token_seconds_count")).toBeGreaterThan(20);
  });

  it("survives the death of its process: the streams in it fail, and then it serves again", async () => {
    const other = streamed("tiny", { text_input: "xyz" });
    const one = (async () => {
      let begun = false;
      for await (const _ of http.generateStream("tiny", { text_input: "abc", stream: true } as never)) {
        // Two thousand tokens would follow.
        if (!begun) process.kill(await server.api.runnerPid("tiny"), "SIGKILL");
        begun = true;
      }
    })();
    const lost = /ended while it held the request/;
    await Promise.all([expect(one).rejects.toThrow(lost), expect(other).rejects.toThrow(lost)]);
    await waitUntil("it serves again", () => server.api.ready("tiny"));
    expect(await whole("tiny", { text_input: "abc", max_tokens: 3 })).toMatchObject({ completion_tokens: 3 });
  });

  it("answers over plain infer when its configuration says that it is not decoupled", async () => {
    const answer = await http.infer("single", {
      inputs: [
        tensor({ name: "text_input", datatype: "BYTES", shape: [1], data: ["hello"] }),
        tensor({ name: "max_tokens", datatype: "INT32", shape: [1], data: [8] }),
        tensor({ name: "temperature", datatype: "FP32", shape: [1], data: [0] }),
      ],
    });
    const [text] = outputValues(answer, "text_output", "BYTES");
    const same = await whole("tiny", { text_input: "hello", max_tokens: 8 });
    expect(Buffer.from(text ?? "").toString("utf8")).toBe(same["text_output"]);
  });

  it("a file that is no model is refused with what llama.cpp says of it", async () => {
    const reply = await server.api.load("broken");
    expect(reply.status).toBe(400);
    expect(reply.text).toMatch(/the model file .*model\.gguf' cannot be loaded/);
  });

  it.each([
    ["parallel", "0", /'parallel' must be a whole number from 1 to 256/],
    ["context_size", "1000000", /is 1000000, and the model was trained for 2048 tokens/],
    ["chat_template", "{% for %}", /the chat template cannot be read/],
  ])("a parameter %s of '%s' is refused in words", async (key, value, words) => {
    const config = { backend: "llamacpp", parameters: { [key]: { string_value: value } } };
    const reply = await server.api.load("tiny", { config: JSON.stringify(config) });
    expect(reply.text).toMatch(words);
    expect(await server.api.ready("tiny")).toBe(true);
  });
});

describe("without node-llama-cpp", () => {
  it("the load is refused with the line that installs it, and with the name of the backend", async () => {
    const server = await startTestServer({
      models: [
        tinyLlama("tiny"),
        { name: "meant", files: { "config.pbtxt": 'backend: "llama.cpp"\n', "1/model.gguf": "x" } },
      ],
      mode: ["--model-control-mode=explicit"],
      args: ["--backend-config=llamacpp,module-directory=/nowhere"],
    });
    try {
      expect((await server.api.load("tiny")).text).toMatch(/npm install --no-save node-llama-cpp@/);
      expect((await server.api.load("meant")).text).toMatch(/write backend: \\"llamacpp\\"/);
    } finally {
      await server.dispose();
    }
  });
});
