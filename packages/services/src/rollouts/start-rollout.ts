import { randomUUID } from "node:crypto";
import { NereidError } from "@nereid/errors";
import type { z } from "zod";
import { authoriseChange } from "../access/authorise-change.ts";
import { changeRecords } from "../change-records.ts";
import { checkCandidate } from "../config/check-candidate.ts";
import type { Call, ServiceContext } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { serverFacts } from "./controller/read-server.ts";
import { noEvidence, presentSecond } from "./evidence.ts";
import { type RolloutView, viewRollout } from "./get-rollout.ts";
import { toRollout } from "./rollout-record.ts";
import { candidateName, type RolloutGate, type RolloutSpec, startRolloutInput } from "./rollout-spec.ts";
import type { RolloutState } from "./rollout-state.ts";
import { plain } from "./save-rollout.ts";

/** Refused, with an audit row, where there is nothing to roll out: CONFLICT, NOT_FOUND, UNSUPPORTED or INVALID_ARGUMENT. */
export async function startRollout({ ctx, input }: Call<z.input<typeof startRolloutInput>>): Promise<RolloutView> {
  const target = { action: "rollout.start", targetType: "model", targetId: modelIn(input) };
  await authoriseChange(ctx, "rollout.manage", target);
  const asked = parseInput(startRolloutInput, input);
  // Its promotion changes the model's configuration, on behalf of whoever begins it.
  if (asked.config !== null) await authoriseChange(ctx, "model.configure", target);
  const gates = input.gates === undefined ? [...asked.gates, ...(await promisedGates(ctx, asked.model))] : asked.gates;
  const id = randomUUID();
  const spec: RolloutSpec = { ...asked, gates, candidate: candidateOf(asked, id) };
  await checkServer(ctx, spec);
  const view = await changeRecords(ctx, {
    ...target,
    permission: null,
    reason: spec.note === "" ? undefined : spec.note,
    work: async (tx) => {
      const busy = await tx.rollout.findFirst({ where: { model: spec.model, node: ctx.nodeId, active: true } });
      if (busy !== null) throw alreadyRuns(spec.model, busy.id);
      await checkFixtures(spec, await tx.fixture.findMany({ where: { model: spec.model }, select: { name: true } }));
      const at = ctx.clock.now();
      const state: RolloutState = { kind: "preparing", since: at };
      const says = `Begins: ${candidateName(spec)} in the place of version ${spec.baseline}`;
      const row = await tx.rollout.create({
        data: {
          id,
          model: spec.model,
          node: ctx.nodeId,
          baseline: spec.baseline,
          candidate: spec.candidate,
          spec: plain(spec),
          state: plain(state),
          phase: state.kind,
          active: true,
          evidence: plain(noEvidence(presentSecond(ctx.metrics, at), 1)),
          history: plain([{ atMs: at, phase: state.kind, step: null, says, by: ctx.actor.name }]),
          revision: 1,
          createdAt: new Date(at),
          createdByName: ctx.actor.name,
          note: spec.note,
        },
      });
      const steps = spec.steps.map(({ percent }) => `${percent} %`).join(", ");
      const after = { rollout: row.id, version: spec.candidate, baseline: spec.baseline, steps };
      return { result: toRollout(row), after };
    },
  });
  return viewRollout(ctx, view);
}

/** The one active rollout of a model on a node; for who must not be in its way. CONFLICT when there is one. */
export async function refuseDuringRollout(ctx: ServiceContext, model: string): Promise<void> {
  const busy = await ctx.db.rollout.findFirst({ where: { model, node: ctx.nodeId, active: true } });
  if (busy !== null) throw alreadyRuns(model, busy.id);
}

async function checkServer(ctx: ServiceContext, spec: RolloutSpec): Promise<void> {
  if (spec.baseline === spec.candidate) {
    throw new NereidError("INVALID_ARGUMENT", "candidate: is the baseline itself", { fix: "choose another version" });
  }
  const node = ctx.nodes.find(({ id }) => id === ctx.nodeId);
  const why = node?.capabilities.traffic ?? null;
  if (why !== null) throw new NereidError("UNSUPPORTED", `no rollout here: ${why}`, { fix: "choose a Nereid server" });
  if (spec.config !== null) await checkCandidate(ctx, { model: spec.model, ...spec.config });
  const status = await ctx.node.model(spec.model);
  const { served } = serverFacts({ status, other: null, isApplied: false }, spec);
  for (const role of ["baseline", "candidate"] as const) {
    if (served[role] || (role === "candidate" && spec.config !== null)) continue;
    throw new NereidError("CONFLICT", `version ${spec[role]} of ${spec.model}, the ${role}, is not served`, {
      fix: "load both versions first",
    });
  }
}

/** The version that is asked for, or the name of the model that is to have the configuration. */
function candidateOf({ model, baseline, candidate, config }: z.output<typeof startRolloutInput>, id: string): string {
  if (config === null && candidate === undefined) {
    throw new NereidError("INVALID_ARGUMENT", "candidate: is missing", {
      fix: "name the new version, or give a configuration",
    });
  }
  if (config !== null && candidate !== undefined) {
    throw new NereidError("INVALID_ARGUMENT", "candidate: there is a configuration too", {
      fix: "roll the version out first, then the configuration",
    });
  }
  // A name of its own: what another rollout or a person left under it must not be taken for this one.
  return candidate ?? `${model}_canary_${id.slice(0, 8)}/${baseline}`;
}

/** What was promised of the model's latency, as gates. */
async function promisedGates(ctx: ServiceContext, model: string): Promise<RolloutGate[]> {
  const slos = await ctx.db.slo.findMany({ where: { model, latencyMs: { not: null } }, orderBy: { latencyMs: "asc" } });
  const strictest = slos[0]?.latencyMs ?? null;
  return strictest === null ? [] : [{ kind: "goodput", latencyMs: strictest, margin: 0.001 }];
}

async function checkFixtures({ model, gates }: RolloutSpec, kept: readonly { readonly name: string }[]): Promise<void> {
  const wanted = gates.flatMap((gate) => (gate.kind === "outputs" ? gate.fixtures : []));
  const missing = wanted.find((name) => !kept.some((one) => one.name === name));
  if (missing === undefined) return;
  throw new NereidError("NOT_FOUND", `${model} has no fixture '${missing}'`, {
    fix: "keep it in the playground first",
  });
}

function alreadyRuns(model: string, id: string): NereidError {
  return new NereidError("CONFLICT", `a rollout of ${model} decides about its traffic (${id})`, {
    fix: "wait until it has ended, or abort it",
  });
}

function modelIn(input: unknown): string {
  if (typeof input !== "object" || input === null || !("model" in input)) return "";
  return typeof input.model === "string" ? input.model.slice(0, 255) : "";
}
