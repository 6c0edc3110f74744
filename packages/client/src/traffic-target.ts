/** What a weight of divided traffic names: a version of the model, or `candidate/version`. */
export type TrafficTarget =
  | { readonly kind: "version"; readonly version: string }
  | { readonly kind: "candidate"; readonly candidate: string; readonly version: string };

/** Reads a key of `weights`. */
export function trafficTarget(key: string): TrafficTarget {
  const at = key.lastIndexOf("/");
  if (at === -1) return { kind: "version", version: key };
  return { kind: "candidate", candidate: key.slice(0, at), version: key.slice(at + 1) };
}

/** `version 3`, or `candidate mnist_config_1`. */
export function trafficTargetText(key: string): string {
  const target = trafficTarget(key);
  return target.kind === "version" ? `version ${target.version}` : `candidate ${target.candidate}`;
}

/** Order of keys: versions by number, then candidates by name. */
export function compareTrafficTargets(a: string, b: string): number {
  const [left, right] = [trafficTarget(a), trafficTarget(b)];
  if (left.kind === "version" && right.kind === "version") {
    // As a number, one of 17 digits or more would be the same as its neighbours.
    return Number(BigInt(left.version) - BigInt(right.version));
  }
  if (left.kind !== right.kind) return left.kind === "version" ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
