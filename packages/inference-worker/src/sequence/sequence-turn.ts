import type { BatchNotes } from "../scheduler/request-scheduler.ts";
import type { SequenceId } from "./control-inputs.ts";
import type { ImplicitState } from "./implicit-state.ts";

/** What an execution needs to know about one place of its batch. */
export interface SequenceTurn {
  /** Slot of the instance the place belongs to. */
  readonly slot: number;
  /** 0n in a null request. */
  readonly id: SequenceId;
  readonly start: boolean;
  readonly end: boolean;
  readonly ready: boolean;
  /**
   * Of the sequence; in a null request that of another sequence of the batch, for the shapes only. Absent where the model has
   * no implicit state.
   */
  readonly state: ImplicitState | undefined;
}

/** One place of a batch. Null requests keep the others of the direct strategy in their slots. */
export type SlotEntry<T> =
  | { readonly kind: "request"; readonly item: T; readonly place: SequenceTurn }
  | { readonly kind: "null"; readonly place: SequenceTurn };

/** The instances of a model version, by number. */
export interface SequenceTarget<T> {
  /**
   * How many there are now; 0 while the runner is not there. Instances keep their numbers, and those with the highest numbers
   * go first.
   */
  readonly instances: number;
  /** Whether the instance can start an execution now. */
  idle(instance: number): boolean;
  /** Executes the places as one batch, in this order. At least one of them is a request. */
  start(instance: number, entries: readonly SlotEntry<T>[], notes: BatchNotes): void;
}
