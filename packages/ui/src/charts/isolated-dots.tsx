import type { ReactElement } from "react";

export interface IsolatedDotsOptions {
  /** `line:t` of every point without a neighbour, of which a line draws nothing. */
  readonly isolated: ReadonlySet<string>;
  readonly line: string;
  readonly color: string;
}

interface DotProps {
  readonly cx?: number;
  readonly cy?: number;
  readonly payload?: { readonly t: number };
}

/**
 * What a line takes as its `dot`: circles where it has no neighbours. False where there are none, which is the usual case: the
 * library would otherwise make an element for every point of every line, at every redraw.
 */
export function isolatedDots({
  isolated,
  line,
  color,
}: IsolatedDotsOptions): false | ((props: DotProps) => ReactElement) {
  if (![...isolated].some((key) => key.startsWith(`${line}:`))) return false;
  return ({ cx, cy, payload }) => {
    const key = `${line}:${payload?.t ?? 0}`;
    return isolated.has(key) ? <circle key={key} cx={cx} cy={cy} r={2} fill={color} /> : <g key={key} />;
  };
}
