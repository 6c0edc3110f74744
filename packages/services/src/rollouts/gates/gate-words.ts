import type { RolloutGate } from "../rollout-spec.ts";
import type { GateReading } from "./judge-gate.ts";

/** What a gate that weighs requests says of them: the figures, the share that was bad with its bounds, and what is allowed. */
export function tallyWords(
  gate: RolloutGate,
  {
    candidate,
    baseline,
    requests,
    badShare,
    low,
    high,
    allowedShare,
  }: Omit<GateReading, "id" | "kind" | "verdict" | "says">,
): string {
  const change =
    candidate === null || baseline === null || baseline === 0 || gate.kind === "latency-limit"
      ? ""
      : ` ${signed(candidate / baseline - 1)}`;
  const figures = candidate === null ? "" : `${change} (${number(candidate)} ms against ${number(baseline)} ms)`;
  const share = `${percent(badShare)} (${percent(low)} to ${percent(high)})`;
  switch (gate.kind) {
    case "latency": {
      const quantile = `p${trimmed(gate.quantile * 100)}`;
      const slack = gate.slackMs === 0 ? "" : ` and by more than ${gate.slackMs} ms`;
      return `${quantile}${figures}; ${share} of ${requests} requests were slower than ${gate.ratio} times the baseline's ${quantile}${slack}, of the baseline's own ${percent(allowedShare)} were slower than it`;
    }
    case "latency-limit":
      return `p${trimmed(gate.quantile * 100)} ${number(candidate)} ms; ${share} of ${requests} requests took longer than ${gate.limitMs} ms, ${percent(allowedShare)} may`;
    case "errors":
      return `${share} of ${requests} requests failed, of the baseline's ${percent(allowedShare)}; ${percent(gate.margin)} more are allowed`;
    case "error-limit":
      return `${share} of ${requests} requests failed, ${percent(gate.share)} may`;
    case "goodput":
      return `${share} of ${requests} requests failed or took longer than ${gate.latencyMs} ms, of the baseline's ${percent(allowedShare)}; ${percent(gate.margin)} more are allowed`;
    default:
      return `mean wait${figures}; longer than allowed in ${share} of ${requests} seconds`;
  }
}

/** A share as percent; a dash where there is none. */
export function percent(share: number | null): string {
  return share === null ? "–" : `${trimmed(share * 100)} %`;
}

function signed(share: number): string {
  return `${share < 0 ? "−" : "+"}${trimmed(Math.abs(share) * 100)} %`;
}

function number(value: number | null): string {
  return value === null ? "–" : String(Number(value.toPrecision(3)));
}

function trimmed(value: number): string {
  return String(Number(value.toFixed(value < 1 ? 2 : 1)));
}
