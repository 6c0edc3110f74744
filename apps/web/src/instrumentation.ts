import { isNodeRuntime } from "./env.ts";

/** Next calls this once, before the first request. */
export async function register(): Promise<void> {
  if (!isNodeRuntime) return;
  const { start } = await import("./server/start.ts");
  await start();
}
