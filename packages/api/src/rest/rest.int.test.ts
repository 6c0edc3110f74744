import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import { NereidError } from "@nereid/errors";
import { type Actor, ALL_PERMISSIONS, authenticateKey, createKey } from "@nereid/services";
import { testContext } from "@nereid/services/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { ApiContext } from "../context.ts";
import { createCaller } from "../root.ts";
import { apiContext, type TestApiContext, withLocal } from "../testing/api-context.ts";
import { inputsOf } from "../testing/inputs.ts";
import { seed } from "../testing/seed.ts";
import { handleRest } from "./handle-rest.ts";
import { toJsonSchema } from "./json-schema.ts";
import { OPERATIONS } from "./routes.ts";

let test: TestDatabase;
let ctx: TestApiContext;
const admin: Actor = { id: "u1", name: "Ada", role: "admin", kind: "user" };

beforeAll(async () => {
  test = await createTestDatabase();
  ctx = apiContext(test.db, admin);
  await seed(test.db, ctx.node);
});
afterAll(() => test.drop());

interface Sent {
  readonly body?: unknown;
  readonly text?: string;
  readonly type?: string;
  readonly as?: (request: Request) => Promise<ApiContext>;
}

async function send(method: string, path: string, { body, text, type, as }: Sent = {}) {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const request = new Request(`http://127.0.0.1:3000/api/v1${path}`, {
    method,
    ...(content === undefined ? {} : { body: content, headers: { "content-type": type ?? "application/json" } }),
  });
  const [pathname = ""] = path.split("?");
  const response = await handleRest({ request, path: pathname, context: as ?? (async () => ctx) });
  const answer = await response.text();
  return { response, status: response.status, json: answer === "" ? undefined : JSON.parse(answer) };
}

/** What is done with what is served. */
const SERVED = ["versions.unload", "rollouts.start", "tunings.start", "experiments.start"];

describe("answers", () => {
  it("are what the document says, of every operation (dates as text)", async () => {
    const fails = ["setup.redeem", "users.accept"];
    const checked: string[] = [];
    for (const { name, route } of OPERATIONS) {
      if (fails.includes(name)) continue;
      const own = apiContext(test.db, admin);
      await seed(test.db, own.node);
      if (SERVED.includes(name)) await own.node.pinVersions("resnet", ["1", "2"]);
      const [group = "", verb = ""] = name.split(".");
      const caller = createCaller(own) as unknown as Record<
        string,
        Record<string, (input: unknown) => Promise<unknown>>
      >;
      const result = await caller[group]?.[verb]?.(inputsOf()[name]);
      if (route.output === undefined) expect([name, result]).toEqual([name, undefined]);
      else {
        const { error } = route.output.schema.safeParse(result);
        expect([name, error?.issues]).toEqual([name, undefined]);
        const published = z.fromJSONSchema(toJsonSchema(route.output.schema, "output") as never);
        const onWire: unknown = JSON.parse(JSON.stringify(result));
        expect([name, published.safeParse(onWire).error?.issues]).toEqual([name, undefined]);
      }
      checked.push(name);
    }
    expect(checked.length).toBe(OPERATIONS.length - fails.length);
  });
});

