import { type ChildEnd, readAttempt, runChild } from "./attempt.ts";
import { type Attempt, PYTHON_MODULES, type PythonFound } from "./facts.ts";

const TIMEOUT_MS = 60_000;

/** numpy is loaded, because every Python model needs it; of the large ones only the installed version is looked up. */
const SCRIPT = `
import importlib.metadata as metadata, importlib.util as util, json, platform, sys
versions = {}
for name in ${JSON.stringify(PYTHON_MODULES)}:
    versions[name] = None
    if name == "numpy":
        try:
            import numpy
            versions[name] = numpy.__version__
        except Exception:
            pass
    elif util.find_spec(name) is not None:
        versions[name] = "unknown version"
        for package in ("scikit-learn",) if name == "sklearn" else (name, name + "-gpu", name + "-cpu", name + "-openvino"):
            try:
                versions[name] = metadata.version(package)
                break
            except metadata.PackageNotFoundError:
                pass
print(json.dumps({"program": sys.executable, "version": platform.python_version(), "modules": versions}))
`;

const PROVIDERS_SCRIPT =
  'import json, onnxruntime; print("\\n" + json.dumps({"value": onnxruntime.get_available_providers()}))';

type Env = Readonly<Record<string, string | undefined>>;

/** The interpreter that runs Python models: the one named, or the first of `python3` and `python` that has numpy. */
export async function askPython(named: string | undefined, env: Env): Promise<Attempt<PythonFound>> {
  const programs = named === undefined ? ["python3", "python"] : [named];
  const attempts: Attempt<PythonFound>[] = [];
  for (const program of programs) {
    const end = await runChild({ program, args: ["-B", "-c", SCRIPT], env, timeoutMs: TIMEOUT_MS });
    attempts.push(readPython(end));
  }
  const working = attempts.filter((attempt) => attempt.kind === "works");
  const chosen = working.find(({ value }) => value.modules.numpy !== null) ?? working[0];
  if (chosen !== undefined) return { ...chosen, value: await withProviders(chosen.value, env) };
  const nothing: Attempt<PythonFound> = { kind: "failed", message: "no interpreter" };
  return attempts[0] ?? nothing;
}

/** Asked apart: loading the package may crash, and the rest is known by then. */
async function withProviders(found: PythonFound, env: Env): Promise<PythonFound> {
  if (found.modules.onnxruntime === null) return found;
  const args = ["-B", "-c", PROVIDERS_SCRIPT];
  const end = await runChild({ program: found.program, args, env, timeoutMs: TIMEOUT_MS });
  return { ...found, providers: readAttempt<readonly string[]>(end, TIMEOUT_MS) };
}

function readPython(end: ChildEnd): Attempt<PythonFound> {
  if (end.timedOut) return { kind: "silent", seconds: TIMEOUT_MS / 1000 };
  if (end.error !== undefined) return { kind: "failed", message: end.error };
  if (end.code === 0) return { kind: "works", value: JSON.parse(end.stdout) as PythonFound };
  const last = end.stderr.trim().split("\n").at(-1) ?? "";
  if (end.signal === null) return { kind: "failed", message: last };
  return { kind: "crashed", how: end.signal, output: last };
}
