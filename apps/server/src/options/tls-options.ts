import { bad, type GivenFlags } from "./given-flags.ts";
import type { TlsFiles } from "./grpc-options.ts";

/**
 * `--<prefix>-use-ssl`, `-use-ssl-mutual`, `-server-cert`, `-server-key` and `-root-cert`; undefined = no TLS. INVALID_ARGUMENT,
 * naming the option, when a file is missing that the others need.
 */
export function parseTlsOptions(given: GivenFlags, prefix: "http" | "grpc"): TlsFiles | undefined {
  const mutual = given.boolean(`${prefix}-use-ssl-mutual`) ?? false;
  const wanted = mutual || (given.boolean(`${prefix}-use-ssl`) ?? false);
  const certificate = given.text(`${prefix}-server-cert`);
  const key = given.text(`${prefix}-server-key`);
  const root = given.text(`${prefix}-root-cert`);
  if (!wanted) return undefined;
  if (certificate === undefined) throw bad(`${prefix}-server-cert`, `TLS needs it: --${prefix}-server-cert=<file.pem>`);
  if (key === undefined) throw bad(`${prefix}-server-key`, `TLS needs it: --${prefix}-server-key=<file.pem>`);
  if (mutual && root === undefined)
    throw bad(`${prefix}-root-cert`, `--${prefix}-use-ssl-mutual needs it: --${prefix}-root-cert=<file.pem>`);
  return { certificate, key, root: mutual ? root : undefined };
}
