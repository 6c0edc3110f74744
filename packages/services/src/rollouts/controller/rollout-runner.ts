import type { Database } from "@nereid/db";
import { NereidError } from "@nereid/errors";
import { recordAudit } from "../../audit/record-audit.ts";
import type { Clock } from "../../clock.ts";
import type { ChangeContext } from "../../context.ts";
import { type HeldLease, holdsLease } from "../../lease.ts";
import type { ManagedNode } from "../../nodes/managed-node.ts";
import { writeTransaction } from "../../write-transaction.ts";
import { decideRollout, type RolloutDecision } from "../decide-rollout.ts";
import type { Evidence, OutputCheck } from "../evidence.ts";
import { foldSecond } from "../fold-second.ts";
import { checkOutputs } from "../outputs/check-outputs.ts";
import type { RolloutEffect, RolloutFacts } from "../rollout-now.ts";
import type { RolloutRecord } from "../rollout-record.ts";
import { secondOf } from "../rollout-second.ts";
import { isActive, type RolloutPhase } from "../rollout-state.ts";
import { saveEvidence, saveState } from "../save-rollout.ts";
import { addCandidate, applyCandidate, noteApplied, removeCandidate } from "./candidate-config.ts";
import { readServer } from "./read-server.ts";

export type RolloutNode = Pick<ManagedNode, "id" | "name" | "client" | "cordoned"> & {
  readonly metrics: Pick<ManagedNode["metrics"], "recent" | "newest">;
};

export interface RunnerParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly nodes: () => readonly RolloutNode[];
  readonly onError: (error: unknown) => void;
}

/** Who acts where nobody asked: shown in the trail and in the history of the rollout. */
const CONTROLLER = "rollout";
const LOOK_EVERY_MS = 1_000;
/** A rollout gets no further than this at one look. */
const MOST_MOVES = 4;

type ConfigEffect = Exclude<RolloutEffect["kind"], "set-weights" | "check-outputs">;

/** Whether asking again would be answered alike. A restarted server may not have loaded the baseline yet, or have others in the way. */
function isFinal(kind: ConfigEffect, code: NereidError["code"]): boolean {
  if (kind === "remove-candidate") return false;
  const passing = ["UNAVAILABLE", "TOO_MANY_REQUESTS", "NOT_FOUND", ...(kind === "add-candidate" ? ["CONFLICT"] : [])];
  return !passing.includes(code);
}

const ACTIONS: Partial<Readonly<Record<RolloutPhase, string>>> = {
  promoted: "rollout.promoted",
  "rolling-back": "rollout.back",
  "rolled-back": "rollout.ended",
  aborted: "rollout.ended",
};

/**
 * Carries one rollout on. Every decision is in the database before anything is done for it, and what is done for it can be done twice; so
 * whoever reads the record after a crash ends where it says.
 */
export class RolloutRunner {
  readonly #parts: RunnerParts;
  #record: RolloutRecord;
  #evidence: Evidence;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | undefined;
  #checked: OutputCheck | undefined;
  #changing: Promise<void> | undefined;
  #refusal: string | null = null;

  constructor(parts: RunnerParts, record: RolloutRecord) {
    this.#parts = parts;
    this.#record = record;
    this.#evidence = record.evidence;
  }

  get revision(): number {
    return this.#record.revision;
  }

