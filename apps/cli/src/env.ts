import { fileURLToPath } from "node:url";

/** The environment and the project's root directory, read in this one place. */
export function readEnv(): { readonly root: string; readonly env: Readonly<Record<string, string | undefined>> } {
  return { root: fileURLToPath(new URL("../../../", import.meta.url)).replace(/\/$/, ""), env: process.env };
}
