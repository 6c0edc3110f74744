import { type TimeWindow, windowInput } from "./time-window.ts";

export interface HistoryView {
  readonly model: string;
  readonly window: TimeWindow;
  readonly version: string | null;
  readonly split: "version" | "node" | null;
  readonly compare: boolean;
  readonly paused: boolean;
  readonly sloMs?: number | undefined;
}

/** The input with which a window of a model is asked for; the server's first answer has the same. */
export function historyInputOf({ model, window, version, split, sloMs }: Omit<HistoryView, "compare" | "paused">) {
  return {
    model,
    ...windowInput(window),
    ...(version !== null && { version }),
    ...(split !== null && { splitBy: split, ...(split === "node" && { node: "all" }) }),
    ...(sloMs !== undefined && { sloMs }),
  };
}
