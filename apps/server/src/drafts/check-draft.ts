import { access, readdir, rm, writeFile } from "node:fs/promises";
import { join, sep } from "node:path";
import type { DraftFinding, DraftReport, GraphSummary, TrialReport } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import { describeVersion, type Layout, planLayout, readOnnxGraph, stagingPaths } from "@nereid/model-repository";
import { checkConfigText } from "./check-config-text.ts";
import { chooseConfig, readUploadedConfig } from "./choose-config.ts";
import type { DraftDeps } from "./draft-deps.ts";
import type { DraftRecord } from "./draft-record.ts";
import { findDuplicate } from "./find-duplicate.ts";
import { findTarget, type Target } from "./find-target.ts";
import { signatureOf } from "./graph-signature.ts";
import { placeFile, type SourceFile, sourceFiles } from "./stage-files.ts";

export interface DraftCheck {
  readonly draft: DraftRecord;
  /** The draft's directory. */
  readonly directory: string;
  /** The complete uploads. */
  readonly uploads: readonly SourceFile[];
  readonly deps: DraftDeps;
  /** Told what is being done. */
  readonly onStep: (step: string) => void;
}

const DEFAULT_BATCH = 4;

/**
 * Unpacks, understands and tries what was uploaded. The tree that would be published is left in the draft. Throws the reason,
 * with what to do, when there is no report to give.
 */
export async function checkDraft(check: DraftCheck): Promise<{ report: DraftReport; root: string }> {
  const { draft, directory, deps, onStep } = check;
  const unpacked = unpackedOf(directory);
  try {
    onStep("Unpacking");
    await dropTrees(deps, draft.id);
    const sources = await sourceFiles(check.uploads, unpacked, deps.extraction ?? {});
    const uploaded = await readUploadedConfig(sources);
    const layout = planLayout(
      sources.map(({ path }) => path),
      {
        uploadName: check.uploads[0]?.path ?? "",
        model: draft.model,
        version: draft.version,
        configName: uploaded?.name ?? "",
        modelFilename: uploaded?.modelFilename ?? "",
      },
    );
    const target = await findTarget(deps.repository, layout, draft.version);
    const tree = treeOf(target.root, draft.id, target.model);
    onStep("Arranging files");
    await arrange(layout, { sources, tree, version: target.version });
    const report = await examine({ ...check, uploadedText: uploaded?.text ?? null, layout, target, tree });
    return { report, root: target.root };
  } catch (error) {
    await dropTrees(deps, draft.id);
    throw error;
  } finally {
    await rm(unpacked, { recursive: true, force: true });
  }
}

/** Where the archive of a draft is unpacked while it is checked, below the draft's directory. */
export function unpackedOf(directory: string): string {
  return join(directory, "unpacked");
}

/** Directory of the model that a draft would publish, below a repository root. */
export function treeOf(root: string, draft: string, model: string): string {
  return join(stagingPaths(root).drafts, draft, "tree", model);
}

/** Removes the checked trees of a draft, in whatever repository they lie. */
export async function dropTrees({ repository }: Pick<DraftDeps, "repository">, draft: string): Promise<void> {
  for (const root of repository.roots)
    await rm(join(stagingPaths(root).drafts, draft, "tree"), { recursive: true, force: true });
}

async function arrange(
  layout: Layout,
  place: { readonly sources: readonly SourceFile[]; readonly tree: string; readonly version: string },
): Promise<void> {
  const files = new Map(place.sources.map(({ path, file }) => [path, file]));
  const moves = [
    ...layout.versionFiles.map(({ from, to }) => ({ from, to: join(place.tree, place.version, to) })),
    ...layout.modelFiles.map(({ from, to }) => ({ from, to: join(place.tree, to) })),
  ];
  for (const { from, to } of moves) {
    if (!to.startsWith(place.tree + sep)) throw new NereidError("INTERNAL", "a file of the draft would leave its tree");
    await placeFile(files.get(from) ?? from, to);
  }
}

interface Examination extends DraftCheck {
  readonly uploadedText: string | null;
  readonly layout: Layout;
  readonly target: Target;
  readonly tree: string;
}

