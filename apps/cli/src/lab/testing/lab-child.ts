import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { FromLab, Json, LabTask, ToLab } from "@nereid/services/lab-task";

const PROGRAM = join(import.meta.dirname, "../../../dist/lab.js");

export interface LabChild {
  readonly child: ChildProcess;
  /** All that it told so far. */
  readonly told: readonly FromLab[];
  /** Its last word: the result or the failure. */
  readonly ended: Promise<FromLab | undefined>;
  say(message: ToLab): void;
}

/** The built program of the lab with a task, as the dashboard starts it. */
export function startLab(
  task: Pick<LabTask, "target"> & Partial<Pick<LabTask, "checkpoint" | "kind" | "model">> & { readonly spec: Json },
): LabChild {
  const child = fork(PROGRAM, [], {
    serialization: "advanced",
    execArgv: [],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const told: FromLab[] = [];
  child.on("message", (message: FromLab) => told.push(message));
  const say = (message: ToLab) => void child.send(message);
  const ended = once(child, "exit").then(() => told.findLast(({ kind }) => kind === "result" || kind === "failed"));
  say({ kind: "start", task: { id: "t", kind: "load-test", model: "m", checkpoint: null, ...task } });
  return { child, told, ended, say };
}
