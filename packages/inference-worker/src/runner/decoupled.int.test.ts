import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_UNRELEASED_BYTES, MAX_UNRELEASED_RESPONSES } from "../runners/response-credit.ts";
import { execute, ScriptBench } from "./testing/script-bench.ts";

/** Each request's parameter "do" names what happens to it; X[0] is a number for it. */
const SCRIPT = `
const value = (number, count = 1) => ({ outputs: { Y: { shape: [count], data: new Float32Array(count).fill(number) } } });
const later = () => new Promise((resolve) => setImmediate(resolve));
const waiting = new Map();
const ACTS = {
  repeat(request) {
    const count = request.inputs.X.data[0];
    for (let index = 0; index < count; index++) request.send(value(index));
    request.end();
  },
  finalSend(request) { request.send(value(1)); request.send(value(2), { final: true }); },
  errors(request) { request.send({ error: { code: "UNAVAILABLE", message: "this one not" } }); request.send(value(2), { final: true }); },
  bad(request) { request.send(value(1)); request.send({ outputs: { Y: { shape: [2], data: [1] } } }); request.send(value(3)); },
  async afterwards(request) {
    await later();
    for (let index = 0; index < 3; index++) { await request.send(value(index)); await later(); }
    request.end();
  },
  hold(request) { waiting.set(request.id, request); },
  release(request) {
    const held = waiting.get(request.parameters.which);
    held.send(value(9)); held.end(); request.end();
  },
  async untilCancelled(request) {
    let sent = 0;
    while (!request.signal.aborted) { if (await request.send(value(sent))) sent++; await later(); }
    console.log("cancelled");
    request.end();
  },
  async many(request) {
    const { count, size } = request.parameters;
    for (let index = 0; index < count; index++) { await request.send(value(index, size)); console.log("sent " + request.id + index); }
    request.end();
  },
  reschedule(request) { request.send(value(5)); request.reschedule(); },
  late(request) {
    request.end();
    request.send(value(1)).catch((error) => console.log("refused: " + error.message));
  },
  throws() { throw new TypeError("no"); },
  returnsSomething() { return [value(1)]; },
  crash(request) { request.send(value(1)).then(() => setImmediate(() => { throw new Error("lost my mind"); })); },
  reject(request) { request.send(value(1)).then(() => { Promise.reject(new Error("nobody caught this")); }); },
  exit(request) { request.send(value(1)).then(() => process.exit(3)); },
  stuck(request) { request.send(value(1)).then(() => { for (;;); }); },
};
export function execute(requests) {
  let result;
  for (const request of requests) result = ACTS[request.parameters.do](request);
  return Array.isArray(result) ? result : undefined;
}`;

