const RECENT = 10;
const LEAST_BEFORE = 10;
const GROWTH = 1.5;
const MORE_FAILURES = 0.05;
const LEAST_FAILURES = 20;

/**
 * Whether clients try again and again: in the last ten seconds half as many requests again came as in the seconds before, and the share
 * that failed is greater by five points and more. `arrivals`: requests and failures by second, oldest first. Null = no. Pure.
 */
export function findRetryStorm(arrivals: readonly (readonly [number, number])[]): string | null {
  const before = arrivals.slice(0, -RECENT);
  if (before.length < LEAST_BEFORE) return null;
  const [was, is] = [rates(before), rates(arrivals.slice(-RECENT))];
  if (was.requests === 0 || is.failures * RECENT < LEAST_FAILURES) return null;
  const more = is.failures / is.requests - was.failures / was.requests;
  if (is.requests < GROWTH * was.requests || more < MORE_FAILURES) return null;
  return `arrivals rose from ${was.requests.toFixed(1)} to ${is.requests.toFixed(1)} a second while ${(more * 100).toFixed(0)} points more of them failed: clients try again`;
}

function rates(seconds: readonly (readonly [number, number])[]) {
  const sum = (place: 0 | 1) => seconds.reduce((all, second) => all + second[place], 0) / seconds.length;
  return { requests: sum(0), failures: sum(1) };
}
