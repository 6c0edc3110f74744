import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandRollout, commandsFor, ROLLOUT_COMMANDS } from "./command-rollout.ts";
import { decideRollout } from "./decide-rollout.ts";
import { type Evidence, noEvidence, presentSecond } from "./evidence.ts";
import { foldSecond } from "./fold-second.ts";
import type { RolloutFacts } from "./rollout-now.ts";
import type { RolloutSecond } from "./rollout-second.ts";
import { rolloutSpec } from "./rollout-spec.ts";
import { isActive, type RolloutState, weightsOf } from "./rollout-state.ts";
import { verdictOf } from "./verdict.ts";

const spec = rolloutSpec.parse({
  model: "m",
  baseline: "1",
  candidate: "2",
  rehearsalSeconds: 1,
  steps: [
    { percent: 10, seconds: 2, requests: 5 },
    { percent: 50, seconds: 2, requests: 5, manual: true },
    { percent: 100, seconds: 1, requests: 0 },
  ],
  gates: [{ kind: "memory", share: 0.9 }, { kind: "gpu" }, { kind: "retries" }],
});

const served = { baseline: true, candidate: true };
const divided = (weights: Readonly<Record<string, number>> | null): RolloutFacts => ({
  server: { served, weights, stickyHeader: null, isApplied: false },
  refusal: null,
});
const SILENT: RolloutFacts = { server: null, refusal: null };
const ONE = { requests: 10, failed: 0, queueNs: 0, latency: [] };
const second = (t: number, more: Partial<RolloutSecond> = {}): RolloutSecond => ({
  t,
  baseline: ONE,
  candidate: ONE,
  memoryShare: 0.5,
  gpus: [],
  ...more,
});

interface Course {
  state: RolloutState;
  evidence: Evidence;
  t: number;
}

const begun = (): Course => ({ state: { kind: "preparing", since: 0 }, evidence: noEvidence(0, 1), t: 0 });

/** One second of a server that does what it is told. */
function tick(course: Course, more: Partial<RolloutSecond> = {}): void {
  course.t += 1;
  course.evidence = foldSecond(spec, course.evidence, second(course.t, more));
  const facts = divided(weightsOf(spec, course.state));
  const decided = decideRollout(spec, { ...course, facts, nowMs: course.t * 1000 });
  course.state = decided.state;
  course.evidence = decided.evidence;
}

function until(course: Course, kind: RolloutState["kind"]): void {
  for (let i = 0; i < 100 && course.state.kind !== kind; i += 1) tick(course);
  expect(course.state.kind).toBe(kind);
}

/** Looks once a second from after one moment to another; answers the last look. */
function watch(
  seen: Pick<Course, "state" | "evidence">,
  facts: RolloutFacts,
  [fromMs, toMs]: readonly [number, number],
) {
  let decided = decideRollout(spec, { ...seen, facts, nowMs: fromMs + 1_000 });
  for (let nowMs = fromMs + 2_000; nowMs <= toMs; nowMs += 1_000) {
    expect(decided.state).toEqual(seen.state);
    decided = decideRollout(spec, { ...decided, facts, nowMs });
  }
  return decided;
}

const command = (course: Course, asked: (typeof ROLLOUT_COMMANDS)[number]) => {
  const next = commandRollout(spec, { ...course, command: asked, by: "Ada", nowMs: course.t * 1000 });
  course.state = next.state;
  course.evidence = next.evidence;
};

