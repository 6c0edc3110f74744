import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles the child once. */
export async function bundleDraftChild(directory: string): Promise<string> {
  const outfile = join(directory, "draft-child.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("./draft-child.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    banner: {
      js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);',
    },
  });
  return outfile;
}

export interface DraftProcess {
  readonly url: string;
  kill(): Promise<void>;
}

/** Starts a server process over a repository. */
export async function spawnDraftServer(bundle: string, root: string): Promise<DraftProcess> {
  const child: ChildProcess = spawn(process.execPath, [bundle, root], { stdio: ["ignore", "pipe", "inherit"] });
  if (child.stdout === null) throw new Error("the child has no output");
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    url,
    kill: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
