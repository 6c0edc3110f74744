import { askPython } from "./ask-python.ts";
import { readAttempt, runChild } from "./attempt.ts";
import { type Attempt, type Facts, PROVIDERS, type Provider, type ProviderRun } from "./facts.ts";
import { readMachine } from "./read-machine.ts";

export interface FactSources {
  /** The project's root directory. */
  readonly root: string;
  /** Path of the built probe. */
  readonly probe: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Interpreter of `--python`. */
  readonly python: string | undefined;
}

/** The first use of a GPU compiles its kernels. */
const TIMEOUT_MS = 120_000;

/** Looks at everything. What may crash runs in child processes, one after the other, so that they do not slow each other down. */
export async function gatherFacts({ root, probe, env, python }: FactSources): Promise<Facts> {
  const ask = async <T>(...args: readonly string[]): Promise<Attempt<T>> =>
    readAttempt(
      await runChild({
        program: process.execPath,
        args: [probe, args[0] ?? "", root, ...args.slice(1)],
        env,
        timeoutMs: TIMEOUT_MS,
      }),
      TIMEOUT_MS,
    );
  const providers: Partial<Record<Provider, Attempt<ProviderRun>>> = {};
  for (const provider of PROVIDERS) providers[provider] = await ask("provider", provider);
  return {
    node: process.versions.node,
    engine: await ask("engine"),
    providers: providers as Record<Provider, Attempt<ProviderRun>>,
    nvidia: await ask("nvidia"),
    vulkan: await ask("vulkan"),
    python: await askPython(python, env),
    llama: await ask("llama"),
    ...readMachine(),
  };
}
