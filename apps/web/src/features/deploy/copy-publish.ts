import { type CopyTexts, copyCall } from "../../lib/copy-call.ts";

/** The same publication for other hands. The command line does the whole way, from the file on. */
export function copyPublish(call: {
  readonly origin: string;
  readonly draft: string;
  readonly load: boolean;
  readonly reason: string;
}): CopyTexts {
  const { origin, draft, load, reason } = call;
  return copyCall({
    origin,
    method: "POST",
    path: `/drafts/${encodeURIComponent(draft)}/publish`,
    body: { load, ...(reason === "" ? {} : { reason }) },
    cli: {
      words: [
        "push",
        "PATH",
        "--yes",
        ...(load ? [] : ["--no-load"]),
        ...(reason === "" ? [] : [`--reason=${reason}`]),
      ],
    },
  });
}
