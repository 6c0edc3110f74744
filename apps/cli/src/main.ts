import { NereidError } from "@nereid/errors";
import { readEnv } from "./env.ts";
import { upHelp } from "./up/launcher-options.ts";
import { serverHelp } from "./up/server-help.ts";
import { up } from "./up/up.ts";
import { parseUpOptions } from "./up/up-options.ts";

/** `node dist/nereid.js up [options]`; the only verb so far. */
async function main(): Promise<number> {
  const [verb, ...args] = process.argv.slice(2);
  if (verb !== "up" && !["--help", "-h"].includes(verb ?? "")) {
    console.error("nereid: expected 'up', as in: nereid up --http-port=8000");
    return 2;
  }
  const { root, env } = readEnv();
  if (verb !== "up" || args.includes("--help") || args.includes("-h")) {
    process.stdout.write(upHelp(serverHelp(root)));
    return 0;
  }
  return up({ options: parseUpOptions(args, env, root), root, env });
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`nereid: ${NereidError.from(error).message}`);
    process.exit(1);
  },
);
