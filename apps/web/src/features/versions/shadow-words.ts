import type { ShadowDisagreement, ShadowStatus } from "@nereid/client";
import { trafficTarget } from "@nereid/client/traffic-target";

/** A target as a choice: `version 2`, or `candidate trial, version 1`. */
export function targetText(target: string): string {
  const read = trafficTarget(target);
  return read.kind === "version" ? `version ${read.version}` : `candidate ${read.candidate}, version ${read.version}`;
}

/** What one would mirror to: a candidate, which is there for nothing else, else the lowest version. */
export function firstTarget(targets: readonly string[]): string {
  return targets.find((target) => trafficTarget(target).kind === "candidate") ?? targets[0] ?? "";
}

const REASONS: Readonly<Record<keyof ShadowStatus["dropped"], string>> = {
  "primary-busy": "the model itself was busy",
  "target-not-ready": "the target was not ready",
  "target-busy": "the target was busy",
  memory: "too little memory",
  "too-large": "too large to be copied",
  behind: "comparing could not keep up",
  unsupported: "part of a sequence",
};

/** `3 because the target was busy`, the most frequent reason first; empty when nothing was left out. */
export function dropTexts(dropped: ShadowStatus["dropped"]): readonly string[] {
  return Object.entries(REASONS)
    .flatMap(([reason, words]) => {
      const count = Object.entries(dropped).find(([name]) => name === reason)?.[1] ?? 0;
      return count > 0 ? [{ count, words }] : [];
    })
    .toSorted((a, b) => b.count - a.count)
    .map(({ count, words }) => `${count} because ${words}`);
}

/** A number of any size in few characters: four digits that matter. */
export function figure(value: number): string {
  if (value === 0) return "0";
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

/** One side of a disagreement. */
export function sideText(value: ShadowDisagreement["primary"]): string {
  if (value === null) return "missing";
  return typeof value === "number" ? String(Number(value.toPrecision(7))) : String(value);
}

/** Where it is: `logits[3]`, or the output alone where no element is meant. */
export function placeText({ output, index }: Pick<ShadowDisagreement, "output" | "index">): string {
  return index < 0 ? output : `${output}[${index}]`;
}

/** `0.25 (20 %)`; in words where there is no number. */
export function differenceText({ index, absolute, relative }: ShadowDisagreement): string {
  if (absolute === null) return index < 0 ? "other type or shape" : "no number";
  return relative === null ? figure(absolute) : `${figure(absolute)} (${figure(relative * 100)} %)`;
}

/** `x FP32 [1,784]: 0.5, 0.25, …`. */
export function inputText({ name, datatype, shape, first }: ShadowDisagreement["inputs"][number]): string {
  const elements = shape.reduce((product, dim) => product * dim, 1);
  const more = elements > first.length ? ", …" : "";
  return `${name} ${datatype} [${shape.join(",")}]: ${first.map((value) => (typeof value === "number" ? figure(value) : String(value))).join(", ")}${more}`;
}

/** What stands in the fields. */
export interface ShadowDraft {
  readonly target: string;
  readonly percent: string;
  readonly absolute: string;
  readonly relative: string;
}

type ShadowField = Exclude<keyof ShadowDraft, "target">;

export type ReadShadow =
  | { readonly kind: "right"; readonly percent: number; readonly absolute: number; readonly relative: number }
  | { readonly kind: "wrong"; readonly errors: Readonly<Partial<Record<ShadowField, string>>> };

const LEAST_PERCENT = 0.1;

/** The fields as a shadow, or what is wrong with them. The server says the same, later. */
export function readShadow(draft: ShadowDraft): ReadShadow {
  const percent = numberIn(draft.percent);
  const absolute = numberIn(draft.absolute);
  const relative = numberIn(draft.relative);
  const isShare = percent !== null && percent >= LEAST_PERCENT && percent <= 100;
  if (isShare && absolute !== null && relative !== null) return { kind: "right", percent, absolute, relative };
  return {
    kind: "wrong",
    errors: {
      ...(!isShare && { percent: `A number from ${LEAST_PERCENT} to 100` }),
      ...(absolute === null && { absolute: "A number from 0" }),
      ...(relative === null && { relative: "A number from 0" }),
    },
  };
}

function numberIn(text: string): number | null {
  const value = Number(text);
  return text.trim() !== "" && Number.isFinite(value) && value >= 0 ? value : null;
}
