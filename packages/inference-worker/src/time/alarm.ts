import type { Clock } from "./clock.ts";
import { PreciseTimer } from "./precise-timer.ts";

/** Calls back once at a moment; at most one moment is set. */
export interface Alarm {
  /** Calls back once at `dueNs` or just after; a later call replaces the earlier moment. */
  arm(dueNs: number): void;
  cancel(): void;
}

/** How an alarm is made: real time, or the virtual time of a simulation. */
export type AlarmFactory = (clock: Clock, onDue: () => void) => Alarm;

export const preciseAlarm: AlarmFactory = (clock, onDue) => new PreciseTimer(clock, onDue);
