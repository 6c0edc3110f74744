import { modelConfigFromJson, printModelConfig } from "@nereid/model-config";
import type { TunedModel, TuningDiffLine, TuningJson, TuningRecommendation } from "@nereid/perf";

/** The recommended configuration as config.pbtxt, and its difference from the present one. Pure. */
export function describeRecommended(recommended: TuningRecommendation, model: TunedModel): TuningRecommendation {
  const before = pbtxt(model.config);
  const after = pbtxt({ ...model.config, ...recommended.fields });
  return { ...recommended, text: after, diff: lineDiff(before.trimEnd().split("\n"), after.trimEnd().split("\n")) };
}

/** A configuration of JSON as text of the protocol. Fields that are null are left out. Pure. */
export function pbtxt(fields: { readonly [name: string]: TuningJson }): string {
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const { config } = modelConfigFromJson(JSON.stringify(known));
  return config === undefined ? "" : printModelConfig(config);
}

/** Lines that stay, go and come, by the longest common subsequence. Pure. */
export function lineDiff(before: readonly string[], after: readonly string[]): TuningDiffLine[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row === undefined) continue;
      row[j] =
        before[i] === after[j]
          ? 1 + (lengths[i + 1]?.[j + 1] ?? 0)
          : Math.max(lengths[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  const lines: TuningDiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const [old, now] = [before[i], after[j]];
    if (old !== undefined && old === now) {
      lines.push({ kind: "same", text: old });
      [i, j] = [i + 1, j + 1];
    } else if (old !== undefined && (now === undefined || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      lines.push({ kind: "removed", text: old });
      i += 1;
    } else if (now !== undefined) {
      lines.push({ kind: "added", text: now });
      j += 1;
    }
  }
  return lines;
}
