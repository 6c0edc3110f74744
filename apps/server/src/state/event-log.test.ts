import { describe, expect, it } from "vitest";
import { EventLog } from "./event-log.ts";

const loaded = (model: string) => ({ kind: "load-finished", model, versions: ["1"], seconds: 2 }) as const;

describe("EventLog", () => {
  it("gives every event an id and a time, and tells what came after an id", () => {
    let now = 5;
    const log = new EventLog(() => now);
    log.model(loaded("a"));
    now = 9;
    log.runner({ model: "a", version: "1" }, { kind: "ended", reason: "signal SIGKILL" });
    log.runner({ model: "a", version: "1" }, { kind: "restarted", restarts: 1 });
    expect(log.after()).toEqual([
      { id: 5001, atMs: 5, kind: "load-finished", model: "a", version: "", reason: "", versions: ["1"], seconds: 2 },
      { id: 5002, atMs: 9, kind: "runner-ended", model: "a", version: "1", reason: "signal SIGKILL" },
      { id: 5003, atMs: 9, kind: "runner-restarted", model: "a", version: "1", reason: "" },
    ]);
    expect(log.after(5002).map(({ id }) => id)).toEqual([5003]);
    expect(log.after(5003)).toEqual([]);
  });

  it("remembers a thousand, and says where something is missing", () => {
    const log = new EventLog(() => 0);
    for (let index = 0; index < 1500; index++) log.model(loaded("a"));
    expect(log.after()).toHaveLength(1000);
    expect([log.isGap(499), log.isGap(500), log.isGap(1500)]).toEqual([true, false, false]);
  });

  it("goes on with higher ids in a server that starts later", () => {
    const first = new EventLog(() => 1000);
    first.model(loaded("a"));
    const second = new EventLog(() => 1001);
    second.model(loaded("a"));
    expect(second.after(first.after()[0]?.id).length).toBe(1);
  });

  it("says to who resumes after a restart that something may be missing, also before anything has happened", () => {
    const first = new EventLog(() => 1000);
    first.model(loaded("a"));
    const second = new EventLog(() => 1001);
    expect(second.isGap(first.after()[0]?.id ?? 0)).toBe(true);
  });

  it("tells those who follow, until they stop, one of them while it is told", () => {
    const log = new EventLog(() => 0);
    const seen: string[] = [];
    const stop = log.subscribe(({ model }) => {
      seen.push(`first ${model}`);
      stop();
    });
    log.subscribe(({ model }) => void seen.push(`second ${model}`));
    log.model(loaded("a"));
    log.model(loaded("b"));
    expect(seen).toEqual(["first a", "second a", "second b"]);
  });
});
