import type { Counted } from "./block-evidence.ts";

export interface ShareInterval {
  readonly low: number;
  readonly high: number;
}

const HALVINGS = 50;

/**
 * Bounds of a share that hold at all times together with probability 1 − α, so that one may look at them whenever one likes: the shares
 * that Robbins' mixture (Beta(½, ½) over alternatives; "Statistical methods related to the law of the iterated logarithm", 1970) does not
 * refute: ln B(x+½, n−x+½) − ln B(½, ½) − x ln θ − (n−x) ln(1−θ) < ln(1/α). Null without requests.
 */
export function shareInterval({ requests, bad }: Counted, alpha = 0.05): ShareInterval | null {
  if (requests === 0) return null;
  const mixed = logBeta(bad + 0.5, requests - bad + 0.5) - logBeta(0.5, 0.5);
  const bound = Math.log(1 / alpha);
  const refutes = (share: number) => mixed - times(bad, share) - times(requests - bad, 1 - share) >= bound;
  const seen = bad / requests;
  return { low: edge(seen, 0, refutes), high: edge(seen, 1, refutes) };
}

/** The last share on the way from `inside` to `outside` that is not refuted. */
function edge(inside: number, outside: number, refutes: (share: number) => boolean): number {
  if (!refutes(outside)) return outside;
  let near = inside;
  let far = outside;
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (near + far) / 2;
    if (refutes(middle)) far = middle;
    else near = middle;
  }
  return near;
}

/** count · ln(share), where nothing times minus infinity is nothing. */
function times(count: number, share: number): number {
  return count === 0 ? 0 : count * Math.log(share);
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
] as const;

/** ln Γ(x) for x ≥ ½ by Lanczos' series (g = 7), exact to some 15 digits. */
function logGamma(x: number): number {
  const z = x - 1;
  const sum = LANCZOS.reduce((all, factor, place) => all + factor / (z + place + 1), 0.9999999999998099);
  const t = z + LANCZOS.length - 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}
