import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { installLlama } from "@nereid/llama-runner/testing";
import OpenAI, { APIError } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { script } from "../testing/scripted-models.ts";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { identity } from "../testing/test-model.ts";
import { tinyLlama } from "../testing/tiny-llama.ts";
import { waitUntil } from "../testing/wait-until.ts";

const TEXT_IO = `max_batch_size: 0
input [ { name: "text_input" data_type: TYPE_STRING dims: [ 1 ] } ]
output [ { name: "text_output" data_type: TYPE_STRING dims: [ 1 ] } ]`;

/** Says each word of its prompt on its own, in capitals; "flood", "endless", "busy" and "break" do what they say. */
const shout = script(
  "shout",
  `${TEXT_IO}\nmodel_transaction_policy { decoupled: true }`,
  `export async function execute([request]) { void answer(request); }
async function answer(request) {
  const [text] = request.inputs.text_input.text();
  if (text.includes("flood")) {
    const much = "x".repeat(1 << 20);
    while (await request.send({ outputs: { text_output: { shape: [1], data: [much] } } }));
    return request.end();
  }
  if (text.includes("endless")) {
    while (!request.signal.aborted) {
      if (!(await request.send({ outputs: { text_output: { shape: [1], data: ["more "] } } }))) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return request.end();
  }
  if (text.includes("busy")) return request.send({ error: { code: "UNAVAILABLE", message: "no room now" } }, { final: true });
  const words = text.toUpperCase().split(" ");
  for (const [index, word] of words.entries()) {
    if (word === "BREAK") return request.send({ error: { code: "INTERNAL", message: "it broke" } }, { final: true });
    await request.send({ outputs: { text_output: { shape: [1], data: [(index > 0 ? " " : "") + word] } } });
  }
  await request.end();
}`,
);

/** Answers once, with what it was told beside the prompt. */
const plain = script(
  "plain",
  TEXT_IO,
  `export function execute(requests) {
  return requests.map((request) => ({
    outputs: { text_output: { shape: [1], data: [JSON.stringify([request.inputs.text_input.text()[0], request.parameters])] } },
  }));
}`,
);

/** Two numbers for each text: its length, and a half. The names of its tensors are its own. */
const lengths = script(
  "lengths",
  `max_batch_size: 4
input [ { name: "SENTENCE" data_type: TYPE_STRING dims: [ 1 ] } ]
output [ { name: "VECTOR" data_type: TYPE_FP32 dims: [ 2 ] } ]
parameters { key: "openai" value { string_value: "embedding" } }`,
  `export function execute(requests) {
  return requests.map(({ inputs }) => ({
    outputs: { VECTOR: { shape: [1, 2], data: [inputs.SENTENCE.text()[0].length, 0.5] } },
  }));
}`,
);

const hidden = script(
  "hidden",
  `${TEXT_IO}\nparameters { key: "openai" value { string_value: "none" } }`,
  "export function execute() {}",
);

/** The example of docs/text-generation.md, word for word. */
const guide = readFileSync(fileURLToPath(new URL("../../../../docs/text-generation.md", import.meta.url)), "utf8");
const documented = /```js\n(export function autoComplete[\s\S]+?)```/.exec(guide)?.[1] ?? "";

let server: TestServer;
let openai: OpenAI;

const clientOf = (started: TestServer) =>
  new OpenAI({ baseURL: `${started.api.url.origin}/v1`, apiKey: "not looked at", maxRetries: 0 });

beforeAll(async () => {
  server = await startTestServer({
    models: [
      shout,
      plain,
      lengths,
      hidden,
      identity("numbers"),
      script("documented", "", documented),
      script("llama2", "", documented),
    ],
  });
  openai = clientOf(server);
});
afterAll(() => server?.dispose());

const user = (content: string) => [{ role: "user" as const, content }];

async function failure(promise: PromiseLike<unknown>): Promise<APIError> {
  const thrown: unknown = await Promise.resolve(promise).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof APIError) return thrown;
  throw new Error(`expected an error of the API, got ${String(thrown)}`);
}

