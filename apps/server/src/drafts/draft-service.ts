import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Draft, DraftPatch, DraftState, NewDraft, PublishDraft, PublishedDraft } from "@nereid/client";
import { NereidError } from "@nereid/errors";
import {
  assertVersionName,
  commitVersion,
  ensureStaging,
  explainFileError,
  recoverStaging,
  stagingPaths,
} from "@nereid/model-repository";
import { checkDraft, dropTrees, treeOf, unpackedOf } from "./check-draft.ts";
import type { DraftDeps } from "./draft-deps.ts";
import { type DraftRecord, isPublishable, problemOf, readDraft } from "./draft-record.ts";
import { DraftRecords } from "./draft-records.ts";
import { nextDraftState } from "./draft-state.ts";
import { DraftUploads } from "./draft-uploads.ts";
import { assertPublishableName } from "./find-target.ts";

const MOST_DRAFTS = 200;
const MOST_UPLOAD_BYTES = 64 * 2 ** 30;

/** Drafts: files on their way into the repository. Nothing of them is visible to it before they are published. */
export class DraftService {
  readonly uploads: DraftUploads;
  readonly #deps: DraftDeps;
  readonly #root: string;
  readonly #records: DraftRecords;
  readonly #running = new Set<Promise<void>>();

  constructor(deps: DraftDeps) {
    const [root] = deps.repository.roots;
    if (root === undefined) throw new NereidError("INTERNAL", "drafts need a model repository");
    this.#deps = deps;
    this.#root = root;
    this.#records = new DraftRecords(stagingPaths(root).drafts);
    this.uploads = new DraftUploads({
      draftsDirectory: stagingPaths(root).drafts,
      mostBytes: deps.mostUploadBytes ?? MOST_UPLOAD_BYTES,
      beforeChange: (id) => this.#edit(id, {}),
    });
  }

