import { NereidError } from "@nereid/errors";
import { checkInterpreter, type NeededPackage } from "./check-interpreter.ts";

interface Wanted {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Beside numpy. */
  readonly needs?: NeededPackage | undefined;
}

/** Finds the program that runs models, and remembers what it found; a refusal is looked at again at the next load. */
export class InterpreterFinder {
  readonly #found = new Map<string, Promise<string>>();

  /** `named`: the only one to look at; undefined: those of the PATH. UNAVAILABLE with what to install. */
  find(named: string | undefined, wanted: Wanted): Promise<string> {
    const key = `${named ?? ""}\0${wanted.needs?.module ?? ""}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const finding = named === undefined ? firstOf(["python3", "python"], wanted) : only(named, wanted);
    this.#found.set(key, finding);
    finding.catch(() => this.#found.delete(key));
    return finding;
  }
}

async function only(program: string, wanted: Wanted): Promise<string> {
  const found = await checkInterpreter(program, wanted);
  if (found === undefined) throw new NereidError("UNAVAILABLE", `there is no Python interpreter '${program}'`);
  return found.program;
}

/** The first that can run models; else the refusal of the first that is there. */
async function firstOf(programs: readonly string[], wanted: Wanted): Promise<string> {
  let refusal: unknown;
  for (const program of programs) {
    try {
      const found = await checkInterpreter(program, wanted);
      if (found !== undefined) return found.program;
    } catch (error) {
      refusal ??= error;
    }
  }
  throw (
    refusal ??
    new NereidError(
      "UNAVAILABLE",
      `this machine has no Python: install Python 3.9 or later with numpy (python3 -m pip install numpy), or name one with --backend-config=python,interpreter=<program>`,
    )
  );
}
