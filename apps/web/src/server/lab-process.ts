import { type ChildProcess, fork } from "node:child_process";
import { existsSync } from "node:fs";
import { ERROR_CODES, type ErrorCode, NereidError } from "@nereid/errors";
import { type FromLab, type Json, LAB_GRACE_MS, type LabIo, type LabTask, type ToLab } from "@nereid/services/lab-task";

export interface LabProcessOptions {
  /** The built program; undefined = there is none. */
  readonly program: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Told each line that the program writes about itself. */
  readonly onLine: (line: string) => void;
  /** Milliseconds that it has to end once it is told to. */
  readonly graceMs?: number;
}

/** Of what the program wrote last, for the message when it ends without a word. */
const TAIL_CHARACTERS = 4_000;

/**
 * Does a task in a process of its own. Once the signal is aborted the process has some seconds to end; then it is killed. Rejects with
 * what the task says, or with UNAVAILABLE when there is no program or it ended before the task did.
 */
export async function runInProcess(
  { task, io }: { readonly task: LabTask; readonly io: LabIo },
  { program, environment, onLine, graceMs = LAB_GRACE_MS }: LabProcessOptions,
): Promise<Json> {
  if (program === undefined || !existsSync(program)) {
    throw new NereidError("UNAVAILABLE", "the program that does the work of the lab was not found", {
      fix: "build it (npm run build) and start with npm start, or set NEREID_LAB to apps/cli/dist/lab.js",
    });
  }
  const child = fork(program, [], {
    serialization: "advanced",
    execArgv: [],
    env: { ...environment, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let tail = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARACTERS);
    onLine(text.trimEnd());
  });
  let kill: NodeJS.Timeout | undefined;
  const onAbort = () => {
    send(child, { kind: "stop" });
    kill = setTimeout(() => child.kill("SIGKILL"), graceMs);
  };
  try {
    return await new Promise<Json>((resolve, reject) => {
      child.on("message", (message: FromLab) => {
        if (message.kind === "result") resolve(message.value);
        else if (message.kind === "failed") reject(errorOf(message));
        else io[message.kind](message.value);
      });
      child.once("error", (cause) => reject(ended(`could not be started: ${cause.message}`)));
      child.once("close", (code, signal) => reject(ended(`ended with ${signal ?? `code ${code}`}${lastWords(tail)}`)));
      send(child, { kind: "start", task });
      if (io.signal.aborted) onAbort();
      else io.signal.addEventListener("abort", onAbort, { once: true });
    });
  } finally {
    io.signal.removeEventListener("abort", onAbort);
    // It ends by itself after its last word; one that does not is killed with the timer.
    kill ??= setTimeout(() => child.kill("SIGKILL"), graceMs);
    const timer = kill;
    timer.unref();
    child.once("exit", () => clearTimeout(timer));
    if (child.exitCode !== null || child.signalCode !== null) clearTimeout(timer);
  }
}

function send(child: ChildProcess, message: ToLab): void {
  // A process that is gone is noticed by its end.
  if (child.connected) child.send(message, () => undefined);
}

/** Of what a program wrote last, the line that says why. Pure. */
function lastWords(tail: string): string {
  const lines = tail.split("\n").filter((line) => line.trim() !== "");
  const line = lines.findLast((one) => /^\w*Error\b/.test(one)) ?? lines.at(-1);
  return line === undefined ? "" : `: ${line.trim().slice(0, 300)}`;
}

function errorOf({ code, message, fix }: Extract<FromLab, { kind: "failed" }>): NereidError {
  const known = ERROR_CODES.find((one): one is ErrorCode => one === code) ?? "INTERNAL";
  return new NereidError(known, message, fix === null ? {} : { fix });
}

function ended(how: string): NereidError {
  return new NereidError("UNAVAILABLE", `the process that did the work ${how}`, {
    fix: "run it again; the log of the dashboard says more",
  });
}
