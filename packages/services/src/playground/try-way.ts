import type { GrpcClient } from "@nereid/client/grpc";
import { NereidError } from "@nereid/errors";
import type { InferenceNode, ServiceContext } from "../context.ts";
import type { ManagedNode } from "../nodes/managed-node.ts";
import type { TryRequest } from "./try-input.ts";

/** A Triton server does not say where its gRPC port is: usually behind the HTTP port, as 8001 is behind 8000. */
function usualGrpcPort(url: URL): number {
  return Number(url.port === "" ? 8000 : url.port) + 1;
}

export interface TensorHead {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
}

/** What is known of a model before a request is sent to it, and the way there. */
export interface TryWay {
  readonly node: InferenceNode;
  readonly kind: ManagedNode["kind"];
  /** Set where the request goes over gRPC; its connection is there already. */
  readonly grpc: GrpcClient | undefined;
  /** It answers a request any number of times. */
  readonly decoupled: boolean;
  readonly outputs: readonly TensorHead[];
  /** What to do about a refusal for which the server names nothing. */
  advise(code: string): string | null;
  close(): Promise<void>;
}

/** Asks what the model takes and gives, and connects. Throws what the server says. */
export async function openWay(ctx: ServiceContext, wanted: TryRequest & { readonly model: string }): Promise<TryWay> {
  const managed = ctx.nodes.find(({ id }) => id === ctx.nodeId);
  const kind = managed?.kind ?? "nereid";
  const options = wanted.version === undefined ? {} : { version: wanted.version };
  const [metadata, config] = await Promise.all([
    ctx.node.modelMetadata(wanted.model, options),
    ctx.node.modelConfig(wanted.model, options),
  ]);
  const inputs = metadata.inputs.map(({ name, datatype, shape }) => ({ name, datatype, shape: shape.map(Number) }));
  const outputs = metadata.outputs.map(({ name, datatype, shape }) => ({ name, datatype, shape: shape.map(Number) }));
  const grpc = wanted.protocol === "grpc" ? await connect(ctx, managed) : undefined;
  return {
    node: ctx.node,
    kind,
    grpc,
    decoupled: isDecoupled(config),
    outputs,
    advise: (code) => (code === "INVALID_ARGUMENT" ? `send ${signatureWords(inputs, maxBatchOf(config))}` : null),
    close: async () => grpc?.close(),
  };
}

async function connect(ctx: ServiceContext, managed: ManagedNode | undefined): Promise<GrpcClient> {
  const port =
    managed !== undefined && (managed.kind === "triton" || managed.grpcUrl !== null)
      ? usualGrpcPort(new URL(managed.url))
      : ((await ctx.node.serverStatus()).grpcPort ?? 0);
  if (port === 0 || managed === undefined) {
    throw new NereidError("UNSUPPORTED", "this server has no gRPC port, or does not say which one", {
      fix: "send the request over HTTP",
    });
  }
  const grpc = managed.grpc(port);
  try {
    // Connecting is not part of what is measured.
    await grpc.serverLive();
    return grpc;
  } catch (thrown) {
    await grpc.close();
    throw thrown;
  }
}

/** Whether a configuration, as the server tells it, says that answers come in any number. Pure. */
export function isDecoupled(config: Readonly<Record<string, unknown>>): boolean {
  const policy = config["model_transaction_policy"];
  return typeof policy === "object" && policy !== null && "decoupled" in policy && policy.decoupled === true;
}

function maxBatchOf(config: Readonly<Record<string, unknown>>): number {
  return Number(config["max_batch_size"] ?? 0) || 0;
}

/** `image as FP32 [?, 784] and mask as BOOL [?]`; what may vary is a question mark, the first size up to `maxBatch`. Pure. */
export function signatureWords(inputs: readonly TensorHead[], maxBatch: number): string {
  const words = inputs.map(({ name, datatype, shape }) => {
    const sizes = shape.map((size) => (size < 0 ? "?" : String(size))).join(", ");
    return `${name} as ${datatype} [${sizes}]`;
  });
  if (words.length === 0) return "no inputs";
  return `${words.join(" and ")}${maxBatch > 0 ? `, the first size from 1 to ${maxBatch}` : ""}`;
}
