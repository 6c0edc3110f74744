/** The request at the head of a slot that is ready. */
export interface ReadySlot {
  readonly slot: number;
  readonly sinceNs: number;
  readonly shapeKey: string;
}

export interface SlotPolicy {
  readonly slots: number;
  readonly maxQueueDelayNs: number;
  readonly minimumSlotUtilization: number;
}

export type SlotDecision =
  | { readonly action: "none" }
  /** `places[i]` is the ready slot with number i, or undefined for a null request; the last one is never undefined. */
  | { readonly action: "send"; readonly places: readonly (ReadySlot | undefined)[]; readonly model: ReadySlot }
  | { readonly action: "wait"; readonly untilNs: number };

/**
 * The direct strategy: at most one request of each slot, in the order of the slots, with null requests in between. Waits for
 * enough ready slots, at most for the delay counted from the oldest request, where both are configured. Slots whose shapes differ from
 * those of the oldest request stay for the next batch, so that none waits for ever. Pure.
 */
export function decideSlots(ready: readonly ReadySlot[], policy: SlotPolicy, nowNs: number): SlotDecision {
  const oldest = ready.reduce<ReadySlot | undefined>(
    (best, slot) => (best === undefined || slot.sinceNs < best.sinceNs ? slot : best),
    undefined,
  );
  if (oldest === undefined) return { action: "none" };
  const { maxQueueDelayNs, minimumSlotUtilization } = policy;
  if (maxQueueDelayNs > 0 && minimumSlotUtilization > 0) {
    const untilNs = oldest.sinceNs + maxQueueDelayNs;
    if (ready.length / policy.slots < minimumSlotUtilization && nowNs < untilNs) return { action: "wait", untilNs };
  }
  const taken = ready.filter(({ shapeKey }) => shapeKey === oldest.shapeKey);
  const places = new Array<ReadySlot | undefined>(Math.max(...taken.map(({ slot }) => slot)) + 1).fill(undefined);
  for (const slot of taken) places[slot.slot] = slot;
  return { action: "send", places, model: oldest };
}
