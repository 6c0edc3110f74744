import type { ControlClient, Draft, PublishedDraft } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { filesToPush } from "./files-to-push.ts";
import type { ModelsCommand } from "./models-options.ts";
import type { Output } from "./output.ts";
import { progressLine } from "./progress-line.ts";
import { sizeText } from "./size-text.ts";
import { uploadFile } from "./upload-file.ts";

const ASK_EVERY_MS = 300;

/** Uploads, checks and publishes. Nothing is published when the check finds an error, or the person says no. */
export async function pushModel(
  client: ControlClient,
  command: ModelsCommand,
  output: Output,
): Promise<PublishedDraft> {
  const files = filesToPush(command.subject);
  const { model, version } = command;
  const draft = await client.openDraft({
    ...(model !== undefined && { model }),
    ...(version !== undefined && { version }),
  });
  try {
    for (const file of files) {
      const started = output.nowMs();
      const show = (sent: number) =>
        output.progress(
          progressLine({ name: file.path, sent, total: file.bytes, seconds: (output.nowMs() - started) / 1000 }),
        );
      await uploadFile(file, { ...client.uploads, draft: draft.id }, show);
      show(file.bytes);
      output.endProgress();
    }
    const checked = await checkedDraft(client, draft.id, output);
    showReport(checked, output);
    if (!command.yes && !(await output.confirm("Publish this?")))
      throw new NereidError("CANCELLED", "nothing was published");
    const { reason, load } = command;
    return await client.publishDraft(draft.id, { load, ...(reason !== undefined && { reason }) });
  } catch (error) {
    await client.discardDraft(draft.id).catch(() => undefined);
    throw error;
  }
}

async function checkedDraft(client: ControlClient, id: string, output: Output): Promise<Draft> {
  let draft = await client.checkDraft(id);
  while (draft.state === "checking") {
    output.progress(draft.step === "" ? "checking …" : `${draft.step} …`);
    await output.pause(ASK_EVERY_MS);
    draft = await client.draft(id);
  }
  output.endProgress();
  if (draft.state === "ready") return draft;
  const { message, fix } = draft.problem ?? { message: `the draft is ${draft.state}` };
  throw new NereidError("INVALID_ARGUMENT", message, fix === undefined ? {} : { fix });
}

function showReport({ report }: Draft, output: Output): void {
  if (report === null) return;
  const bytes = report.files.reduce((sum, file) => sum + file.bytes, 0);
  output.line(`${report.newModel ? "new model" : "model"} ${report.model}, version ${report.version}`);
  output.line(
    `  ${report.files.length === 1 ? "1 file" : `${report.files.length} files`}, ${sizeText(bytes)}, sha256 ${report.digest.slice(0, 16)}`,
  );
  for (const [label, tensors] of [
    ["in ", report.graph?.inputs],
    ["out", report.graph?.outputs],
  ] as const) {
    for (const { name, datatype, dims } of tensors ?? [])
      output.line(`  ${label} ${name}  ${datatype} [${dims.join(", ")}]`);
  }
  output.line(`  config: ${report.config.source}`);
  output.line(`  trial: ${report.trial.outcome}${report.trial.reason === "" ? "" : `, ${report.trial.reason}`}`);
  for (const { severity, message } of report.findings) output.line(`  ${severity}: ${message}`);
}