describe("models over OpenAI's API", () => {
  it("are those that are fit for it, by their tensors or by their own word", async () => {
    const models = await openai.models.list();
    expect(models.data.map(({ id }) => id)).toEqual(["documented", "lengths", "llama2", "plain", "shout"]);
    expect(await openai.models.retrieve("shout")).toMatchObject({ id: "shout", object: "model", owned_by: "triton" });
    expect(await failure(openai.models.retrieve("numbers"))).toMatchObject({ status: 404, code: "model_not_found" });
  });
});

describe("a chat", () => {
  it("is answered whole; a model that knows no messages gets them as ChatML", async () => {
    const answer = await openai.chat.completions.create({ model: "shout", messages: user("good morning") });
    expect(answer).toMatchObject({ object: "chat.completion", model: "shout" });
    expect(answer.choices).toEqual([
      {
        index: 0,
        message: {
          role: "assistant",
          content: "<|IM_START|>USER\nGOOD MORNING<|IM_END|>\n<|IM_START|>ASSISTANT\n",
          refusal: null,
        },
        logprobs: null,
        finish_reason: "stop",
      },
    ]);
    // The model does not tell how many tokens there were.
    expect(answer.usage).toBeUndefined();
  });

  it("is answered piece by piece", async () => {
    const stream = await openai.chat.completions.create({
      model: "shout",
      messages: user("one two three"),
      stream: true,
    });
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? null)).toEqual([
      "",
      "<|IM_START|>USER\nONE",
      " TWO",
      " THREE<|IM_END|>\n<|IM_START|>ASSISTANT\n",
      null,
    ]);
    expect(chunks[0]?.choices[0]?.delta.role).toBe("assistant");
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe("stop");
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it("hands what the model has no input for on as parameters, and takes parts of type text", async () => {
    const answer = await openai.chat.completions.create({
      model: "plain",
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
        },
      ],
      max_completion_tokens: 5,
      temperature: 0.5,
      stop: ["x", "y"],
      user: "somebody",
    });
    expect(JSON.parse(answer.choices[0]?.message.content ?? "")).toEqual([
      "<|im_start|>user\nab<|im_end|>\n<|im_start|>assistant\n",
      { max_tokens: 5, temperature: 0.5, stop: '["x","y"]' },
    ]);
  });

  it("that is left frees its request", async () => {
    const stream = await openai.chat.completions.create({ model: "shout", messages: user("endless"), stream: true });
    for await (const _ of stream) break;
    await waitUntil("nothing of the request is left", async () => {
      const { versions } = await server.api.model("shout");
      return versions.every(({ pending }) => pending === 0);
    });
  });
});

