import { NereidError } from "@nereid/errors";
import type { PlanWarning } from "@nereid/inference-worker";
import { hasErrors, parseModelConfig, printModelConfig } from "@nereid/model-config";
import { digestOfText, readConfigText, writeConfig } from "@nereid/model-repository";
import { servedVersions } from "../handlers/pins.ts";
import type { ServerContext } from "../server-context.ts";
import { rememberConfig } from "./config-intents.ts";
import { newestGraph } from "./model-graph.ts";
import { type ConfigPreview, previewConfig } from "./preview-config.ts";

/** Text, digest, completed form and graph of a model's configuration. NOT_FOUND for an unknown model. */
export async function configState(context: ServerContext, name: string) {
  const snapshot = await snapshotOf(context, name);
  const text = await readConfigText(snapshot.directory);
  const served = servedVersions(context, name).length > 0;
  const config = served ? context.manager.entry(name)?.config : undefined;
  const { config: parsed } = parseModelConfig(text ?? "");
  return {
    text: text ?? "",
    digest: digestOfText(text),
    exists: text !== null,
    effective: config === undefined ? null : printModelConfig(config),
    graph: await newestGraph(snapshot, parsed?.defaultModelFilename),
  };
}

/** What the server thinks of a text, without writing it. */
export async function checkConfig(context: ServerContext, name: string, text: string): Promise<ConfigPreview> {
  return previewConfig(context, await snapshotOf(context, name), text);
}

export interface ConfigInput {
  readonly text: string;
  readonly ifDigest: string;
}

/**
 * Writes a configuration and, when the model is served, reloads it. CONFLICT when the file is not what the writer saw;
 * INVALID_ARGUMENT with the findings when it has errors; with `rolledBack` when the load failed: the old file is back then, and
 * what served goes on serving.
 */
export function applyConfig(context: ServerContext, name: string, input: ConfigInput) {
  return context.turns.run(name, () => apply(context, name, input));
}

async function apply(context: ServerContext, name: string, { text, ifDigest }: ConfigInput) {
  const snapshot = await snapshotOf(context, name);
  const before = await readConfigText(snapshot.directory);
  const current = digestOfText(before);
  if (current !== ifDigest) {
    throw new NereidError("CONFLICT", `the configuration of '${name}' was changed by somebody else meanwhile`, {
      fix: "read it again, bring your change over, and apply",
      details: { digest: current },
    });
  }
  const { diagnostics, change } = await previewConfig(context, snapshot, text);
  if (hasErrors(diagnostics)) {
    const first = diagnostics.find(({ severity }) => severity === "error");
    const at = first === undefined ? "" : ` line ${first.line}:${first.column}: ${first.message}`;
    throw new NereidError("INVALID_ARGUMENT", `the configuration has errors;${at}`, { details: { diagnostics } });
  }
  const intent = await rememberConfig(snapshot.repository, { model: name, before, after: digestOfText(text) });
  const { digest } = await writeConfig({ modelDirectory: snapshot.directory, text, ifDigest });
  try {
    const warnings = servedVersions(context, name).length > 0 ? await reload(context, name) : [];
    await intent.done();
    return { digest, change, warnings };
  } catch (error) {
    await writeConfig({ modelDirectory: snapshot.directory, text: before, ifDigest: digest });
    await intent.done();
    // Nothing is loaded by this: what serves is what these files describe again.
    await reload(context, name).catch(() => undefined);
    throw rolledBack(name, NereidError.from(error));
  }
}

async function reload(context: ServerContext, name: string): Promise<readonly PlanWarning[]> {
  const versions = context.desired.pinOf(name);
  return (await context.manager.load(name, versions === undefined ? {} : { versions })).warnings;
}

function rolledBack(name: string, cause: NereidError): NereidError {
  return new NereidError(
    "INVALID_ARGUMENT",
    `model '${name}' did not load with this configuration: ${cause.message.trimEnd()} The old configuration is back and what was served goes on.`,
    { details: { rolledBack: true }, cause, ...(cause.fix !== undefined && { fix: cause.fix }) },
  );
}

/** A model as it lies in the repository. NOT_FOUND or, standing twice, CONFLICT. */
export async function snapshotOf(context: ServerContext, name: string) {
  const location = await context.repository.find(name);
  if (location === undefined) throw new NereidError("NOT_FOUND", `there is no model '${name}' in the repository`);
  if (location.kind === "ambiguous") {
    throw new NereidError(
      "CONFLICT",
      `model '${name}' stands in several repositories: ${location.directories.join(", ")}`,
      {
        fix: "keep it in one of them",
      },
    );
  }
  return context.repository.read(location);
}
