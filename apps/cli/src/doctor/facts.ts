/** How the attempt ended that a child process made for the doctor. */
export type Attempt<T> =
  | { readonly kind: "works"; readonly value: T }
  /** It said why not. */
  | { readonly kind: "failed"; readonly message: string }
  /** It took its process down; `output` is what it printed last. */
  | { readonly kind: "crashed"; readonly how: string; readonly output: string }
  | { readonly kind: "silent"; readonly seconds: number };

export const PROVIDERS = ["cpu", "cuda", "tensorrt", "webgpu"] as const;
export type Provider = (typeof PROVIDERS)[number];

export interface ProviderRun {
  /** From the start of loading to the first answer. */
  readonly milliseconds: number;
}

export interface NvidiaDevices {
  readonly driver: string;
  readonly gpus: readonly { readonly name: string; readonly memoryBytes: number }[];
}

export const PYTHON_MODULES = [
  "numpy",
  "torch",
  "tensorflow",
  "openvino",
  "onnxruntime",
  "sklearn",
  "xgboost",
] as const;
export type PythonModule = (typeof PYTHON_MODULES)[number];

export interface PythonFound {
  readonly program: string;
  readonly version: string;
  /** Version of each; null = not installed. */
  readonly modules: Readonly<Record<PythonModule, string | null>>;
  /** What its onnxruntime was built with; absent without that package. */
  readonly providers?: Attempt<readonly string[]>;
}

/** What was found on this machine; nothing is judged yet. Sizes are bytes. */
export interface Facts {
  readonly node: string;
  readonly engine: Attempt<{ readonly version: string }>;
  readonly providers: Readonly<Record<Provider, Attempt<ProviderRun>>>;
  readonly nvidia: Attempt<NvidiaDevices>;
  readonly vulkan: Attempt<Readonly<Record<never, never>>>;
  readonly python: Attempt<PythonFound>;
  readonly llama: Attempt<{ readonly version: string }>;
  readonly sharedMemory: { readonly totalBytes: number; readonly freeBytes: number } | undefined;
  readonly memoryBytes: number;
  readonly cores: number;
  /** The limit a process has now; Infinity = none. */
  readonly openFiles: number | undefined;
}
