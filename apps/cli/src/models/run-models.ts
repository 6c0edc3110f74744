import { readFile, writeFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { ControlClient, type ModelStatus } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import type { ModelsCommand } from "./models-options.ts";
import type { Output } from "./output.ts";
import { profileLines } from "./profile-lines.ts";
import { pushModel } from "./push-model.ts";
import { sizeText } from "./size-text.ts";
import { trafficLines } from "./traffic-lines.ts";

/** Runs one command; what it returns is the result for `--json`. Failures are NereidErrors. */
export async function runModels(command: ModelsCommand, output: Output): Promise<unknown> {
  const client = new ControlClient({ baseUrl: command.url, apiKey: command.key });
  const { subject, subVersion, reason } = command;
  switch (command.verb) {
    case "list": {
      const models = await client.models();
      for (const model of models) output.line(lineOf(model));
      return models;
    }
    case "versions": {
      const versions = await client.versions(subject);
      for (const { version, state, digest, bytes, author, pinned } of versions) {
        const notes = [author ?? "", pinned ? "pinned" : ""].filter((note) => note !== "").join(", ");
        output.line(
          `${version.padStart(6)}  ${state.padEnd(12)} ${digest.slice(0, 12)} ${sizeText(bytes)}  ${notes}`.trimEnd(),
        );
      }
      return versions;
    }
    case "push": {
      const published = await pushModel(client, command, output);
      const { model, version, loaded, loadError } = published;
      output.line(`published ${model}/${version}${loaded ? " and loaded it" : ""}`);
      if (loadError !== null)
        throw new NereidError("INVALID_ARGUMENT", `${model}/${version} is published, but did not load: ${loadError}`);
      return published;
    }
    case "load": {
      const result = await (subVersion === undefined
        ? client.load(subject, reason)
        : client.loadVersion(subject, subVersion, reason));
      output.line(`${subject}${subVersion === undefined ? "" : `/${subVersion}`} is loaded`);
      return result ?? {};
    }
    case "cancel-load": {
      const done = await client.cancelLoad(subject, reason);
      output.line(`cancelled ${done.cancelled === 1 ? "the load" : `${done.cancelled} loads`} of ${subject}`);
      return done;
    }
    case "unload":
      await (subVersion === undefined
        ? client.unload(subject, reason)
        : client.unloadVersion(subject, subVersion, reason));
      output.line(`${subject}${subVersion === undefined ? "" : `/${subVersion}`} is being unloaded`);
      return {};
    case "config":
      return command.file === undefined ? showConfig(client, subject, output) : applyFile(client, command, output);
    case "rollback": {
      const { to } = command;
      const done = await client.rollback(subject, {
        ...(to !== undefined && { to }),
        ...(reason !== undefined && { reason }),
      });
      output.line(`${subject} serves version ${done.to} (was ${done.from.join(", ")})`);
      return done;
    }
    case "traffic":
      return traffic(client, command, output);
    case "profile":
      return profile(client, command, output);
  }
}

/** Divides first, where that is asked for; then shows what comes of it. */
async function traffic(client: ControlClient, { subject, traffic, reason }: ModelsCommand, output: Output) {
  const result =
    traffic === undefined
      ? { traffic: await client.traffic(subject), warnings: [] }
      : await client.divideTraffic(subject, traffic, reason);
  for (const line of trafficLines(subject, result.traffic)) output.line(line);
  for (const { message } of result.warnings) output.line(`note: ${message}`);
  return result;
}

async function profile(client: ControlClient, command: ModelsCommand, output: Output) {
  const { subject, seconds, version, reason, trace } = command;
  const taken = await client.profile(subject, { seconds, version, reason });
  for (const line of profileLines(taken)) output.line(line);
  if (trace === undefined) return taken;
  await writeText(trace, JSON.stringify(await client.profileTrace(subject, taken.id)));
  output.line(`every event is in ${trace}; open it with https://ui.perfetto.dev or chrome://tracing`);
  return taken;
}

async function writeText(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new NereidError("INVALID_ARGUMENT", `'${file}' cannot be written: ${why}`, { cause });
  }
}

async function showConfig(client: ControlClient, model: string, output: Output) {
  const state = await client.config(model);
  output.line(state.text.trimEnd());
  return state;
}

/** Checks first, so that every mistake is told with its line; then applies on what was read. */
async function applyFile(client: ControlClient, command: ModelsCommand, output: Output) {
  const { subject, file = "-", reason } = command;
  const content = file === "-" ? await text(process.stdin) : await readText(file);
  const { digest } = await client.config(subject);
  const { diagnostics, change } = await client.checkConfig(subject, content);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    const lines = errors.map(
      ({ line, column, message, help }) => `  ${line}:${column} ${message}${help === undefined ? "" : ` (${help})`}`,
    );
    throw new NereidError(
      "INVALID_ARGUMENT",
      `the configuration has ${errors.length === 1 ? "an error" : `${errors.length} errors`}:\n${lines.join("\n")}`,
    );
  }
  const applied = await client.applyConfig(subject, {
    text: content,
    ifDigest: digest,
    ...(reason !== undefined && { reason }),
  });
  output.line(
    `applied to ${subject} (${change.kind}${change.fields.length > 0 ? `: ${change.fields.join(", ")}` : ""})`,
  );
  return applied;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new NereidError("INVALID_ARGUMENT", `'${file}' cannot be read: ${why}`, { cause });
  }
}

function lineOf({ name, versions, lastLoadError }: ModelStatus): string {
  const states = versions.map(({ version, state }) => `${version} ${state}`).join(", ");
  return `${name.padEnd(24)} ${states === "" ? "not loaded" : states}${lastLoadError === "" ? "" : `  (${lastLoadError.slice(0, 120)})`}`;
}
