"use client";

import type { LabJobView } from "@nereid/services";
import { loadTestCommand, loadTestScenario } from "@nereid/services/load-test-args";
import type { LoadLevel } from "@nereid/services/load-test-report";
import type { LoadTestSpec, LoadThreshold } from "@nereid/services/load-test-spec";
import { Card, CopyButton } from "@nereid/ui";
import { proposedThresholds } from "./proposed-thresholds.ts";

export interface CopyCardProps {
  readonly job: LabJobView;
  readonly spec: LoadTestSpec;
  readonly levels: readonly LoadLevel[];
}

/** The same test from a terminal, and as a gate of a build. */
export function CopyCard({ job, spec, levels }: CopyCardProps) {
  const place = {
    address: spec.protocol === "grpc" ? "127.0.0.1:8001" : "127.0.0.1:8000",
    inputFile: "requests.json",
    arrivalsFile: "arrivals.txt",
  };
  const last = levels.at(-1);
  const own: readonly LoadThreshold[] = spec.thresholds.length > 0 ? spec.thresholds : proposedThresholds(last);
  const level = last?.level ?? ("to" in spec.load ? spec.load.to : 1);
  const scenario =
    own.length === 0 ? null : loadTestScenario(spec, { ...place, level, thresholds: own, title: job.title });
  const { input } = spec;
  const data = input.kind === "json" ? input.text : input.kind === "fixture" ? input.data : undefined;
  return (
    <Card title="The same from a terminal" hint="Put in the address of the server as your machine reaches it.">
      <div className="space-y-4">
        <Code label="Command" text={loadTestCommand(spec, place)} />
        {scenario === null ? null : (
          <Code
            label="Scenario for nereid perf --check"
            text={scenario}
            note={spec.thresholds.length > 0 ? undefined : "Its thresholds are what was measured, and a fifth."}
          />
        )}
        {spec.load.kind === "recorded" ? (
          <p className="text-ink-soft">
            arrivals.txt has a time in milliseconds on each line; the server tells them under{" "}
            <code className="font-mono text-[0.857rem] text-ink [overflow-wrap:anywhere]">
              /nereid/v1/models/{spec.model}/arrivals?seconds={spec.load.seconds}
            </code>
            .
          </p>
        ) : null}
        {data === undefined ? null : (
          <p className="flex flex-wrap items-center gap-2">
            <span className="text-ink-soft">requests.json has what was sent:</span>
            <CopyButton text={data} label="Copy requests.json">
              Copy
            </CopyButton>
          </p>
        )}
      </div>
    </Card>
  );
}

function Code({
  label,
  text,
  note,
}: {
  readonly label: string;
  readonly text: string;
  readonly note?: string | undefined;
}) {
  return (
    <div>
      <p className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium text-[0.929rem]">
          {label}
          {note === undefined ? null : <span className="ml-2 font-normal text-[0.857rem] text-ink-soft">{note}</span>}
        </span>
        <CopyButton text={text} label={`Copy: ${label}`}>
          Copy
        </CopyButton>
      </p>
      <pre className="mt-1 whitespace-pre-wrap rounded-md border bg-bg px-3 py-2 font-mono text-[0.857rem] [overflow-wrap:anywhere]">
        {text}
      </pre>
    </div>
  );
}
