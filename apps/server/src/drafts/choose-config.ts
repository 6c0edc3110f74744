import { readFile, stat } from "node:fs/promises";
import type { DraftReport, GraphSummary } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { MAX_CONFIG_LENGTH, parseModelConfig } from "@nereid/model-config";
import { proposeConfig } from "./propose-config.ts";
import type { SourceFile } from "./stage-files.ts";

/** The configuration that was uploaded, and what it says of where the model goes. */
export interface UploadedConfig {
  readonly text: string;
  readonly name: string;
  readonly modelFilename: string;
}

/** Reads the uploaded `config.pbtxt` that is nearest to the top; undefined when there is none. INVALID_ARGUMENT when it is too long. */
export async function readUploadedConfig(sources: readonly SourceFile[]): Promise<UploadedConfig | undefined> {
  const [nearest] = sources
    .filter(({ path }) => path === "config.pbtxt" || path.endsWith("/config.pbtxt"))
    .sort((a, b) => a.path.split("/").length - b.path.split("/").length);
  if (nearest === undefined) return undefined;
  if ((await stat(nearest.file)).size > MAX_CONFIG_LENGTH)
    throw new NereidError(
      "INVALID_ARGUMENT",
      `'${nearest.path}' is longer than ${MAX_CONFIG_LENGTH} bytes; shorten it`,
    );
  const text = await readFile(nearest.file, "utf8");
  const { config } = parseModelConfig(text);
  return { text, name: config?.name ?? "", modelFilename: config?.defaultModelFilename ?? "" };
}

/** The text that will be published: the draft's, the upload's, the model's own, or a proposal, in that order. Pure. */
export function chooseConfig(from: {
  readonly draft: string | null;
  readonly uploaded: string | null;
  /** The model's text now; null when it has none. */
  readonly before: string | null;
  readonly target: { readonly model: string; readonly isNew: boolean };
  readonly graph: GraphSummary;
}): Pick<DraftReport["config"], "text" | "source"> {
  if (from.draft !== null) return { text: from.draft, source: "draft" };
  if (from.uploaded !== null) return { text: from.uploaded, source: "upload" };
  // A model that was completed from its graph so far stays that way.
  if (!from.target.isNew) return { text: from.before ?? "", source: "existing" };
  return { text: proposeConfig(from.target.model, from.graph), source: "proposed" };
}
