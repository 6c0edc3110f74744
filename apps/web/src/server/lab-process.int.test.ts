import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "@nereid/services/lab-task";
import { afterAll, expect, it, vi } from "vitest";
import { runInProcess } from "./lab-process.ts";

const directory = mkdtempSync(join(tmpdir(), "nereid-lab-process-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a program of the test as the lab's; `stop` aborts it. */
function run(code: string, { graceMs = 10_000 } = {}) {
  const program = join(directory, `${Math.random()}.mjs`);
  writeFileSync(program, code);
  const stop = new AbortController();
  const told: Json[] = [];
  const lines: string[] = [];
  const target = { httpUrl: "http://127.0.0.1:1", grpcUrl: null, headers: {}, nereid: true };
  const ended = runInProcess(
    {
      task: { id: "t", kind: "load-test", spec: { a: 1 }, model: "m", checkpoint: null, target },
      io: { signal: stop.signal, progress: (value) => told.push(value), checkpoint: (value) => told.push(value) },
    },
    { program, environment: { GIVEN: "yes" }, onLine: (line) => lines.push(line), graceMs },
  );
  return { ended, told, lines, stop: () => stop.abort() };
}

it("hands the task over, passes on what it is told, and answers the result; of the environment it gets what it is given", async () => {
  const { ended, told } = run(`process.on("message", ({ kind, task }) => {
    process.send({ kind: "progress", value: { given: process.env.GIVEN, path: process.env.PATH ?? null } });
    process.send({ kind: "checkpoint", value: task.spec });
    process.send({ kind: "result", value: kind }, () => process.exit(0));
  });`);
  expect(await ended).toBe("start");
  expect(told).toEqual([{ given: "yes", path: null }, { a: 1 }]);
});

it("says what the task says, and when it ends without a word what it wrote last", async () => {
  const failed = run(
    `process.on("message", () => process.send({ kind: "failed", code: "NOT_FOUND", message: "no m", fix: "load it" }));`,
  );
  await expect(failed.ended).rejects.toMatchObject({ code: "NOT_FOUND", message: "no m", fix: "load it" });
  const died = run(`process.on("message", () => { console.error("out of luck"); process.exit(7); });`);
  await expect(died.ended).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringMatching(/code 7: .*out of luck/),
  });
  expect(died.lines.join()).toContain("out of luck");
});

it("lets a task that is stopped tell what it has, and kills one that does not end", async () => {
  const gentle = run(`process.on("message", ({ kind }) => {
    if (kind === "stop") process.send({ kind: "result", value: "so far" }, () => process.exit(0));
    else process.send({ kind: "progress", value: 1 });
  });`);
  await vi.waitFor(() => expect(gentle.told).toEqual([1]));
  gentle.stop();
  expect(await gentle.ended).toBe("so far");
  const deaf = run(`process.on("message", () => {}); setInterval(() => {}, 1000);`, { graceMs: 50 });
  deaf.stop();
  await expect(deaf.ended).rejects.toMatchObject({ message: expect.stringContaining("SIGKILL") });
});

it("without a program says how there is one", async () => {
  const { ended } = {
    ended: runInProcess(
      {
        task: {
          id: "t",
          kind: "tuning",
          spec: null,
          model: "m",
          checkpoint: null,
          target: { httpUrl: "", grpcUrl: null, headers: {}, nereid: true },
        },
        io: { signal: new AbortController().signal, progress: () => undefined, checkpoint: () => undefined },
      },
      { program: undefined, environment: {}, onLine: () => undefined },
    ),
  };
  await expect(ended).rejects.toMatchObject({ code: "UNAVAILABLE", fix: expect.stringContaining("NEREID_LAB") });
});
