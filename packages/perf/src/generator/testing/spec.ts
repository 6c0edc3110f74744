import type { LoadSpec } from "../load-spec.ts";

/** A load of one lane over HTTP, for tests that send nothing. */
export const spec: LoadSpec = {
  target: {
    protocol: "http",
    host: "h",
    port: 1,
    model: "m",
    version: "",
    streaming: false,
    decoupled: false,
    headers: {},
    jsonInput: false,
    jsonOutput: false,
    compression: "none",
  },
  streams: [],
  outputs: [],
  parameters: new Map(),
  sequences: undefined,
  shape: { kind: "closed", concurrency: 1 },
  share: { index: 0, of: 1 },
  seed: 0,
  total: undefined,
};
