"use client";

import type { TryAnswer, TryResult } from "@nereid/services";
import { Banner, Button, Card, formatBytes, formatDuration, formatNumber, Message, ToggleGroup } from "@nereid/ui";
import { useState } from "react";
import { downloadText } from "../../lib/download-text.ts";
import { OutputView } from "./output-view.tsx";
import { RecordLink } from "./record-link.tsx";
import { percentile, timeParts } from "./time-parts.ts";

const FORMS = [
  { value: "table", label: "Table" },
  { value: "json", label: "JSON" },
] as const;

export interface AnswerCardProps {
  readonly model: string;
  /** Null before the first request. */
  readonly result: TryResult | null;
  /** Milliseconds from the browser to the browser, of all requests together. */
  readonly browserMs: number;
}

/** What the model answered, and where the time went. */
export function AnswerCard({ model, result, browserMs }: AnswerCardProps) {
  const [form, setForm] = useState<"table" | "json">("table");
  if (result === null) {
    return (
      <Card title="Answer">
        <Message kind="empty" title="Nothing was sent yet">
          Send a request to see what the model answers and where the time goes.
        </Message>
      </Card>
    );
  }
  const { answer, failure, requestId } = result;
  const json = JSON.stringify(answer?.outputs ?? failure, null, 2);
  return (
    <>
      <Card
        title={answer === null ? "Refused" : "Answer"}
        hint={
          <span aria-live="polite">
            {answer === null ? "" : `Version ${answer.version} answered `}after {formatDuration(result.wholeMs)}, over{" "}
            {result.protocol === "http" ? "HTTP" : "gRPC"}
          </span>
        }
        actions={
          answer === null ? null : (
            <>
              <ToggleGroup label="Form of the answer" value={form} options={FORMS} onChange={setForm} />
              <Button
                size="small"
                className="h-8"
                onClick={() => downloadText(`${model}-answer.json`, "application/json", json)}
              >
                Download
              </Button>
            </>
          )
        }
      >
        {failure === null ? null : (
          <Banner tone="bad">
            <p>
              <span className="font-mono">{failure.code}</span>: {failure.message}
            </p>
            {failure.fix === null ? null : <p className="mt-1">Try this: {failure.fix}.</p>}
          </Banner>
        )}
        {answer === null ? null : form === "json" ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <pre tabIndex={0} className="max-h-96 overflow-auto rounded-md bg-bg p-3 font-mono text-[0.857rem]">
            {json}
          </pre>
        ) : (
          <Outputs answer={answer} />
        )}
      </Card>
      <Card
        title="Where the time went"
        hint={
          <>
            Request <span className="font-mono">{requestId}</span>
          </>
        }
        actions={<RecordLink model={model} requestId={requestId} />}
      >
        <Durations result={result} browserMs={browserMs} />
        {answer === null ? null : <Bars result={result} answer={answer} />}
      </Card>
    </>
  );
}

function Outputs({ answer }: { readonly answer: TryAnswer }) {
  return (
    <div className="space-y-4">
      {answer.cutShort === null ? null : <Banner tone="info">{answer.cutShort}</Banner>}
      {answer.steps === null ? null : (
        <p className="text-ink-soft">
          {formatNumber(answer.steps.length)} answers came; the outputs are of the last one.
        </p>
      )}
      {answer.outputs.map((output) => (
        <section key={output.name} aria-label={`Output ${output.name}`} className="space-y-1.5">
          <h3 className="[overflow-wrap:anywhere]">
            <span className="font-mono font-semibold">{output.name}</span>{" "}
            <span className="font-mono text-[0.857rem] text-ink-soft">
              {output.datatype} [{output.shape.join(", ")}], {formatBytes(output.bytes)}
            </span>
          </h3>
          <OutputView output={output} />
        </section>
      ))}
      {answer.steps === null ? null : (
        <ol aria-label="Answers in their order" className="max-h-64 overflow-auto font-mono text-[0.857rem]">
          {answer.steps.map(({ atMs, outputs }) => (
            <li key={atMs} className="[overflow-wrap:anywhere]">
              <span className="text-ink-soft">{formatDuration(atMs)}</span>{" "}
              {outputs.map(({ name, values }) => `${name}: ${values.slice(0, 8).join(", ")}`).join("; ")}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function Durations({ result, browserMs }: Omit<AnswerCardProps, "model" | "result"> & { readonly result: TryResult }) {
  const { durationsMs, wholeMs } = result;
  const facts: readonly (readonly [string, string])[] =
    durationsMs.length > 1
      ? [
          ["Requests", formatNumber(durationsMs.length)],
          ["p50", formatDuration(percentile(durationsMs, 0.5) ?? 0)],
          ["p99", formatDuration(percentile(durationsMs, 0.99) ?? 0)],
          ["Slowest", formatDuration(Math.max(...durationsMs))],
        ]
      : [
          ["Dashboard to server and back", formatDuration(wholeMs)],
          ["Browser to dashboard and back", formatDuration(browserMs)],
        ];
  return (
    <dl className="mb-3 flex flex-wrap gap-x-6 gap-y-1 text-[0.857rem]">
      {facts.map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-ink-soft">{name}</dt>
          <dd className="font-mono">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Bars({ result, answer }: { readonly result: TryResult; readonly answer: TryAnswer }) {
  const parts = timeParts(result, answer);
  const whole = Math.max(result.wholeMs, ...parts.map(({ startMs, ms }) => startMs + ms));
  const percent = (ms: number) => (whole === 0 ? 0 : (ms / whole) * 100);
  return (
    <>
      <dl className="max-h-80 space-y-1 overflow-y-auto">
        {parts.map(({ label, startMs, ms, color }) => (
          <div key={label} className="grid grid-cols-[8.5rem_1fr_4.5rem] items-center gap-2 text-[0.857rem]">
            <dt className="truncate text-ink-soft" title={label}>
              {label}
            </dt>
            <dd aria-hidden className="relative h-3.5 rounded-sm bg-raised">
              <span
                className="absolute inset-y-0 min-w-[2px] rounded-sm"
                style={{ left: `${percent(startMs)}%`, width: `${percent(ms)}%`, background: color }}
              />
            </dd>
            <dd className="text-right font-mono">{formatDuration(ms)}</dd>
          </div>
        ))}
      </dl>
      {answer.noPhases === null ? null : <p className="text-[0.857rem] text-ink-soft">{answer.noPhases}</p>}
      {result.durationsMs.length > 1 ? (
        <p className="mt-2 text-[0.857rem] text-ink-soft">
          Bars and answer are of the last request. Percentiles are of the whole time of each, as the dashboard saw it.
        </p>
      ) : null}
    </>
  );
}
