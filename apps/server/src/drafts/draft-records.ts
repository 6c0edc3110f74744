import { rm } from "node:fs/promises";
import { join } from "node:path";
import { NereidError } from "@nereid/errors";
import { exclusive, explainFileError } from "@nereid/model-repository";
import { type DraftRecord, writeDraft } from "./draft-record.ts";
import { type DraftEvent, nextDraftState } from "./draft-state.ts";

/** The drafts' records in memory, and their way to disk. */
export class DraftRecords {
  readonly #draftsDirectory: string;
  readonly #records = new Map<string, DraftRecord>();

  constructor(draftsDirectory: string) {
    this.#draftsDirectory = draftsDirectory;
  }

  get all(): readonly DraftRecord[] {
    return [...this.#records.values()];
  }

  directory(id: string): string {
    return join(this.#draftsDirectory, id);
  }

  /** NOT_FOUND for an unknown draft. */
  find(id: string): DraftRecord {
    const record = this.#records.get(id);
    if (record === undefined) throw new NereidError("NOT_FOUND", "there is no such draft; it may have been removed");
    return record;
  }

  put(record: DraftRecord): void {
    this.#records.set(record.id, record);
  }

  /** Lets something happen to a draft. CONFLICT when its state does not allow it; nothing has changed then. */
  change(id: string, event: DraftEvent, fields: Partial<DraftRecord>): void {
    const record = this.find(id);
    this.#records.set(id, { ...record, ...fields, state: nextDraftState(record.state, event) });
  }

  /** As `change`, but nobody is told of it before it is on disk. Rejects, and nothing has changed, when it cannot be written. */
  async changeDurably(id: string, event: DraftEvent, fields: Partial<DraftRecord>): Promise<void> {
    await exclusive(`draft ${id}`, async () => {
      const record = this.find(id);
      const changed = { ...record, ...fields, state: nextDraftState(record.state, event) };
      await writeDraft(this.directory(id), changed).catch((error: unknown) => {
        throw explainFileError(error, "save the draft");
      });
      this.#records.set(id, changed);
    });
  }

  update(id: string, fields: Partial<DraftRecord>): void {
    this.#records.set(id, { ...this.find(id), ...fields });
  }

  /** Writes the record as it is when its turn comes. */
  async save(id: string): Promise<void> {
    await exclusive(`draft ${id}`, async () => {
      const record = this.#records.get(id);
      if (record === undefined) return;
      await writeDraft(this.directory(id), record).catch((error: unknown) => {
        throw explainFileError(error, "save the draft");
      });
    });
  }

  /** Forgets a draft and removes its directory. */
  async remove(id: string): Promise<void> {
    this.#records.delete(id);
    await exclusive(`draft ${id}`, () => rm(this.directory(id), { recursive: true, force: true }));
  }
}
