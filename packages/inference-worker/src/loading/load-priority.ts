import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { getPriority, setPriority } from "node:os";
import { stopAndGo } from "./stop-and-go.ts";
import { affinityOf, cornerOf, setAffinity, setIoPriority } from "./thread-scheduling.ts";

/** How a process that loads a model is kept out of the way of those that serve. */
export type LoadPriority =
  /** Lowest priority for the processor, then normal again. */
  | "nice"
  /** Some of the processors only, then all: a priority that was lowered could not be raised again here. */
  | "corner"
  | "none";

/** Gives a process back what was taken from it; a second call does nothing. */
export type Restore = () => void;

const LOWEST = 19;
/**
 * On a machine that is busy through and through the lowest priority gets a seventieth of what a serving process gets, and a load of a
 * second would take minutes: one that lasts is let nearer step by step, to a tenth and then a quarter.
 */
const LATER: readonly { readonly afterMs: number; readonly nice: number }[] = [
  { afterMs: 1_000, nice: 10 },
  { afterMs: 5_000, nice: 6 },
];
/** Threads may start others while they are gone through. */
const MOST_ROUNDS = 10;

/**
 * What this server may do and undo: a lowered priority can be raised again only by root or with CAP_SYS_NICE, so it is tried on a
 * child of its own that does nothing and is ended at once.
 */
export function findLoadPriority(): LoadPriority {
  if (process.platform !== "linux") return "none";
  let child: ChildProcess | undefined;
  try {
    child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    child.on("error", () => {});
    if (child.pid === undefined) return "none";
    setPriority(child.pid, LOWEST);
    setPriority(child.pid, getPriority());
    return "nice";
  } catch {
    return canConfine() ? "corner" : "none";
  } finally {
    child?.kill("SIGKILL");
  }
}

/**
 * Lowers a process for as long as it loads. Call it before the process has started threads, or as soon as possible. With `gentleWhile` the
 * process, which must lead a group of its own, is stopped most of the time for as long as that says that others serve.
 */
export function lowerWhileLoading(pid: number, how: LoadPriority, gentleWhile?: () => boolean): Restore {
  if (pid === 0) return () => {};
  if (gentleWhile === undefined) return lower(pid, how);
  const restore = lower(pid, how === "nice" ? "nice" : "none", GENTLE);
  const end = stopAndGo({
    isServing: gentleWhile,
    signal: (how) => void quietly(() => process.kill(-pid, how === "stop" ? "SIGSTOP" : "SIGCONT")),
  });
  return () => {
    end();
    restore();
  };
}

/** What runs a twentieth of the time must come to run when it may. */
const GENTLE = 10;
const KEPT = 10;

/**
 * Lowers a process for good: beside others it gets a tenth of their time on a busy machine, and all of it on one that is not. Threads that it
 * starts later have the same. Does nothing where the process is gone, or not on Linux.
 */
export function keepLow(pid: number): void {
  if (process.platform !== "linux" || pid === 0) return;
  raiseTo(pid, KEPT);
}

function lower(pid: number, how: LoadPriority, nice = LOWEST): Restore {
  if (how === "none") return () => {};
  const before = how === "corner" ? quietly(() => affinityOf(pid)) : undefined;
  const corner = before && cornerOf(before);
  forEachThread(pid, (tid) => {
    if (how === "nice") setPriority(tid, nice);
    else if (corner !== undefined) setAffinity(tid, corner);
    setIoPriority(tid, "idle");
  });
  const timers = how === "nice" ? LATER.map(({ afterMs, nice }) => later(afterMs, () => raiseTo(pid, nice))) : [];
  let low = true;
  return () => {
    if (!low) return;
    low = false;
    for (const timer of timers) clearTimeout(timer);
    // That of the server itself, as a process that was never lowered has it.
    const normal = getPriority();
    forEachThread(pid, (tid) => {
      if (how === "nice") setPriority(tid, normal);
      else if (before !== undefined) setAffinity(tid, before);
      setIoPriority(tid, "normal");
    });
  };
}

function raiseTo(pid: number, nice: number): void {
  const least = Math.max(nice, getPriority());
  forEachThread(pid, (tid) => setPriority(tid, least));
}

function later(ms: number, act: () => void): NodeJS.Timeout {
  const timer = setTimeout(act, ms);
  timer.unref();
  return timer;
}

/** Every thread once, those too that come meanwhile: a thread takes over the priority of the one that starts it. */
function forEachThread(pid: number, act: (tid: number) => void): void {
  const done = new Set<number>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const fresh = threadsOf(pid).filter((tid) => !done.has(tid));
    if (fresh.length === 0) return;
    for (const tid of fresh) {
      done.add(tid);
      quietly(() => act(tid));
    }
  }
}

function threadsOf(pid: number): readonly number[] {
  return quietly(() => readdirSync(`/proc/${pid}/task`).map(Number)) ?? [];
}

function canConfine(): boolean {
  return quietly(() => affinityOf(process.pid)) !== undefined;
}

/** A thread that has ended meanwhile, or a kernel that refuses, must not fail the load. */
function quietly<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
