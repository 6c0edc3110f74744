import { compareTrafficTargets, type TrafficStatus } from "@nereid/client";
import { textTable } from "../text-table.ts";

/** How a model's traffic is divided, for a terminal. Pure. */
export function trafficLines(model: string, traffic: TrafficStatus | null): string[] {
  if (traffic === null) return [`${model}: all requests that name no version go to the highest version that is ready`];
  const { weights, shares, stickyHeader } = traffic;
  // Where none of the versions with a weight serves, another one has it all.
  const versions = [...new Set([...Object.keys(weights), ...Object.keys(shares)])].sort(compareTrafficTargets);
  const rows = versions.map((version) => {
    const share = shares[version] ?? 0;
    const notes = (weights[version] ?? 0) > 0 && share === 0 ? "is not served: the others have its share" : "";
    return [version, String(weights[version] ?? "-"), `${(share * 100).toFixed(1)} %`, notes];
  });
  return [
    `${model}: requests that name no version`,
    ...textTable(
      [
        { title: "version", numeric: true },
        { title: "weight", numeric: true },
        { title: "share now", numeric: true },
        { title: "" },
      ],
      rows,
    ),
    ...(stickyHeader === undefined ? [] : [`the same value of ${stickyHeader} goes to the same version`]),
  ];
}
