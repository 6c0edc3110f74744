import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Draft, DraftReport } from "@nereid/client";
import { writeDurably } from "@nereid/model-repository";

/** A draft as it is kept in its directory; its uploads are kept beside it. */
export interface DraftRecord extends Omit<Draft, "uploads"> {
  /** Root of the repository that the checked tree lies in; null before a check. */
  readonly root: string | null;
}

/** Writes a draft's record so that a reader finds the old or the new one. */
export async function writeDraft(directory: string, record: DraftRecord): Promise<void> {
  await writeDurably(join(directory, "draft.json"), JSON.stringify(record));
}

/** A draft's record; undefined when there is none or it is damaged. */
export async function readDraft(directory: string): Promise<DraftRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(join(directory, "draft.json"), "utf8"));
    // Only this file writes records, and it writes them whole.
    return typeof value === "object" && value !== null && "state" in value ? (value as DraftRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a report lets its draft be published. Pure. */
export function isPublishable({ config, findings, trial }: DraftReport): boolean {
  const severities = [...config.diagnostics, ...findings].map(({ severity }) => severity);
  return !severities.includes("error") && trial.outcome !== "failed";
}

/** The first reason why a report refuses its draft. Pure. */
export function problemOf({ config, findings, trial }: DraftReport): { message: string; fix?: string } {
  const finding = findings.find(({ severity }) => severity === "error");
  if (finding !== undefined) return withFix(finding.message, finding.fix);
  const diagnostic = config.diagnostics.find(({ severity }) => severity === "error");
  if (diagnostic !== undefined)
    return withFix(`config.pbtxt:${diagnostic.line}:${diagnostic.column}: ${diagnostic.message}`, diagnostic.help);
  return withFix(
    `the model does not run: ${trial.reason}`,
    "look at the trial, and change the model or its configuration",
  );
}

function withFix(message: string, fix: string | undefined): { message: string; fix?: string } {
  return fix === undefined ? { message } : { message, fix };
}
