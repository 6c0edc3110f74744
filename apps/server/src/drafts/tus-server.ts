import { randomBytes } from "node:crypto";
import { NereidError, toHttpStatus } from "@nereid/errors";
import { Server } from "@tus/server";
import type { DraftUploads } from "./draft-uploads.ts";
import { TusStore } from "./tus-store.ts";
import { UploadLocker } from "./upload-locker.ts";

/** Where uploads are, on the V2 port. */
export const UPLOADS_PATH = "/nereid/v1/uploads";

/** How long a request that holds an upload may go on when another one for it comes. */
const DRAIN_MS = 1000;

/** A tus 1.0.0 server over the uploads of the drafts. Its errors are the management API's. */
export function createTusServer(uploads: DraftUploads): Server {
  return new NereidTusServer({
    path: UPLOADS_PATH,
    datastore: new TusStore(uploads),
    relativeLocation: true,
    locker: new UploadLocker(),
    lockDrainTimeout: DRAIN_MS,
    // No other site gets leave to read answers.
    allowedOrigins: [],
    namingFunction: () => randomBytes(16).toString("hex"),
    onUploadFinish: async (_request, upload) => {
      await uploads.verify(upload.id);
      return {};
    },
    onResponseError: (_request, error) => answerOf(error),
  });
}

class NereidTusServer extends Server {
  override async write(...[context, headers, status, body]: Parameters<Server["write"]>) {
    if (body?.startsWith("{") === true) headers.set("Content-Type", "application/json");
    return super.write(context, headers, status, body);
  }
}

type Answer = { status_code: number; body: string };

function answerOf(error: Error | Answer): Answer {
  if ("status_code" in error)
    return { status_code: error.status_code, body: JSON.stringify({ error: error.body.trim() }) };
  const { code, message, fix, details } = NereidError.from(error);
  return { status_code: toHttpStatus(code), body: JSON.stringify({ error: message, code, fix, details }) };
}
