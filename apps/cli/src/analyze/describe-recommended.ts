import { matchLines, modelConfigFromJson, printModelConfig } from "@nereid/model-config";
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

/** Lines that stay, go and come; of a changed stretch those that go first. Pure. */
export function lineDiff(before: readonly string[], after: readonly string[]): TuningDiffLine[] {
  const places = matchLines(before, after);
  const lines: TuningDiffLine[] = [];
  let next = 0;
  const added = (until: number) => {
    for (; next < until; next += 1) lines.push({ kind: "added", text: after[next] ?? "" });
  };
  for (const [index, text] of before.entries()) {
    const place = places.get(index);
    if (place === undefined) {
      lines.push({ kind: "removed", text });
      continue;
    }
    added(place);
    lines.push({ kind: "same", text });
    next = place + 1;
  }
  added(after.length);
  return lines;
}
