import { create, type DescMessage, type MessageInitShape, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { decodeMessage } from "@nereid/grpc";
import type { ServerContext } from "../server-context.ts";
import type { CallContext } from "./call-context.ts";
import type { GrpcCall } from "./grpc-call.ts";

/** What `--grpc-restricted-protocol` can name (grpc.md §1). */
export type RestrictedProtocol =
  | "health"
  | "metadata"
  | "inference"
  | "shared-memory"
  | "model-config"
  | "model-repository"
  | "statistics"
  | "trace"
  | "logging";

interface RpcBase {
  /** As the access log names it. */
  readonly name: string;
  readonly category: RestrictedProtocol | undefined;
  /** Needs the management key where the server has one. */
  readonly managed: boolean;
}

/** One message in, one out, both small. */
export interface UnaryRpc extends RpcBase {
  readonly kind: "unary";
  readonly maxRequestBytes: number;
  /** The encoded answer. */
  readonly serve: (call: CallContext, request: Uint8Array) => Promise<Uint8Array> | Uint8Array;
}

/** One that reads and writes its own messages. */
export interface RawRpc extends RpcBase {
  readonly kind: "raw";
  readonly serve: (context: ServerContext, call: GrpcCall) => void;
}

export type Rpc = UnaryRpc | RawRpc;

/** Enough for everything but tensors and models. */
const SMALL_REQUEST = 1 << 20;

interface UnaryOptions<I extends DescMessage, O extends DescMessage> {
  readonly name: string;
  readonly category: RestrictedProtocol;
  readonly managed?: boolean;
  readonly request: I;
  readonly response: O;
  readonly serve: (call: CallContext, request: MessageShape<I>) => MessageInitShape<O> | Promise<MessageInitShape<O>>;
}

/** A unary rpc over generated message types. */
export function unary<I extends DescMessage, O extends DescMessage>(options: UnaryOptions<I, O>): UnaryRpc {
  const { name, category, managed = false, request, response, serve } = options;
  return {
    kind: "unary",
    name,
    category,
    managed,
    maxRequestBytes: SMALL_REQUEST,
    serve: async (call, bytes) =>
      toBinary(response, create(response, await serve(call, decodeMessage(request, bytes)))),
  };
}
