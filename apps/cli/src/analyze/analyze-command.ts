import type { SettingReader } from "./setting-reader.ts";

/** A model that is to be tuned, with settings of its own before those for all. */
export interface ModelOrder {
  readonly name: string;
  readonly settings: SettingReader;
  readonly loads: Loads;
}

/** Loads as they were asked for; undefined = the search's own. */
export interface Loads {
  readonly concurrency: readonly number[] | undefined;
  readonly requestRate: readonly number[] | undefined;
  readonly batchSizes: readonly number[] | undefined;
}

/** What `nereid analyze …` was asked to do. */
export interface AnalyzeCommand {
  readonly verb: "profile" | "report";
  readonly models: readonly ModelOrder[];
  readonly settings: SettingReader;
  /** Address of the server's HTTP port. */
  readonly server: string;
  /** `HOST:PORT` of its gRPC port. */
  readonly grpc: string;
  readonly protocol: "http" | "grpc";
  readonly metricsUrl: string;
  readonly repository: string | undefined;
  readonly checkpoints: string;
  readonly exportPath: string;
  readonly formats: ReadonlySet<"pdf" | "html" | "csv">;
  readonly verbosity: "quiet" | "usual" | "verbose";
  readonly summary: boolean;
  readonly detailed: boolean;
  /** Configurations told of in the summary. */
  readonly top: number;
  /** For `report`: these configurations; empty = the best. */
  readonly only: readonly string[];
  readonly warnings: readonly string[];
}
