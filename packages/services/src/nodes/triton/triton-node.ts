import type { ModelStatus, NereidClient } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import type { InferenceNode } from "../../context.ts";
import { capabilitiesOf, type NodeAbility } from "../capabilities.ts";
import { type IndexEntry, statusesOf, type TritonConfig } from "./triton-status.ts";

/** The part of V2 that the adapter speaks. */
export type TritonClient = Pick<
  NereidClient,
  | "repositoryIndex"
  | "modelConfig"
  | "modelMetadata"
  | "loadModel"
  | "unloadModel"
  | "statistics"
  | "infer"
  | "generateStream"
>;

/** Configurations asked for at the same time. */
const AT_ONCE = 8;

const ABILITY_OF: Readonly<Partial<Record<keyof InferenceNode, NodeAbility>>> = {
  cancelLoad: "cancelLoad",
  profile: "profile",
  profileTrace: "profile",
  batching: "instances",
  operateInstance: "instances",
  simulate: "instances",
  divideTraffic: "traffic",
  addCandidate: "traffic",
  candidates: "traffic",
  removeCandidate: "traffic",
  shadow: "traffic",
  startShadow: "traffic",
  stopShadow: "traffic",
  requests: "requests",
  modelConfigState: "configure",
  checkConfig: "configure",
  applyConfig: "configure",
  versionFiles: "versions",
  pinVersions: "versions",
  loadVersion: "versions",
  unloadVersion: "versions",
  versionArchive: "versions",
  deleteVersion: "delete",
  deleteModel: "delete",
  drafts: "deploy",
  draft: "deploy",
  openDraft: "deploy",
  editDraft: "deploy",
  checkDraft: "deploy",
  publishDraft: "deploy",
  discardDraft: "deploy",
  setDraining: "drain",
};

const OTHERWISE = "a Triton server has no such call";

/**
 * A server that speaks V2 and the repository extension and no more, as the control plane's verbs see a node. What it cannot do is
 * refused with UNSUPPORTED and the reason, before anything is sent.
 */
export function createTritonNode(client: TritonClient, nodeName: string): InferenceNode {
  const own = supported(client);
  const refusals = new Map<PropertyKey, () => Promise<never>>();
  // Verbs of other areas ask nodes for more as time goes by; whatever it is, a Triton server is not asked for it.
  return new Proxy(own, {
    get: (target, name) => {
      if (name in target) return Reflect.get(target, name);
      // Somebody looks whether it is a promise.
      if (name === "then" || typeof name === "symbol") return undefined;
      const known = refusals.get(name) ?? refusalOf(name, nodeName);
      refusals.set(name, known);
      return known;
    },
    // The Proxy answers every name of the interface: the type cannot say that.
  }) as unknown as InferenceNode;
}

function refusalOf(name: string, nodeName: string): () => Promise<never> {
  const ability = Object.entries(ABILITY_OF).find(([method]) => method === name)?.[1];
  const why = (ability === undefined ? null : capabilitiesOf("triton")[ability]) ?? OTHERWISE;
  return async () => {
    throw new NereidError("UNSUPPORTED", `not available on this node: ${why}`, {
      fix: `use a Nereid server for it, or do it where ${nodeName} runs`,
    });
  };
}

function supported(client: TritonClient) {
  const configs = new Map<string, TritonConfig>();

  /** Reads the configurations of loaded models that are not known yet, and forgets those of the others. */
  async function learn(index: readonly IndexEntry[]): Promise<void> {
    const ready = new Set(index.filter(({ state }) => state === "READY").map(({ name }) => name));
    for (const name of configs.keys()) if (!ready.has(name)) configs.delete(name);
    const wanted = [...ready].filter((name) => !configs.has(name));
    while (wanted.length > 0) {
      await Promise.all(
        wanted.splice(0, AT_ONCE).map(async (name) => {
          // Unloaded meanwhile, or a server without this extension: the list is worth showing without it.
          const config = await client.modelConfig(name).catch(() => undefined);
          if (config !== undefined) configs.set(name, config);
        }),
      );
    }
  }

  async function models(): Promise<ModelStatus[]> {
    const index = await client.repositoryIndex();
    await learn(index);
    return statusesOf(index, (name) => configs.get(name));
  }

  return {
    models,
    model: async (name: string): Promise<ModelStatus> => {
      const found = (await models()).find((status) => status.name === name);
      if (found === undefined) throw new NereidError("NOT_FOUND", `Request for unknown model: '${name}' is not found`);
      return found;
    },
    modelMetadata: (...args: Parameters<TritonClient["modelMetadata"]>) => client.modelMetadata(...args),
    modelConfig: (...args: Parameters<TritonClient["modelConfig"]>) => client.modelConfig(...args),
    infer: (...args: Parameters<TritonClient["infer"]>) => client.infer(...args),
    generateStream: (...args: Parameters<TritonClient["generateStream"]>) => client.generateStream(...args),
    loadModel: async (...args: Parameters<TritonClient["loadModel"]>) => {
      const [name] = args;
      configs.delete(name);
      return client.loadModel(...args);
    },
    unloadModel: (...args: Parameters<TritonClient["unloadModel"]>) => client.unloadModel(...args),
    /** It tells of none. */
    serverEvents: async () => [],
  };
}
