import { NereidError } from "@nereid/errors";
import { readEnv } from "./env.ts";
import { parseOptions } from "./options/parse-options.ts";
import { Closer } from "./process/closer.ts";
import { createLog } from "./process/log.ts";
import { startServer } from "./start-server.ts";

/** Beyond the drain time, for what has to end after it. */
const CLOSE_MARGIN_MS = 5_000;

async function main(): Promise<void> {
  const parsed = parseOptions(process.argv.slice(2), readEnv());
  if (parsed.kind === "help") {
    process.stdout.write(parsed.text);
    return;
  }
  const { options } = parsed;
  const log = createLog(options.log);
  const closer = new Closer({
    deadlineMs: options.exitTimeoutSecs * 1000 + CLOSE_MARGIN_MS,
    exit: (code) => process.exit(code),
    log: (text) => log.info(text),
  });
  process.on("SIGTERM", () => void closer.close("SIGTERM"));
  process.on("SIGINT", () => void closer.close("SIGINT"));
  if (readEnv()["NEREID_EXIT_WITH_PARENT"] === "1") {
    process.stdin.on("end", () => void closer.close("the launcher is gone"));
    process.stdin.resume();
  }
  for (const { option, text } of options.notices) log.warn({ option }, text);
  const context = await startServer(options, { log, closer });
  const { http, grpc, metrics } = context.ports;
  log.info({ http, grpc, metrics, pid: process.pid }, "server ready");
  // The launcher waits for this line; everything else goes to the log.
  process.stdout.write(`${JSON.stringify({ event: "ready", http, grpc, metrics, pid: process.pid })}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`nereid-server: ${NereidError.from(error).message}\n`);
  process.exit(1);
});
