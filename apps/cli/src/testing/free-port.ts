import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems give to outgoing connections and to servers that ask for any. */
const FIRST = 20_000;
const COUNT = 12_000;

/** A port on the loopback that nobody listens on, drawn by chance: tests that run side by side do not get the same one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const outcome = Promise.race([once(server, "listening").then(() => true), once(server, "error").then(() => false)]);
  server.listen(port, "127.0.0.1");
  const free = await outcome.catch(() => false);
  if (free) {
    server.close();
    await once(server, "close");
  }
  return free;
}
