import { afterEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../testing/start-test-server.ts";
import { parse } from "../testing/test-api.ts";
import { offset } from "../testing/test-model.ts";

interface Event {
  readonly id: number;
  readonly atMs: number;
  readonly kind: string;
  readonly model: string;
}

let server: TestServer;
afterEach(() => server?.dispose());

it("events as JSON: those remembered, in one answer that ends, from a place on, of one model", async () => {
  const startedMs = Date.now();
  server = await startTestServer({
    models: [offset("one", 1), offset("two", 2)],
    mode: ["--model-control-mode=explicit"],
  });
  const { api } = server;
  const ask = (query = "", accept = "application/json") =>
    api.call(`/nereid/v1/events${query}`, { headers: { accept } });
  for (const name of ["one", "two"]) expect((await api.load(name)).status).toBe(200);

  const answer = await ask();
  expect([answer.status, answer.headers["content-type"]]).toEqual([200, "application/json"]);
  const all = parse<Event[]>(answer);
  expect(new Set(all.map(({ kind }) => kind)).has("load-finished")).toBe(true);
  for (const { id, atMs } of all) {
    expect([Number.isInteger(id), atMs >= startedMs - 1_000, atMs <= Date.now() + 1_000]).toEqual([true, true, true]);
  }
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((a, b) => a - b));

  const ofOne = parse<Event[]>(await ask("?model=one"));
  expect(ofOne).toEqual(all.filter(({ model }) => model === "one"));
  expect(ofOne.length).toBeGreaterThan(0);
  const middle = all[Math.floor(all.length / 2)]?.id ?? 0;
  expect(parse<Event[]>(await ask(`?after=${middle}`))).toEqual(all.filter(({ id }) => id > middle));
  expect(parse(await ask(`?after=${all.at(-1)?.id}`))).toEqual([]);
  expect(parse(await ask("?model=unheard-of"))).toEqual([]);

  for (const after of ["x", "-1", "1.5", "", "9".repeat(17)]) {
    const refused = await ask(`?after=${after}`);
    expect([after, refused.status]).toEqual([after, 400]);
  }
  // What browsers and clients send who take JSON before anything else.
  expect(parse<Event[]>(await ask("", "application/json, text/plain, */*"))).toEqual(all);
  expect(parse<Event[]>(await ask("", "Application/JSON;q=0.9"))).toEqual(all);
});