async function examine(examination: Examination): Promise<DraftReport> {
  const { draft, deps, onStep, layout, target, tree, uploadedText } = examination;
  const versionDirectory = join(tree, target.version);
  onStep("Reading the model");
  const graph = await readOnnxGraph(join(versionDirectory, layout.modelFile));
  onStep("Hashing files");
  const { files, digest } = await describeVersion(versionDirectory);
  const duplicateOf = await findDuplicate(target, files);
  onStep("Checking the configuration");
  const chosen = chooseConfig({
    draft: draft.configText,
    uploaded: uploadedText,
    before: target.configText,
    target,
    graph,
  });
  const diagnostics = checkConfigText(chosen.text, {
    model: target.model,
    versionEntries: files.map(({ path }) => path),
    graph,
    gpus: deps.gpus,
    cudaBuild: deps.cudaBuild,
    defaultMaxBatchSize: deps.defaultMaxBatchSize ?? DEFAULT_BATCH,
  });
  const config = { ...chosen, before: target.configText, beforeDigest: target.configDigest, diagnostics };
  if (chosen.text !== "") await writeFile(join(tree, "config.pbtxt"), chosen.text);
  const findings = [
    ...target.findings,
    ...(duplicateOf === null ? [] : [duplicate(duplicateOf)]),
    ...(await graphFindings(graph, versionDirectory)),
    ...(await replacedFiles(layout, target)),
  ];
  const blocked =
    findings.some(({ severity }) => severity === "error") || diagnostics.some(({ severity }) => severity === "error");
  if (!blocked) onStep("Trying the model");
  const trial = blocked
    ? skipped("the files or the configuration must be corrected first")
    : await tryModel(deps, target, tree);
  if (trial.outcome === "skipped" && !blocked)
    findings.push({ severity: "warning", code: "not-tried", message: `the model was not tried: ${trial.reason}` });
  const { model, version, isNew: newModel } = target;
  return { model, version, newModel, files, digest, duplicateOf, graph, config, trial, findings };
}

/** Tries the model with the label files that it has already; they are not published again. */
async function tryModel(deps: DraftDeps, target: Target, tree: string): Promise<TrialReport> {
  const borrowed = target.isNew ? [] : await borrowFiles(target.modelDirectory, tree);
  try {
    const { outcome, reason, loadSeconds, rssBytes, inferences } = await deps.trial({
      modelDirectory: tree,
      name: target.model,
      version: target.version,
    });
    return { outcome, reason, loadSeconds, rssBytes, inferences };
  } finally {
    for (const file of borrowed) await rm(file, { force: true });
  }
}

async function borrowFiles(from: string, to: string): Promise<string[]> {
  const borrowed: string[] = [];
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const file = join(to, entry.name);
    if (!entry.isFile() || entry.name === "config.pbtxt" || (await exists(file))) continue;
    await placeFile(join(from, entry.name), file);
    borrowed.push(file);
  }
  return borrowed;
}

function skipped(reason: string): TrialReport {
  return { outcome: "skipped", reason, loadSeconds: null, rssBytes: null, inferences: [] };
}

function duplicate(version: string): DraftFinding {
  return {
    severity: "warning",
    code: "duplicate",
    message: `version ${version} has the same files already`,
    fix: "publish it only if you want the same model under another number",
  };
}

async function graphFindings(graph: GraphSummary, directory: string): Promise<DraftFinding[]> {
  const findings: DraftFinding[] = [];
  for (const path of graph.externalData) {
    if (await exists(join(directory, path))) continue;
    findings.push({
      severity: "error",
      code: "external-data-missing",
      message: `the model keeps weights in '${path}', which was not uploaded`,
      fix: `upload '${path}' together with the model`,
    });
  }
  if (signatureOf(graph) === undefined) {
    const odd = [...graph.inputs, ...graph.outputs].map(({ name, datatype }) => `'${name}' (${datatype})`);
    findings.push({
      severity: "warning",
      code: "unsupported-type",
      message: `a tensor has a type that clients cannot send or receive: ${odd.slice(0, 5).join(", ")}`,
      fix: "export the model with tensors of the protocol's types",
    });
  }
  return findings;
}

async function replacedFiles(layout: Layout, { isNew, modelDirectory }: Target): Promise<DraftFinding[]> {
  if (isNew) return [];
  const findings: DraftFinding[] = [];
  for (const { to } of layout.modelFiles) {
    if (!(await exists(join(modelDirectory, to)))) continue;
    findings.push({
      severity: "info",
      code: "file-replaced",
      message: `'${to}' of the model will be replaced, for its other versions too`,
    });
  }
  return findings;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
