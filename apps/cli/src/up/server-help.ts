import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { NereidError } from "@nereid/errors";
import { optionsInHelp, unknownOption } from "./launcher-options.ts";

/** Where the built server is. */
export function serverEntry(root: string): string {
  return join(root, "apps/server/dist/server.js");
}

/** The server's own help, asked of the server. */
export function serverHelp(root: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [serverEntry(root), "--help"], { encoding: "utf8" });
  if (status === 0) return stdout;
  throw new NereidError("UNAVAILABLE", `the server does not start: ${stderr.trim().split("\n").at(-1) ?? ""}`, {
    fix: "npm run build",
  });
}

/** INVALID_ARGUMENT for an option that neither the launcher nor the server has. Starts the server's help only when needed. */
export function checkPassedOn(passedOn: readonly string[], root: string): void {
  if (passedOn.length === 0) return;
  const unknown = unknownOption(passedOn, optionsInHelp(serverHelp(root)));
  if (unknown !== undefined)
    throw new NereidError("INVALID_ARGUMENT", `unknown option ${unknown}; nereid up --help lists them all`);
}
