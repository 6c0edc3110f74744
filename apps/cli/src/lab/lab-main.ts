/** The program of a process that does one task of the lab: a load test, a tuning, an experiment. Bundled by itself. */
import { NereidError } from "@nereid/errors";
import { type FromLab, LAB_GRACE_MS, type LabTask, type ToLab } from "@nereid/services/lab-task";
import { LAB_TASKS } from "./lab-tasks.ts";

const stop = new AbortController();

/** Sends, where there is still somebody; resolves when it has left this process. */
function tell(message: FromLab): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) return resolve();
    process.send(message, () => resolve());
  });
}

async function run(task: LabTask): Promise<void> {
  const { signal } = stop;
  try {
    const value = await LAB_TASKS[task.kind](task, {
      signal,
      progress: (value) => void tell({ kind: "progress", value }),
      checkpoint: (value) => void tell({ kind: "checkpoint", value }),
    });
    await tell({ kind: "result", value });
  } catch (thrown) {
    const { code, message, fix } = NereidError.from(thrown);
    await tell({ kind: "failed", code, message, fix: fix ?? null });
  }
  process.exit(0);
}

process.on("message", (message: ToLab) => {
  if (message.kind === "start") void run(message.task);
  else stop.abort();
});
// Whoever wanted it is gone: what was made on the server is removed, and nothing is left running.
process.on("disconnect", () => {
  stop.abort();
  setTimeout(() => process.exit(1), LAB_GRACE_MS).unref();
});
// Ctrl-C reaches the whole group of processes; the dashboard says when to stop.
process.on("SIGINT", () => undefined);
