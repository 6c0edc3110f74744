import type {
  ModelRouteKind,
  RestrictedCategory,
  Route,
  RouteMethod,
  ServerRoute,
  SharedMemoryRoute,
} from "./route-types.ts";

const GET: readonly RouteMethod[] = ["GET"];
const POST: readonly RouteMethod[] = ["POST"];
const BOTH: readonly RouteMethod[] = ["GET", "POST"];

const EXACT: ReadonlyMap<string, ServerRoute> = new Map<string, ServerRoute>([
  ["/v2", { kind: "serverMetadata", methods: GET, category: "metadata" }],
  ["/v2/health/live", { kind: "serverLive", methods: GET, category: "health" }],
  ["/v2/health/ready", { kind: "serverReady", methods: GET, category: "health" }],
  ["/v2/models/stats", { kind: "allStatistics", methods: GET, category: "statistics" }],
  ["/v2/logging", { kind: "logging", methods: BOTH, category: "logging" }],
  ["/v2/trace/setting", { kind: "globalTrace", methods: BOTH, category: "trace" }],
]);

interface ModelEndpoint {
  readonly kind: ModelRouteKind;
  readonly methods: readonly RouteMethod[];
  readonly category: RestrictedCategory;
}

const MODEL: ReadonlyMap<string, ModelEndpoint> = new Map<string, ModelEndpoint>([
  ["", { kind: "modelMetadata", methods: GET, category: "metadata" }],
  ["infer", { kind: "modelInfer", methods: POST, category: "inference" }],
  ["generate", { kind: "modelGenerate", methods: POST, category: "inference" }],
  ["generate_stream", { kind: "modelGenerateStream", methods: POST, category: "inference" }],
  ["ready", { kind: "modelReady", methods: GET, category: "health" }],
  ["config", { kind: "modelConfig", methods: GET, category: "model-config" }],
  ["stats", { kind: "modelStatistics", methods: GET, category: "statistics" }],
]);

const MODEL_PATH =
  /^\/v2\/models\/([^/]+)(?:\/versions\/(\d+))?(?:\/(infer|generate|generate_stream|ready|config|stats|trace\/setting))?$/;
const SHARED_MEMORY_PATH = /^\/v2\/(system|cuda)sharedmemory(?:\/region\/([^/]+))?\/(status|register|unregister)$/;
const REPOSITORY_PATH = /^\/v2\/repository(?:\/([^/]+))?\/(?:index|models\/([^/]+)\/(load|unload))$/;

/**
 * Endpoint of a request target (http.md §2): raw path, query ignored, nothing decoded, no trailing slash. Includes
 * endpoints a server may not offer. Undefined = 404 `Not Found`.
 */
export function matchRoute(rawPath: string): Route | undefined {
  const query = rawPath.indexOf("?");
  const path = query === -1 ? rawPath : rawPath.slice(0, query);
  return EXACT.get(path) ?? matchModel(path) ?? matchSharedMemory(path) ?? matchRepository(path);
}

function matchModel(path: string): Route | undefined {
  const match = MODEL_PATH.exec(path);
  if (match === null) return undefined;
  // Indexed access and a written-out object: this runs once per inference request.
  const model = match[1] ?? "";
  const version = match[2];
  const action = match[3] ?? "";
  if (action === "trace/setting") {
    return version === undefined ? { kind: "modelTrace", model, methods: BOTH, category: "trace" } : undefined;
  }
  const endpoint = MODEL.get(action);
  if (endpoint === undefined) return undefined;
  const { kind, methods, category } = endpoint;
  return { kind, methods, category, model, version };
}

function matchSharedMemory(path: string): SharedMemoryRoute | undefined {
  const match = SHARED_MEMORY_PATH.exec(path);
  if (match === null) return undefined;
  const [, type, region, word] = match;
  const action = word === "register" || word === "unregister" ? word : "status";
  const kind = type === "cuda" ? "cudaSharedMemory" : "systemSharedMemory";
  return { kind, action, region, methods: action === "status" ? GET : POST, category: "shared-memory" };
}

function matchRepository(path: string): Route | undefined {
  const match = REPOSITORY_PATH.exec(path);
  if (match === null) return undefined;
  const [, repository, model, action] = match;
  const common = { methods: POST, category: "model-repository" } as const;
  if (model === undefined) return { kind: "repositoryIndex", ...common };
  return { kind: action === "load" ? "modelLoad" : "modelUnload", model, repository, ...common };
}
