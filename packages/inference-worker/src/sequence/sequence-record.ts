import type { NereidError } from "@nereid/errors";
import type { RefusalReason } from "../scheduler/request-scheduler.ts";
import type { SequenceId } from "./control-inputs.ts";
import type { ImplicitState } from "./implicit-state.ts";
import { LinkedList, type ListNode } from "./linked-list.ts";
import type { HeapNode } from "./min-heap.ts";
import type { Slot } from "./slot-table.ts";

/** A request the scheduler owns, from `enqueue` until it is refused or has been executed. */
export interface Pending<T> {
  readonly item: T;
  readonly sequence: Sequence<T>;
  start: boolean;
  end: boolean;
  /** Since when it waits; a rescheduled request waits anew. */
  sinceNs: number;
  /** Where it is being executed; undefined while it waits. */
  slot: Slot<T> | undefined;
  /** It is to be executed once more. */
  again: boolean;
  /** Its client has gone while it was executing. */
  cancelled: boolean;
}

/** One sequence: its requests and the slot, or the place in the backlog, where they wait. */
export interface Sequence<T> extends HeapNode {
  readonly id: SequenceId;
  readonly queue: LinkedList<Pending<T>>;
  readonly state: ImplicitState | undefined;
  /** Requests with its id belong to it; false once its END was enqueued, it was idle for too long, or it was ended. */
  open: boolean;
  /** Undefined while it waits in the backlog, and when it is over. */
  slot: Slot<T> | undefined;
  /** Its place in the backlog. */
  waiting: ListNode<Sequence<T>> | undefined;
  /** Its place among the sequences that may become idle. */
  idle: ListNode<Sequence<T>> | undefined;
  /** At most one of its requests is being executed. */
  running: Pending<T> | undefined;
  /** Whether an instance has seen any of its requests. */
  executed: boolean;
  touchedNs: number;
  /** Why its remaining requests are refused, once it was ended. */
  over: { readonly error: NereidError; readonly reason: RefusalReason } | undefined;
}

export function newSequence<T>(id: SequenceId, state: ImplicitState | undefined): Sequence<T> {
  return {
    id,
    queue: new LinkedList(),
    state,
    open: true,
    slot: undefined,
    waiting: undefined,
    idle: undefined,
    running: undefined,
    executed: false,
    touchedNs: 0,
    over: undefined,
    heapKey: 0,
    heapIndex: -1,
  };
}
