import type { DiagnosisReport } from "@nereid/services";

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