  /** Looks, decides and acts. Answers false when the record was changed by somebody else, and has to be read again. */
  async advance(lease: HeldLease): Promise<boolean> {
    const { clock, nodes, db } = this.#parts;
    const { spec, node: nodeId } = this.#record;
    const node = nodes().find(({ id }) => id === nodeId);
    if (node === undefined) return true;
    const known = this.#evidence;
    const isNew = this.#takeSeconds(node);
    if (!isNew && this.#checked === undefined && clock.now() - this.#lookedAtMs < LOOK_EVERY_MS) return true;
    this.#lookedAtMs = clock.now();
    let facts = await this.#look(node);
    for (let moves = 0; moves < MOST_MOVES; moves += 1) {
      const { state } = this.#record;
      const decided = decideRollout(spec, { state, evidence: this.#evidence, facts, nowMs: clock.now() });
      this.#evidence = decided.evidence;
      if (decided.says !== null && !(await this.#keep(lease, node, decided))) return false;
      if (decided.effects.length > 0 && !(await holdsLease(db, lease))) return false;
      let isRefused = false;
      for (const effect of decided.effects) {
        const after = await this.#act(effect, node);
        if (after === "refused") isRefused = true;
        else facts = after ?? facts;
      }
      if (isRefused || !isActive(decided.state)) break;
      if (decided.says === null && !decided.effects.some(({ kind }) => kind === "set-weights")) break;
    }
    if (this.#evidence === known || !isActive(this.#record.state)) return true;
    return saveEvidence(db, this.#record, this.#evidence);
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    await Promise.all([this.#checking, this.#changing]);
  }

  async #look({ client }: RolloutNode): Promise<RolloutFacts> {
    const changing = this.#changing;
    const server = await readServer(client, this.#record.spec);
    // While this process applies a configuration nobody knows whether it will stay, nor of what was read meanwhile.
    const isSettled = changing === undefined && this.#changing === undefined;
    const isApplied = server?.isApplied === true && isSettled;
    return { server: server === null ? null : { ...server, isApplied }, refusal: this.#refusal };
  }

  #takeSeconds({ metrics }: RolloutNode): boolean {
    const { spec } = this.#record;
    const { t } = this.#evidence;
    if (this.#checked !== undefined) {
      // A check of a step that is over says nothing about this one.
      this.#evidence = { ...this.#evidence, outputs: this.#checked };
      this.#checked = undefined;
      this.#lookedAtMs = Number.NEGATIVE_INFINITY;
    }
    if (metrics.newest <= t) return false;
    // One model alone is read out quicker; a configuration's candidate is another one.
    const view = spec.config === null ? { model: spec.model } : undefined;
    for (const bucket of metrics.recent(t, undefined, view)) {
      this.#evidence = foldSecond(spec, this.#evidence, secondOf(bucket, spec));
    }
    return true;
  }

  async #keep(lease: HeldLease, node: RolloutNode, { state, evidence, says }: RolloutDecision): Promise<boolean> {
    const { db, clock } = this.#parts;
    const before = this.#record;
    const atMs = clock.now();
    const change = { state, evidence, says: says ?? "", by: CONTROLLER, atMs };
    const saved = await writeTransaction(db, async (tx) => {
      if (!(await holdsLease(tx, lease))) return null;
      const record = await saveState(tx, before, change);
      if (record === null) return null;
      const ctx = this.#context(node);
      if (state.kind === "returning") await noteApplied(tx, { at: new Date(atMs), node: ctx }, before.spec);
      await recordAudit({
        ctx: { ...ctx, db: tx, actor: { id: null, name: CONTROLLER, kind: "system" } },
        input: {
          action: ACTIONS[state.kind] ?? "rollout.advance",
          targetType: "model",
          targetId: before.spec.model,
          outcome: "succeeded",
          reason: change.says.slice(0, 500),
          before: { phase: before.state.kind },
          after: { phase: state.kind, rollout: before.id, version: before.spec.candidate },
        },
      });
      return record;
    });
    if (saved === null) return false;
    this.#record = saved;
    return true;
  }

  /** Answers what the server says now, where it was changed. What is refused is tried again at the next look. */
  async #act(effect: RolloutEffect, node: RolloutNode): Promise<RolloutFacts | "refused" | undefined> {
    const { spec } = this.#record;
    const { client } = node;
    if (effect.kind === "check-outputs") {
      this.#startCheck(client, effect.step);
      return undefined;
    }
    try {
      if (effect.kind === "set-weights") {
        const { weights } = effect;
        const { stickyHeader } = spec;
        await client.divideTraffic(spec.model, { weights, ...(stickyHeader !== null && { stickyHeader }) });
      } else {
        this.#changeConfig(effect.kind, node);
      }
      // Verified by reading it back, not by the answer.
      return await this.#look(node);
    } catch (thrown) {
      this.#parts.onError(thrown);
      return "refused";
    }
  }

  /** Loading and applying take their time: they go on beside the looks. */
  #changeConfig(kind: ConfigEffect, node: RolloutNode): void {
    const { spec } = this.#record;
    const work = {
      "add-candidate": () => addCandidate(node.client, spec),
      "apply-config": () => applyCandidate(this.#context(node), spec),
      "remove-candidate": () => removeCandidate(node.client, spec),
    };
    // What is to be removed may still be loading; then it goes when it is there.
    if (this.#changing !== undefined && kind !== "remove-candidate") return;
    const changing = (this.#changing ?? Promise.resolve())
      .then(work[kind])
      .then(() => {
        this.#refusal = null;
      })
      .catch((thrown: unknown) => {
        this.#parts.onError(thrown);
        const { code, message } = NereidError.from(thrown);
        this.#refusal = isFinal(kind, code) ? message : null;
      })
      .finally(() => {
        if (this.#changing === changing) this.#changing = undefined;
      });
    this.#changing = changing;
  }

  #context(node: RolloutNode): ChangeContext {
    const { db, clock, nodes } = this.#parts;
    const { id } = this.#record;
    return {
      db,
      clock,
      requestId: `rollout-${id}`,
      // Whoever began the rollout might do both; asked then.
      actor: { id: CONTROLLER, name: CONTROLLER, kind: "system", role: "operator" },
      nodeId: node.id,
      node: node.client,
      nodes: nodes(),
    };
  }

  #startCheck(client: RolloutNode["client"], step: number): void {
    const { db, clock, onError } = this.#parts;
    this.#checking ??= checkOutputs({ db, client, spec: this.#record.spec, step, clock })
      .then((found) => {
        this.#checked = found;
      })
      .catch(onError)
      .finally(() => {
        this.#checking = undefined;
      });
  }
}
