import { readFileSync } from "node:fs";
import { createSecureContext, type TlsOptions } from "node:tls";
import { NereidError } from "@nereid/errors";
import type { TlsFiles } from "../options/grpc-options.ts";

/** A peer that stops in the middle of a handshake holds a socket for so long. */
const HANDSHAKE_TIMEOUT_MS = 10_000;

/** What a TLS server needs, from its files. INVALID_ARGUMENT, naming the option, for one that cannot be read or used. */
export function tlsOptions(files: TlsFiles, prefix: "http" | "grpc"): TlsOptions {
  const mutual = files.root !== undefined;
  const options: TlsOptions = {
    cert: read(files.certificate, `${prefix}-server-cert`),
    key: read(files.key, `${prefix}-server-key`),
    ...(files.root !== undefined && { ca: read(files.root, `${prefix}-root-cert`) }),
    requestCert: mutual,
    rejectUnauthorized: mutual,
    minVersion: "TLSv1.2",
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
  };
  try {
    createSecureContext(options);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new NereidError(
      "INVALID_ARGUMENT",
      `Bad option: "--${prefix}-server-cert". The certificate, its key and the root certificate must be PEM files that belong together (${why})`,
      { cause },
    );
  }
  return options;
}

function read(file: string, option: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new NereidError("INVALID_ARGUMENT", `Bad option: "--${option}". Cannot read ${file}`, { cause });
  }
}
