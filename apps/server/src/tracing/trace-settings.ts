import { NereidError } from "@nereid/errors";
import type { TraceLevel, TraceOptions } from "../options/trace-options.ts";
import { parseTraceChange, type TraceChange, type TraceFields } from "./trace-change.ts";

/**
 * Settings by name, every value a list of texts: `trace_level` may have several, the others have one (http.md §12). In a
 * change an empty list clears the level's own setting.
 */
export type TraceSettingValues = ReadonlyMap<string, readonly string[]>;

export interface TraceScope {
  /** Whether a model of this name is served; settings of others are neither kept nor shown. */
  readonly knows: (model: string) => boolean;
}

/** What holds for the requests of a model or of all others, until a change replaces it as a whole. */
export interface TraceSetting {
  readonly levels: readonly TraceLevel[];
  readonly rate: number;
  readonly logFrequency: number;
  /** Whether there was an end to the number of traces when this setting began. */
  readonly limited: boolean;
  /** How many more are traced; -1 = no end. */
  count: number;
  /** Requests that were looked at. */
  seen: number;
  /** Fields that were set at this level; the others follow the level above. */
  readonly own: ReadonlySet<keyof TraceFields>;
}

const FIELDS = ["levels", "rate", "count", "logFrequency"] as const;
const NOTHING: TraceChange = {};

/** What is traced, for the server and model by model; both front ends read and change it through here. */
export class TraceSettings {
  readonly #options: TraceOptions;
  readonly #knows: (model: string) => boolean;
  readonly #default: TraceFields;
  #global: TraceSetting;
  #models: ReadonlyMap<string, TraceSetting> = new Map();
  #active: boolean;

  constructor(options: TraceOptions, scope: TraceScope = { knows: () => true }) {
    this.#options = options;
    this.#knows = scope.knows;
    const { levels, rate, count, logFrequency } = options;
    this.#default = { levels, rate, count, logFrequency };
    this.#global = derive(this.#default, undefined, NOTHING);
    this.#active = this.#anyActive();
  }

  /** False: no request can be traced, and nobody needs to look further. */
  get active(): boolean {
    return this.#active;
  }

  /** What holds for a model, or for the server. NOT_FOUND for a model that is not served. */
  view(model?: string): TraceSettingValues {
    this.#check(model);
    const setting = this.#of(model);
    const { mode, file, opentelemetry } = this.#options;
    const values = new Map<string, readonly string[]>([
      ["trace_level", setting.levels.length === 0 ? ["OFF"] : setting.levels],
      ["trace_rate", [String(setting.rate)]],
      ["trace_count", [String(setting.count)]],
    ]);
    if (mode === "triton") {
      values.set("log_frequency", [String(setting.logFrequency)]).set("trace_file", [file]);
      return values.set("trace_mode", [mode]);
    }
    values.set("trace_mode", [mode]).set("url", [opentelemetry.url]);
    const resource = [...opentelemetry.resource].map(([key, value]) => `${key}=${value}`);
    if (resource.length > 0) values.set("resource", resource);
    return values
      .set("bsp_max_queue_size", [String(opentelemetry.maxQueueSize)])
      .set("bsp_schedule_delay", [String(opentelemetry.scheduleDelayMs)])
      .set("bsp_max_export_batch_size", [String(opentelemetry.maxExportBatchSize)]);
  }

  /** Changes and answers what holds now. INVALID_ARGUMENT and UNSUPPORTED with Triton's texts; then nothing is changed. */
  update(model: string | undefined, change: TraceSettingValues): TraceSettingValues {
    this.#check(model);
    const parsed = parseTraceChange(change);
    if (model === undefined || model === "") this.#updateGlobal(parsed);
    else this.#updateModel(model, parsed);
    this.#active = this.#anyActive();
    return this.view(model);
  }

  /** The setting under which this request is traced; undefined when it is not. `forced`: its caller records the trace. */
  sample(model: string, forced: boolean): TraceSetting | undefined {
    const setting = this.#of(model);
    if (setting.levels.length === 0) return undefined;
    let hit = false;
    if (setting.rate !== 0 && setting.count !== 0) {
      setting.seen += 1;
      hit = setting.seen % setting.rate === 0;
      if (hit && setting.count > 0) setting.count -= 1;
    }
    return hit || forced ? setting : undefined;
  }

  #of(model: string | undefined): TraceSetting {
    return (model === undefined ? undefined : this.#models.get(model)) ?? this.#global;
  }

  #check(model: string | undefined): void {
    if (model !== undefined && model !== "" && !this.#knows(model))
      throw new NereidError("NOT_FOUND", `Request for unknown model: '${model}' is not found`);
  }

  #updateGlobal(change: TraceChange): void {
    const global = derive(this.#default, this.#global, change);
    this.#refuseUseless(global);
    // Models that follow the server in something follow it to its new setting; models that are gone lose theirs.
    const models = [...this.#models]
      .filter(([name]) => this.#knows(name))
      .map(([name, setting]): [string, TraceSetting] => [
        name,
        setting.own.size === FIELDS.length ? setting : derive(global, setting, NOTHING),
      ]);
    for (const [, setting] of models) this.#refuseUseless(setting);
    this.#global = global;
    this.#models = new Map(models);
  }

  #updateModel(model: string, change: TraceChange): void {
    const setting = derive(this.#global, this.#models.get(model), change);
    const models = new Map(this.#models);
    if (setting.own.size === 0) models.delete(model);
    else {
      this.#refuseUseless(setting);
      models.set(model, setting);
    }
    this.#models = models;
  }

  /** A setting that asks for traces and could never give one is refused, as in Triton. */
  #refuseUseless({ levels, rate }: TraceSetting): void {
    if (levels.length === 0) return;
    const { mode, file } = this.#options;
    let reason = "";
    if (rate === 0 && mode === "triton") reason = "sample rate must be non-zero";
    else if (mode === "triton" && file === "") reason = "trace file name is not given";
    if (reason !== "")
      throw new NereidError(
        "INVALID_ARGUMENT",
        `Attempting to set invalid trace setting :${reason}${file === "" ? "; start the server with --trace-config=triton,file=<path>" : ""}`,
      );
  }

  #anyActive(): boolean {
    const { mode, file } = this.#options;
    if (mode === "triton" && file === "") return false;
    return [this.#global, ...this.#models.values()].some(({ levels }) => levels.length > 0);
  }
}

/** Every field from the change, else as it was set before at this level, else from the level above. */
function derive(above: TraceFields, before: TraceSetting | undefined, change: TraceChange): TraceSetting {
  const own = new Set(
    FIELDS.filter(
      (field) => change[field] !== null && (change[field] !== undefined || before?.own.has(field) === true),
    ),
  );
  const pick = <K extends keyof TraceFields>(field: K): TraceFields[K] => {
    const asked: TraceFields[K] | null | undefined = change[field];
    if (asked !== undefined && asked !== null) return asked;
    return own.has(field) && before !== undefined ? before[field] : above[field];
  };
  const count = pick("count");
  return {
    levels: pick("levels"),
    rate: pick("rate"),
    logFrequency: pick("logFrequency"),
    limited: count >= 0,
    count,
    seen: 0,
    own,
  };
}
