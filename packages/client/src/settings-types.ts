/** Settings of the trace extension; every scalar is a text, `trace_level` a list. */
export type TraceSettings = Readonly<Record<string, string | readonly string[]>>;

/** A change of trace settings; null takes a model back to the server's setting, and the server to what it started with. */
export type TraceSettingsChange = Readonly<Record<string, string | readonly string[] | null>>;

export interface LogSettings {
  readonly log_file: string;
  readonly log_info: boolean;
  readonly log_warning: boolean;
  readonly log_error: boolean;
  readonly log_verbose_level: number;
  readonly log_format: "default" | "ISO8601";
}

export type LogSettingsChange = Partial<Omit<LogSettings, "log_file">>;

export interface SystemRegionStatus {
  readonly name: string;
  readonly key: string;
  readonly offset: number;
  readonly byte_size: number;
}

export interface CudaRegionStatus {
  readonly name: string;
  readonly device_id: number;
  readonly byte_size: number;
}

export interface SystemRegion {
  readonly name: string;
  /** Name of the region as `shm_open` takes it, such as `/frames`. */
  readonly key: string;
  /** Bytes; default 0. */
  readonly offset?: number;
  readonly byteSize: number;
}

export interface CudaRegion {
  readonly name: string;
  /** The 64 bytes of the region's cudaIpcMemHandle_t. */
  readonly rawHandle: Uint8Array;
  readonly deviceId: number;
  readonly byteSize: number;
}
