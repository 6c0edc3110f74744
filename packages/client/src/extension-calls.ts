import { CandidateCalls } from "./candidate-calls.ts";
import type { CallOptions } from "./client-types.ts";
import { parseJson } from "./repository-calls.ts";
import type {
  CudaRegion,
  CudaRegionStatus,
  LogSettings,
  LogSettingsChange,
  SystemRegion,
  SystemRegionStatus,
  TraceSettings,
  TraceSettingsChange,
} from "./settings-types.ts";

/** The protocol's extensions beside inference: trace and log settings, and shared memory. */
export abstract class ExtensionCalls extends CandidateCalls {
  /** Trace settings of a model, or of the server. NOT_FOUND for an unknown model. */
  traceSettings(model?: string, options: CallOptions = {}): Promise<TraceSettings> {
    return this.#call<TraceSettings>("GET", tracePath(model), options);
  }

  /** Changes trace settings and answers what holds then. */
  updateTraceSettings(change: TraceSettingsChange, model?: string, options: CallOptions = {}): Promise<TraceSettings> {
    return this.#call<TraceSettings>("POST", tracePath(model), { ...options, body: change });
  }

  logSettings(options: CallOptions = {}): Promise<LogSettings> {
    return this.#call<LogSettings>("GET", "/v2/logging", options);
  }

  updateLogSettings(change: LogSettingsChange, options: CallOptions = {}): Promise<LogSettings> {
    return this.#call<LogSettings>("POST", "/v2/logging", { ...options, body: change });
  }

  /** Makes a region of this machine's shared memory known to the server. UNSUPPORTED where the server does not allow it. */
  async registerSystemSharedMemory(region: SystemRegion, options: CallOptions = {}): Promise<void> {
    const { name, key, offset = 0, byteSize } = region;
    await this.#send("POST", `/v2/systemsharedmemory/region/${encodeURIComponent(name)}/register`, {
      ...options,
      body: { key, offset, byte_size: byteSize },
    });
  }

  /** Forgets a region, or all of them; a request that uses it ends first. */
  async unregisterSystemSharedMemory(name?: string, options: CallOptions = {}): Promise<void> {
    await this.#send("POST", regionPath("system", name, "unregister"), options);
  }

  systemSharedMemoryStatus(name?: string, options: CallOptions = {}): Promise<SystemRegionStatus[]> {
    return this.#call<SystemRegionStatus[]>("GET", regionPath("system", name, "status"), options);
  }

  /** Makes a region of a GPU's memory known to the server. INVALID_ARGUMENT where the server has no GPU. */
  async registerCudaSharedMemory(region: CudaRegion, options: CallOptions = {}): Promise<void> {
    const { name, rawHandle, deviceId, byteSize } = region;
    await this.#send("POST", `/v2/cudasharedmemory/region/${encodeURIComponent(name)}/register`, {
      ...options,
      body: { raw_handle: { b64: base64(rawHandle) }, device_id: deviceId, byte_size: byteSize },
    });
  }

  async unregisterCudaSharedMemory(name?: string, options: CallOptions = {}): Promise<void> {
    await this.#send("POST", regionPath("cuda", name, "unregister"), options);
  }

  cudaSharedMemoryStatus(name?: string, options: CallOptions = {}): Promise<CudaRegionStatus[]> {
    return this.#call<CudaRegionStatus[]>("GET", regionPath("cuda", name, "status"), options);
  }

  async #call<T>(method: "GET" | "POST", path: string, options: CallOptions & { body?: unknown }): Promise<T> {
    return parseJson<T>(await this.#send(method, path, options));
  }

  #send(method: "GET" | "POST", path: string, { body, ...options }: CallOptions & { body?: unknown }) {
    return this.transport.call({
      ...options,
      method,
      path,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
  }
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function tracePath(model: string | undefined): string {
  return model === undefined ? "/v2/trace/setting" : `/v2/models/${encodeURIComponent(model)}/trace/setting`;
}

function regionPath(kind: "system" | "cuda", name: string | undefined, verb: "status" | "unregister"): string {
  const region = name === undefined ? "" : `/region/${encodeURIComponent(name)}`;
  return `/v2/${kind}sharedmemory${region}/${verb}`;
}
