import type { GraphSummary } from "@nereid/client";
import { authorise } from "../access/permissions.ts";
import type { Call } from "../context.ts";
import { type ModelInput, modelInput } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";

export interface VersionGraph {
  readonly version: string;
  readonly ready: boolean;
  readonly bytes: number;
  /** Null where the version has none that can be read; `why` then says so. */
  readonly graph: GraphSummary | null;
  /** Nodes by execution provider, where others than the processor were asked for and the version is loaded. */
  readonly placement: Readonly<Record<string, number>> | null;
}

export interface ModelGraph {
  readonly backend: string;
  /** The newest first. */
  readonly versions: readonly VersionGraph[];
  /** Why there is no graph; null where there is one. */
  readonly why: string | null;
  /** Why it cannot be profiled; null where it can. */
  readonly unprofilable: string | null;
}

const NO_GRAPH: Readonly<Record<string, string>> = {
  ensemble: "An ensemble has no graph of its own: its steps are other models, and each of them has one.",
  javascript: "The model is a script. Its time is not divided into operators.",
  python: "The model is a Python program. Its time is not divided into operators.",
  llamacpp: "The model is a language model in GGUF. Its graph is the engine’s own and is not told.",
};

/** The graph of each version: its operators, and where the engine put them. NOT_FOUND for no model. */
export async function getGraph({ ctx, input }: Call<ModelInput>): Promise<ModelGraph> {
  authorise(ctx.actor, "model.read");
  const { name } = parseInput(modelInput, input);
  const [status, files] = await Promise.all([ctx.node.model(name), ctx.node.versionFiles(name)]);
  const backend = status.platform === "ensemble" ? "ensemble" : status.backend;
  const versions = files.map(({ version, bytes, graph }) => {
    const served = status.versions.find((one) => one.version === version);
    return { version, bytes, graph, ready: served?.ready === true, placement: served?.placement ?? null };
  });
  return {
    backend,
    versions,
    why: whyNoGraph(backend, versions),
    unprofilable: whyNoProfile(backend, versions),
  };
}

function whyNoGraph(backend: string, versions: readonly VersionGraph[]): string | null {
  if (versions.some(({ graph }) => graph !== null)) return null;
  const known = NO_GRAPH[backend];
  if (known !== undefined) return known;
  return versions.length === 0
    ? "The model has no version on the disk."
    : "No version has an ONNX file that can be read.";
}

function whyNoProfile(backend: string, versions: readonly VersionGraph[]): string | null {
  if (backend !== "onnxruntime") return "Only models that run on ONNX Runtime can be profiled.";
  return versions.some(({ ready }) => ready) ? null : "Load the model to profile it: it is measured while it serves.";
}
