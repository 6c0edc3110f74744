import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { NereidError } from "@nereid/errors";
import { serverEntry } from "../up/server-help.ts";

/**
 * `nereid serve`: the data plane alone, in this process, with the options of a `tritonserver` command line. Signals, exit code and
 * output are the server's own.
 */
export async function serve(args: readonly string[], root: string): Promise<void> {
  const entry = serverEntry(root);
  if (!existsSync(entry)) throw new NereidError("UNAVAILABLE", "the server is not built", { fix: "npm run build" });
  process.argv = [process.execPath, entry, ...args];
  await import(pathToFileURL(entry).href);
}
