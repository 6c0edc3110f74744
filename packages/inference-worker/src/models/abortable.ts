/** The task's outcome, or, as soon as the signal aborts, its reason; the task is then left to end by itself. */
export async function abortable<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([task, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
    // Whoever left does not hear of its failure; nor must the process.
    task.catch(() => undefined);
  }
}
