import type { DiagnosisReport } from "@nereid/services";
import { newTestPath } from "../load-tests/search-params.ts";

/**
 * The command that sends the traffic of a report's window again, at random moments, on the machine of the server: before and after a change
 * it tells whether the change helped.
 */
export function loadTestOf({
  model,
  version,
  figures,
}: Pick<DiagnosisReport, "model" | "version" | "figures">): string {
  const rate = Math.max(1, Math.round(figures.requestsPerSecond));
  const ofVersion = version === null ? "" : ` -x ${version}`;
  return `npx nereid perf -m '${model.replaceAll("'", String.raw`'\''`)}'${ofVersion} --request-rate-range ${rate} --request-distribution poisson --percentile 99`;
}

/** Address of the form of a load test with that traffic. */
export function loadTestPath({
  model,
  version,
  figures,
}: Pick<DiagnosisReport, "model" | "version" | "figures">): string {
  return newTestPath({ model, version, rate: String(Math.max(1, Math.round(figures.requestsPerSecond))) });
}
