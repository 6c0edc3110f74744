import { offsetModel } from "@nereid/model-authoring";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { AxiosResponse } from "axios";
import { type Document, type OpenAPIClient, OpenAPIClientAxios } from "openapi-client-axios";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALL_SCOPES, type Product, startProduct } from "../testing/product.ts";
import { sendFile } from "../testing/send-file.ts";

/** `/api/v1` as a program sees it that knows nothing but the document. The steps follow each other. */
let product: Product;
let key: string;
let document: Document;
let client: OpenAPIClient;

beforeAll(async () => {
  product = await startProduct();
  key = await product.key(ALL_SCOPES);
  const answer = await fetch(`${product.web}/api/v1/openapi.json`, { headers: { authorization: `Bearer ${key}` } });
  document = (await answer.json()) as Document;
  client = await clientWith(key);
});
afterAll(() => product?.close());

/** A client made of the document at run time; answers of every status are answers. */
async function clientWith(secret: string): Promise<OpenAPIClient> {
  const api = new OpenAPIClientAxios({
    definition: document,
    axiosConfigDefaults: { headers: { authorization: `Bearer ${secret}` }, validateStatus: () => true },
  });
  api.withServer({ url: `${product.web}/api/v1` });
  return api.init();
}

type Parameters = Readonly<Record<string, string | number>>;

/** Calls an operation of the document by its id. */
async function raw(operation: string, parameters: Parameters | null, body?: unknown, by = client) {
  const method = by[operation];
  if (method === undefined) throw new Error(`the document has no operation ${operation}`);
  return (await method(parameters ?? undefined, body)) as AxiosResponse;
}

/** The body of a successful answer. */
async function call<T>(operation: string, parameters: Parameters | null = null, body?: unknown): Promise<T> {
  const { status, data } = await raw(operation, parameters, body);
  if (status >= 300) throw new Error(`${operation}: ${status} ${JSON.stringify(data)}`);
  return data as T;
}

interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;
  readonly details?: { readonly digest?: string; readonly diagnostics?: readonly { readonly line: number }[] };
}

/** The problem of a refused answer, which must be of the announced media type. */
function problemOf({ status, headers, data }: AxiosResponse): Problem & { readonly status: number } {
  expect(headers["content-type"]).toBe("application/problem+json");
  const problem = data as Problem & { status: number };
  expect(problem.status).toBe(status);
  expect(problem.requestId).toBe(headers["x-request-id"]);
  return problem;
}

interface DraftView {
  readonly id: string;
  readonly state: string;
  readonly report: { readonly version: string; readonly trial: { readonly outcome: string } } | null;
}

async function checkedDraft(adds: number, wishes: { model: string }): Promise<DraftView> {
  const { id } = await call<DraftView>("deploy.open", null, wishes);
  const endpoint = `${product.web}/api/v1/uploads`;
  await sendFile({ endpoint, key, draft: id }, "model.onnx", offsetModel(adds));
  await call("deploy.check", { id });
  await expect.poll(async () => (await call<DraftView>("deploy.get", { id })).state, { timeout: 30_000 }).toBe("ready");
  return call("deploy.get", { id });
}

async function ask(question = 0): Promise<number | undefined> {
  const inputs = [{ name: "QUESTION", datatype: "FP32", shape: [1, 1], data: [question] }];
  const answer = await fetch(`${product.server}/v2/models/adder/infer`, {
    method: "POST",
    body: JSON.stringify({ inputs }),
  });
  if (!answer.ok) throw new Error(`infer: ${answer.status} ${await answer.text()}`);
  const { outputs } = (await answer.json()) as { outputs: { data: number[] }[] };
  return outputs[0]?.data[0];
}

interface ConfigView {
  readonly text: string;
  readonly digest: string;
}

