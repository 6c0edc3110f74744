import { NereidError } from "@nereid/errors";
import type { ServedVersion } from "@nereid/inference-worker";
import type { InferInput, InferRequest } from "@nereid/protocol";
import type { BodyBudget } from "../http/body-budget.ts";
import type { RegionWindow, SharedMemory } from "../shared-memory/shared-memory.ts";
import { copyInSlices, type Sliced, work } from "./slices.ts";

export interface SharedInputContext {
  readonly sharedMemory: SharedMemory;
  /** What is copied out of regions counts like a body that was received. */
  readonly bodies: BodyBudget;
}

interface Holder {
  add(part: { release(): void }): void;
}

/** The largest input of any request, as for bodies: a sparse object of a client may be larger than the machine's memory. */
const MOST_BYTES = 1 << 30;
/** Bytes that are copied in the time one more window takes. */
const COST_OF_A_READ = 4096;

interface SharedInputCall {
  readonly served: ServedVersion;
  readonly request: InferRequest;
  readonly held: Holder;
  /** Throws when nobody waits for the request any more. */
  readonly stopped: () => void;
}

/**
 * The request with its inputs out of clients' regions: each is read once, straight into the memory the runner sees where there is
 * room. A promise where much has to be read. Whatever has to be given back is told to `held`.
 */
export function readSharedInputs(
  context: SharedInputContext,
  call: SharedInputCall,
): InferRequest | Promise<InferRequest> {
  const { inputs } = call.request;
  const total = inputs.reduce((sum, { data }) => sum + (data.kind === "shm" ? data.byteSize + COST_OF_A_READ : 0), 0);
  if (inputs.every(({ data }) => data.kind === "bytes")) return call.request;
  return work(read(context, call), total, call.stopped);
}

function* read(context: SharedInputContext, { served, request, held }: SharedInputCall): Sliced<InferRequest> {
  const inputs: InferInput[] = [];
  for (const input of request.inputs) {
    if (input.data.kind === "bytes") {
      inputs.push(input);
      continue;
    }
    const window = context.sharedMemory.acquire(input.data);
    try {
      const bytes = roomFor(window, { ...context, input: input.name, served, held });
      yield* copyInSlices(bytes.byteLength, (from, to) => window.read(bytes.subarray(from, to), from));
      inputs.push({ ...input, data: { kind: "bytes", bytes } });
    } finally {
      window.release();
    }
  }
  return { ...request, inputs };
}

function roomFor(
  { byteSize }: RegionWindow,
  { bodies, input, served, held }: SharedInputContext & { input: string; served: ServedVersion; held: Holder },
): Uint8Array {
  if (byteSize > MOST_BYTES) {
    throw new NereidError(
      "INVALID_ARGUMENT",
      `input '${input}' of ${byteSize} bytes exceeds the largest size of ${MOST_BYTES} bytes; split the batch`,
    );
  }
  const block = served.reserve(byteSize);
  if (block !== undefined) {
    held.add(block);
    return block.bytes;
  }
  const share = bodies.open();
  held.add({ release: () => share.close() });
  if (!share.add(byteSize)) {
    throw new NereidError(
      "UNAVAILABLE",
      "the inputs being read together exceed the server's memory for them; try again later",
    );
  }
  return new Uint8Array(byteSize);
}
