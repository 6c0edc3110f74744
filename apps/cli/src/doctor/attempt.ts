import { spawn } from "node:child_process";
import type { Attempt } from "./facts.ts";

export interface ChildCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** How a child process ended, and all it said. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** It could not be started. */
  readonly error: string | undefined;
}

const MOST_OUTPUT = 100_000;

/** Runs a program to its end, or kills it when its time is over. Never fails. */
export function runChild({ program, args, env, timeoutMs }: ChildCommand): Promise<ChildEnd> {
  return new Promise((resolve) => {
    const said = { stdout: "", stderr: "" };
    let timedOut = false;
    let error: string | undefined;
    const child = spawn(program, args, { env: { ...env }, stdio: ["ignore", "pipe", "pipe"] });
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill("SIGKILL");
    }, timeoutMs);
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        said[stream] = (said[stream] + text).slice(-MOST_OUTPUT);
      });
    }
    child.once("error", ({ message }) => {
      error = message;
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, timedOut, ...said, error });
    });
  });
}

/** What a probe's end means: its last line of output is its answer; without one it crashed. Pure. */
export function readAttempt<T>(end: ChildEnd, timeoutMs: number): Attempt<T> {
  if (end.timedOut) return { kind: "silent", seconds: timeoutMs / 1000 };
  if (end.error !== undefined) return { kind: "failed", message: end.error };
  const answer = lastAnswer<T>(end.stdout);
  const how = end.signal ?? `exit code ${end.code}`;
  const output = lastLines(end.stderr);
  if (end.signal !== null || answer === undefined) return { kind: "crashed", how, output };
  if ("value" in answer) return { kind: "works", value: answer.value };
  // The engine logs the library that is missing, and says less in its error.
  const missing = missingLibrary(`${answer.message}\n${end.stderr}`);
  return { kind: "failed", message: missing === undefined ? oneLine(answer.message) : `${missing} is missing` };
}

type Answer<T> = { readonly value: T } | { readonly message: string };

function lastAnswer<T>(stdout: string): Answer<T> | undefined {
  const line = stdout.trim().split("\n").at(-1) ?? "";
  try {
    const answer: unknown = JSON.parse(line);
    const isAnswer = typeof answer === "object" && answer !== null && ("value" in answer || "message" in answer);
    return isAnswer ? (answer as Answer<T>) : undefined;
  } catch {
    return undefined;
  }
}

/** Name of the shared library that the dynamic linker did not find. */
export function missingLibrary(text: string): string | undefined {
  return /([\w.+-]+\.so[\d.]*): cannot open shared object file/.exec(text)?.[1];
}

/** Without the place in the engine's source, which says nothing to the reader. */
function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.replace(/^\S*onnxruntime_src\S*.* was false\. /, "").slice(0, 300);
}

/** The line that names the error, or the last three. */
function lastLines(text: string): string {
  const lines = text.trim().split("\n");
  return (lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.slice(-3).join("\n")).slice(-500);
}
