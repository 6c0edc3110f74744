import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { NereidError } from "@nereid/errors";
import type { ServedVersion } from "@nereid/inference-worker";
import type { ServerContext } from "../server-context.ts";
import { type ProfileSummary, summarizeProfile } from "./summarize-profile.ts";

export interface TakenProfile extends ProfileSummary {
  /** Names the trace file, for as long as it is kept. */
  readonly id: string;
  readonly model: string;
  readonly version: string;
  readonly seconds: number;
  /** What to do when it says little. */
  readonly note?: string;
}

const WRITTEN_WITHIN_MS = 20_000;
const LOOK_AGAIN_MS = 50;
const KEPT = 20;

/** Profiles taken since the start, by id, the oldest first; each is a file of the server's own. */
export class Profiles {
  readonly #directory: string;
  readonly #files = new Map<string, { readonly model: string; readonly file: string }>();

  constructor(directory: string) {
    this.#directory = join(directory, "profiles");
  }

  /**
   * Gives the model one instance more for so long, which the engine profiles while it takes its share of the requests. The model goes on
   * serving. The caller has the model's turn.
   */
  async take(
    { manager }: ServerContext,
    target: { readonly model: string; readonly version: string | undefined; readonly seconds: number },
    signal: AbortSignal,
  ): Promise<TakenProfile> {
    const { model, seconds } = target;
    const served = manager.resolve(model, target.version);
    const { version } = served.spec;
    refuseWithoutProfile(served);
    const id = randomUUID();
    await mkdir(this.#directory, { recursive: true });
    const before = served.instances;
    const pattern = before.at(-1);
    if (pattern === undefined) throw new NereidError("CONFLICT", `model '${model}' has no instance to profile`);
    const { pid } = served;
    const prefix = join(this.#directory, id);
    await served.resize([...before, { ...pattern, name: `${pattern.name}_profiled`, profile: prefix }]);
    try {
      await pause(seconds * 1000, undefined, { signal }).catch(() => undefined);
    } finally {
      await served.resize(before);
    }
    const file = await this.#written(id, () => served.pid === pid);
    this.#keep(id, model, file);
    const summary = summarizeProfile(JSON.parse(await readFile(file, "utf8")));
    const idle = "no request came while the model was profiled; send some during these seconds";
    return { id, model, version, seconds, ...summary, ...(summary.runs === 0 && { note: idle }) };
  }

  /** Content of a trace file. NOT_FOUND when it is not, or no longer, kept. */
  async trace(model: string, id: string): Promise<Buffer> {
    const kept = this.#files.get(id);
    if (kept?.model !== model)
      throw new NereidError(
        "NOT_FOUND",
        `there is no profile '${id.slice(0, 50)}' of model '${model}'; the last ${KEPT} are kept`,
      );
    return readFile(kept.file);
  }

  /** The engine writes the file when the instance's session ends, which is a moment after it was taken away. */
  async #written(id: string, alive: () => boolean): Promise<string> {
    const end = performance.now() + WRITTEN_WITHIN_MS;
    for (; performance.now() < end && alive(); await pause(LOOK_AGAIN_MS)) {
      const name = (await readdir(this.#directory)).find((entry) => entry.startsWith(id));
      if (name === undefined) continue;
      const file = join(this.#directory, name);
      // It ends with the closing bracket of the list of events.
      if ((await readFile(file, "utf8")).trimEnd().endsWith("]")) return file;
    }
    throw new NereidError("UNAVAILABLE", "the engine wrote no profile; the runner may have ended meanwhile, try again");
  }

  #keep(id: string, model: string, file: string): void {
    this.#files.set(id, { model, file });
    for (const [oldest, kept] of this.#files) {
      if (this.#files.size <= KEPT) return;
      this.#files.delete(oldest);
      void rm(kept.file, { force: true });
    }
  }
}

function refuseWithoutProfile({ spec, placement }: ServedVersion): void {
  if (spec.backend !== "onnxruntime")
    throw new NereidError(
      "UNSUPPORTED",
      `model '${spec.name}' runs on backend '${spec.backend || spec.platform}'; only ONNX Runtime writes profiles`,
    );
  if (placement !== undefined && "WebGpuExecutionProvider" in placement)
    throw new NereidError(
      "UNSUPPORTED",
      `model '${spec.name}' runs on WebGPU, of which a process can have one instance only: take the accelerator out of the configuration to profile it`,
    );
}
