/** Groups of `--http-restricted-api` (http.md §16). */
export type RestrictedCategory =
  | "health"
  | "metadata"
  | "inference"
  | "shared-memory"
  | "model-config"
  | "model-repository"
  | "statistics"
  | "trace"
  | "logging";

export type RouteMethod = "GET" | "POST";

interface Common {
  /** Methods that are served; others are 405, after the restriction check. */
  readonly methods: readonly RouteMethod[];
  readonly category: RestrictedCategory;
}

export type ServerRouteKind =
  | "serverMetadata"
  | "serverLive"
  | "serverReady"
  | "allStatistics"
  | "logging"
  | "globalTrace"
  | "repositoryIndex";

export type ModelRouteKind =
  | "modelMetadata"
  | "modelReady"
  | "modelConfig"
  | "modelStatistics"
  | "modelInfer"
  | "modelGenerate"
  | "modelGenerateStream";

export interface ServerRoute extends Common {
  readonly kind: ServerRouteKind;
}

export interface ModelRoute extends Common {
  readonly kind: ModelRouteKind;
  /** As in the path: not percent-decoded. */
  readonly model: string;
  /** Digits; undefined = the server's choice. */
  readonly version: string | undefined;
}

export interface ModelTraceRoute extends Common {
  readonly kind: "modelTrace";
  readonly model: string;
}

export interface ModelControlRoute extends Common {
  readonly kind: "modelLoad" | "modelUnload";
  readonly model: string;
  /** Set = 501 `'repository_name' specification is not supported`. */
  readonly repository: string | undefined;
}

export interface SharedMemoryRoute extends Common {
  readonly kind: "systemSharedMemory" | "cudaSharedMemory";
  readonly action: "status" | "register" | "unregister";
  readonly region: string | undefined;
}

export type Route = ServerRoute | ModelRoute | ModelTraceRoute | ModelControlRoute | SharedMemoryRoute;
