import { modelConfigToJson } from "@nereid/model-config";
import { modelMetadataJson, serverMetadataJson } from "@nereid/protocol";
import type { ServerContext } from "../server-context.ts";
import { collectStatistics, describeModel, describeServer, servedConfig } from "./describe.ts";

/** Body of `GET /v2`. */
export function serverMetadata(context: ServerContext): string {
  return serverMetadataJson(describeServer(context));
}

/** Body of `GET /v2/models/M[/versions/V]`. */
export function modelMetadata(context: ServerContext, name: string, version: string | undefined): string {
  return modelMetadataJson(describeModel(context, name, version));
}

/** Body of `GET /v2/models/M[/versions/V]/config`. */
export function modelConfig(context: ServerContext, name: string, version: string | undefined): string {
  return JSON.stringify(modelConfigToJson(servedConfig(context, name, version)));
}

/** Body of the statistics calls. */
export function modelStatistics(context: ServerContext, name?: string, version?: string): string {
  return JSON.stringify({ model_stats: collectStatistics(context, name, version) });
}