  /** Finishes or undoes what an earlier process left, and reads its drafts. Call it before models are loaded. */
  async start(): Promise<void> {
    for (const root of this.#deps.repository.roots) await this.#recover(root);
    const { drafts } = stagingPaths(this.#root);
    for (const id of await readdir(drafts).catch(() => [])) {
      const record = await readDraft(this.#records.directory(id));
      if (record?.id !== id) {
        // Half a draft: its process ended before the first record was written.
        await rm(this.#records.directory(id), { recursive: true, force: true }).catch(() => undefined);
        continue;
      }
      await this.uploads.load(id);
      const state = nextDraftState(record.state, { type: "restart", committed: await this.#isCommitted(record) });
      this.#records.put({ ...record, state, step: "" });
      if (state !== record.state) await this.#records.save(id);
      await this.#tidyAfterRestart(id, state);
    }
  }

  /** Waits for checks that are under way. */
  async close(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** Every draft, the newest first. */
  async list(): Promise<Draft[]> {
    const records = this.#records.all.toSorted((a, b) => b.createdAtMs - a.createdAtMs);
    return Promise.all(records.map((record) => this.#view(record)));
  }

  /** NOT_FOUND for an unknown draft. */
  async get(id: string): Promise<Draft> {
    return this.#view(this.#records.find(id));
  }

  async create({ author, model = null, version = null }: NewDraft): Promise<Draft> {
    checkWishes({ model, version });
    if (this.#records.all.length >= MOST_DRAFTS) {
      const fix = "remove drafts that are not needed any more";
      throw new NereidError("UNAVAILABLE", `there are ${MOST_DRAFTS} drafts already; ${fix}`, { fix });
    }
    await ensureStaging(this.#root);
    const record: DraftRecord = {
      id: randomBytes(12).toString("hex"),
      createdAtMs: this.#deps.clock.wallMs(),
      author,
      state: "open",
      model,
      version,
      configText: null,
      step: "",
      report: null,
      problem: null,
      root: null,
    };
    await mkdir(this.#records.directory(record.id)).catch((error: unknown) => {
      throw explainFileError(error, "open a draft");
    });
    this.#records.put(record);
    await this.#records.save(record.id);
    return this.get(record.id);
  }

  /** Changes wishes; the report is dropped. CONFLICT while the draft is busy or published. */
  async patch(id: string, patch: DraftPatch): Promise<Draft> {
    checkWishes(patch);
    await this.#edit(id, patch);
    return this.get(id);
  }

  /** Begins a check and answers at once. CONFLICT while an upload is not complete. */
  async check(id: string): Promise<Draft> {
    const uploads = this.uploads.of(id);
    if (uploads.length === 0) {
      this.#records.find(id);
      throw new NereidError(
        "CONFLICT",
        "the draft has no files yet; upload an .onnx file, a model directory or an archive",
      );
    }
    for (const { id: upload } of uploads) await this.uploads.verify(upload);
    this.#records.change(id, { type: "check" }, { step: "Starting", report: null, problem: null });
    await this.#records.save(id);
    const running = this.#runCheck(id).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return this.get(id);
  }

  /**
   * Publishes a checked draft and loads the model if asked to. CONFLICT unless the draft is ready, or when its version or the
   * configuration changed since the check. A load that fails does not take the version back; the answer says why it failed.
   */
  async publish(id: string, { load }: PublishDraft): Promise<PublishedDraft> {
    const { report, root } = this.#records.find(id);
    this.#records.change(id, { type: "publish" }, { step: "Publishing", problem: null });
    if (report === null || root === null) throw new NereidError("INTERNAL", "a ready draft has no report");
    const { model, version, digest, config } = report;
    let configDigest: string;
    try {
      await this.#records.save(id);
      const unchanged = config.text === (config.before ?? "");
      const committed = await commitVersion({
        root,
        model,
        version,
        tree: treeOf(root, id, model),
        configText: unchanged ? undefined : config.text,
        ifConfigDigest: config.beforeDigest,
      });
      configDigest = committed.configDigest;
    } catch (thrown) {
      const error = NereidError.from(thrown);
      const { message, fix } = error;
      this.#records.change(
        id,
        { type: "publish-failed" },
        { step: "", problem: fix === undefined ? { message } : { message, fix } },
      );
      await this.#records.save(id).catch(() => undefined);
      throw error.code === "ALREADY_EXISTS" ? asConflict(error) : error;
    }
    this.#records.change(id, { type: "published" }, { step: "" });
    await this.#afterPublish(id);
    return { model, version, digest, configDigest, ...(await this.#load(model, load)) };
  }

  /** Removes a draft and its files. CONFLICT while it is checked or published. */
  async remove(id: string): Promise<void> {
    const { state } = this.#records.find(id);
    if (state !== "published") nextDraftState(state, { type: "edit" });
    this.uploads.forget(id);
    await dropTrees(this.#deps, id);
    await this.#records.remove(id);
  }

  async #load(model: string, wanted: boolean): Promise<Pick<PublishedDraft, "loaded" | "loadError" | "warnings">> {
    if (!wanted) return { loaded: false, loadError: null, warnings: [] };
    try {
      const { warnings } = await this.#deps.load(model);
      return { loaded: true, loadError: null, warnings };
    } catch (error) {
      return { loaded: false, loadError: NereidError.from(error).message, warnings: [] };
    }
  }

  /** What a process that was killed had no time to remove. Only what waits to be published still needs its tree. */
  async #tidyAfterRestart(id: string, state: DraftState): Promise<void> {
    try {
      await rm(unpackedOf(this.#records.directory(id)), { recursive: true, force: true });
      if (state !== "ready") await dropTrees(this.#deps, id);
    } catch (error) {
      this.#deps.log.warn({ draft: id, reason: NereidError.from(error).message }, "a draft could not be tidied up");
    }
    if (state === "published") await this.#afterPublish(id);
  }

  /** The version is in its place; what is left of the draft only takes space. */
  async #afterPublish(id: string): Promise<void> {
    try {
      await this.#records.save(id);
      for (const record of this.uploads.of(id)) await this.uploads.files.remove(record);
      this.uploads.forget(id);
      await dropTrees(this.#deps, id);
    } catch (error) {
      this.#deps.log.warn(
        { draft: id, reason: NereidError.from(error).message },
        "a published draft could not be tidied up",
      );
    }
  }

  async #runCheck(id: string): Promise<void> {
    const draft = this.#records.find(id);
    const uploads = this.uploads
      .of(id)
      .map((record) => ({ path: record.path, file: this.uploads.files.partOf(record) }));
    const onStep = (step: string) => this.#records.update(id, { step });
    try {
      // One may have begun while the others were looked at.
      for (const { id: upload } of this.uploads.of(id)) await this.uploads.verify(upload);
      const { report, root } = await checkDraft({
        draft,
        directory: this.#records.directory(id),
        uploads,
        deps: this.#deps,
        onStep,
      });
      const passed = isPublishable(report);
      const problem = passed ? null : problemOf(report);
      // Whoever sees that it is ready finds it so after a restart too.
      await this.#records.changeDurably(id, { type: "checked", passed }, { step: "", report, root, problem });
    } catch (thrown) {
      const { message, fix } = explainFileError(thrown, "check the draft");
      const problem = fix === undefined ? { message } : { message, fix };
      this.#records.change(id, { type: "checked", passed: false }, { step: "", problem });
      await this.#records.save(id).catch((error: unknown) => {
        this.#deps.log.warn({ draft: id, reason: NereidError.from(error).message }, "a draft could not be saved");
      });
    }
  }

  async #edit(id: string, patch: DraftPatch): Promise<void> {
    this.#records.change(id, { type: "edit" }, { ...patch, report: null, problem: null, root: null });
    await this.#records.save(id);
  }

  async #view({ root: _root, ...record }: DraftRecord): Promise<Draft> {
    const uploads = this.uploads.of(record.id).map(async (upload) => ({
      id: upload.id,
      path: upload.path,
      bytes: upload.bytes,
      receivedBytes: (await this.uploads.files.received(upload)) ?? 0,
      sha256: upload.sha256 ?? upload.expected,
    }));
    return { ...record, uploads: await Promise.all(uploads) };
  }

  async #recover(root: string): Promise<void> {
    try {
      const { commits } = await recoverStaging(root, { nowMs: this.#deps.clock.wallMs() });
      for (const commit of commits) this.#deps.log.warn(commit, "an interrupted publication was settled");
    } catch (error) {
      const reason = NereidError.from(error).message;
      this.#deps.log.warn({ repository: root, reason }, "the staging directory could not be brought in order");
    }
  }

  /** Whether the version of a draft has left the draft: the rename that decides a publication has happened. */
  async #isCommitted({ id, root, report }: DraftRecord): Promise<boolean> {
    if (root === null || report === null) return false;
    return readdir(join(treeOf(root, id, report.model), report.version)).then(
      () => false,
      () => true,
    );
  }
}

function checkWishes({ model, version }: DraftPatch): void {
  if (model !== null && model !== undefined) assertPublishableName(model);
  if (version !== null && version !== undefined) assertVersionName(version);
}

function asConflict({ message, fix, details }: NereidError): NereidError {
  return new NereidError("CONFLICT", message, fix === undefined ? { details } : { fix, details });
}
