import type { TrialReport } from "@nereid/client";
import { Badge, Card, formatBytes, formatNumber } from "@nereid/ui";

const OUTCOMES = {
  passed: { tone: "ok", text: "passed" },
  failed: { tone: "bad", text: "failed" },
  skipped: { tone: "neutral", text: "not made" },
} as const;

const INPUTS = { zeros: "zeros", random: "random numbers" } as const;

/** How the model did in a process of its own, before anybody depends on it. */
export function TrialCard({ trial }: { readonly trial: TrialReport }) {
  const { tone, text } = OUTCOMES[trial.outcome];
  return (
    <Card
      title="Trial"
      hint="Loaded in a process of its own, with limits, and ended again."
      actions={<Badge tone={tone}>{text}</Badge>}
    >
      {trial.reason === "" ? null : <p className="mb-3 text-[0.929rem] [overflow-wrap:anywhere]">{trial.reason}</p>}
      <dl className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-3 gap-y-2">
        <dt className="text-ink-soft">Time to load</dt>
        <dd>{trial.loadSeconds === null ? "–" : `${formatNumber(trial.loadSeconds)} s`}</dd>
        <dt className="text-ink-soft">Memory of the process</dt>
        <dd>{trial.rssBytes === null ? "–" : `${formatBytes(trial.rssBytes)} at most`}</dd>
        {trial.inferences.map((inference) => (
          <div key={inference.input} className="contents">
            <dt className="text-ink-soft">Given {INPUTS[inference.input]}</dt>
            <dd className="min-w-0">
              {inference.ok ? `${formatNumber(inference.milliseconds)} ms` : (inference.error ?? "failed")}
              <ul className="font-mono text-[0.857rem] text-ink-soft">
                {inference.outputs.map(({ name, datatype, shape, finite }) => (
                  <li key={name} className="[overflow-wrap:anywhere]">
                    {name} {datatype} [{shape.join(", ")}]{finite ? "" : ", holds NaN or infinity"}
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
