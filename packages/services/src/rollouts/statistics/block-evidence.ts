/** Requests of one version, and how many of them were bad in the sense of a gate. */
export interface Counted {
  readonly requests: number;
  readonly bad: number;
}

/** The odds by which the candidate may be worse, of which nobody knows the true one: each is tried, and the evidence is their mean. */
export const ODDS: readonly number[] = [1.5, 2.5, 6, 25, 100];

/**
 * No block may count for more than this factor. Requests of one moment share their fate (a stalled processor, one batch), so a single
 * bad second must not decide. min(E, c) ≤ E, so the bound on false alarms holds as before.
 */
const MOST_FACTOR = 2.5;

/**
 * So much of what was won is not bet again: 1/4 + 3/4·E is an e-value like E, and never takes away more than three quarters. Without it
 * one odd block would silence a test that bets on great odds for the rest of the step.
 */
const HELD_BACK = 1 / 4;

const SMALLEST = 1e-6;

export interface BlockTest {
  /** What is believed of the baseline's share of bad requests before the block is seen. */
  readonly expected: number;
  /** By how much (a share) the candidate may be worse. */
  readonly margin: number;
  readonly odds: number;
}

/**
 * Logarithm of an e-value of one block of requests of both versions, for "the candidate's share of bad requests p is at most the
 * baseline's b plus the margin". A likelihood ratio of a guess (p*, b*), made before the block is seen, against the point (p°, b°) of the
 * null that is nearest to it (sum of n·KL), as in Turner, Ly and Grünwald, "Generic E-variables for exact sequential k-sample tests that
 * allow for optional stopping" (2021).
 *
 * Why it is one: with g = (p*−p°)/(p°(1−p°)), and h likewise for b, its mean under (p, b) is (1+g(p−p°))^n · (1+h(b−b°))^m ≤
 * exp(n·g·(p−p°) + m·h·(b−b°)), and the exponent is the directional derivative of −(n·KL+m·KL) at its minimum over a convex set, so at
 * most 0 for every (p, b) of the null. Products of such values over blocks are a test martingale, and by Ville's inequality exceed 1/α
 * at any time with probability at most α, however often one looks.
 */
export function blockLogEvidence(candidate: Counted, baseline: Counted, { expected, margin, odds }: BlockTest): number {
  const b = clamp(expected);
  const edge = clamp(b + margin);
  const p = clamp((odds * edge) / (1 - edge + odds * edge));
  const near = nearestOfNull({ p, b, n: candidate.requests, m: baseline.requests, margin });
  const log = logRatio(candidate, p, near.p) + logRatio(baseline, b, near.b);
  return tempered(log);
}

/**
 * The same for "the share of bad requests is at most `limit`", which needs no baseline: a likelihood ratio against the limit itself
 * (Wald's, with the mean over alternatives). Its mean under p is (1+g(p−limit))^n ≤ 1 for p ≤ limit.
 */
export function limitLogEvidence(candidate: Counted, limit: number, odds: number): number {
  const edge = clamp(limit);
  const p = clamp((odds * edge) / (1 - edge + odds * edge));
  return tempered(logRatio(candidate, p, edge));
}

/** Logarithm of the mean of the evidence for all odds; the mean of e-processes is one. */
export function meanLogEvidence(logs: readonly number[]): number {
  const most = Math.max(...logs);
  return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0) / logs.length);
}

function tempered(log: number): number {
  // Beyond the most that counts, the exponential could overflow.
  const factor = HELD_BACK + (1 - HELD_BACK) * Math.exp(Math.min(log, 10));
  return Math.log(Math.min(factor, MOST_FACTOR));
}

function clamp(share: number): number {
  return Math.min(1 - SMALLEST, Math.max(SMALLEST, share));
}

function logRatio({ requests, bad }: Counted, guess: number, null_: number): number {
  return bad * Math.log(guess / null_) + (requests - bad) * Math.log((1 - guess) / (1 - null_));
}

interface Guess {
  readonly p: number;
  readonly b: number;
  /** Requests of the candidate and of the baseline. */
  readonly n: number;
  readonly m: number;
  readonly margin: number;
}

const HALVINGS = 40;

/** The point with p = b + margin that makes n·KL(p*‖p) + m·KL(b*‖b) least. The derivative grows, so its zero is found by halving. */
function nearestOfNull({ p, b, n, m, margin }: Guess): { readonly p: number; readonly b: number } {
  if (margin === 0) {
    const pooled = (n * p + m * b) / (n + m);
    return { p: pooled, b: pooled };
  }
  let low = b;
  let high = Math.max(b, p - margin);
  for (let step = 0; step < HALVINGS; step += 1) {
    const x = (low + high) / 2;
    const y = clamp(x + margin);
    const slope = (n * (y - p)) / (y * (1 - y)) + (m * (x - b)) / (x * (1 - x));
    if (slope < 0) low = x;
    else high = x;
  }
  return { p: clamp(high + margin), b: high };
}
