import type { NereidClient } from "@nereid/client";
import type { Database } from "@nereid/db";
import type { Actor } from "./access/actor.ts";
import type { Message } from "./alerts/post-message.ts";
import type { Clock } from "./clock.ts";
import type { HistoryReader } from "./history/history-reader.ts";
import type { MetricsHub } from "./metrics/metrics-hub.ts";
import type { ManagedNode, NodeControl } from "./nodes/managed-node.ts";

/** The calls of a data plane that the control plane makes. */
export type InferenceNode = Pick<
  NereidClient,
  | "models"
  | "model"
  | "modelMetadata"
  | "modelConfig"
  | "infer"
  | "generateStream"
  | "loadModel"
  | "unloadModel"
  | "cancelLoad"
  | "addCandidate"
  | "candidates"
  | "removeCandidate"
  | "profile"
  | "profileTrace"
  | "divideTraffic"
  | "shadow"
  | "startShadow"
  | "stopShadow"
  | "requests"
  | "batching"
  | "operateInstance"
  | "simulate"
  | "shapes"
  | "memory"
  | "logs"
  | "logStream"
  | "serverStatus"
  | "setDraining"
  | "serverEvents"
  | "modelConfigState"
  | "checkConfig"
  | "applyConfig"
  | "versionFiles"
  | "pinVersions"
  | "loadVersion"
  | "unloadVersion"
  | "deleteVersion"
  | "deleteModel"
  | "versionArchive"
  | "drafts"
  | "draft"
  | "openDraft"
  | "editDraft"
  | "checkDraft"
  | "publishDraft"
  | "discardDraft"
>;

/** What a verb needs that is neither input nor actor. */
export interface BaseContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly requestId: string;
}

/** How messages of alerts are signed and sent. */
export interface AlertSending {
  /** Encrypts a channel's secret for its record, and reads it again. */
  readonly seal: (secret: string) => string;
  readonly unseal: (sealed: string) => string;
  /** Answers the receiver's status; rejects when there is none, or the address may not be reached. */
  readonly post: (message: Message) => Promise<number>;
  /** Rejects for an address that messages may not, or cannot, be sent to. */
  readonly check: (url: URL) => Promise<unknown>;
}

export interface ServiceContext extends BaseContext {
  readonly actor: Actor;
  /** The session that asks; null for keys and without one. */
  readonly sessionId: string | null;
  /** The node that the request asks for: its id, its calls and its seconds. */
  readonly nodeId: string;
  readonly node: InferenceNode;
  readonly metrics: Pick<MetricsHub, "recent" | "newest" | "follow" | "connection">;
  /** What was measured before, of all nodes. */
  readonly history: HistoryReader;
  /** Every node, the local one first. */
  readonly nodes: readonly ManagedNode[];
  readonly nodeControl: NodeControl;
  readonly alerts: AlertSending;
}

/** What a change of a model needs, whoever makes it. */
export type ChangeContext = Pick<ServiceContext, "db" | "clock" | "requestId" | "actor" | "nodeId" | "node"> & {
  readonly nodes: readonly Pick<ManagedNode, "id" | "name" | "cordoned">[];
};

/** Arguments of every verb. */
export interface Call<Input = undefined> {
  readonly ctx: ServiceContext;
  readonly input: Input;
}