describe("a completion", () => {
  it("continues a prompt, whole or in pieces", async () => {
    const answer = await openai.completions.create({ model: "shout", prompt: "a b" });
    expect(answer.choices).toEqual([{ index: 0, text: "A B", logprobs: null, finish_reason: "stop" }]);
    const stream = await openai.completions.create({ model: "shout", prompt: ["a b c"], stream: true });
    let text = "";
    for await (const chunk of stream) text += chunk.choices[0]?.text ?? "";
    expect(text).toBe("A B C");
  });

  it("of the script of the documentation comes word by word", async () => {
    const stream = await openai.completions.create({ model: "documented", prompt: "one two", stream: true });
    const texts = [];
    for await (const chunk of stream) texts.push(chunk.choices[0]?.text);
    expect(texts).toEqual(["one ", "two ", ""]);
  });

  it("ends its stream with [DONE], after the usage where it is asked for", async () => {
    const reply = await server.api.post("/v1/completions", {
      model: "shout",
      prompt: "a",
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(reply.headers["content-type"]).toContain("text/event-stream");
    const events = reply.text.trim().split("\n\n");
    expect(events.at(-1)).toBe("data: [DONE]");
    expect(JSON.parse(events.at(-2)?.slice(6) ?? "")).toMatchObject({ choices: [], usage: null });
  });
});

describe("embeddings", () => {
  it("come in the order of the texts, as base64 (which the client asks for) and as numbers", async () => {
    const input = Array.from({ length: 20 }, (_, index) => "x".repeat(index + 1));
    const { data } = await openai.embeddings.create({ model: "lengths", input });
    expect(data.map(({ embedding }) => embedding)).toEqual(input.map((text) => [text.length, 0.5]));
    const plainly = await openai.embeddings.create({ model: "lengths", input: "abc", encoding_format: "float" });
    expect(plainly.data).toEqual([{ object: "embedding", index: 0, embedding: [3, 0.5] }]);
  });
});

describe("what cannot be done", () => {
  const chat = (more: object) => openai.chat.completions.create({ model: "shout", messages: user("a"), ...more });

  it.each<[string, () => PromiseLike<unknown>, object]>([
    ["an unknown model", () => chat({ model: "nobody" }), { status: 404, code: "model_not_found", param: "model" }],
    ["a model of another kind", () => chat({ model: "lengths" }), { status: 400, param: "model" }],
    ["a model that is no text model", () => chat({ model: "numbers" }), { status: 400, param: "model" }],
    ["a model that does not want to", () => chat({ model: "hidden" }), { status: 400, param: "model" }],
    ["no messages", () => chat({ messages: [] }), { status: 400, param: "messages" }],
    ["several answers", () => chat({ n: 2 }), { status: 400, param: "n", type: "invalid_request_error" }],
    ["tools", () => chat({ tools: [{ type: "function" }] }), { status: 400, param: "tools" }],
    ["images", () => chat({ messages: [{ role: "user", content: [{ type: "image_url" }] }] }), { status: 400 }],
    [
      "a form the model cannot give",
      () => chat({ response_format: { type: "json_object" } }),
      { status: 400, param: "response_format" },
    ],
    ["a temperature in words", () => chat({ temperature: "hot" }), { status: 400, param: "temperature" }],
    [
      "tokens as prompt",
      () => openai.completions.create({ model: "shout", prompt: [1, 2] }),
      { status: 400, param: "prompt" },
    ],
    ["a model that has no room", () => chat({ messages: user("busy") }), { status: 503, type: "server_error" }],
    [
      "the same in a stream",
      () => chat({ messages: user("busy"), stream: true }),
      { status: 503, type: "server_error" },
    ],
  ])("%s is refused in OpenAI's shape", async (_, call, expected) => {
    expect(await failure(call())).toMatchObject(expected);
  });

  it("an answer without end is cut off when it is wanted as a whole, and its request with it", async () => {
    const { message } = await failure(openai.completions.create({ model: "shout", prompt: "flood" }));
    expect(message).toMatch(/longer than 16777216 characters/);
    await waitUntil("nothing of the request is left", async () => {
      const { versions } = await server.api.model("shout");
      return versions.every(({ pending }) => pending === 0);
    });
  });

  it("is told as an event when the stream has begun", async () => {
    const stream = await openai.completions.create({ model: "shout", prompt: "a break b", stream: true });
    let text = "";
    const reading = (async () => {
      for await (const chunk of stream) text += chunk.choices[0]?.text ?? "";
    })();
    expect((await failure(reading)).message).toContain("it broke");
    expect(text).toBe("A");
  });

  it.each([
    ["POST", "/v1/nothing", 404],
    ["GET", "/v1/chat/completions", 405],
    ["POST", "/v1/models", 405],
  ])("%s %s is %i, with an error object", async (method, path, status) => {
    const reply = await server.api.call(path, { method });
    expect(reply.status).toBe(status);
    expect(JSON.parse(reply.text)).toEqual({
      error: { message: expect.any(String), type: "invalid_request_error", param: null, code: null },
    });
  });

  it("a body that is no JSON, or of a web page", async () => {
    expect((await server.api.post("/v1/completions", "{")).status).toBe(400);
    const headers = { origin: "http://evil.example" };
    expect((await server.api.post("/v1/completions", { model: "shout", prompt: "a" }, { headers })).status).toBe(403);
  });
});

describe("the operator", () => {
  it("restricts it with the other endpoints for inference, or turns it off", async () => {
    const keyed = await startTestServer({
      models: [shout],
      args: ["--http-restricted-api=inference,metadata:authorization=Bearer secret"],
    });
    const off = await startTestServer({ models: [shout], args: ["--allow-openai=false"] });
    try {
      const baseURL = `${keyed.api.url.origin}/v1`;
      const prompt = { model: "shout", prompt: "a" };
      const stranger = new OpenAI({ baseURL, apiKey: "wrong", maxRetries: 0 });
      expect(await failure(stranger.completions.create(prompt))).toMatchObject({
        status: 403,
        type: "permission_error",
      });
      expect(await failure(stranger.models.list())).toMatchObject({ status: 403 });
      const friend = new OpenAI({ baseURL, apiKey: "secret", maxRetries: 0 });
      expect((await friend.completions.create(prompt)).choices[0]?.text).toBe("A");
      expect((await off.api.call("/v1/models")).status).toBe(404);
    } finally {
      await Promise.all([keyed.dispose(), off.dispose()]);
    }
  });
});

const llama = await installLlama();
if (llama.kind === "missing") console.warn(`skipped: ${llama.reason}`);

describe.skipIf(llama.kind === "missing")("OpenAI's client and llama.cpp", () => {
  let started: TestServer;
  let client: OpenAI;
  beforeAll(async () => {
    const directory = llama.kind === "installed" ? llama.directory : "";
    started = await startTestServer({
      models: [tinyLlama("tiny"), tinyLlama("vectors", { task: "embedding" })],
      args: [`--backend-config=llamacpp,module-directory=${directory}`],
    });
    client = clientOf(started);
  });
  afterAll(() => started?.dispose());

  it("chat, whole and in pieces, with usage", async () => {
    const asked = { model: "tiny", messages: user("hi"), temperature: 0, max_tokens: 30 };
    const whole = await client.chat.completions.create(asked);
    expect(whole.usage).toEqual({ prompt_tokens: 6, completion_tokens: 30, total_tokens: 36 });
    expect(whole.choices[0]?.finish_reason).toBe("length");
    const stream = await client.chat.completions.create({
      ...asked,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = "";
    let usage: unknown;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? "";
      usage = chunk.usage ?? usage;
    }
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(usage).toEqual(whole.usage);
  });

  it("answers in the form of a schema", async () => {
    const schema = { type: "object", properties: { yes: { type: "boolean" } }, required: ["yes"] };
    const answer = await client.chat.completions.create({
      model: "tiny",
      messages: user("well?"),
      max_tokens: 100,
      response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
    });
    expect(JSON.parse(answer.choices[0]?.message.content ?? "")).toEqual({ yes: expect.any(Boolean) });
  });

  it("embeds, also with a model for generation", async () => {
    const input = ["a text", "another"];
    const { data, usage } = await client.embeddings.create({ model: "vectors", input });
    expect(data.map(({ embedding }) => embedding.length)).toEqual([64, 64]);
    expect(usage).toEqual({ prompt_tokens: 15, total_tokens: 15 });
    expect((await client.embeddings.create({ model: "tiny", input })).data).toEqual(data);
  });

  it("refuses a prompt that is too long, with numbers", async () => {
    const asked = client.completions.create({ model: "tiny", prompt: "a".repeat(3000) });
    expect(await failure(asked)).toMatchObject({ status: 400, message: expect.stringContaining("3001 tokens") });
  });
});

describe("the client of the README", () => {
  const root = fileURLToPath(new URL("../../../../", import.meta.url));
  const snippet = (text: string) => /```js\n(import OpenAI[\s\S]+?)```/.exec(text)?.[1] ?? "";

  it("is the one of the guide, and runs as it is written", async () => {
    const example = snippet(readFileSync(join(root, "README.md"), "utf8"));
    expect(example).toBe(snippet(guide));
    const directory = mkdtempSync(join(root, "apps/server/dist/.example-"));
    try {
      const file = join(directory, "client.mjs");
      writeFileSync(file, example.replaceAll("http://localhost:8000", server.api.url.origin));
      const { stdout } = await promisify(execFile)(process.execPath, [file]);
      expect(stdout.length).toBeGreaterThan(0);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