describe("a rollout", () => {
  it("rehearses the way back, waits for a person where it is told to, and ends with the candidate", () => {
    const course = begun();
    until(course, "rehearsing");
    expect(weightsOf(spec, course.state)).toEqual({ "1": 100, "2": 0 });
    until(course, "waiting");
    expect(weightsOf(spec, course.state)).toEqual({ "1": 50, "2": 50 });
    command(course, "promote");
    until(course, "promoted");
  });

  it("does nothing about weights that nobody could read, and sets those that are others", () => {
    const state: RolloutState = { kind: "running", since: 0, step: 0 };
    const now = { state, evidence: noEvidence(0, 1), nowMs: 0 };
    expect(decideRollout(spec, { ...now, facts: SILENT }).effects).toEqual([]);
    const wanted = [{ kind: "set-weights", weights: { "1": 90, "2": 10 } }];
    for (const weights of [null, { "1": 1, "2": 1 }, { "1": 90, "2": 10, "3": 1 }]) {
      expect(decideRollout(spec, { ...now, facts: divided(weights) }).effects).toEqual(wanted);
    }
    expect(decideRollout(spec, { ...now, facts: divided({ "1": 90, "2": 10 }) }).effects).toEqual([]);
  });

  it.each<[string, Partial<RolloutSecond>, number]>([
    ["memory", { memoryShare: 0.95 }, 5],
    ["gpu", { gpus: [{ index: 0, xid: 3, ecc: null }] }, 1],
    ["retries", { candidate: { ...ONE, requests: 40, failed: 20 } }, 4],
  ])("is sent back by the gate %s, also while it is paused", (gate, more, seconds) => {
    const course = begun();
    tick(course, { gpus: [{ index: 0, xid: 2, ecc: null }] });
    until(course, "waiting");
    command(course, "pause");
    for (let i = 0; i < 15; i += 1) tick(course);
    for (let i = 0; i < seconds; i += 1) {
      expect(course.state.kind).toBe("paused");
      tick(course, more);
    }
    expect(course.state).toMatchObject({ kind: "rolling-back", cause: { kind: "gate", gate } });
    until(course, "rolled-back");
    command(course, "retry");
    expect(course.evidence).toMatchObject({ attempt: 2, current: null });
  });

  it("is sent back when the candidate is not served for ten seconds, but not when the server does not answer", () => {
    const state: RolloutState = { kind: "running", since: 0, step: 0 };
    const gone = {
      server: {
        served: { baseline: true, candidate: false },
        weights: { "1": 90, "2": 10 },
        stickyHeader: null,
        isApplied: false,
      },
      refusal: null,
    };
    const first = decideRollout(spec, { state, evidence: noEvidence(0, 1), facts: gone, nowMs: 1_000 });
    expect(first.state).toEqual(state);
    const silent = decideRollout(spec, { ...first, facts: SILENT, nowMs: 9_000 });
    expect(silent.state).toEqual(state);
    const late = watch(first, gone, [1_000, 11_000]);
    expect(late.state).toMatchObject({ kind: "rolling-back", cause: { kind: "not-served" } });
  });

  it("pauses for a person when only the baseline is gone: it went on comparing with nothing", () => {
    for (const kind of ["running", "waiting"] as const) {
      const state: RolloutState = { kind, since: 0, step: 0 };
      const weights = weightsOf(spec, state);
      const facts = (baseline: boolean, candidate = true): RolloutFacts => ({
        server: { served: { baseline, candidate }, weights, stickyHeader: null, isApplied: false },
        refusal: null,
      });
      const first = decideRollout(spec, { state, evidence: noEvidence(0, 1), facts: facts(false), nowMs: 1_000 });
      expect(first.state).toEqual(state);
      const back = decideRollout(spec, { ...first, facts: facts(true), nowMs: 20_000 });
      expect(back.evidence.baselineMissingSince).toBeNull();
      const gone = watch(first, facts(false), [1_000, 31_000]);
      expect(gone).toMatchObject({ state: { kind: "paused", step: 0, by: "rollout" }, effects: [] });
      expect(gone.says).toContain("version 1, the baseline, is no longer served");
      expect(commandsFor(gone.state, 31_000)).toEqual(["resume", "promote-fully", "abort"]);
    }
  });

  it("nothing could be done with a model whose server refused the weights for ever: a person gives the rollout up", () => {
    const cause = { kind: "person", says: "Aborted by Ada", by: "Ada" } as const;
    for (const kind of ["rolling-back", "promoting", "returning"] as const) {
      const state: RolloutState = {
        kind,
        since: 1_000,
        step: 0,
        ...(kind === "rolling-back" && { cause }),
      } as RolloutState;
      expect(commandsFor(state, 30_000)).toEqual([]);
      expect(commandsFor(state, 61_001)).toEqual(["give-up"]);
      const asked = { command: "give-up", state, evidence: noEvidence(0, 1), by: "Bo", nowMs: 62_000, t: 62 } as const;
      const given = commandRollout(spec, asked);
      expect(given.state).toMatchObject({ kind: "aborted", cause: { kind: "person", by: "Bo" } });
      expect(weightsOf(spec, given.state)).toBeNull();
      expect(decideRollout(spec, { ...given, facts: divided({ "2": 100 }), nowMs: 63_000 }).effects).toEqual([]);
    }
  });

  it("a server that was silent for long was taken to have lost what one look before had missed", () => {
    const state: RolloutState = { kind: "running", since: 0, step: 0 };
    for (const role of ["baseline", "candidate"] as const) {
      const facts = divided(weightsOf(spec, state));
      const { server } = facts;
      const missing = { ...facts, server: server && { ...server, served: { ...served, [role]: false } } };
      const first = decideRollout(spec, { state, evidence: noEvidence(0, 1), facts: missing, nowMs: 1_000 });
      const silent = decideRollout(spec, { ...first, facts: SILENT, nowMs: 60_000 });
      expect(silent.state).toEqual(state);
      const back = decideRollout(spec, { ...silent, facts, nowMs: 61_000 });
      expect(back).toMatchObject({ state, evidence: { missingSince: null, baselineMissingSince: null } });
    }
  });

  it("two looks were enough to take a version for gone, whether or not anybody looked or was answered between them", () => {
    const state: RolloutState = { kind: "running", since: 0, step: 0 };
    for (const role of ["baseline", "candidate"] as const) {
      const { server } = divided(weightsOf(spec, state));
      const facts = { server: server && { ...server, served: { ...served, [role]: false } }, refusal: null };
      const first = decideRollout(spec, { state, evidence: noEvidence(0, 1), facts, nowMs: 1_000 });
      // Another controller reads the evidence when the one that looked has been away.
      expect(decideRollout(spec, { ...first, facts, nowMs: 60_000 }).state).toEqual(state);
      const silent = watch(first, SILENT, [1_000, 40_000]);
      const again = decideRollout(spec, { ...silent, facts, nowMs: 41_000 });
      expect(again.state).toEqual(state);
      expect(watch(again, facts, [41_000, role === "baseline" ? 71_000 : 51_000]).state).not.toEqual(state);
    }
  });

  it("a rehearsal whose baseline had gone lasted for ever, with all requests at the candidate", () => {
    const state: RolloutState = { kind: "rehearsing", since: 0 };
    const { server } = divided(weightsOf(spec, state));
    const facts = { server: server && { ...server, served: { baseline: false, candidate: true } }, refusal: null };
    const first = decideRollout(spec, { state, evidence: noEvidence(0, 1), facts, nowMs: 1_000 });
    expect(first.state).toEqual(state);
    const gone = watch(first, facts, [1_000, 31_000]);
    expect(gone.state).toMatchObject({ kind: "rolling-back", step: null, cause: { kind: "not-served" } });
  });

  it("went back for ever where the server had lost the candidate, and refused weights that name it", () => {
    const cause = { kind: "person" as const, says: "Aborted by Ada", by: "Ada" };
    const state: RolloutState = { kind: "rolling-back", since: 0, step: 0, cause };
    const { effects } = decideRollout(spec, { state, evidence: noEvidence(0, 1), facts: divided(null), nowMs: 1_000 });
    expect(effects).toEqual([{ kind: "set-weights", weights: { "1": 100 } }]);
  });

  it("went back for ever where the server had lost the whole model: there are no weights to set", () => {
    const cause = { kind: "person" as const, says: "Aborted by Ada", by: "Ada" };
    const state: RolloutState = { kind: "rolling-back", since: 0, step: 0, cause };
    const { server } = divided(null);
    const facts = { server: server && { ...server, served: { baseline: false, candidate: false } }, refusal: null };
    const gone = watch({ state, evidence: noEvidence(0, 1) }, facts, [0, 31_000]);
    expect(gone.state.kind).toBe("aborted");
    expect(verdictOf({ spec, ...gone })).toBe(
      "Aborted by Ada. The server no longer has the model m: it has no traffic to divide",
    );
  });

  describe("of a configuration", () => {
    const config = { ...spec, candidate: "m_canary/1", config: { text: "max_batch_size: 8", ifDigest: "" } };
    const look = (
      state: RolloutState,
      facts: Partial<NonNullable<RolloutFacts["server"]>>,
      refusal: string | null = null,
    ) =>
      decideRollout(config, {
        state,
        evidence: noEvidence(0, 1),
        facts: {
          server: { served, weights: weightsOf(config, state), stickyHeader: null, isApplied: false, ...facts },
          refusal,
        },
        nowMs: 1_000,
      });
    const missing = { served: { baseline: true, candidate: false } };

    it("makes its candidate first, and again where a restarted server lost it", () => {
      const preparing: RolloutState = { kind: "preparing", since: 0 };
      expect(look(preparing, missing)).toMatchObject({ state: preparing, effects: [{ kind: "add-candidate" }] });
      expect(look(preparing, {}).state.kind).toBe("rehearsing");
      const running: RolloutState = { kind: "running", since: 0, step: 0 };
      expect(look(running, missing).effects).toContainEqual({ kind: "add-candidate" });
    });

    it("waits for a candidate that a restarted server has to load again, however slowly: it was sent back after ten seconds", () => {
      const running: RolloutState = { kind: "running", since: 0, step: 0 };
      const first = look(running, missing);
      const facts = {
        server: { served: missing.served, weights: weightsOf(config, running), stickyHeader: null, isApplied: false },
        refusal: null,
      };
      const later = decideRollout(config, { ...first, facts, nowMs: 60_000 });
      expect(later).toMatchObject({ state: running, effects: [{ kind: "add-candidate" }] });
    });

    it("ends with the model itself having the configuration and its requests, and the candidate gone", () => {
      const promoting: RolloutState = { kind: "promoting", since: 0, step: 2 };
      const applying = look(promoting, {});
      expect(applying).toMatchObject({ state: { kind: "applying" }, effects: [{ kind: "apply-config" }] });
      expect(weightsOf(config, applying.state)).toEqual({ "1": 0, "m_canary/1": 100 });
      const returning = look(applying.state, { isApplied: true });
      expect(returning).toMatchObject({ state: { kind: "returning" } });
      expect(returning.effects).toEqual([{ kind: "set-weights", weights: { "1": 100 } }]);
      expect(look(returning.state, {})).toMatchObject({
        state: { kind: "promoted" },
        effects: [{ kind: "remove-candidate" }],
      });
    });

    it("does not wait for ever for a model that does not serve with what it was given", () => {
      const applying: RolloutState = { kind: "applying", since: -900_000, step: 2 };
      expect(look(applying, { served: { baseline: false, candidate: true } }).state).toMatchObject({
        kind: "rolling-back",
        cause: { kind: "not-applied", says: expect.stringContaining("within 15 minutes") },
      });
    });

    it("was sent back though the model had it, where nobody looked for a quarter of an hour", () => {
      const applying: RolloutState = { kind: "applying", since: -900_000, step: 2 };
      expect(look(applying, { isApplied: true }).state.kind).toBe("returning");
    });

    it("was sent back by a look that got no answer a quarter of an hour later, though the model may have had it", () => {
      const applying: RolloutState = { kind: "applying", since: -900_000, step: 2 };
      const now = { state: applying, evidence: noEvidence(0, 1), nowMs: 1_000 };
      expect(decideRollout(config, { ...now, facts: SILENT }).state).toEqual(applying);
    });

    it("was called rolled back where the model got the configuration while it went back", () => {
      const applying: RolloutState = { kind: "applying", since: -900_000, step: 2 };
      const back = look(applying, { weights: null });
      expect(back.state.kind).toBe("rolling-back");
      expect(look(back.state, { weights: null, isApplied: true }).state).toMatchObject({ kind: "returning", step: 2 });
      const preparing = look({ kind: "preparing", since: 0 }, { weights: null }, "no memory");
      expect(look(preparing.state, { isApplied: true }).state.kind).toBe("rolled-back");
    });

    it("was sent back though the model had it, where a second controller asked for it again and was refused", () => {
      const applying: RolloutState = { kind: "applying", since: 0, step: 2 };
      expect(look(applying, { isApplied: true }, "the configuration was changed").state.kind).toBe("returning");
    });

    it("goes back with the server's words where it cannot be loaded or applied", () => {
      for (const state of [
        { kind: "preparing", since: 0 },
        { kind: "applying", since: 0, step: 2 },
      ] satisfies RolloutState[]) {
        const { state: next, says } = look(state, missing, "no memory");
        expect(next).toMatchObject({ kind: "rolling-back", cause: { kind: "not-applied" } });
        expect(says).toContain("no memory");
        expect(weightsOf(config, next)).toEqual({ "1": 100 });
        expect(look(next, {})).toMatchObject({
          state: { kind: "rolled-back" },
          effects: [{ kind: "remove-candidate" }],
        });
      }
    });
  });

  it("was blind for as long as its node's clock is behind ours: measuring began at our second", () => {
    expect(presentSecond({ newest: 940 }, 1_000_500)).toBe(940);
    expect(presentSecond({ newest: 0 }, 1_000_500)).toBe(1_000);
    expect(presentSecond(undefined, 1_000_500)).toBe(1_000);
    const cause = { kind: "person" as const, says: "Aborted by Ada", by: "Ada" };
    const state: RolloutState = { kind: "aborted", since: 0, step: null, cause };
    const asked = {
      command: "retry",
      state,
      evidence: noEvidence(900, 1),
      by: "Ada",
      nowMs: 1_000_500,
      t: 940,
    } as const;
    const { evidence } = commandRollout(spec, asked);
    expect(foldSecond(spec, evidence, second(941))).toMatchObject({ t: 941, attempt: 2, memoryShare: 0.5 });
  });

  it("whatever is asked and measured: weights add up, an end stays one, and the candidate never gains while it is sent back", () => {
    const turn = fc.oneof(
      fc.constant("tick" as const),
      fc.constant("full" as const),
      fc.constant("stranger" as const),
      fc.constantFrom(...ROLLOUT_COMMANDS),
    );
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 60 }), (turns) => {
        const course = begun();
        for (const one of turns) {
          const before = course.state;
          if (one === "tick") tick(course);
          else if (one === "full") tick(course, { memoryShare: 0.99 });
          else if (one === "stranger") {
            const facts = divided({ "9": 1 });
            const decided = decideRollout(spec, { ...course, facts, nowMs: course.t * 1000 });
            // Who finds other weights goes no step ahead before they are set right.
            if (decided.state.kind !== before.kind)
              expect(["rehearsing", "rolling-back"]).toContain(decided.state.kind);
          } else if (commandsFor(course.state, course.t * 1000).includes(one)) command(course, one);
          else expect(() => command(course, one)).toThrow(/cannot be asked/);
          const weights = weightsOf(spec, course.state);
          if (weights !== null) expect((weights["1"] ?? 0) + (weights["2"] ?? 0)).toBe(100);
          if (!isActive(before) && one !== "retry") expect(course.state).toEqual(before);
          if (before.kind === "rolling-back")
            expect(["rolling-back", "rolled-back", "aborted"]).toContain(course.state.kind);
        }
      }),
      { numRuns: 300 },
    );
  });
});