describe("a decoupled script", () => {
  let bench: ScriptBench;
  let script: Awaited<ReturnType<ScriptBench["start"]>>;

  beforeAll(async () => {
    bench = new ScriptBench();
    script = await bench.start(SCRIPT);
  });

  afterAll(() => bench.close());

  interface Act {
    readonly act: string;
    readonly id?: string;
    readonly x?: number;
    readonly [parameter: string]: string | number | undefined;
  }

  function run(acts: readonly Act[], on = script) {
    const requests = acts.map(({ act, id = "", x = 0, ...more }) => ({
      id,
      inputs: { X: [x] },
      parameters: new Map(Object.entries({ do: act, ...more }).map(([name, value]) => [name, value ?? ""])),
    }));
    return on.run(requests, { decoupled: true });
  }

  const value = (number: number, final = false) => ({ outputs: { Y: [number] }, final });
  const end = { outputs: {}, final: true };
  const failed = (message: unknown, code = "INTERNAL") => ({ outputs: {}, error: { code, message }, final: true });

  it("answers each request any number of times, none included, in order", async () => {
    const execution = run([
      { act: "repeat", x: 3 },
      { act: "repeat", x: 0 },
      { act: "repeat", x: 1 },
    ]);
    expect(await execution.all()).toEqual([[value(0), value(1), value(2), end], [end], [value(0), end]]);
    expect((await execution.returned).inferEndNs).toBeGreaterThan(0);
  });

  it("may put final on a response, and errors between others", async () => {
    expect(await run([{ act: "finalSend" }, { act: "errors" }]).all()).toEqual([
      [value(1), value(2, true)],
      [{ ...failed("this one not", "UNAVAILABLE"), final: false }, value(2, true)],
    ]);
  });

  it("fails the one request whose response cannot be taken", async () => {
    const message = "output 'Y' has shape [2], which takes 2 elements, got 1";
    expect(await run([{ act: "bad" }, { act: "repeat", x: 1 }]).all()).toEqual([
      [value(1), failed(message)],
      [value(0), end],
    ]);
  });

  it("answers after the execution is over, while the next ones run, across requests in any order", async () => {
    const first = run([
      { act: "hold", id: "a" },
      { act: "hold", id: "b" },
    ]);
    await first.returned;
    expect(first.order).toEqual(["returned"]);
    expect(await run([{ act: "release", which: "b" }]).all()).toEqual([[end]]);
    await first.until(() => first.seen[1]?.at(-1)?.final === true);
    expect(first.seen).toEqual([[], [value(9), end]]);
    const other = run([{ act: "afterwards" }, { act: "release", which: "a" }]);
    expect(await first.all()).toEqual([
      [value(9), end],
      [value(9), end],
    ]);
    expect(await other.all()).toEqual([[value(0), value(1), value(2), end], [end]]);
  });

  it("hears that nobody waits any more", async () => {
    const execution = run([{ act: "untilCancelled" }, { act: "untilCancelled" }]);
    await execution.until(() => execution.seen.every((responses) => responses.length >= 2));
    execution.ticket.cancel(0);
    await execution.until(() => execution.seen[0]?.at(-1)?.final === true);
    expect(execution.seen[1]?.at(-1)?.final).toBe(false);
    execution.ticket.cancel(1);
    await execution.all();
  });

  it("hears of a cancellation that came before its turn", async () => {
    const running = run([{ act: "many", id: "before", count: 3, size: 1 }]);
    const next = run([{ act: "untilCancelled" }]);
    next.ticket.cancel(0);
    expect(await next.all()).toEqual([[end]]);
    await running.all();
  });

  it("waits in send while too many responses are unread, and goes on when they are", async () => {
    const count = MAX_UNRELEASED_RESPONSES + 20;
    const execution = run([{ act: "many", id: "n", count, size: 1 }]);
    execution.hold = true;
    await execution.until(() => execution.held.length === MAX_UNRELEASED_RESPONSES);
    // Another execution's answer shows that whatever else was on its way would have come.
    expect(await run([{ act: "repeat", x: 0 }]).all()).toEqual([[end]]);
    expect(execution.held.length).toBe(MAX_UNRELEASED_RESPONSES);
    execution.held.shift()?.release();
    await execution.until(() => execution.held.length === MAX_UNRELEASED_RESPONSES);
    execution.hold = false;
    for (const response of execution.held.splice(0)) response.release();
    const [responses] = await execution.all();
    expect(responses).toEqual([...Array.from({ length: count }, (_, index) => value(index)), end]);
  });

  it("waits in send while too many bytes are unread; cancelling ends the wait", async () => {
    const size = (24 << 20) / 4;
    const most = Math.ceil(MAX_UNRELEASED_BYTES / (size * 4));
    const execution = run([{ act: "many", id: "b", count: most + 5, size }]);
    execution.hold = true;
    await execution.until(() => execution.held.length === most);
    expect(await run([{ act: "repeat", x: 0 }]).all()).toEqual([[end]]);
    expect(execution.held.length).toBe(most);
    execution.ticket.cancel(0);
    await execution.until(() => execution.seen[0]?.at(-1)?.final === true);
    expect(execution.seen[0]?.length).toBe(most + 1);
    for (const response of execution.held) response.release();
  });

  it("gives a request back to be run again, after responses", async () => {
    expect(await run([{ act: "reschedule" }]).all()).toEqual([
      [value(5), { outputs: {}, final: true, reschedule: true }],
    ]);
  });

  it("tells the script when it sends after the end", async () => {
    expect(await run([{ act: "late" }]).all()).toEqual([[end]]);
    await expect.poll(() => bench.lines).toContain("refused: the request already had its final response");
  });

  it("fails what is still open when execute throws or returns something", async () => {
    const [first, second, third] = await run([
      { act: "repeat", x: 1 },
      { act: "throws" },
      { act: "repeat", x: 1 },
    ]).all();
    const message = expect.stringMatching(
      /^Failed to process the request\(s\) for model instance 'script_0_0', message: TypeError: no\nat .*1\/model\.mjs/,
    );
    expect(first).toEqual([value(0), end]);
    expect([second, third]).toEqual([[failed(message)], [failed(message)]]);
    expect(await run([{ act: "returnsSomething" }]).all()).toEqual([
      [failed(expect.stringContaining("the model is decoupled: execute must return nothing"))],
    ]);
  });

  it.each([
    ["crash", /^uncaught error in instance 'script_0_0': Error: lost my mind \(at .*1\/model\.mjs:\d+:\d+\)?/],
    ["reject", /^uncaught error in instance 'script_0_0': Error: nobody caught this/],
    ["exit", /^the thread of instance 'script_0_0' ended with code 3/],
  ])("ends the runner, with the reason, when the script does %s", async (act, reason) => {
    const doomed = await bench.start(SCRIPT);
    const execution = run([{ act, x: 1 }, { act: "hold" }], doomed);
    const [first, second] = await execution.all();
    await doomed.runner.ended();
    expect(doomed.runner.exitReason).toMatch(reason);
    const gone = failed(
      expect.stringMatching(/^the process running this model ended while it held the request/),
      "UNAVAILABLE",
    );
    expect(first).toEqual([value(1), gone]);
    expect(second).toEqual([gone]);
  });

  it("loses what is open when the runner is killed in the middle, and what comes later", async () => {
    const doomed = await bench.start(SCRIPT);
    const execution = run([{ act: "finalSend" }, { act: "stuck" }], doomed);
    await execution.until(() => execution.seen.every((responses) => responses.length >= 1));
    const waiting = run([{ act: "repeat", x: 1 }], doomed);
    doomed.runner.kill("out of patience");
    const gone = failed(expect.stringContaining("(out of patience)"), "UNAVAILABLE");
    expect((await execution.all())[1]?.at(-1)).toEqual(gone);
    expect(await waiting.all()).toEqual([[gone]]);
    await expect(waiting.returned).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await doomed.runner.ended();
    // The input lies in a live slab: only the channel is dead.
    const after = execute({ runner: script.runner, channel: doomed.channel }, [{ inputs: { X: [1] } }]);
    expect(await after.all()).toEqual([[gone]]);
  });

  it("gives all its memory back", async () => {
    const fresh = await bench.start(SCRIPT);
    await run([{ act: "many", id: "m", count: 50, size: 400_000 }], fresh).all();
    for (let sweep = 0; sweep < 4; sweep++) fresh.runner.sweep();
    expect(fresh.runner.slab.byteLength).toBe(1 << 20);
  });
});