describe("requests", () => {
  it("reach the procedure with path, query and body", async () => {
    expect((await send("GET", "/models")).json).toMatchObject([{ name: "broken" }, { name: "resnet" }]);
    await send("DELETE", "/keys/key1");
    expect((await send("GET", "/audit?limit=1&action=key.")).json.events).toMatchObject([{ action: "key.revoke" }]);
    const created = await send("POST", "/keys", {
      body: { name: "CI", scopes: ["model.read"], expiresAt: "2027-01-01T00:00:00+01:00" },
    });
    expect(created).toMatchObject({ status: 200, json: { key: { expiresAt: "2026-12-31T23:00:00.000Z" } } });
    const done = await send("POST", "/models/resnet/unload", { body: { name: "other" } });
    expect([done.status, done.json]).toEqual([204, undefined]);
    const [row] = await test.db.auditEvent.findMany({ orderBy: { seq: "desc" }, take: 1 });
    expect(row).toMatchObject({ action: "model.unload", targetId: "resnet" });
  });

  it("that are wrong are answered with a problem", async () => {
    const problem = (status: number, code: string, detail?: RegExp) => ({
      status,
      json: {
        status,
        code,
        type: `urn:nereid:problem:${code.toLowerCase().replaceAll("_", "-")}`,
        ...(detail ? { detail: expect.stringMatching(detail) } : {}),
      },
    });
    expect(await send("GET", "/nothing")).toMatchObject(problem(404, "NOT_FOUND"));
    const method = await send("PATCH", "/models");
    expect(method).toMatchObject(problem(405, "METHOD_NOT_ALLOWED"));
    expect(method.response.headers.get("allow")).toBe("GET");
    expect(await send("GET", "/audit?limit=many")).toMatchObject(problem(400, "INVALID_ARGUMENT", /^limit: /));
    expect(await send("POST", "/drafts", { text: "{" })).toMatchObject(problem(400, "INVALID_ARGUMENT", /JSON/));
    expect(await send("POST", "/drafts", { text: "[]" })).toMatchObject(problem(400, "INVALID_ARGUMENT", /object/));
    const form = { text: "a=b", type: "text/plain" };
    expect(await send("POST", "/drafts", form)).toMatchObject(problem(400, "INVALID_ARGUMENT", /JSON/));
    const large = { body: { text: "x".repeat(2 ** 21) } };
    expect(await send("POST", "/models/m/config/check", large)).toMatchObject(problem(413, "PAYLOAD_TOO_LARGE"));
    expect(await send("POST", "/models/broken/load")).toMatchObject(problem(400, "INVALID_ARGUMENT", /no model.onnx/));
    expect(await send("DELETE", "/models/resnet?confirm=other")).toMatchObject(problem(400, "INVALID_ARGUMENT"));
  });

  it("carry the request's id into answer and audit trail", async () => {
    const { response, json } = await send("GET", "/drafts/none");
    expect(json).toMatchObject({ code: "NOT_FOUND", requestId: "req-1" });
    expect(response.headers.get("x-request-id")).toBe("req-1");
  });

  it("a failure of ours is logged and says nothing of itself", async () => {
    const own = apiContext(test.db, admin);
    const client = { ...own.node, models: () => Promise.reject(new Error("secret path /etc")) };
    const { status, json } = await send("GET", "/models", { as: async () => withLocal(own, { client }) });
    expect(status).toBe(500);
    expect(JSON.stringify(json)).not.toContain("/etc");
    expect(own.logged).toHaveLength(1);
  });
});

describe("who is calling", () => {
  const bearer =
    (secret: string, clock = ctx.base.clock) =>
    async () => {
      const actor = await authenticateKey({ ...ctx.base, clock }, secret);
      return apiContext(test.db, actor);
    };
  const maker = () => testContext(test.db, "admin");

  it("nobody gets 401 without the body being read, and the public ones work", async () => {
    const nobody = { as: async () => apiContext(test.db, null) };
    const refused = await send("POST", "/models/resnet/load", { ...nobody, text: "{" });
    expect(refused).toMatchObject({ status: 401, json: { code: "UNAUTHENTICATED" } });
    expect(refused.response.headers.get("www-authenticate")).toBe("Bearer");
    expect((await send("GET", "/setup", nobody)).json).toEqual({ needed: false });
    const accept = { ...nobody, body: { token: "x", password: "long enough password" } };
    expect(await send("POST", "/users/accept", accept)).toMatchObject({ status: 403 });
  });

  it("a key does what its scopes say, until it expires or is revoked", async () => {
    const expiresAt = new Date(ctx.base.clock.now() + 1000);
    const { key, secret } = await createKey({
      ctx: maker(),
      input: { name: "CI", scopes: ["model.read"], expiresAt },
    });
    const as = bearer(secret);
    expect((await send("GET", "/models", { as })).status).toBe(200);
    expect(await send("POST", "/models/resnet/load", { as })).toMatchObject({
      status: 403,
      json: { code: "FORBIDDEN", fix: "use a key with the scope model.load" },
    });
    expect((await send("GET", "/me", { as })).json).toMatchObject({
      actor: { kind: "key", id: key.id },
      permissions: ["model.read"],
    });
    const late = bearer(secret, { now: () => expiresAt.getTime() });
    expect(await send("GET", "/models", { as: late })).toMatchObject({
      status: 401,
      json: { detail: "this API key has expired" },
    });
  });

  it("a revoked key and an unknown one get 401", async () => {
    const { key, secret } = await createKey({ ctx: maker(), input: { name: "CI", scopes: [...ALL_PERMISSIONS] } });
    expect((await send("DELETE", `/keys/${key.id}`, { as: bearer(secret) })).status).toBe(204);
    expect(await send("GET", "/models", { as: bearer(secret) })).toMatchObject({
      status: 401,
      json: { detail: "this API key was revoked" },
    });
    expect((await send("GET", "/models", { as: bearer("nrd_nothing") })).status).toBe(401);
  });

  it("what goes wrong before it is known is a problem too", async () => {
    const as = () => Promise.reject(new NereidError("FORBIDDEN", "this request came from another site"));
    expect(await send("POST", "/drafts", { as })).toMatchObject({ status: 403, json: { code: "FORBIDDEN" } });
  });
});
