import { type DecideBatch, decideDynamic } from "../scheduler/decide-batch.ts";
import type { BatchReason } from "../scheduler/request-scheduler.ts";
import { decideSlots } from "./decide-slots.ts";
import { initialShapeKey } from "./implicit-state.ts";
import type { SequencePolicy } from "./sequence-policy.ts";
import type { Slot } from "./slot-table.ts";

/** Which slots an idle instance executes now. An undefined place is a null request. */
export type Choice<T> =
  | { readonly action: "none" }
  | { readonly action: "wait"; readonly untilNs: number }
  | { readonly action: "send"; readonly places: readonly (Slot<T> | undefined)[]; readonly reason: BatchReason };

/** `ready`: the ready slots of one instance, in the order in which they became ready. */
export type ChooseEntries<T> = (ready: readonly Slot<T>[], nowNs: number) => Choice<T>;

/** How the strategy of a model fills its batches. Pure. */
export function chooseEntries<T extends { readonly shapeKey: string }>(policy: SequencePolicy): ChooseEntries<T> {
  const { strategy, slotsPerInstance: slots } = policy;
  const startKey = initialShapeKey(policy.states);
  const shapeKeyOf = ({ sequence }: Slot<T>): string => {
    const head = sequence?.queue.first;
    if (sequence === undefined || head === undefined) return "";
    return head.item.shapeKey + (head.start ? startKey : (sequence.state?.shapeKey ?? ""));
  };
  if (strategy.kind === "oldest") return oldest(decideDynamic(strategy.batch), shapeKeyOf);
  return (ready, nowNs) => {
    const views = ready.map((slot) => ({
      slot: slot.index,
      sinceNs: slot.sequence?.queue.first?.sinceNs ?? nowNs,
      shapeKey: shapeKeyOf(slot),
    }));
    const decision = decideSlots(views, { slots, ...strategy }, nowNs);
    if (decision.action !== "send") return decision;
    const byIndex = new Map(ready.map((slot) => [slot.index, slot]));
    const places = decision.places.map((view) => (view === undefined ? undefined : byIndex.get(view.slot)));
    return { action: "send", places, reason: "sequence-slots" };
  };
}

/** The inner dynamic batcher: one request of each sequence, in the order in which they became ready. */
function oldest<T>(decide: DecideBatch, shapeKeyOf: (slot: Slot<T>) => string): ChooseEntries<T> {
  return (ready, nowNs) => {
    const at = (index: number) => {
      const slot = ready[index];
      if (slot === undefined) return undefined;
      // The delay counts from when the request could have been executed, not from when it came.
      return { batchSize: 1, shapeKey: shapeKeyOf(slot), enqueuedNs: slot.readySinceNs ?? nowNs };
    };
    const decision = decide({ at }, nowNs);
    if (decision.action !== "send") return decision;
    return { action: "send", places: ready.slice(0, decision.count), reason: decision.reason };
  };
}
