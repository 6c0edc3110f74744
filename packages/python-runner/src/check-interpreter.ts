import { execFile } from "node:child_process";
import { NereidError } from "@nereid/errors";

/** What an interpreter says of itself. */
export interface Interpreter {
  readonly program: string;
  readonly version: string;
}

const CHECK_WITHIN_MS = 60_000;
const LEAST = [3, 9];
/** A package that is looked for beside numpy: the name it is imported by, and the one it is installed by. */
export interface NeededPackage {
  readonly module: string;
  readonly install: string;
}

const SCRIPT = [
  "import sys",
  "print('.'.join(map(str, sys.version_info[:3])), flush=True)",
  "import numpy",
  "print(numpy.__version__, flush=True)",
  "import importlib.util",
  "print(' '.join(name for name in sys.argv[1:] if importlib.util.find_spec(name)))",
].join("\n");

type Env = Readonly<Record<string, string | undefined>>;

/** Whether the program is Python 3.9 or later with numpy and the package. Undefined when there is no such program; UNAVAILABLE with what to install. */
export async function checkInterpreter(
  program: string,
  { env, needs }: { readonly env: Env; readonly needs?: NeededPackage | undefined },
): Promise<Interpreter | undefined> {
  const { stdout, error } = await ask(program, { env, modules: needs === undefined ? [] : [needs.module] });
  const [version = "", numpy = "", modules = ""] = stdout.split("\n").map((line) => line.trim());
  if (version === "") {
    if (error?.code === "ENOENT") return undefined;
    throw new NereidError("UNAVAILABLE", `'${program}' does not run as Python: ${firstLine(error)}`);
  }
  if (isOlder(version))
    throw new NereidError("UNAVAILABLE", `'${program}' is Python ${version}; Python models need 3.9 or later`);
  if (numpy === "")
    throw new NereidError(
      "UNAVAILABLE",
      `'${program}' (Python ${version}) has no numpy, which Python models need; install it: ${program} -m pip install numpy`,
    );
  if (needs !== undefined && modules !== needs.module)
    throw new NereidError(
      "UNAVAILABLE",
      `'${program}' (Python ${version}) has no ${needs.module}, which this model needs; install it: ${program} -m pip install ${needs.install}`,
    );
  return { program, version };
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = LEAST;
  return major < leastMajor || (major === leastMajor && minor < leastMinor);
}

interface Asked {
  readonly stdout: string;
  readonly error: { readonly code?: string | number | null; readonly message: string } | undefined;
}

function ask(
  program: string,
  { env, modules }: { readonly env: Env; readonly modules: readonly string[] },
): Promise<Asked> {
  return new Promise((resolve) => {
    execFile(program, ["-B", "-c", SCRIPT, ...modules], { env, timeout: CHECK_WITHIN_MS }, (error, stdout, stderr) => {
      if (error === null) return resolve({ stdout, error: undefined });
      const message = stderr.trim() === "" ? error.message : stderr.trim();
      const { code } = error;
      resolve({ stdout, error: { ...(code !== undefined && { code }), message } });
    });
  });
}

function firstLine(error: Asked["error"]): string {
  return error?.message.split("\n").at(-1)?.slice(0, 300) ?? "it printed nothing";
}
