import { NereidError } from "@nereid/errors";
import {
  parseCudaSharedMemoryBody,
  parseSystemSharedMemoryBody,
  type SharedMemoryRoute,
  sharedMemoryStatusJson,
} from "@nereid/protocol";
import { sendBuffer, sendJson } from "../http/http-error.ts";
import { readBody } from "../http/read-body.ts";
import type { ServerContext } from "../server-context.ts";
import type { RegionKind } from "../shared-memory/shared-memory.ts";
import { SMALL_BODY_LIMIT } from "./control.ts";
import type { Exchange } from "./exchange.ts";

const EMPTY = Buffer.alloc(0);

/** The shared-memory endpoints (http.md §11). */
export async function handleSharedMemory(
  context: ServerContext,
  { kind: route, action, region }: SharedMemoryRoute,
  exchange: Exchange,
): Promise<void> {
  const { sharedMemory } = context;
  const kind: RegionKind = route === "systemSharedMemory" ? "system" : "cuda";
  const { response } = exchange;
  if (action === "status") return sendJson(response, sharedMemoryStatusJson(sharedMemory.status(kind, region)));
  // Said whatever the body holds.
  sharedMemory.checkAllowed();
  if (action === "unregister") sharedMemory.unregister(kind, region);
  else await register(context, { kind, region }, exchange);
  sendBuffer(response, EMPTY, { status: 200, headers: { "Content-Type": "application/json" } });
}

async function register(
  { sharedMemory }: ServerContext,
  { kind, region: name }: { readonly kind: RegionKind; readonly region: string | undefined },
  { request, share }: Exchange,
): Promise<void> {
  const body = await readBody(request, { limit: SMALL_BODY_LIMIT, share });
  if (name === undefined)
    throw new NereidError("INVALID_ARGUMENT", `'region name' is necessary to register ${kind} shared memory region`);
  if (kind === "system") sharedMemory.registerSystem({ name, ...parseSystemSharedMemoryBody(body) });
  else sharedMemory.registerCuda({ name, ...parseCudaSharedMemoryBody(body) });
}
