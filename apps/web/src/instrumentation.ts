/** Next calls this once, before the first request. */
export async function register(): Promise<void> {
  // Written out here and not in env.ts: the bundler must see it to leave the Node half out of its edge build.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { start } = await import("./server/start.ts");
    await start();
  }
}