describe("a client generated from /api/v1/openapi.json", () => {
  it("finds a valid document", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)).toEqual({
      valid: true,
    });
    expect(validator.version).toBe("3.1");
  });

  it("publishes a model, and the model answers", async () => {
    expect(await call("models.list")).toEqual([]);
    const draft = await checkedDraft(1, { model: "adder" });
    expect(draft.report).toMatchObject({ version: "1", trial: { outcome: "passed" } });
    const published = await call("deploy.publish", { id: draft.id }, { load: true, reason: "first" });
    expect(published).toMatchObject({ model: "adder", version: "1", loaded: true, loadError: null });
    expect(await ask(1)).toBe(2);
    expect(await call<{ name: string }[]>("models.list")).toMatchObject([{ name: "adder" }]);
  });

  it("publishes a second version and rolls back under load, without one failed request", async () => {
    const draft = await checkedDraft(2, { model: "adder" });
    let running = true;
    const seen = new Map<number | undefined, number>();
    const clients = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (running) {
          const answer = await ask();
          seen.set(answer, (seen.get(answer) ?? 0) + 1);
        }
      }),
    );
    try {
      await expect.poll(() => seen.get(1)).toBeGreaterThan(20);
      await call("deploy.publish", { id: draft.id }, { load: true });
      await expect.poll(() => seen.get(2)).toBeGreaterThan(20);
      const before = seen.get(1) ?? 0;
      expect(await call("versions.rollback", { name: "adder" }, { reason: "try" })).toMatchObject({
        from: ["2"],
        to: "1",
        undo: null,
      });
      await expect.poll(() => seen.get(1)).toBeGreaterThan(before + 20);
    } finally {
      running = false;
    }
    // A failed request would have failed this.
    await clients;
    expect([...seen.keys()].sort()).toEqual([1, 2]);
  });

  it("checks, applies, refuses and restores a configuration", async () => {
    const before = await call<ConfigView>("config.get", { name: "adder" });
    const text = `${before.text.trimEnd()}\ninstance_group [ { count: 1 kind: KIND_CPU } ]\n`;
    const wrong = await raw("config.save", { name: "adder" }, { text, ifDigest: "0".repeat(64) });
    expect(problemOf(wrong)).toMatchObject({
      status: 409,
      code: "CONFLICT",
      type: "urn:nereid:problem:conflict",
      details: { digest: before.digest },
    });
    const bad = { text: "max_batch_size: many\n", ifDigest: before.digest };
    const checkedBad = await call<{ diagnostics: { severity: string }[] }>("config.check", { name: "adder" }, bad);
    expect(checkedBad.diagnostics).toContainEqual(expect.objectContaining({ severity: "error", line: 1 }));
    const refused = problemOf(await raw("config.save", { name: "adder" }, bad));
    expect(refused).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
    expect(refused.details?.diagnostics).toContainEqual(expect.objectContaining({ severity: "error", line: 1 }));

    const { diagnostics, change } = await call<{ diagnostics: { severity: string }[]; change: { kind: string } }>(
      "config.check",
      { name: "adder" },
      { text },
    );
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(change.kind).not.toBe("none");
    const applied = await call<ConfigView & { historyId: string }>(
      "config.save",
      { name: "adder" },
      {
        text,
        ifDigest: before.digest,
        reason: "fewer instances",
      },
    );
    expect(await call("config.get", { name: "adder" })).toMatchObject({ text, digest: applied.digest });

    const { entries } = await call<{ entries: { id: string; source: string; digest: string }[] }>("config.history", {
      name: "adder",
      limit: 10,
    });
    expect(entries[0]).toMatchObject({ source: "apply", id: applied.historyId, reason: "fewer instances" });
    const earlier = entries.find(({ digest }) => digest === before.digest);
    if (earlier === undefined) throw new Error("the history does not have the first configuration");
    const restored = { ifDigest: applied.digest };
    await call("config.restore", { name: "adder", id: earlier.id }, restored);
    expect(await call("config.get", { name: "adder" })).toMatchObject({ text: before.text, digest: before.digest });
  });

  it("deletes a version when it is told which, and not before it is unloaded", async () => {
    const version = { name: "adder", version: "1" };
    const served = await raw("versions.remove", { ...version, confirm: "adder/1" });
    expect(problemOf(served)).toMatchObject({ status: 409, code: "CONFLICT" });
    expect(await ask()).toBe(1);
    expect((await raw("models.unload", { name: "adder" })).status).toBe(204);
    expect(problemOf(await raw("versions.remove", { ...version, confirm: "adder" }))).toMatchObject({ status: 400 });
    await expect.poll(async () => (await raw("versions.remove", { ...version, confirm: "adder/1" })).status).toBe(204);
    expect(await call<{ version: string }[]>("versions.list", { name: "adder" })).toMatchObject([{ version: "2" }]);
  });

  it("is told what it may not do, and what is not there", async () => {
    const reader = await clientWith(await product.key(["model.read"]));
    expect(problemOf(await raw("models.load", { name: "adder" }, undefined, reader))).toMatchObject({
      status: 403,
      code: "FORBIDDEN",
    });
    const stranger = await clientWith("nrd_no-such-key");
    expect(problemOf(await raw("models.list", null, undefined, stranger))).toMatchObject({ status: 401 });
    expect(problemOf(await raw("config.get", { name: "nobody" }))).toMatchObject({ status: 404, code: "NOT_FOUND" });
  });

  it("finds all of it in the audit trail, whose chain holds", async () => {
    const { events } = await call<{ events: { action: string; outcome: string }[] }>("audit.list", { limit: 100 });
    const rows = events.map(({ action, outcome }) => `${action} ${outcome}`);
    for (const row of [
      "draft.publish succeeded",
      "version.rollback succeeded",
      "config.apply succeeded",
      "config.apply failed",
      "config.restore succeeded",
      "model.unload succeeded",
      "model.load failed",
    ])
      expect(rows).toContain(row);
    expect(rows.filter((row) => row === "draft.publish succeeded")).toHaveLength(2);
    expect(await call("audit.verify")).toMatchObject({ ok: true, brokenAt: null });
  });
});
