import { NereidError } from "@nereid/errors";
import { z } from "zod";
import { authorise } from "../access/permissions.ts";
import type { Call, ServiceContext } from "../context.ts";
import { modelName } from "../models/model-name.ts";
import { parseInput } from "../parse-input.ts";
import { commandsFor, type RolloutCommand } from "./command-rollout.ts";
import { readServer } from "./controller/read-server.ts";
import type { StepEvidence } from "./evidence.ts";
import { type GateReading, judgeGates } from "./gates/judge-gate.ts";
import { type RolloutEntry, type RolloutRecord, toRollout } from "./rollout-record.ts";
import type { RolloutSpec } from "./rollout-spec.ts";
import { type RolloutPhase, type RolloutState, stepOf, weightsOf } from "./rollout-state.ts";
import { verdictOf } from "./verdict.ts";

/** A rollout in a list. */
export interface RolloutSummary {
  readonly id: string;
  readonly model: string;
  readonly node: string;
  readonly baseline: string;
  readonly candidate: string;
  readonly phase: RolloutPhase;
  readonly active: boolean;
  /** Percent of the traffic that the candidate is meant to have; null once nothing is set any more. */
  readonly percent: number | null;
  readonly step: number | null;
  readonly steps: number;
  readonly verdict: string;
  /** Unix milliseconds. */
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
  readonly createdByName: string;
  readonly note: string;
}

/** What was measured in one step. */
export interface StepReading {
  readonly step: number;
  readonly seconds: number;
  readonly candidateRequests: number;
  readonly baselineRequests: number;
  readonly gates: readonly GateReading[];
}

export interface RolloutView extends RolloutSummary {
  readonly spec: RolloutSpec;
  readonly state: RolloutState;
  readonly attempt: number;
  /** Steps of this attempt, the one that is under way last. */
  readonly readings: readonly StepReading[];
  readonly history: readonly RolloutEntry[];
  readonly commands: readonly RolloutCommand[];
  /** Weights that the record wants, and those that the server has; null = none, or not known. */
  readonly wanted: Readonly<Record<string, number>> | null;
  readonly actual: Readonly<Record<string, number>> | null;
}

export const listRolloutsInput = z.object({
  model: modelName.optional(),
  state: z.enum(["active", "ended", "all"]).default("all"),
  limit: z.int().min(1).max(200).default(50),
});

/** Rollouts of all nodes, those that are under way first, then newest first. */
export async function listRollouts({ ctx, input }: Call<z.input<typeof listRolloutsInput>>): Promise<RolloutSummary[]> {
  authorise(ctx.actor, "model.read");
  const { model, state, limit } = parseInput(listRolloutsInput, input);
  const rows = await ctx.db.rollout.findMany({
    where: { ...(model !== undefined && { model }), ...(state !== "all" && { active: state === "active" }) },
    orderBy: [{ active: "desc" }, { createdAt: "desc" }, { id: "asc" }],
    take: limit,
  });
  return rows.map(toRollout).map(summaryOf);
}

export const rolloutInput = z.object({ id: z.string().min(1).max(100) });

/** One rollout with everything that was measured and decided. NOT_FOUND when there is none with this id. */
export async function getRollout({ ctx, input }: Call<z.input<typeof rolloutInput>>): Promise<RolloutView> {
  authorise(ctx.actor, "model.read");
  const { id } = parseInput(rolloutInput, input);
  const row = await ctx.db.rollout.findUnique({ where: { id } });
  if (row === null) throw noSuchRollout(id);
  return viewRollout(ctx, toRollout(row));
}

/** A record as it is answered, with what its server has set. */
export async function viewRollout(
  ctx: Pick<ServiceContext, "nodes" | "clock">,
  record: RolloutRecord,
): Promise<RolloutView> {
  const { spec, state, evidence, history } = record;
  const client = ctx.nodes.find(({ id }) => id === record.node)?.client;
  const server = client === undefined ? null : await readServer(client, spec);
  const reading = (one: StepEvidence): StepReading => ({
    step: one.step,
    seconds: one.seconds,
    candidateRequests: one.candidate.requests,
    baselineRequests: one.baseline.requests,
    gates: judgeGates(spec, evidence, one),
  });
  const steps = evidence.current === null ? evidence.past : [...evidence.past, evidence.current];
  return {
    ...summaryOf(record),
    spec,
    state,
    attempt: evidence.attempt,
    readings: steps.map(reading),
    history,
    commands: commandsFor(state, ctx.clock.now()),
    wanted: weightsOf(spec, state),
    actual: server?.weights ?? null,
  };
}

export function noSuchRollout(id: string): NereidError {
  return new NereidError("NOT_FOUND", `there is no rollout ${id}`, { fix: "look at the list of rollouts" });
}

function summaryOf(record: RolloutRecord): RolloutSummary {
  const { id, node, spec, state, createdAtMs, createdByName, endedAtMs } = record;
  const wanted = weightsOf(spec, state);
  return {
    id,
    model: spec.model,
    node,
    baseline: spec.baseline,
    candidate: spec.candidate,
    phase: state.kind,
    active: endedAtMs === null,
    percent: wanted === null ? null : (wanted[spec.candidate] ?? 0),
    step: stepOf(state),
    steps: spec.steps.length,
    verdict: verdictOf(record),
    createdAtMs,
    endedAtMs,
    createdByName,
    note: spec.note,
  };
}
