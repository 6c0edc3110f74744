import { z } from "zod";
import { reason } from "../instant.ts";

const MOST_URL = 500;

/** A plain address: what else a URL may carry would be kept in the clear, or changes what is asked. */
function isPlain(text: string): boolean {
  const { username, password, search, hash } = new URL(text);
  return username === "" && password === "" && search === "" && hash === "";
}

const address = z
  .url({ protocol: /^https?$/, error: "must be an http or https address, such as http://10.0.0.7:8000" })
  .max(MOST_URL)
  .refine((text) => URL.canParse(text) && isPlain(text), "must not have a user name, a password, ? or #");

/** `?node=` takes `all` for every node, and ids. The name of the local node is taken already. */
function isReserved(text: string): boolean {
  return /^(all|none|null|undefined|n[0-9a-f]{10})$/i.test(text);
}

/** Printable ASCII on one line: it becomes a header. */
const key = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[!-~]([ -~]*[!-~])?$/, "must be printable ASCII on one line, with no space at either end");

const name = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(60)
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._:-]*$/u, "may have letters, digits, spaces and . _ : -")
  .refine((text) => !isReserved(text), "has a meaning of its own where a node is chosen: choose another name");

const settings = {
  name,
  /** `nereid`: all there is; `triton`: V2 and the repository extension only. */
  kind: z.enum(["nereid", "triton"]),
  /** Base address of the V2 HTTP port. */
  url: address.transform((text) => text.replace(/\/+$/, "")),
  /** Full address of the metrics page; null = the same host, port 8002. */
  metricsUrl: address.nullish(),
  /** Address of the gRPC port, https for TLS; null = the server says its port, or it is the one behind the HTTP port. */
  grpcUrl: address.transform((text) => text.replace(/\/+$/, "")).nullish(),
  /** Of its management API. When a node is edited: absent = as it is, null = none. */
  key: key.nullish(),
};

export const nodeId = z.string().min(1).max(100);
export const nodeInput = z.object({ id: nodeId });
export const addNodeInput = z.object({ ...settings, reason });
export const editNodeInput = addNodeInput.extend({ id: nodeId });
export const removeNodeInput = z.object({ id: nodeId, reason });
/** A server as it would be added; with `id`, the key that is kept for this node is used when none is given. */
export const testNodeInput = z.object({
  kind: settings.kind,
  url: settings.url,
  metricsUrl: settings.metricsUrl,
  key: settings.key,
  id: nodeId.optional(),
});
export const cordonNodeInput = z.object({ id: nodeId, cordoned: z.boolean(), reason });
export const drainNodeInput = z.object({ id: nodeId, draining: z.boolean(), reason });
