import { createTestDatabase, type TestDatabase } from "@nereid/db/testing";
import { type Actor, ALL_PERMISSIONS, can, type Permission, ROLES } from "@nereid/services";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { procedures } from "../rest/routes.ts";
import { appRouter, createCaller } from "../root.ts";
import { apiContext, KEY_ACTOR, type TestApiContext } from "../testing/api-context.ts";
import { inputsOf } from "../testing/inputs.ts";
import { seed } from "../testing/seed.ts";

/** What a stream needs, which has no route to say so. */
const STREAMS: Readonly<Record<string, Permission>> = {
  "metrics.latency": "metrics.read",
  "metrics.summaries": "metrics.read",
  "logs.follow": "logs.read",
};

const all = procedures().map(([name, { type, meta }]) => ({
  name,
  type,
  permission: meta?.rest?.permission ?? STREAMS[name] ?? "unknown",
}));

/** Asked by a user or key that is neither administrator nor the person. */
const OTHERS_SESSIONS = ["users.sessions", "users.revokeSession"];

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

async function call(ctx: TestApiContext, name: string): Promise<string> {
  const [group = "", verb = ""] = name.split(".");
  const caller = createCaller(ctx) as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
  try {
    const answer = await caller[group]?.[verb]?.(inputsOf()[name]);
    if (typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer) {
      // A stream refuses when it is read.
      await (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
    }
    return "OK";
  } catch (error) {
    return String(Reflect.get(error as object, "code"));
  }
}

function mayCall(actor: Actor | null, { name, permission }: (typeof all)[number]): boolean {
  if (permission === "public") return true;
  if (actor === null) return false;
  if (OTHERS_SESSIONS.includes(name)) return can(actor, "user.manage");
  return permission === "session" || can(actor, permission as Permission);
}

const user = (role: Actor["role"]): Actor => ({ id: "u1", name: "Ada", role, kind: "user" });
const key = (scopes: readonly string[]): Actor => ({ ...KEY_ACTOR, role: "admin", scopes });

const ACTORS: readonly [string, Actor | null][] = [
  ["nobody", null],
  ...ROLES.map((role): [string, Actor] => [`a ${role}`, user(role)]),
  ["a key without scopes", key([])],
  ["a key that reads", key(["model.read", "metrics.read", "audit.read"])],
  ["a key with every scope", key(ALL_PERMISSIONS)],
];

describe("every procedure for everybody", () => {
  it("says what it needs", () => {
    expect(all.length).toBeGreaterThan(45);
    expect(all.filter(({ permission }) => permission === "unknown")).toEqual([]);
  });

  it.each(ACTORS)("%s is let do what the table allows, and nothing else", async (_, actor) => {
    const wrong: string[] = [];
    for (const procedure of all) {
      const ctx = apiContext(test.db, actor);
      await seed(test.db, ctx.node);
      const code = await call(ctx, procedure.name);
      const refused = code === "UNAUTHORIZED" || (code === "FORBIDDEN" && procedure.permission !== "public");
      const expected = mayCall(actor, procedure);
      if (refused === expected) wrong.push(`${procedure.name}: ${code}`);
      if (actor === null && !expected && code !== "UNAUTHORIZED") wrong.push(`${procedure.name}: ${code}`);
    }
    expect(wrong).toEqual([]);
  });

  it("a batch is judged call by call", async () => {
    const ctx = apiContext(test.db, user("viewer"));
    await seed(test.db, ctx.node);
    const names = ["models.list", "users.list", "keys.list", "audit.list"];
    const input = encodeURIComponent(JSON.stringify({ 3: { json: { limit: 1 } } }));
    const response = await fetchRequestHandler({
      endpoint: "/api/trpc",
      req: new Request(`http://127.0.0.1/api/trpc/${names.join(",")}?batch=1&input=${input}`),
      router: appRouter,
      createContext: () => ctx,
    });
    const answers = (await response.json()) as { error?: { json: { data: { code: string } } } }[];
    expect(answers.map(({ error }) => error?.json.data.code ?? "OK")).toEqual(["OK", "FORBIDDEN", "FORBIDDEN", "OK"]);
  });
});
